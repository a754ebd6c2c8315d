// Text to tokens.
#pragma once

#include <string_view>
#include <vector>

#include "language/diagnostics.h"

namespace tropic::language {

enum class TokenKind : std::uint8_t {
    end,
    name,
    integer,
    real,
    symbol,
    text, ///< with its quotes; in algorithms only
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text; ///< a piece of the source
    Place place;
    std::int64_t integer = 0; ///< of an integer
    double number = 0;        ///< of an integer or a real

    bool is(std::string_view symbol) const noexcept {
        return kind == TokenKind::symbol && text == symbol;
    }
    bool is_word(std::string_view word) const noexcept {
        return kind == TokenKind::name && text == word;
    }
};

/// Which symbols there are: those of tensor programs, or those of algorithms.
enum class Dialect : std::uint8_t { tensors, algorithm };

/// The tokens of the source; the last one is `end`. What is no token is reported and left out.
std::vector<Token> tokenize(const Source& source, Diagnostics& diagnostics,
                            Dialect dialect = Dialect::tensors);

} // namespace tropic::language
