// Names of vertices and of their fields.
#pragma once

#include <cstdint>
#include <string>

#include <poplar/StringRef.hpp>

namespace poplar {

class FieldRef;

class VertexRef {
  public:
    VertexRef() = default;
    explicit VertexRef(std::uint32_t id) : id_(id) {}
    FieldRef operator[](StringRef fieldName) const;
    std::uint32_t getId() const { return id_; }
    friend bool operator==(const VertexRef& l, const VertexRef& r) { return l.id_ == r.id_; }
    friend bool operator!=(const VertexRef& l, const VertexRef& r) { return l.id_ != r.id_; }
    friend bool operator<(const VertexRef& l, const VertexRef& r) { return l.id_ < r.id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
};

/// A field, or one of the parts of a field that is a list.
class FieldRef {
  public:
    static constexpr std::size_t whole = static_cast<std::size_t>(-1);

    FieldRef(VertexRef vertex, std::string name, std::size_t index = whole)
        : vertex_(vertex), name_(std::move(name)), index_(index) {}
    FieldRef operator[](std::size_t index) const { return {vertex_, name_, index}; }
    VertexRef vertex() const { return vertex_; }
    const std::string& name() const { return name_; }
    std::size_t index() const { return index_; }
    bool isIndexed() const { return index_ != whole; }

  private:
    VertexRef vertex_;
    std::string name_;
    std::size_t index_ = whole;
};

inline FieldRef VertexRef::operator[](StringRef fieldName) const {
    return {*this, fieldName.cloneAsString()};
}

} // namespace poplar
