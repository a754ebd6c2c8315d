// What a statement that makes a graph says: C[i, j]<mask> op= value.
#pragma once

#include <deque>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

struct Checker::Matrix {
    const syntax::Statement* words = nullptr;
    syntax::Name name;
    syntax::Name row;
    syntax::Name column;
    VariableId graph = -1; ///< -1: the statement makes it known
    SpaceId rows = 0;
    SpaceId columns = 0;
    VariableId label = -1; ///< of the row
    VariableId at = -1;    ///< of the column, where an entry is at hand
    /// Scalars, where the statement is about one row or one column: C[s, j] = ..., C[i, s] = ...
    VariableId fixed_row = -1;
    VariableId fixed_column = -1;
    /// What of the mask every entry of a row shares, where rows that it leaves out are kept.
    std::optional<Expression> row_condition;
    bool replace = false; ///< as the mask says
    bool keep = false;
    std::deque<Tree> owned;              ///< trees that masks stand for
    std::vector<const Tree*> row_tests;  ///< parts of the mask that every entry of a row shares
    std::vector<const Tree*> tests;      ///< the others; all must hold
    std::map<const Tree*, Part> parts;   ///< what is known of the right side
    std::vector<VariableId> fold_labels; ///< bound by the product at hand
    std::vector<Statement> before;       ///< what is made before the loop over rows
    std::optional<Type> type;            ///< of the values
    bool failed = false;

    const Tree& value() const { return *words->value; }
    bool is_part() const { return fixed_row >= 0 || fixed_column >= 0; }
    /// Whether nothing of what was there stays.
    bool is_whole() const { return words->accumulate.empty() && !keep && !is_part(); }
    Place place() const { return words->place; }
};

} // namespace tropic::language::algorithm
