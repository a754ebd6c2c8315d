// Functions: expanded where they are called, with variables and labels of their own.
#include <gtest/gtest.h>

#include "program_text.h"

namespace tropic::language {
namespace {

std::string declarations() {
    return "IndexLabel [i, j] = [?]; Tensor<double> A([i, j], {CSR});\n"
           "A[i, j] = comet_read(0);\n";
}

TEST(LanguageFunctions, Scalars) {
    EXPECT_EQ(checked("def f(a, var b, double c, int d) { return a + b * c - d; }\n"
                      "def main() { var x = f(1, 2, 3, 4) + f(x0(), 1, 1, 1); }\n"
                      "def x0() { return 0.5; }"),
              "f.a = 1:int64\nf.b = 2:int64\nf.c = 3:float64\nf.d = 4:int64\n"
              "f.return = ((float64(f.a) +| (float64(f.b) *& f.c)) -| float64(f.d))\n"
              "x0.return = 0.5:float64\n"
              "f.a = x0.return\nf.b = 1:int64\nf.c = 1:float64\nf.d = 1:int64\n"
              "f.return = ((f.a +| (float64(f.b) *& f.c)) -| float64(f.d))\n"
              "x = (f.return +| f.return)\n");
}

TEST(LanguageFunctions, ATensorThatIsOnlyReadIsNotCopied) {
    EXPECT_EQ(
        checked("def f(X) { IndexLabel [p, q] = [?]; Y[p, q] = X[p, q] + X[p, q]; return Y; }\n"
                "def main() {" +
                declarations() + "B[i, j] = f(A); }"),
        "A[i,j] = read 0 mode 1\nf.Y[p,q] = (A[p,q] +| A[p,q])\nB[i,j] = f.Y[i,j]\n");
}

TEST(LanguageFunctions, TensorsArePassedByValue) {
    EXPECT_EQ(checked("def f(X) { IndexLabel [p, q] = [?]; X[p, q] = X[p, q] * 2; return X; }\n"
                      "def main() {" +
                      declarations() + "B[i, j] = f(A); }"),
              "A[i,j] = read 0 mode 1\nf.X[d0,d1] = A[d0,d1]\n"
              "f.X[p,q] = (f.X[p,q] *& 2:float64)\nB[i,j] = f.X[i,j]\n");
}

TEST(LanguageFunctions, TypedParametersConvert) {
    const Program program =
        check_program("def f(Tensor<float> X([p, q], {CSC})) { return SUM(X[p, q]); }\n"
                      "def main() {" +
                          declarations() + "var n = f(A); }",
                      "t");
    const ProgramText text(program);
    EXPECT_EQ(text.statements(), "A[i,j] = read 0 mode 1\nf.X[d0,d1] = float32(A[d0,d1])\n"
                                 "f.return = sum(float64(f.X[i,j]))\nn = f.return\n");
    EXPECT_EQ(text.variable(1), "f.X float32 csc [?, ?]");
}

TEST(LanguageFunctions, LabelsOfParametersStayApart) {
    // Both parameters are A, whose labels are i and j: r must not become j, which is q already.
    const Program program = check_program(
        "def square(Tensor<double> X([p, q], {CSR}), Tensor<double> Y([q, r], {CSR})) {\n"
        "Tensor<double> Z([p, r], {CSR}); Z[p, r] = X[p, q] * Y[q, r]; return Z; }\n"
        "def main() {" +
            declarations() + "B[i, j] = square(A, A); }",
        "t");
    for (const Statement& statement : program.statements) {
        if (statement.operands.empty() || statement.operands[0].kind != Expression::Kind::product) {
            continue;
        }
        const Expression& product = statement.operands[0];
        EXPECT_EQ(product.reduced.size(), 1U);
        EXPECT_EQ(product.labels.size(), 2U);
        EXPECT_NE(product.labels[0], product.labels[1]);
        return;
    }
    FAIL() << "no product";
}

TEST(LanguageFunctions, EachCallHasLabelsAndVariablesOfItsOwn) {
    const Program program =
        check_program("def f(X) { IndexLabel [p, q] = [?]; return SUM(X[p, q]); }\n"
                      "def main() {" +
                          declarations() + "var a = f(A); var b = f(A); }",
                      "t");
    EXPECT_EQ(program.labels.size(), 6U);
    EXPECT_EQ(program.statements[1].operands[0].operands[0].labels, (std::vector<LabelId>{2, 3}));
    EXPECT_EQ(program.statements[3].operands[0].operands[0].labels, (std::vector<LabelId>{4, 5}));
}

TEST(LanguageFunctions, ResultsInExpressions) {
    const std::string f = "def f(X) { return X; }\n";
    EXPECT_EQ(checked(f + "def main() {" + declarations() + "B[i, j] = f(A)[j, i] + A[i, j]; }"),
              "A[i,j] = read 0 mode 1\nB[i,j] = (A[j,i] +| A[i,j])\n");
    EXPECT_EQ(
        checked(f + "def main() {" + declarations() + "B[i, j] = f(f(A)); print(f(A)); f(A); }"),
        "A[i,j] = read 0 mode 1\nB[i,j] = A[i,j]\nprint A\n");
    EXPECT_EQ(checked("def n() { return 3; }\ndef main() {" + declarations() + "A[i, j] = n(); }"),
              "A[i,j] = read 0 mode 1\nn.return = 3:int64\nA[i,j] = float64(n.return)\n");
}

TEST(LanguageFunctions, CallsInLoopsStayInLoops) {
    EXPECT_EQ(checked("def f(x) { return x * 2; }\n"
                      "def main() { var s = 0; for k in range(f(2)): s = s + f(k); end }"),
              "s = 0:int64\nf.x = 2:int64\nf.return = (f.x *& 2:int64)\n"
              "for k in 0:int64 f.return 1:int64\n"
              "  f.x = k\n  f.return = (f.x *& 2:int64)\n  s = (s +| f.return)\n");
}

TEST(LanguageFunctions, LocalTensorsStartEmptyInEachRound) {
    EXPECT_EQ(checked("def f(X, M) { IndexLabel [p, q] = [?]; Y[p, q]<M> = X[p, q]; return Y; }\n"
                      "def main() {" +
                      declarations() +
                      "for k in range(2): B[i, j] = f(A, A); end C[i, j] = f(A, A); }"),
              "A[i,j] = read 0 mode 1\nfor k in 0:int64 2:int64 1:int64\n"
              "  forget f.Y\n  f.Y[p,q]<A[p,q] auto> = A[p,q]\n  B[i,j] = f.Y[i,j]\n"
              "f.Y[p,q]<A[p,q] auto> = A[p,q]\nC[i,j] = f.Y[i,j]\n");
}

TEST(LanguageFunctions, UnusedOnesAreCheckedAsFarAsTheirUsesTell) {
    const auto fails = [](const std::string& function) {
        try {
            check_program(function + "\ndef main() {}", "t");
        } catch (const Error&) {
            return true;
        }
        return false;
    };
    const std::string labels = "IndexLabel [p, q] = [?]; ";
    EXPECT_FALSE(fails("def f(X) { " + labels + "return SUM(X[p, q]); }"));
    EXPECT_TRUE(fails("def f(X) { " + labels + "Y[p] = X[p, q]; return Y; }"));
    EXPECT_TRUE(fails("def f(X) { " + labels + "return SUM(X[p, q]) + SUM(X[p]); }"));
    EXPECT_TRUE(fails("def f(Tensor<double> X([p, q], {CSR})) { return SUM(X[p]); }"));
    EXPECT_TRUE(fails("def f(Tensor<double> X([p, q], {CRS})) { return 1; }"));
    EXPECT_TRUE(fails("def f(double x) { " + labels + "return SUM(x[p]); }"));
    EXPECT_FALSE(fails("def g(Y, n) { return n; }\ndef f(X, n) { return g(X, n + 1); }"));
    EXPECT_TRUE(fails("def f(x) { return f(x); }"));
}

TEST(LanguageFunctions, UnusedOnesLeaveNothingBehind) {
    EXPECT_EQ(checked("def f(X, n) { IndexLabel [p] = [?]; Y[p] = X[p] * n; return Y; }\n"
                      "def g(Tensor<double> X([p, q], {CSR})) { return SUM(X[p, q]); }\n"
                      "def main() { print(1); }"),
              "print 1:int64\n");
}

} // namespace
} // namespace tropic::language
