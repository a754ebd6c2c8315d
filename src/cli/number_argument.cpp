#include "cli/number_argument.h"

#include <charconv>

#include "tropic/error.h"

namespace tropic::cli {

namespace {

template <class T> std::optional<Argument> parse_as(const std::string& text) {
    T number{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return Argument(number);
}

} // namespace

std::optional<Argument> parse_number(const std::string& text) {
    if (const auto whole = parse_as<std::int64_t>(text)) return whole;
    if (const auto large = parse_as<std::uint64_t>(text)) return large;
    return parse_as<double>(text);
}

std::optional<Argument> parse_truth(const std::string& text) {
    if (text == "true" || text == "false") return Argument(text == "true");
    return parse_number(text);
}

void check_command_line(const std::function<void()>& check) {
    try {
        check();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::range) throw;
        Diagnostic misuse = error.diagnostic();
        misuse.code = ErrorCode::usage;
        throw Error(std::move(misuse));
    }
}

} // namespace tropic::cli
