// What the first check of a text learns for the second.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "language/algorithm/syntax.h"
#include "tropic/types.h"

namespace tropic::language::algorithm {

/// What checking finds out too late and uses when it checks again: by the place that introduces a
/// variable, a wider element type than that of its first value; graphs whose columns are named.
struct Facts {
    std::map<std::pair<int, int>, ElementType> widened;
    /// Scalars that start as infinity: the type of the first value that has one.
    std::map<std::pair<int, int>, ElementType> of_infinity;
    /// Scalars that nobody declared and that take integers narrower than themselves.
    std::map<std::pair<int, int>, ElementType> narrower;
    /// Sparse vectors that code of members gathers into: the operation, if what it starts from is
    /// not 0 and there is no other; else nothing.
    std::map<std::pair<int, int>, std::string> gathered;
    /// Sparse vectors that hold something else than 0 where they have no member.
    std::set<std::pair<int, int>> not_zero;
    std::set<std::string> rectangular; ///< parameters of the entry
    std::set<const syntax::Function*> expanded;
    bool changed = false;
};

} // namespace tropic::language::algorithm
