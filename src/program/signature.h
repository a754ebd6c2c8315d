// The parameters and results of a checked algorithm as its callers see them.
#pragma once

#include <vector>

#include "language/algorithm/algorithm.h"
#include "tropic/algorithm.h"

namespace tropic::program {

/// Those of `ids`, in their order.
std::vector<AlgorithmVariable> describe(const language::algorithm::Algorithm& algorithm,
                                        const std::vector<language::algorithm::VariableId>& ids);

/// The value of a constant expression: what a parameter is if nobody says. Integers are exact.
struct Constant {
    bool real = false;
    std::int64_t integer = 0;
    double number = 0;
};
Constant value_of(const language::algorithm::Expression& constant);

/// A type as the language writes it: "vector<int, edges(A)>".
std::string type_text(const language::algorithm::Algorithm& algorithm,
                      const language::algorithm::Type& type);

} // namespace tropic::program
