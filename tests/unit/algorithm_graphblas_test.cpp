// Statements that make graphs against SuiteSparse:GraphBLAS, on random matrices: products over
// semirings and element-wise operations, under masks, into graphs that have entries already.
#include <random>

#include <gtest/gtest.h>

#include "graphblas_oracle.h"
#include "tropic/algorithm.h"
#include "tropic/coordinates.h"

namespace tropic {
namespace {

using language::Meeting;
using language::Operator;
using testing::OracleMatrix;
using testing::OracleTarget;

using Random = std::mt19937_64;

OracleMatrix random_matrix(Index size, Random& random) {
    OracleMatrix matrix{size, size, {}};
    const std::uint64_t density = 1 + random() % 5;
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
            if (random() % 10 < density) {
                matrix.entries[{i, j}] = static_cast<double>(random() % 9) - 3;
            }
        }
    }
    return matrix;
}

Tensor tensor_of(const OracleMatrix& matrix) {
    std::vector<std::int32_t> pos(static_cast<std::size_t>(matrix.rows) + 1);
    std::vector<std::int32_t> crd;
    std::vector<std::int32_t> values;
    for (const auto& [at, value] : matrix.entries) { // by rows
        crd.push_back(static_cast<std::int32_t>(at[1]));
        values.push_back(static_cast<std::int32_t>(value));
        pos[static_cast<std::size_t>(at[0]) + 1] = static_cast<std::int32_t>(crd.size());
    }
    for (std::size_t i = 1; i < pos.size(); ++i) pos[i] = std::max(pos[i], pos[i - 1]);
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(crd, {}, "coordinates");
    return {{matrix.rows, matrix.cols},
            Format::csr(),
            std::move(levels),
            Array::copy_of<std::int32_t>(values, {}, "values"),
            true,
            true};
}

OracleMatrix matrix_of(const Tensor& tensor) {
    OracleMatrix matrix{tensor.dim(0), tensor.dim(1), {}};
    visit_csr(tensor, [&](const auto& view) {
        for (Index i = 0; i < view.rows; ++i) {
            for (Index p = view.pos[i]; p < view.pos[i + 1]; ++p) {
                matrix.entries[{i, static_cast<Index>(view.crd[p])}] = tensor.values().value_at(p);
            }
        }
    });
    return matrix;
}

struct Named {
    Operator op;
    const char* text;
};

constexpr Named sums[] = {{Operator::add, "+"},
                          {Operator::multiply, "*"},
                          {Operator::minimum, "min"},
                          {Operator::maximum, "max"}};
constexpr Named products[] = {{Operator::multiply, "*"},    {Operator::add, "+"},
                              {Operator::subtract, "-"},    {Operator::minimum, "min"},
                              {Operator::maximum, "max"},   {Operator::first, "first"},
                              {Operator::second, "second"}, {Operator::pair, "pair"}};

template <std::size_t n> const Named& one_of(const Named (&list)[n], Random& random) {
    return list[random() % n];
}

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
        const Named& op = one_of(sums, random);
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
    const OracleMatrix a = random_matrix(size, random);
    const OracleMatrix b = random_matrix(size, random);
    const OracleMatrix m = random_matrix(size, random);
    const OracleMatrix d = random_matrix(size, random);
    const Target target = random_target(d, m, random);
    std::string value;
    OracleMatrix expected;
    if (random() % 3 != 0) {
        const Named& add = one_of(sums, random);
        const Named& multiply = one_of(products, random);
        value = std::string("A[i, k] @(") + add.text + ", " + multiply.text + ") B[k, j]";
        expected = testing::graphblas_product(a, b, ElementType::int64, add.op, multiply.op,
                                              target.oracle);
    } else if (random() % 2 == 0) {
        const Named& op = one_of(sums, random);
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
        const AlgorithmResult result = algorithm.run(
            {{"A", tensor_of(a)}, {"B", tensor_of(b)}, {"M", tensor_of(m)}, {"D", tensor_of(d)}},
            Context({.threads = threads}));
        EXPECT_EQ(matrix_of(result.tensor("C")).entries, expected.entries) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Random, AlgorithmAgainstGraphBlas, ::testing::Range(0, 60));

} // namespace
} // namespace tropic
