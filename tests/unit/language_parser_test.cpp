// The syntax tree, and how parsing goes on behind a mistake.
#include <gtest/gtest.h>

#include "language/check.h"
#include "tropic/error.h"

namespace tropic::language {
namespace {

/// The messages, a line each: "2:5 message".
std::string mistakes(const std::string& text) {
    std::string list;
    try {
        check_program(text, "t");
    } catch (const Error& error) {
        for (const Diagnostic& d : error.diagnostics()) {
            list +=
                std::to_string(d.line) + ":" + std::to_string(d.column) + " " + d.message + "\n";
        }
        if (error.left_out() > 0) list += std::to_string(error.left_out()) + " more\n";
    }
    return list;
}

TEST(LanguageParser, Tree) {
    EXPECT_EQ(print_tree("def f(a, var b, int c, Tensor<double> X([i, j], {CSR})) { return a; }\n"
                         "def main() {\n"
                         "  IndexLabel [i, j, k] = [4, ?, 2:9:3];\n"
                         "  Tensor<double> A([i, j], {CSR}), B([i, j], {D, CU});\n"
                         "  A[i, j]<B[i, j], push> += -(A[i, j] @(min,+) B[j, k]) .* 2.5;\n"
                         "  for x in range(0, 3): print(f(x)[i]); end\n"
                         "}\n",
                         "t"),
              R"(program
  function f
    parameter a
    parameter b scalar
    parameter c int
    parameter X tensor<double> [i, j] {CSR}
    return
      name a
  function main
    labels [i, j, k] = [4, ?, 2:9:3]
    tensor<double> A [i, j] {CSR}
    tensor<double> B [i, j] {D, CU}
    assign A[i, j]<B[i, j], push> +=
      .*
        negate
          @(min,+)
            access A[i, j]
            access B[j, k]
        number 2.5
    for x in range
      number 0
      number 3
      do
        call
          call print
            call f at [i]
              name x
)");
}

TEST(LanguageParser, Precedence) {
    const auto tree = [](const std::string& expression) {
        const std::string text = print_tree("def main() { x = " + expression + "; }", "t");
        std::string flat;
        for (const char c : text.substr(text.find("assign"))) flat += c == '\n' ? '/' : c;
        return flat;
    };
    EXPECT_EQ(
        tree("1 + 2 * 3"),
        "assign x =/      +/        number 1/        */          number 2/          number 3/");
    EXPECT_EQ(
        tree("1 - 2 - 3"),
        "assign x =/      -/        -/          number 1/          number 2/        number 3/");
    EXPECT_EQ(tree("-1 * 2"),
              "assign x =/      */        negate/          number 1/        number 2/");
    EXPECT_EQ(tree("1 @(min) 2 + 3"),
              "assign x =/      +/        @(min)/          number 1/          number 2/        "
              "number 3/");
}

TEST(LanguageParser, OddButFine) {
    for (const char* text : {
             "def main() {}",
             "def main() { ; ; }",
             "\xef\xbb\xbf"
             "def main() {}",
             "def main() {\r\n  var x = 1;\r\n}\r\n",
             "# \xc3\xa9t\xc3\xa9\ndef main() { } # end",
             "def main() { var x = 2.; var y = .5; var z = 1e3; var w = 1E-3; }",
             "def main() { var x = + 1; var y = - - 1; }",
             "def main() { for x in range(3): end }",
             "def main() { for x in range(3): for y in range(x): print(x * y); end; end; }",
             "def main(){IndexLabel[i,j]=[4];Tensor<double>A([i,j],Dense);A[i,j]=1;print(A[i,j]);}",
         }) {
        EXPECT_EQ(mistakes(text), "") << text;
    }
}

TEST(LanguageParser, GoesOnBehindAMistake) {
    EXPECT_EQ(mistakes("def main() {\n"
                       "  var a = ;\n"
                       "  var b = 1\n"
                       "  var c = (2;\n"
                       "  for x in rnge(3):\n"
                       "    var d = ];\n"
                       "  end\n"
                       "  IndexLabel [i = [4];\n"
                       "}\n"
                       "def f( {\n"
                       "  var e = 1;\n"
                       "}\n"
                       "def g() { var h = *; }\n"),
              "2:11 expected an expression, found ';'\n"
              "3:12 expected ';' at the end of the statement\n"
              "4:13 expected ')' to match the '(' in column 11, found ';'\n"
              "5:12 expected 'range', found 'rnge'\n"
              "6:13 expected an expression, found ']'\n"
              "8:17 expected ']' at the end of the list, found '='\n"
              "10:8 expected a parameter, found '{'\n"
              "13:19 expected an expression, found '*'\n");
}

TEST(LanguageParser, AnErrorCarriesAllMistakes) {
    std::string text = "def main() {\n";
    for (int i = 0; i < 25; ++i) text += "print(unknown" + std::to_string(i) + ");\n";
    try {
        check_program(text + "}", "many.tropic");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostics().size(), 20U);
        EXPECT_EQ(error.left_out(), 5);
        EXPECT_EQ(error.diagnostic().line, 2);
        EXPECT_EQ(error.code(), ErrorCode::not_found);
        const std::string what = error.what();
        EXPECT_TRUE(what.starts_with("many.tropic:2:7: unknown variable 'unknown0'\n"
                                     "  2 | print(unknown0);\n"
                                     "    |       ^\n"))
            << what;
        EXPECT_TRUE(what.ends_with("\n5 more")) << what;
    }
}

TEST(LanguageParser, NothingIsTooMuch) {
    const std::string deep(100'000, '(');
    const std::string minus(100'000, '-');
    std::string chain = "1";
    for (int i = 0; i < 50'000; ++i) chain += "+1";
    std::string loops;
    for (int i = 0; i < 10'000; ++i) loops += "for x" + std::to_string(i) + " in range(2): ";
    std::string labels = "IndexLabel [a0";
    for (int i = 1; i < 20'000; ++i) labels += ",a" + std::to_string(i);
    labels += "] = [2]; x[a0";
    for (int i = 1; i < 20'000; ++i) labels += ",a" + std::to_string(i);
    for (const std::string& body :
         {"var x = " + deep + ";", "var x = " + minus + "1;", "var x = " + chain + ";", loops,
          labels + "] = 1;", std::string(100'000, '{'), std::string(100'000, '['), "f(" + deep,
          std::string(2 << 20, ' ')}) {
        EXPECT_NE(mistakes("def main() { " + body + " }"), "") << body.substr(0, 20);
    }
}

TEST(LanguageParser, WideButShallowIsFine) {
    // Many statements, many terms in balanced parentheses: size alone is no mistake.
    std::string text = "def main() { var s = 0;\n";
    for (int i = 0; i < 5'000; ++i) text += "s = (s + 1) * ((s - 1) + (2 - s));\n";
    EXPECT_EQ(mistakes(text + "}"), "");
}

} // namespace
} // namespace tropic::language
