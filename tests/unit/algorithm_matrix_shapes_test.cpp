// Graphs that statements make: what they hold, what rows and columns they have, what they cost.
#include <cmath>

#include <gtest/gtest.h>

#include "dense_matrices.h"
#include "tropic/algorithm.h"
#include "tropic/error.h"

namespace tropic {
namespace {

constexpr Index size = 150;

/// Runs a function of two matrices and gives one back.
Dense run(const std::string& text, const Dense& a, const Dense& b, int threads = 2,
          const Context* context = nullptr) {
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    const Context own({.threads = threads});
    const AlgorithmResult result = algorithm.run({{"A", tensor_of(a)}, {"B", tensor_of(b)}},
                                                 context != nullptr ? *context : own);
    return dense_of(result.tensor("C"));
}

TEST(AlgorithmMatricesOfTypes, HoldWhatTheyAreDeclaredToHold) {
    // Values that all types hold.
    Dense a = random_matrix(1, size, size, 0.05);
    Dense b = random_matrix(2, size, size, 0.04);
    for (Dense* m : {&a, &b}) {
        for (auto& entry : m->entries) {
            if (entry) entry = std::abs(*entry);
        }
    }
    for (const char* type : {"int8", "int16", "int", "int64", "uint8", "uint16", "uint32", "uint64",
                             "float", "double"}) {
        const std::string text = std::string("def f(A: graph<") + type + ">, B: graph<" + type +
                                 ">) -> C: graph<" + type +
                                 "> { C[i, j] = (A[i, j] * A[i, j]) @(+) (B[i, j] * B[i, j]); }";
        Dense expected(size, size);
        for (Index i = 0; i < size; ++i) {
            for (Index j = 0; j < size; ++j) {
                const auto square = [](Value v) { return v ? Value(*v * *v) : v; };
                const Value sum = either(square(a.at(i, j)), square(b.at(i, j)), plus);
                expected.at(i, j) = sum && std::string(type) == "int8"
                                        ? static_cast<std::int8_t>(static_cast<std::int64_t>(*sum))
                                        : sum;
            }
        }
        EXPECT_EQ(difference(run(text, a, b), expected), "") << type;
    }
}

TEST(AlgorithmMatricesOfTypes, MayBeTruthsOrPatterns) {
    const Dense a = random_matrix(1, size, size, 0.05);
    const Dense b = random_matrix(2, size, size, 0.04);
    Dense truths(size, size);
    Dense held(size, size);
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
            if (!a.has(i, j)) continue;
            truths.at(i, j) = a.value(i, j) > 3 ? 1 : 0;
            if (a.value(i, j) > 3) held.at(i, j) = 1;
        }
    }
    const std::string head = "def f(A: graph<int>, B: graph<int>) -> C: ";
    EXPECT_EQ(difference(run(head + "graph<bool> { C[i, j] = A[i, j] > 3; }", a, b), truths), "");
    EXPECT_EQ(difference(run(head + "graph { C[i, j] = A[i, j] > 3; }", a, b), held), "");
}

TEST(AlgorithmMatricesOfShapes, MayBeRectangular) {
    const Dense a = random_matrix(5, 40, 90, 0.1);
    const Dense turned = transposed(a);
    Dense of_rows(40, 40);
    Dense of_columns(90, 90);
    Dense doubled(40, 90);
    for (Index i = 0; i < 40; ++i) {
        for (Index j = 0; j < 40; ++j) of_rows.at(i, j) = product(a, turned, i, j, plus, times);
        for (Index j = 0; j < 90; ++j) {
            if (a.has(i, j)) doubled.at(i, j) = 2 * a.value(i, j);
        }
    }
    for (Index i = 0; i < 90; ++i) {
        for (Index j = 0; j < 90; ++j) of_columns.at(i, j) = product(turned, a, i, j, plus, times);
    }
    const auto made = [&](const std::string& type, const std::string& body) {
        const Algorithm algorithm = Algorithm::from_text(
            "def f(A: graph<int>) -> C: graph<int64, " + type + "> {" + body + "}",
            {.cache = false});
        return dense_of(algorithm.run({{"A", tensor_of(a)}}, Context({.threads = 2})).tensor("C"));
    };
    const auto same = [&](const std::string& type, const std::string& body, const Dense& expected) {
        EXPECT_EQ(difference(made(type, body), expected), "") << body;
    };
    same("vertices(A), columns(A)", "C[i, j] = 2 * A[i, j];", doubled);
    same("vertices(A), vertices(A)", "C[i, j] = A[i, k] @(+, *) A[j, k]; n = size(columns(A));",
         of_rows);
    same("columns(A), columns(A)", "C[i, j] = A[k, i] @(+, *) A[k, j];", of_columns);
    same("columns(A), columns(A)",
         "D[i, j] = transpose(A)[i, j]; C[i, j] = D[i, k] @(+, *) D[j, k];", of_columns);
}

