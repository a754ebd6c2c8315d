#include "report/units.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tropic::report {

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string time_text(double seconds) {
    if (seconds == 0) return "0 s";
    if (seconds < 999.5e-9) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 999.5e-6) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 999.5e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
    return seconds < 999.5 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string memory_text(std::uint64_t bytes) {
    constexpr std::uint64_t kibi = 1024;
    if (bytes > 0 && bytes % kibi == 0 && bytes / kibi < 10 * kibi) {
        return fmt::format("{} KiB", bytes / kibi);
    }
    return bytes_text(bytes);
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", share * 100);
}

double share_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string spaced(std::string_view word) {
    std::string text(word);
    std::ranges::replace(text, '_', ' ');
    return text;
}

} // namespace tropic::report
