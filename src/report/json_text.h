// Writing JSON as text, piece by piece: profiles are too large to be built as trees first.
#pragma once

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/number_arrays.h"

namespace tropic::report {

/// With quotation marks; bytes that are not UTF-8 are replaced, as JSON has no way to say them.
std::string json_string(std::string_view text);

/// An object or array that is being written, its commas in place.
class JsonList {
  public:
    JsonList(std::string& out, std::string_view brackets) : out_(out), close_(brackets[1]) {
        out_ += brackets[0];
    }
    JsonList(const JsonList&) = delete;
    JsonList& operator=(const JsonList&) = delete;
    ~JsonList() { out_ += close_; }

    /// What follows is the next element, or the value of the next key.
    std::string& next() {
        if (!first_) out_ += ',';
        first_ = false;
        return out_;
    }
    std::string& next_line() {
        next() += '\n';
        return out_;
    }
    std::string& key(std::string_view name) {
        fmt::format_to(std::back_inserter(next()), "\"{}\":", name);
        return out_;
    }

    void add(std::string_view name, std::string_view text) { key(name) += json_string(text); }
    void add(std::string_view name, bool value) { key(name) += value ? "true" : "false"; }
    template <std::integral Number> void add(std::string_view name, Number value) {
        fmt::format_to(std::back_inserter(key(name)), "{}", value);
    }
    /// The shortest text that reads back as the same number; JSON knows no infinity.
    void add(std::string_view name, double value) {
        fmt::format_to(std::back_inserter(key(name)), "{}", std::isfinite(value) ? value : 0.0);
    }

    /// A column: one member of every element of a list.
    template <class List, class Get>
    void add_column(std::string_view name, const List& list, const Get& get) {
        std::vector<std::uint64_t> numbers;
        numbers.reserve(list.size());
        for (const auto& element : list) numbers.push_back(get(element));
        append_numbers(key(name), numbers);
    }

  private:
    std::string& out_;
    char close_;
    bool first_ = true;
};

} // namespace tropic::report