TEST(AlgorithmMatricesOfShapes, MayBeMultipliedWhereTheirSidesAreTheSame) {
    const Dense a = random_matrix(11, 40, 90, 0.1);
    const Dense b = random_matrix(12, 90, 25, 0.1);
    const Dense d = random_matrix(13, 25, 40, 0.1);
    Dense ab(40, 25);
    Dense abd(40, 40);
    for (Index i = 0; i < 40; ++i) {
        for (Index k = 0; k < 25; ++k) ab.at(i, k) = product(a, b, i, k, plus, times);
    }
    for (Index i = 0; i < 40; ++i) {
        for (Index k = 0; k < 40; ++k) abd.at(i, k) = product(ab, d, i, k, plus, times);
    }
    const Algorithm algorithm =
        Algorithm::from_text("def f(A: graph<int>, B: graph<int, columns(A), columns(B)>,"
                             "      D: graph<int, columns(B), vertices(A)>)"
                             "      -> C: graph<int64, vertices(A), columns(B)>, E: graph<int64>,"
                             "         y: vector<int64, columns(B)>, z: vector<int64, columns(A)> {"
                             "C[i, k] = A[i, j] @(+, *) B[j, k]; E[i, k] = C[i, j] @(+, *) D[j, k];"
                             "y[k] = sum[j](B[j, k]) + sum[i](D[k, i]);"
                             "each i in vertices(A) { for j, w in A[i] z[j] += w; } }",
                             {.cache = false});
    const AlgorithmResult result = algorithm.run(
        {{"A", tensor_of(a)}, {"B", tensor_of(b)}, {"D", tensor_of(d)}}, Context({.threads = 2}));
    EXPECT_EQ(difference(dense_of(result.tensor("C")), ab), "");
    EXPECT_EQ(difference(dense_of(result.tensor("E")), abd), "");
    const auto y = result.values<std::int64_t>("y");
    for (Index k = 0; k < 25; ++k) {
        double sum = 0;
        for (Index j = 0; j < 90; ++j) sum += b.value(j, k);
        for (Index i = 0; i < 40; ++i) sum += d.value(k, i);
        EXPECT_EQ(static_cast<double>(y[k]), sum);
    }
    const auto z = result.values<std::int64_t>("z");
    for (Index j = 0; j < 90; ++j) {
        double sum = 0;
        for (Index i = 0; i < 40; ++i) sum += a.value(i, j);
        EXPECT_EQ(static_cast<double>(z[j]), sum);
    }
}

TEST(AlgorithmMatricesOfShapes, MayBeHandedToFunctionsThatSayTheirSides) {
    const Dense a = random_matrix(11, 40, 90, 0.1);
    const Dense b = random_matrix(12, 90, 25, 0.1);
    Dense ab(40, 25);
    for (Index i = 0; i < 40; ++i) {
        for (Index k = 0; k < 25; ++k) ab.at(i, k) = product(a, b, i, k, plus, times);
    }
    const std::string types = "(A: graph<int>, B: graph<int, columns(A), columns(B)>)"
                              "-> C: graph<int64, vertices(A), columns(B)>";
    const Algorithm algorithm =
        Algorithm::from_text("def times" + types + "{ C[i, k] = A[i, j] @(+, *) B[j, k]; }" +
                                 "def f" + types + "{ C = times(A, B); }",
                             {.function = "f", .cache = false});
    const AlgorithmResult result = algorithm.run({{"A", tensor_of(a)}, {"B", tensor_of(b)}});
    EXPECT_EQ(difference(dense_of(result.tensor("C")), ab), "");
}

TEST(AlgorithmMatricesOfShapes, MustHaveTheSidesThatTheTextSays) {
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph<int>, B: graph<int, columns(A), columns(B)>)"
        "      -> C: graph<int64, vertices(A), columns(B)> { C[i, k] = A[i, j] @(+, *) B[j, k]; }",
        {.cache = false});
    const auto complaint = [&](Index rows, Index columns) {
        try {
            algorithm.run({{"A", tensor_of(random_matrix(1, 20, 30, 0.2))},
                           {"B", tensor_of(random_matrix(2, rows, columns, 0.2))}});
        } catch (const Error& error) {
            return error.diagnostic().message;
        }
        return std::string();
    };
    EXPECT_EQ(complaint(30, 7), "");
    EXPECT_EQ(complaint(20, 30), "B has 20 rows and A has 30 columns");
}

