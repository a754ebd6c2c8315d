// Named options, as text.
#pragma once

#include <initializer_list>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include <poplar/StringRef.hpp>

namespace poplar {

class OptionFlags {
  public:
    using OptionFlag = std::pair<const std::string, std::string>;
    using initializer_list = std::initializer_list<OptionFlag>;
    using iterator = std::map<std::string, std::string>::const_iterator;
    using const_iterator = iterator;

    OptionFlags() = default;
    OptionFlags(initializer_list initial) { set(initial); }

    /// Later values win.
    void set(initializer_list options) {
        for (const auto& o : options) flags_[o.first] = o.second;
    }
    void set(StringRef option, StringRef value) { flags_[option.cloneAsString()] = value; }
    /// Throws std::out_of_range if the option was not set.
    StringRef at(StringRef option) const { return flags_.at(option.cloneAsString()); }
    bool contains(StringRef option) const { return flags_.count(option.cloneAsString()) != 0; }
    void clear() { flags_.clear(); }
    bool empty() const { return flags_.empty(); }
    std::size_t size() const { return flags_.size(); }

    iterator begin() const { return flags_.begin(); }
    iterator end() const { return flags_.end(); }

    friend bool operator==(const OptionFlags& l, const OptionFlags& r) {
        return l.flags_ == r.flags_;
    }
    friend bool operator!=(const OptionFlags& l, const OptionFlags& r) { return !(l == r); }
    friend bool operator<(const OptionFlags& l, const OptionFlags& r) {
        return l.flags_ < r.flags_;
    }

  private:
    std::map<std::string, std::string> flags_;
};

/// Adds the members of a JSON object to the options. Throws parse_error.
void readJSON(StringRef json, OptionFlags& flags);
void readJSON(std::istream& stream, OptionFlags& flags);

std::ostream& operator<<(std::ostream& ostream, const OptionFlags& flags);

} // namespace poplar
