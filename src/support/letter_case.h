// Comparing names without regard to the case of their letters. Only ASCII has cases here: suffixes
// and names of formats have no other letters.
#pragma once

#include <algorithm>
#include <string_view>

namespace tropic {

constexpr char lower_case(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool same_letters(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

constexpr bool has_suffix(std::string_view path, std::string_view suffix) noexcept {
    return path.size() >= suffix.size() &&
           same_letters(path.substr(path.size() - suffix.size()), suffix);
}

} // namespace tropic
