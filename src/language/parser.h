// Tokens to a syntax tree. A mistake costs its statement, not the rest of the program: parsing goes
// on behind it, so that one run reports them all.
#pragma once

#include "language/diagnostics.h"
#include "language/syntax_tree.h"

namespace tropic::language {

/// How deep parentheses, calls and loops may nest; what is written by hand stays far below.
inline constexpr int deepest_nesting = 200;

/// How deep an expression may be as a tree; a chain of n operators is n deep. Bounds the recursion
/// of everything that walks expressions.
inline constexpr int deepest_expression = 500;

/// Reports to `diagnostics`; the tree holds what could be understood.
syntax::Tree parse(const Source& source, Diagnostics& diagnostics);

} // namespace tropic::language
