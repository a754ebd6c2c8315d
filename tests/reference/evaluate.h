// The value of an expression: a table whose dimensions carry labels. Written from the meaning of
// each kind of expression, with loops over everything that could contribute.
#pragma once

#include <map>
#include <vector>

#include "reference/table.h"

namespace tropic::reference {

/// Labels are all different; labels[d] belongs to dimension d.
struct Labelled {
    std::vector<language::LabelId> labels;
    Table table;
};

using LabelSizes = std::map<language::LabelId, Index>;

/// The variables of a running program.
struct Memory {
    std::map<language::VariableId, Table> tensors;
    std::map<language::VariableId, Number> scalars;
};

/// `sizes` has every label of the expression.
Labelled evaluate(const language::Expression& expression, const language::Program& program,
                  const Memory& memory, const LabelSizes& sizes);

/// The same values over other labels, in their order: repeated along those it does not have.
Table spread(const Labelled& value, const std::vector<language::LabelId>& labels,
             const LabelSizes& sizes);

/// `left op right` with equal shapes, where `meeting` says; the result is of the left's type.
Table combine(language::Operator op, language::Meeting meeting, const Table& left,
              const Table& right);

/// `left op right` where one of them is a scalar: on every entry of the other.
Table combine_with_scalar(language::Operator op, const Table& left, const Table& right);

} // namespace tropic::reference
