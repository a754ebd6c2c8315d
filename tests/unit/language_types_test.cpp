// Element types of expressions, and where conversions stand.
#include <gtest/gtest.h>

#include "language/element_types.h"
#include "program_text.h"

namespace tropic::language {
namespace {

using enum ElementType;

TEST(LanguageTypes, CommonType) {
    const std::tuple<ElementType, ElementType, ElementType> table[] = {
        {boolean, boolean, boolean}, {boolean, int8, int8},      {boolean, float32, float32},
        {int8, int16, int16},        {int32, int64, int64},      {uint8, uint16, uint16},
        {uint8, int8, int16},        {uint16, int8, int32},      {uint32, int32, int64},
        {uint32, int64, int64},      {uint64, int8, int64},      {uint64, uint8, uint64},
        {int16, float32, float32},   {uint16, float32, float32}, {int32, float32, float64},
        {int64, float32, float64},   {uint64, float64, float64}, {float32, float64, float64},
    };
    for (const auto& [a, b, expected] : table) {
        EXPECT_EQ(common_type(a, b), expected) << name_of(a) << " " << name_of(b);
        EXPECT_EQ(common_type(b, a), expected) << name_of(b) << " " << name_of(a);
    }
}

std::string assigned(const std::string& target, const std::string& expression) {
    const Program program = check_program(
        "def main() { IndexLabel [i, j] = [4]; var n = 3; var r = 0.5;\n"
        "Tensor<int> I([i], Dense); Tensor<float> F([i], Dense); Tensor<double> G([i], Dense);\n"
        "Tensor<bool> B([i], Dense); Tensor<uint8> U([i], Dense); Tensor<int8> S([i], Dense);\n" +
            (target.empty() ? "" : "Tensor<" + target + "> E([i], Dense);\n") +
            "E[i] = " + expression + "; }",
        "test.tropic");
    const ProgramText text(program);
    const Statement& last = program.statements.back();
    return text.expression(last.operands[0]) + " -> " +
           std::string(
               name_of(program.variables.at(static_cast<std::size_t>(last.variable)).element));
}

TEST(LanguageTypes, OfExpressions) {
    const std::tuple<const char*, const char*, const char*> table[] = {
        {"", "I[i] + I[i]", "(I[i] +| I[i]) -> int32"},
        {"", "I[i] + F[i]", "(float64(I[i]) +| float64(F[i])) -> float64"},
        {"", "U[i] + S[i]", "(int16(U[i]) +| int16(S[i])) -> int16"},
        {"", "U[i] + F[i]", "(float32(U[i]) +| F[i]) -> float32"},
        // Constants follow the other operand where they fit.
        {"", "2 * I[i]", "(2:int32 *& I[i]) -> int32"},
        {"", "2 * F[i]", "(2:float32 *& F[i]) -> float32"},
        {"", "0.1 * F[i]", "(0.1:float32 *& F[i]) -> float32"},
        {"", "0.5 * I[i]", "(0.5:float64 *& float64(I[i])) -> float64"},
        {"", "2.0 * I[i]", "(2:float64 *& float64(I[i])) -> float64"},
        {"", "300 * U[i]", "(300:int64 *& int64(U[i])) -> int64"},
        {"", "1e300 * F[i]", "(1e+300:float64 *& float64(F[i])) -> float64"},
        {"", "2 * 3 * I[i]", "(6:int32 *& I[i]) -> int32"},
        {"", "16777217 * F[i]", "(16777217:float64 *& float64(F[i])) -> float64"},
        // Scalars are int64 or float64.
        {"", "n * I[i]", "(n *& int64(I[i])) -> int64"},
        {"", "r * F[i]", "(r *& float64(F[i])) -> float64"},
        // Division leaves the integers.
        {"", "I[i] / 2", "(float64(I[i]) /& 2:float64) -> float64"},
        {"", "F[i] / 2", "(F[i] /& 2:float32) -> float32"},
        // Signs need a signed type.
        {"", "-U[i]", "-int16(U[i]) -> int16"},
        {"", "B[i] - B[i]", "(int8(B[i]) -| int8(B[i])) -> int8"},
        {"", "B[i] | 1", nullptr},
        {"", "B[i] @(|) B[i]", "(B[i] || B[i]) -> bool"},
        // The target decides in the end.
        {"double", "I[i]", "float64(I[i]) -> float64"},
        {"float", "I[i] * 0.5", "float32((float64(I[i]) *& 0.5:float64)) -> float32"},
        {"int", "3", "3:int32 -> int32"},
        {"int", "3.0", "3:int32 -> int32"},
        {"bool", "1", "1:bool -> bool"},
        {"double", "n", "float64(n) -> float64"},
    };
    for (const auto& [target, expression, expected] : table) {
        if (expected == nullptr) {
            EXPECT_THROW(assigned(target, expression), Error) << expression;
        } else {
            EXPECT_EQ(assigned(target, expression), expected) << expression;
        }
    }
}

TEST(LanguageTypes, SumsAreWide) {
    EXPECT_EQ(checked("def main() { IndexLabel [i] = [4]; Tensor<int8> S([i], Dense); S[i] = 1;\n"
                      "var n = SUM(S[i]); }"),
              "S[i] = 1:int8\nn = sum(int64(S[i]))\n");
    EXPECT_EQ(checked("def main() { IndexLabel [i] = [4]; Tensor<float> F([i], Dense); F[i] = 1;\n"
                      "var n = SUM(F[i]); }"),
              "F[i] = 1:float32\nn = sum(float64(F[i]))\n");
}

TEST(LanguageTypes, AScalarIsRealIfAnyOfItsValuesIs) {
    EXPECT_EQ(
        checked("def main() { var n = 0; var m = n; for k in range(3): n = n + 0.5; m = n; end }"),
        "n = 0:float64\nm = n\nfor k in 0:int64 3:int64 1:int64\n"
        "  n = (n +| 0.5:float64)\n  m = n\n");
    EXPECT_EQ(checked("def main() { var n = 0; n = n + 1; print(n / 2); }"),
              "n = 0:int64\nn = (n +| 1:int64)\nprint (float64(n) /& 2:float64)\n");
}

TEST(LanguageTypes, ManyScalarsThatWidenOneAnother) {
    // Each round of checking finds one more; in the end all are real.
    std::string text = "def main() {\n";
    for (int v = 0; v < 30; ++v) text += fmt::format("var v{} = 0;\n", v);
    for (int v = 0; v < 29; ++v) text += fmt::format("v{} = v{};\n", v, v + 1);
    text += "v29 = 0.5;\n}\n";
    const Program program = check_program(text, "test.tropic");
    for (const Variable& variable : program.variables) {
        EXPECT_EQ(variable.element, float64) << variable.name;
    }
}

TEST(LanguageTypes, ConstantsAreFolded) {
    const std::pair<const char*, const char*> table[] = {
        {"1 + 2 * 3", "7:int64"},
        {"-(2 - 5)", "3:int64"},
        {"1 / 4", "0.25:float64"},
        {"2 * 0.5", "1:float64"},
        {"-2", "-2:int64"},
        {"7 - 2 - 1", "4:int64"},
        {"12 / 3 / 2", "2:float64"},
        {"1e-3", "0.001:float64"},
        {"1 @(min) 2", "1:int64"},
        {".5 + 1.", "1.5:float64"},
        {"9223372036854775807 + 1", "(9223372036854775807:int64 +| 1:int64)"},
    };
    for (const auto& [text, expected] : table) {
        EXPECT_EQ(checked(fmt::format("def main() {{ print({}); }}", text)),
                  fmt::format("print {}\n", expected));
    }
}

} // namespace
} // namespace tropic::language
