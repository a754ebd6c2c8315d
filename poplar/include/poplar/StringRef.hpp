// A view of text that someone else owns.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace poplar {

class StringRef {
  public:
    using const_iterator = const char*;

    StringRef() noexcept = default;
    StringRef(const char* p, std::size_t length) noexcept : text_(p, length) {}
    StringRef(const char* p) noexcept : text_(p == nullptr ? std::string_view() : p) {}
    StringRef(const std::string& s) noexcept : text_(s) {}
    StringRef(std::string_view s) noexcept : text_(s) {}

    operator std::string() const { return std::string(text_); }
    operator std::string_view() const noexcept { return text_; }
    std::string cloneAsString() const { return std::string(text_); }
    std::string str() const { return std::string(text_); }

    const char* data() const noexcept { return text_.data(); }
    std::size_t size() const noexcept { return text_.size(); }
    std::size_t length() const noexcept { return text_.size(); }
    bool empty() const noexcept { return text_.empty(); }
    const_iterator begin() const noexcept { return text_.data(); }
    const_iterator end() const noexcept { return text_.data() + text_.size(); }
    char operator[](std::size_t i) const { return text_[i]; }

    friend bool operator==(StringRef l, StringRef r) noexcept { return l.text_ == r.text_; }
    friend bool operator!=(StringRef l, StringRef r) noexcept { return l.text_ != r.text_; }
    friend bool operator<(StringRef l, StringRef r) noexcept { return l.text_ < r.text_; }
    friend std::string operator+(StringRef l, StringRef r) {
        return l.cloneAsString() + r.cloneAsString();
    }
    friend std::ostream& operator<<(std::ostream& os, StringRef s) { return os << s.text_; }

  private:
    std::string_view text_;
};

} // namespace poplar
