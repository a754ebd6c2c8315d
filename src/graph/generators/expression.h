// The text of a generator expression, "name:argument,argument,...", taken apart. Every part knows
// its column, so that a complaint can point at it.
#pragma once

#include <string_view>
#include <vector>

#include "tropic/error.h"
#include "tropic/types.h"

namespace tropic::generators {

enum class ArgumentKind : std::uint8_t {
    positional, ///< starts with a digit, sign or point: "18", "10x20"
    flag,       ///< a word: "raw"
    pair,       ///< "key=value"
};

/// One argument; the views point into the expression.
struct Argument {
    ArgumentKind kind = ArgumentKind::positional;
    std::string_view key = {};   ///< of flags and pairs
    std::string_view value = {}; ///< of positional arguments and pairs
    Index column = 0;            ///< of the argument, 1-based
    Index value_column = 0;
};

struct Expression {
    std::string_view text;
    std::string_view name; ///< what stands before the first colon
    std::vector<Argument> arguments;
};

/// Takes the text apart; the expression's views point into `text`. Throws Error(usage) for a
/// missing colon or an empty argument.
Expression parse_expression(std::string_view text);

/// Error(usage) that shows the expression with a caret under `column`.
[[noreturn]] void fail(std::string_view text, Index column, std::string message,
                       std::string accepted, std::string hint = {});

/// A whole number: "1000000", "2^18", "1e6", "64k", "3M", "1G". False if it is not one or does not
/// fit; `too_large` tells the two apart.
bool parse_whole(std::string_view text, Index& value, bool& too_large) noexcept;

/// A finite decimal number: "0.25", "1", "1e-3".
bool parse_real(std::string_view text, double& value) noexcept;

/// The candidate that is a likely misspelling away from `name`; empty if there is none.
std::string_view nearest_name(std::string_view name,
                              const std::vector<std::string_view>& candidates);

} // namespace tropic::generators
