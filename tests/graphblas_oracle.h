// Matrix algebra by SuiteSparse:GraphBLAS, an implementation that shares nothing with ours: the
// oracle of the oracle.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "language/program.h"
#include "tropic/tensor.h"

namespace tropic::testing {

/// The entries of a matrix by row and column; values that every element type can hold exactly.
struct OracleMatrix {
    Index rows = 0;
    Index cols = 0;
    std::map<std::vector<Index>, double> entries;
};

/// Small whole numbers at random places, few or many.
OracleMatrix random_matrix(Index rows, Index cols, std::mt19937_64& random);

/// A csr matrix of int32, and back from csr.
Tensor tensor_of(const OracleMatrix& matrix);
OracleMatrix matrix_of(const Tensor& tensor);

/// An operator by the name it has in programs.
struct NamedOperator {
    language::Operator op;
    const char* text;
};
const NamedOperator& random_sum(std::mt19937_64& random);
const NamedOperator& random_product(std::mt19937_64& random);

/// What happens to the result on its way into a matrix that may have entries already.
struct OracleTarget {
    std::optional<OracleMatrix> old = {};
    std::optional<OracleMatrix> mask = {}; ///< structural
    bool complement = false;               ///< where the mask has no entry
    bool replace = false;                  ///< what the mask leaves out goes
    std::optional<language::Operator> accumulate = {};
};

/// old<mask> accumulate= A add.multiply B, computed in float64, float32, int32 or int64.
OracleMatrix graphblas_product(const OracleMatrix& a, const OracleMatrix& b, ElementType type,
                               language::Operator add, language::Operator multiply,
                               const OracleTarget& target = {});

/// old<mask> accumulate= A op B, where either or both have entries.
OracleMatrix graphblas_elementwise(const OracleMatrix& a, const OracleMatrix& b, ElementType type,
                                   language::Operator op, language::Meeting meeting,
                                   const OracleTarget& target = {});

} // namespace tropic::testing
