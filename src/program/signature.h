// The parameters and results of a checked algorithm as its callers see them.
#pragma once

#include <vector>

#include "language/algorithm/algorithm.h"
#include "tropic/algorithm.h"

namespace tropic::program {

/// Those of `ids`, in their order.
std::vector<AlgorithmVariable> describe(const language::algorithm::Algorithm& algorithm,
                                        const std::vector<language::algorithm::VariableId>& ids);

/// A number that is known before the run. Integers are exact.
struct Constant {
    bool real = false;
    std::int64_t integer = 0;
    double number = 0;
    bool large = false; ///< a whole number from 2^63 up: `integer` has the bits of it
};
std::string text_of(const Constant& constant);

/// The value of a constant expression: what a parameter is if nobody says.
Constant value_of(const language::algorithm::Expression& constant);

/// A type as the language writes it: "vector<int, edges(A)>".
std::string type_text(const language::algorithm::Algorithm& algorithm,
                      const language::algorithm::Type& type);

} // namespace tropic::program
