#include "language/diagnostics.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "support/nearest.h"

namespace tropic::language {

namespace {

bool same_but_for_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) {
        return x == y || ((x ^ y) == 0x20 && ((x | 0x20) >= 'a' && (x | 0x20) <= 'z'));
    });
}

} // namespace

void Diagnostics::add(ErrorCode code, Place place, std::string message, Advice advice) {
    const bool known = std::ranges::any_of(list_, [&](const Diagnostic& other) {
        return other.line == place.line && other.column == place.column && other.message == message;
    });
    if (known) return;
    if (list_.size() == kept) {
        ++left_out_;
        return;
    }
    list_.push_back({.code = code,
                     .message = std::move(message),
                     .file = source_.file(),
                     .line = place.line,
                     .column = place.column,
                     .source_line = std::string(source_.line(place.line)),
                     .accepted = std::move(advice.accepted),
                     .hint = std::move(advice.hint)});
}

void Diagnostics::raise_if_any() {
    if (list_.empty()) return;
    std::ranges::sort(list_, [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
    });
    throw Error(std::move(list_), left_out_);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> words) {
    // One letter is as near to any other; only its case can be meant.
    const std::string_view meant = nearest(word, words);
    if (word.size() < 3 && !same_but_for_case(word, meant)) return {};
    return meant.empty() ? std::string() : fmt::format("did you mean '{}'?", meant);
}

} // namespace tropic::language
