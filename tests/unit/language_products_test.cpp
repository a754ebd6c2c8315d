// Which labels a product folds away, and what expressions become.
#include <gtest/gtest.h>

#include "program_text.h"

namespace tropic::language {
namespace {

/// Statements that come after these declarations.
std::string in_main(const std::string& statements) {
    const std::string text =
        checked("def main() {\n"
                "IndexLabel [i, j, k, l] = [?];\n"
                "Tensor<double> A([i, j], {CSR}), B([j, k], {CSR}), D([k, l], {CSR});\n"
                "Tensor<double> M([i, k], {CSR}), C([i, k], {CSR}), T([i, j, k], {CSF});\n"
                "Tensor<double> x([i], Dense), y([j], Dense), z([k], Dense);\n" +
                statements + "}\n");
    // What is used and never assigned is read first; the tables are about the rest.
    std::string rest;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        if (line.find(" = read ") == std::string::npos) rest += line;
        begin = end;
    }
    return rest;
}

TEST(LanguageProducts, FoldTheLabelsNobodyWants) {
    const std::pair<const char*, const char*> table[] = {
        {"C[i,k] = A[i,j] * B[j,k];", "C[i,k] = [+,* over j](A[i,j], B[j,k])\n"},
        {"C[k,i] = A[i,j] * B[j,k];", "C[k,i] = [+,* over j](A[i,j], B[j,k])\n"},
        {"C[i,k] = A[i,j] @(min,+) B[j,k];", "C[i,k] = [min,+ over j](A[i,j], B[j,k])\n"},
        {"C[i,k] = A[i,j] @(|,&) B[j,k];", "C[i,k] = [|,& over j](A[i,j], B[j,k])\n"},
        {"C[i,k] = A[i,j] @(lor,land) B[j,k];", "C[i,k] = [|,& over j](A[i,j], B[j,k])\n"},
        {"C[i,k] = A[i,j] @(plus,times) B[j,k];", "C[i,k] = [+,* over j](A[i,j], B[j,k])\n"},
        {"C[i,k] = A[i,j] @(+,x) B[j,k];", "C[i,k] = [+,* over j](A[i,j], B[j,k])\n"},
        // A chain is folded from the left, each label where it is met for the last time.
        {"E[i,l] = A[i,j] * B[j,k] * D[k,l];",
         "E[i,l] = [+,* over k]([+,* over j](A[i,j], B[j,k]), D[k,l])\n"},
        {"E[i,l] = A[i,j] * (B[j,k] * D[k,l]);",
         "E[i,l] = [+,* over j](A[i,j], [+,* over k](B[j,k], D[k,l]))\n"},
        {"x[i] = T[i,j,k] * y[j] * z[k];",
         "x[i] = [+,* over k]([+,* over j](T[i,j,k], y[j]), z[k])\n"},
        // A label of three factors waits for the third.
        {"E[i,l] = A[i,j] * B[j,k] * A[j,l];",
         "E[i,l] = [+,* over j]([+,* over k](A[i,j], B[j,k]), A[j,l])\n"},
        // A label of one operand that nobody wants is folded as well.
        {"x[i] = A[i,j] * B[j,k];", "x[i] = [+,* over j,k](A[i,j], B[j,k])\n"},
        {"x[i] = 2 * A[i,j];", "x[i] = [+,* over j](2:float64, A[i,j])\n"},
        // Nothing to fold: an outer product, or an element-wise one.
        {"C[i,k] = x[i] * z[k];", "C[i,k] = [+,* over ](x[i], z[k])\n"},
        {"C[i,k] = M[i,k] * C[i,k];", nullptr},
        {"E[i,j] = A[i,j] * A[i,j];", "E[i,j] = (A[i,j] *& A[i,j])\n"},
        {"E[i,j] = A[i,j] @(+,pair) A[i,j];", "E[i,j] = (A[i,j] pair& A[i,j])\n"},
        {"E[i,j] = A[i,j] @(min,+) A[i,j];", "E[i,j] = (A[i,j] +& A[i,j])\n"},
        // Labels name dimensions: the same label twice is the diagonal.
        {"x[i] = A[i,i];", "x[i] = A[i,i]\n"},
        {"x[i] = A[i,i] * x[i];", nullptr},
        // transpose is said by the labels already.
        {"E[j,i] = transpose(A[i,j], {j,i});", "E[j,i] = A[i,j]\n"},
        {"E[j,k] = transpose(A[i,j], {j,i}) * M[i,k];", "E[j,k] = [+,* over i](A[i,j], M[i,k])\n"},
        {"E[k,i] = transpose(A[i,j] * B[j,k], {k,i});", "E[k,i] = [+,* over j](A[i,j], B[j,k])\n"},
    };
    for (const auto& [text, expected] : table) {
        if (expected == nullptr) {
            EXPECT_THROW(in_main(text), Error) << text;
        } else {
            EXPECT_EQ(in_main(text), expected) << text;
        }
    }
}

TEST(LanguageProducts, ElementwiseAsksItsOperandsForWhatTheOtherHas) {
    const std::pair<const char*, const char*> table[] = {
        {"E[i,k] = A[i,j] * B[j,k] + M[i,k];",
         "E[i,k] = ([+,* over j](A[i,j], B[j,k]) +| M[i,k])\n"},
        {"E[i,k] = M[i,k] .* (A[i,j] * B[j,k]);",
         "E[i,k] = (M[i,k] *& [+,* over j](A[i,j], B[j,k]))\n"},
        {"E[i,k] = (A[i,j] * B[j,k]) @(min) (A[i,j] * B[j,k]);",
         "E[i,k] = ([+,* over j](A[i,j], B[j,k]) min| [+,* over j](A[i,j], B[j,k]))\n"},
        {"x[i] = (A[i,j] + A[i,j]) * y[j];", "x[i] = [+,* over j]((A[i,j] +| A[i,j]), y[j])\n"},
        {"E[i,j] = -A[i,j] - A[i,j];", "E[i,j] = (-A[i,j] -| A[i,j])\n"},
        {"E[i,j] = A[i,j] @(first) A[i,j];", "E[i,j] = (A[i,j] first& A[i,j])\n"},
        {"E[i,j] = A[i,j] @(|) A[i,j];", "E[i,j] = (A[i,j] || A[i,j])\n"},
        {"E[i,j] = A[i,j] / 2;", "E[i,j] = (A[i,j] /& 2:float64)\n"},
        {"E[i,j] = 2.*A[i,j];", "E[i,j] = (2:float64 *& A[i,j])\n"},
        {"E[i,j] = A[i,j] + 1;", "E[i,j] = (A[i,j] +| 1:float64)\n"},
    };
    for (const auto& [text, expected] : table) EXPECT_EQ(in_main(text), expected) << text;
}

TEST(LanguageProducts, ScalarsAreSums) {
    const std::pair<const char*, const char*> table[] = {
        {"var n = SUM(A[i,j]);", "n = sum(A[i,j])\n"},
        {"var n = SUM(A[i,j] * B[j,k]);", "n = sum([+,* over j](A[i,j], B[j,k]))\n"},
        {"var n = SUM((A[i,j] * B[j,k]) .* M[i,k]) / 6;",
         "n = (sum(([+,* over j](A[i,j], B[j,k]) *& M[i,k])) /& 6:float64)\n"},
        // min is not +: the rows of the product are minima, their sum is a sum.
        {"var n = SUM(A[i,j] @(min,+) B[j,k]);", "n = sum([min,+ over j](A[i,j], B[j,k]))\n"},
        {"var n = y[j] * y[j];", "n = sum((y[j] *& y[j]))\n"},
        {"var n = SUM(y[j] * y[j]);", "n = sum((y[j] *& y[j]))\n"},
        {"var n = x[i] * A[i,j] * y[j];", "n = sum(([+,* over i](x[i], A[i,j]) *& y[j]))\n"},
        {"var n = y[j] @(max,*) y[j];", "n = [max,* over j](y[j], y[j])\n"},
        {"z[k] = (y[j] * y[j]) * z[k];", nullptr},
        {"E[k] = (y[j] * y[j]) * z[k];", "E[k] = (sum((y[j] *& y[j])) *& z[k])\n"},
    };
    for (const auto& [text, expected] : table) {
        if (expected == nullptr) {
            EXPECT_THROW(in_main(text), Error) << text;
        } else {
            EXPECT_EQ(in_main(text), expected) << text;
        }
    }
}

TEST(LanguageProducts, MasksAndAccumulation) {
    const std::pair<const char*, const char*> table[] = {
        {"C[i,k]<M> = A[i,j] * B[j,k];", "C[i,k]<M[i,k] auto> = [+,* over j](A[i,j], B[j,k])\n"},
        {"C[i,k]<M, push> += A[i,j] * B[j,k];",
         "C[i,k]<M[i,k] push> += [+,* over j](A[i,j], B[j,k])\n"},
        {"C[i,k]<M[k,i], pull> -= A[i,j] * B[j,k];",
         "C[i,k]<M[k,i] pull> -= [+,* over j](A[i,j], B[j,k])\n"},
        {"C[i,k]<M, auto> = 1.0;", "C[i,k]<M[i,k] auto> = 1:float64\n"},
        {"var n = 1; n += 2; n -= 3;", "n = 1:int64\nn = (n +| 2:int64)\nn = (n -| 3:int64)\n"},
    };
    for (const auto& [text, expected] : table) EXPECT_EQ(in_main(text), expected) << text;
}

TEST(LanguageProducts, CanonicalLabelsAreThoseOfFirstAppearance) {
    const Program program =
        check_program("def main() { IndexLabel [a, b, c, d] = [?];\n"
                      "Tensor<double> P([a, b, c], {CSF}), Q([d, b, a], {CSF});\n"
                      "R[d, c, a] = P[a, b, c] * Q[d, b, a]; }",
                      "test.tropic");
    const Statement& last = program.statements.back();
    EXPECT_EQ(last.labels, (std::vector<LabelId>{3, 2, 0}));
    EXPECT_EQ(last.operands[0].labels, (std::vector<LabelId>{0, 2, 3}));
    EXPECT_EQ(last.operands[0].reduced, (std::vector<LabelId>{1}));
}

} // namespace
} // namespace tropic::language
