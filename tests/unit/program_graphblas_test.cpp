// Compiled products against SuiteSparse:GraphBLAS, on random matrices: semirings, formats, element
// types, masks in every direction, into tensors that have entries already.
#include <random>

#include <gtest/gtest.h>

#include "graphblas_oracle.h"
#include "tropic/program.h"

namespace tropic {
namespace {

using testing::OracleMatrix;
using testing::OracleTarget;

using Random = std::mt19937_64;

struct Element {
    ElementType type;
    const char* text;
};

const char* random_format(Random& random) {
    static constexpr const char* formats[] = {"CSR", "DCSR", "COO", "CSC", "D,CU", "CU,CU"};
    return formats[random() % std::size(formats)];
}

class ProgramAgainstGraphBlas : public ::testing::TestWithParam<int> {};

TEST_P(ProgramAgainstGraphBlas, MultipliesTheSame) {
    Random random(static_cast<std::uint64_t>(GetParam()));
    const auto size = [&] { return static_cast<Index>(1 + random() % 40); };
    const Index rows = size();
    const Index inner = size();
    const Index cols = size();
    const OracleMatrix a = testing::random_matrix(rows, inner, random);
    const OracleMatrix b = testing::random_matrix(inner, cols, random);
    static constexpr Element elements[] = {{ElementType::float64, "double"},
                                           {ElementType::float32, "float"},
                                           {ElementType::int32, "int"},
                                           {ElementType::int64, "int64"}};
    const Element& element = elements[random() % std::size(elements)];
    const testing::NamedOperator& add = testing::random_sum(random);
    const testing::NamedOperator& multiply = testing::random_product(random);

    OracleTarget target;
    target.old = testing::random_matrix(rows, cols, random);
    OracleMatrix mask = testing::random_matrix(rows, cols, random);
    std::string where;
    if (random() % 3 != 0) {
        static constexpr const char* ways[] = {"<M>", "<M,push>", "<M,pull>", "<M,auto>"};
        where = ways[random() % std::size(ways)];
        target.mask = mask;
    }
    const bool adds = random() % 2 == 0;
    if (adds) target.accumulate = language::Operator::add;

    const std::string type = element.text;
    const auto tensor = [&](const char* name, const char* labels) {
        return "    Tensor<" + type + "> " + name + "([" + labels + "], {" + random_format(random) +
               "});\n";
    };
    const auto label = [](const char* name, Index extent) {
        return std::string("    IndexLabel [") + name + "] = [" + std::to_string(extent) + "];\n";
    };
    const std::string text = "def main() {\n" + label("i", rows) + label("k", inner) +
                             label("j", cols) + tensor("A", "i, k") + tensor("B", "k, j") +
                             tensor("M", "i, j") + tensor("D", "i, j") + "    Tensor<" + type +
                             "> C([i, j], {CSR});\n    C[i, j] = D[i, j];\n    C[i, j]" + where +
                             (adds ? " += " : " = ") + "A[i, k] @(" + add.text + ", " +
                             multiply.text + ") B[k, j];\n    var masked = SUM(M[i, j]);\n}\n";
    const OracleMatrix expected =
        testing::graphblas_product(a, b, element.type, add.op, multiply.op, target);

    Program program = Program::from_text(text, {.outputs = {"C", "masked"}, .cache = false});
    program.bind("A", testing::tensor_of(a)).bind("B", testing::tensor_of(b));
    program.bind("M", testing::tensor_of(mask)).bind("D", testing::tensor_of(*target.old));
    for (const int threads : {1, 2}) {
        const RunResult result = program.run(Context({.threads = threads}));
        EXPECT_EQ(testing::matrix_of(result.tensor("C")).entries, expected.entries) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Random, ProgramAgainstGraphBlas, ::testing::Range(0, 80));

} // namespace
} // namespace tropic
