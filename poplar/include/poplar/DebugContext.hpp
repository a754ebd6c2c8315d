// Names for what a program makes, so that profiles and messages can say what is meant.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <poplar/StringRef.hpp>

namespace poplar {

class DebugId {};

class DebugNameAndId {
  public:
    DebugNameAndId() = default;
    DebugNameAndId(std::string name, DebugId = {}, std::string parentPath = {})
        : path_(parentPath.empty() ? std::move(name) : parentPath + "/" + name) {}
    DebugNameAndId(const char* name) : path_(name == nullptr ? "" : name) {}
    DebugNameAndId(StringRef name) : path_(name) {}
    std::string getPathName() const { return path_; }

  private:
    std::string path_;
};

class DebugContext {
  public:
    DebugContext() = default;
    DebugContext(const char* name) : path_(name == nullptr ? "" : name) {}
    DebugContext(std::string name) : path_(std::move(name)) {}
    DebugContext(StringRef name) : path_(name) {}
    DebugContext(const DebugNameAndId& name, StringRef suffix = {})
        : path_(join(name.getPathName(), suffix)) {}
    DebugContext(const DebugContext& parent, StringRef name) : path_(join(parent.path_, name)) {}

    std::string getPathName() const { return path_; }
    std::string getName() const { return path_.substr(path_.rfind('/') + 1); }

  private:
    static std::string join(const std::string& parent, StringRef name) {
        if (parent.empty()) return name;
        if (name.empty()) return parent;
        return parent + "/" + name.cloneAsString();
    }
    std::string path_;
};

} // namespace poplar