TEST(AlgorithmMatricesOfShapes, MayBeSmallerThanWhatTheyAreTakenFrom) {
    const Dense a = random_matrix(1, size, size, 0.05);
    const Dense b = random_matrix(2, size, size, 0.04);
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph<int>, n: int64) -> C: graph<int, n, 3> { q: vector<vertex, 3>;"
        "r: vector<vertex, n>; q[k] = 2 * k; r[k] = k + 1; C[i, j] = A[r[i], q[j]]; }",
        {.cache = false});
    const AlgorithmResult result =
        algorithm.run({{"A", tensor_of(a)}, {"n", 70}}, Context({.threads = 2}));
    Dense expected(70, 3);
    for (Index i = 0; i < 70; ++i) {
        for (Index j = 0; j < 3; ++j) expected.at(i, j) = a.at(i + 1, 2 * j);
    }
    EXPECT_EQ(difference(dense_of(result.tensor("C")), expected), "");
}

TEST(AlgorithmMatricesOfShapes, MayBeEmpty) {
    const Dense nothing(0, 0);
    const Dense no_edges(5, 5);
    const std::string text = "def f(A: graph<int>, B: graph<int>) -> C: graph<int64> {"
                             "C[i, j] = A[i, k] @(+, *) B[k, j]; C[i, j] += A[i, j] + B[j, i]; }";
    EXPECT_EQ(difference(run(text, nothing, nothing), nothing), "");
    EXPECT_EQ(difference(run(text, no_edges, no_edges), no_edges), "");
}

TEST(AlgorithmMatricesOfSeveralEdges, TakeTheFirstOfThem) {
    // 0 -> 1 twice (2, 5), 1 -> 0 twice (3, 4).
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos =
        Array::copy_of<std::int32_t>(std::vector<std::int32_t>{0, 2, 4}, {}, "positions");
    levels[1].crd =
        Array::copy_of<std::int32_t>(std::vector<std::int32_t>{1, 1, 0, 0}, {}, "coordinates");
    const Tensor several(
        {2, 2}, Format::csr(), std::move(levels),
        Array::copy_of<std::int32_t>(std::vector<std::int32_t>{2, 5, 3, 4}, {}, "values"), false,
        true);
    const auto made = [&](const std::string& body) {
        const Algorithm algorithm = Algorithm::from_text(
            "def f(A: graph<int>) -> C: graph<int64> {" + body + "}", {.cache = false});
        return text_of(dense_of(algorithm.run({{"A", several}}).tensor("C")));
    };
    EXPECT_EQ(made("C[i, j] = 10 * A[i, j];"), "2 x 2\n0 1 20.000000\n1 0 30.000000\n");
    EXPECT_EQ(made("C[i, j] = A[i, j] + A[j, i];"), "2 x 2\n0 1 5.000000\n1 0 5.000000\n");
    EXPECT_EQ(made("C[i, j] = A[i, k] @(+, *) A[k, j];"), "2 x 2\n0 0 49.000000\n1 1 49.000000\n");
}

TEST(AlgorithmMatricesOfLimits, HonourTheMemory) {
    const Dense a = random_matrix(7, 600, 600, 0.2);
    const Context little({.threads = 2, .memory_limit = 3'000'000});
    try {
        run("def f(A: graph<int>, B: graph<int>) -> C: graph<int64> {"
            "C[i, j] = A[i, k] @(+, *) B[k, j]; }",
            a, a, 2, &little);
        FAIL() << "nobody complained";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    }
}

TEST(AlgorithmMatricesOfLimits, EndInTime) {
    const Dense a = random_matrix(7, 400, 400, 0.1);
    const Algorithm algorithm =
        Algorithm::from_text("def f(A: graph<int>) -> C: graph<int64> { C[i, j] = A[i, j];"
                             "while (count(C) > 0) C[i, j] = C[i, k] @(min, *) A[k, j]; }",
                             {.cache = false});
    try {
        algorithm.run({{"A", tensor_of(a)}}, Context({.threads = 2}), {.timeout = 0.3});
        FAIL() << "it ended";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
}

TEST(AlgorithmMatricesOfThreads, AreTheSameForAnyNumber) {
    const Dense a = random_matrix(9, 500, 500, 0.03);
    const std::string text =
        "def f(A: graph<double>, B: graph<double>) -> C: graph<double> {"
        "D[i, j] = 0.1 * A[i, j]; C[i, j] = D[i, k] @(+, *) D[k, j]; C[i, j] += D[j, i]; }";
    const std::string one = text_of(run(text, a, a, 1));
    for (const int threads : {2, 3, 7}) EXPECT_EQ(text_of(run(text, a, a, threads)), one);
}

} // namespace
} // namespace tropic
