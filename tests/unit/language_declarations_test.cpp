// Declarations: labels, element types, formats; reads; inputs; what is declared by its use.
#include <gtest/gtest.h>

#include "program_text.h"

namespace tropic::language {
namespace {

TEST(LanguageDeclarations, SizesOfLabels) {
    const std::pair<const char*, std::vector<Index>> table[] = {
        {"IndexLabel [i] = [4];", {4}},
        {"IndexLabel [i, j] = [4];", {4, 4}},
        {"IndexLabel [i, j] = [4, 5];", {4, 5}},
        {"IndexLabel [i] = [?];", {-1}},
        {"IndexLabel [i, j] = [?];", {-1, -1}},
        {"IndexLabel [i] = [0:8];", {8}},
        {"IndexLabel [i] = [2:8];", {6}},
        {"IndexLabel [i] = [0:8:3];", {3}},
        {"IndexLabel [i] = [1:8:7];", {1}},
        {"IndexLabel [i] = [0:?];", {-1}},
        {"IndexLabel [i, j] = [?, 3:5];", {-1, 2}},
    };
    for (const auto& [text, sizes] : table) {
        const Program program = check_program(fmt::format("def main() {{ {} }}", text), "t");
        std::vector<Index> found;
        found.reserve(program.labels.size());
        for (const Label& label : program.labels) found.push_back(label.size);
        EXPECT_EQ(found, sizes) << text;
    }
}

TEST(LanguageDeclarations, FormatsAndTypes) {
    const std::tuple<const char*, Format, Presentation> table[] = {
        {"{CSR}", Format::csr(), Presentation::plain},
        {"CSR", Format::csr(), Presentation::plain},
        {"{csr}", Format::csr(), Presentation::plain},
        {"{CSC}", Format::csc(), Presentation::plain},
        {"Dense", Format::dense(2), Presentation::plain},
        {"{COO}", Format::coo(2), Presentation::plain},
        {"{DCSR}", Format::dcsr(), Presentation::plain},
        {"{DCSC}", Format::dcsc(), Presentation::plain},
        {"{CSF}", Format::csf(2), Presentation::plain},
        {"{ELL}", Format::csr(), Presentation::ell},
        {"{BCSR}", Format::csr(), Presentation::bcsr},
        {"{CSB}", Format::csr(), Presentation::csb},
        {"{ModeGeneric}", Format::coo(2), Presentation::mode_generic},
        {"{D, D}", Format::dense(2), Presentation::plain},
        {"{D, CU}", Format::csr(), Presentation::plain},
        {"{CU, CU}", Format::dcsr(), Presentation::plain},
        {"{CN, S}", Format::coo(2), Presentation::plain},
        {"{d, cn}", Format::csr(), Presentation::plain},
    };
    for (const auto& [words, format, presentation] : table) {
        const Program program = check_program(
            fmt::format("def main() {{ IndexLabel [i, j] = [3, 4]; Tensor<int> A([i, j], {}); }}",
                        words),
            "t");
        const Variable& variable = program.variables.at(0);
        EXPECT_EQ(variable.format, format) << words;
        EXPECT_EQ(variable.presentation, presentation) << words;
        EXPECT_EQ(variable.element, ElementType::int32);
        EXPECT_EQ(variable.shape, (std::vector<Index>{3, 4}));
        EXPECT_EQ(variable.labels, (std::vector<LabelId>{0, 1}));
    }
    for (const char* type : {"double", "float", "int", "bool", "int8", "int16", "int32", "int64",
                             "uint8", "uint16", "uint32", "uint64", "float32", "float64"}) {
        EXPECT_NO_THROW(check_program(
            fmt::format("def main() {{ IndexLabel [i] = [?]; Tensor<{}> x([i]); }}", type), "t"))
            << type;
    }
}

TEST(LanguageDeclarations, Reads) {
    EXPECT_EQ(
        checked("def main() { IndexLabel [i, j] = [?]; Tensor<double> A([i, j], {CSR});\n"
                "A[i, j] = comet_read(0); A[j, i] = comet_read(1, 2);\n"
                "A[i, j] = read_from_file(2); A[i, j] = random(); B[i, j] = comet_read(3); }"),
        "A[i,j] = read 0 mode 1\nA[j,i] = read 1 mode 2\nA[i,j] = read 2 mode 1\n"
        "A[i,j] = random\nB[i,j] = read 3 mode 1\n");
}

TEST(LanguageDeclarations, WhatIsUsedAndNeverAssignedIsAnInput) {
    const Program program =
        check_program("def main() {\n"
                      "IndexLabel [i, j] = [?];\n"
                      "Tensor<double> A([i, j], {CSR}), M([i, j], {CSR}), Unused([i, j], {CSR});\n"
                      "for k in range(3):\n"
                      "  C[i, j]<M> = A[i, j];\n"
                      "end\n"
                      "}",
                      "t");
    EXPECT_EQ(ProgramText(program).statements(),
              "M[i,j] = read M mode 1\nA[i,j] = read A mode 1\n"
              "for k in 0:int64 3:int64 1:int64\n  C[i,j]<M[i,j] auto> = A[i,j]\n");
    EXPECT_EQ(program.statements[1].place.line, 3); // of its declaration
}

TEST(LanguageDeclarations, ATensorIsDeclaredByItsFirstAssignment) {
    const Program program =
        check_program("def main() { IndexLabel [i, j] = [4, ?]; Tensor<float> A([i, j], {CSR});\n"
                      "B[j, i] = A[i, j] * 2; C[i] = 3; }",
                      "t");
    const ProgramText text(program);
    EXPECT_EQ(text.variable(1), "B float32 inferred [?, 4]");
    EXPECT_EQ(text.variable(2), "C int64 inferred [4]");
    EXPECT_TRUE(program.variables[1].labels.empty());
}

TEST(LanguageDeclarations, SizesOfImplicitTensorsComeFromTheOperands) {
    const Program program = check_program(
        "def main() { IndexLabel [i, p] = [4, ?]; Tensor<float> x([i], Dense); x[i] = 1;\n"
        "y[p] = x[p] * 2; }",
        "t");
    EXPECT_EQ(ProgramText(program).variable(1), "y float32 inferred [4]");
}

TEST(LanguageDeclarations, Outputs) {
    const std::string text = "def main() { IndexLabel [i] = [4]; Tensor<double> x([i], Dense);\n"
                             "y[i] = x[i]; var n = SUM(y[i]); }";
    const Program program = check_program(text, "t", {.outputs = {"n", "y", "x"}});
    EXPECT_EQ(program.outputs, (std::vector<VariableId>{2, 1, 0}));
    try {
        check_program(text, "t", {.outputs = {"yy"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_NE(std::string(error.what()).find("no variable 'yy'"), std::string::npos);
    }
    // An input that is wanted and used nowhere is still read.
    const Program only =
        check_program("def main() { IndexLabel [i] = [4]; Tensor<double> x([i], Dense); }", "t",
                      {.outputs = {"x"}});
    EXPECT_EQ(ProgramText(only).statements(), "x[i] = read x mode 1\n");
}

TEST(LanguageDeclarations, BlocksOfLoops) {
    // What a loop declares ends with it; a tensor declared by its assignment lives on.
    EXPECT_EQ(checked("def main() { IndexLabel [i] = [4];\n"
                      "for k in range(2): var t = k; x[i] = t; end\n"
                      "for k in range(0, 6, 3): var t = k; end; print(x); }"),
              "for k in 0:int64 2:int64 1:int64\n  t = k\n  x[i] = t\n"
              "for k in 0:int64 6:int64 3:int64\n  t = k\nprint x\n");
    // A tensor that each round makes anew starts empty in each.
    EXPECT_EQ(
        checked("def main() { IndexLabel [i] = [4]; Tensor<double> x([i], Dense);\n"
                "for k in range(2): Tensor<double> y([i], Dense); y[i] += x[i]; y[i] += x[i]; end\n"
                "Tensor<double> z([i], Dense); z[i] += x[i]; }"),
        "x[i] = read x mode 1\nfor k in 0:int64 2:int64 1:int64\n  forget y\n"
        "  y[i] += x[i]\n  y[i] += x[i]\nz[i] += x[i]\n");
}

TEST(LanguageDeclarations, PlacesPointIntoTheText) {
    const Program program =
        check_program("def main() {\n  var total = 1;\n  print(total);\n}\n", "t");
    EXPECT_EQ(program.variables[0].place.line, 2);
    EXPECT_EQ(program.variables[0].place.column, 7);
    EXPECT_EQ(program.variables[0].place.length, 5);
    EXPECT_EQ(program.statements[1].operands[0].place.column, 9);
    EXPECT_EQ(program.file, "t");
}

} // namespace
} // namespace tropic::language
