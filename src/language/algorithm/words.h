// The words of algorithms that cannot be names.
#pragma once

#include "language/lexer.h"

namespace tropic::language::algorithm {

bool is_reserved(const Token& token) noexcept;

/// Whether parsing can go on at the token after a mistake.
bool opens_statement(const Token& token) noexcept;

/// def, program, operator...
bool opens_definition(const Token& token) noexcept;

} // namespace tropic::language::algorithm
