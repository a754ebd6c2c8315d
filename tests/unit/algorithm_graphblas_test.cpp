// Statements that make graphs against SuiteSparse:GraphBLAS, on random matrices: products over
// semirings and element-wise operations, under masks, into graphs that have entries already.
#include <random>

#include <gtest/gtest.h>

#include "graphblas_oracle.h"
#include "tropic/algorithm.h"

namespace tropic {
namespace {

using language::Meeting;
using language::Operator;
using testing::NamedOperator;
using testing::OracleMatrix;
using testing::OracleTarget;

using Random = std::mt19937_64;

/// What becomes of a graph that has entries: by the text, and by GraphBLAS.
struct Target {
    std::string mask;       ///< "<M[i, j], keep>"
    std::string assignment; ///< "+="
    OracleTarget oracle;
};

Target random_target(const OracleMatrix& old, const OracleMatrix& mask, Random& random) {
    Target target;
    target.oracle.old = old;
    target.assignment = "=";
    const bool accumulates = random() % 2 == 0;
    if (accumulates) {
        const NamedOperator& op = testing::random_sum(random);
        target.oracle.accumulate = op.op;
        target.assignment = std::string(op.text) + "=";
    }
    if (random() % 3 == 0) return target; // no mask
    target.oracle.mask = mask;
    target.oracle.complement = random() % 2 == 0;
    target.oracle.replace = random() % 2 == 0;
    target.mask = std::string("<") + (target.oracle.complement ? "!" : "") + "M[i, j]";
    // Both say it aloud: the default of an assignment is not that of an accumulator.
    target.mask += target.oracle.replace ? ", replace>" : ", keep>";
    return target;
}

class AlgorithmAgainstGraphBlas : public ::testing::TestWithParam<int> {};

TEST_P(AlgorithmAgainstGraphBlas, MakesTheSameGraphs) {
    Random random(static_cast<std::uint64_t>(GetParam()));
    const Index size = 1 + static_cast<Index>(random() % 40);
    const OracleMatrix a = testing::random_matrix(size, size, random);
    const OracleMatrix b = testing::random_matrix(size, size, random);
    const OracleMatrix m = testing::random_matrix(size, size, random);
    const OracleMatrix d = testing::random_matrix(size, size, random);
    const Target target = random_target(d, m, random);
    std::string value;
    OracleMatrix expected;
    if (random() % 3 != 0) {
        const NamedOperator& add = testing::random_sum(random);
        const NamedOperator& multiply = testing::random_product(random);
        value = std::string("A[i, k] @(") + add.text + ", " + multiply.text + ") B[k, j]";
        expected = testing::graphblas_product(a, b, ElementType::int64, add.op, multiply.op,
                                              target.oracle);
    } else if (random() % 2 == 0) {
        const NamedOperator& op = testing::random_sum(random);
        value = std::string("A[i, j] @(") + op.text + ") B[i, j]";
        expected = testing::graphblas_elementwise(a, b, ElementType::int64, op.op, Meeting::either,
                                                  target.oracle);
    } else {
        value = "A[i, j] * B[i, j]";
        expected = testing::graphblas_elementwise(a, b, ElementType::int64, Operator::multiply,
                                                  Meeting::both, target.oracle);
    }
    const std::string text = "def f(A: graph<int>, B: graph<int>, M: graph<int>, D: graph<int>)"
                             " -> C: graph<int64> {\n    C[i, j] = D[i, j];\n    C[i, j]" +
                             target.mask + " " + target.assignment + " " + value + ";\n}\n";
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    for (const int threads : {1, 2}) {
        const AlgorithmResult result = algorithm.run({{"A", testing::tensor_of(a)},
                                                      {"B", testing::tensor_of(b)},
                                                      {"M", testing::tensor_of(m)},
                                                      {"D", testing::tensor_of(d)}},
                                                     Context({.threads = threads}));
        EXPECT_EQ(testing::matrix_of(result.tensor("C")).entries, expected.entries) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Random, AlgorithmAgainstGraphBlas, ::testing::Range(0, 60));

} // namespace
} // namespace tropic
