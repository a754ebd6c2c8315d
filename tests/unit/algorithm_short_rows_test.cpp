// Rows of a few edges are added up without asking how many there are: compared with plain sums, for
// rows of every length and at the very end of a graph.
#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tropic/algorithm.h"
#include "tropic/coordinates.h"
#include "tropic/formats.h"

namespace tropic {
namespace {

/// A graph whose rows have the lengths given, with small whole values, and what is at vertices.
struct Rows {
    explicit Rows(const std::vector<int>& lengths)
        : n(static_cast<std::int32_t>(lengths.size())), edges(lengths.size()) {
        std::vector<std::int32_t> from;
        std::vector<std::int32_t> to;
        std::vector<std::int32_t> all;
        for (std::int32_t i = 0; i < n; ++i) {
            for (int k = 0; k < lengths[static_cast<std::size_t>(i)]; ++k) {
                const auto end = static_cast<std::int32_t>((7 * i + 5 * k) % n);
                const std::int32_t value = 1 + (3 * i + k) % 9;
                from.push_back(i);
                to.push_back(end);
                all.push_back(value);
                edges[static_cast<std::size_t>(i)].emplace_back(end, value);
            }
        }
        const auto array = [](const std::vector<std::int32_t>& items) {
            return Array::copy_of<std::int32_t>(items, {}, "a test");
        };
        tensor = matrix_from_edges(n, n, array(from), array(to), array(all));
    }

    std::int32_t n;
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> edges; ///< end and value
    Tensor tensor;
};

std::vector<Rows> graphs() {
    std::vector<Rows> made;
    for (const int length : {0, 1, 2, 3, 4, 5, 6, 9})
        made.emplace_back(std::vector<int>(40, length));
    // Fewer edges than a short row may have, and rows at the end.
    for (const int length : {1, 2, 3, 4, 5}) {
        std::vector<int> lengths(9);
        lengths[0] = length;
        made.emplace_back(lengths);
        std::ranges::reverse(lengths);
        made.emplace_back(lengths);
        made.emplace_back(std::vector<int>{length});
    }
    std::mt19937 random(11);
    for (int number = 0; number < 6; ++number) {
        std::vector<int> lengths(100);
        for (int& length : lengths) length = static_cast<int>(random() % 7);
        made.emplace_back(lengths);
    }
    return made;
}

using Pair = std::pair<std::int32_t, std::int32_t>;

/// `fold` of a row in the language, with x[j] = 3 j mod 11 - 4, and what it adds up to.
struct Case {
    const char* name;
    const char* type;
    const char* row;
    std::function<double(std::int32_t i, const std::vector<Pair>& row)> expected;
};

std::int32_t x_of(std::int32_t j) {
    return 3 * j % 11 - 4;
}

double sum_of(const std::vector<Pair>& row, const std::function<double(const Pair&)>& value) {
    double sum = 0;
    for (const Pair& edge : row) sum += value(edge);
    return sum;
}

std::vector<Case> cases() {
    std::vector<Case> made;
    for (const char* const type : {"int", "int64", "float", "double"}) {
        const auto add = [&](const char* name, const char* row, auto expected) {
            made.push_back({name, type, row, expected});
        };
        add("fold", "y[i] = sum[j](x[j] : A[i, j]);", [](std::int32_t, const auto& row) {
            return sum_of(row, [](const Pair& e) { return x_of(e.first); });
        });
        add("weighted", "y[i] = sum[j](x[j] * A[i, j]);", [](std::int32_t, const auto& row) {
            return sum_of(row, [](const Pair& e) { return x_of(e.first) * e.second; });
        });
        add("statement", "y[i] = 2; for j, w in A[i] y[i] += x[j] + w;",
            [](std::int32_t, const auto& row) {
                return 2 + sum_of(row, [](const Pair& e) { return x_of(e.first) + e.second; });
            });
        add("local", "s = x[i]; for j in A[i] s += x[j]; y[i] = s;",
            [](std::int32_t i, const auto& row) {
                return x_of(i) + sum_of(row, [](const Pair& e) { return x_of(e.first); });
            });
        add("least", "y[i] = 100; for j, w in A[i] y[i] min= x[j] - w;",
            [](std::int32_t, const auto& row) {
                double least = 100;
                for (const Pair& e : row) least = std::min<double>(least, x_of(e.first) - e.second);
                return least;
            });
        add("greatest", "s = x[i]; for j in A[i] s max= x[j]; y[i] = s;",
            [](std::int32_t i, const auto& row) {
                double most = x_of(i);
                for (const Pair& e : row) most = std::max<double>(most, x_of(e.first));
                return most;
            });
    }
    return made;
}

class AlgorithmShortRows : public testing::TestWithParam<Case> {};

TEST_P(AlgorithmShortRows, AddUpToPlainSums) {
    const Case& c = GetParam();
    const std::string text =
        std::string("def f(A: graph<int>) -> y: vector<") + c.type + "> {\nx: vector<" + c.type +
        ">;\nx[i] = 3 * i % 11 - 4;\neach i in vertices(A) { " + c.row + " }\n}\n";
    const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
    for (const Rows& rows : graphs()) {
        const PreparedGraph graph(rows.tensor);
        const AlgorithmResult result = algorithm.run({{"A", graph}}, Context({.threads = 1}));
        const Array y = result.tensor("y").values();
        for (std::int32_t i = 0; i < rows.n; ++i) {
            EXPECT_EQ(visit_type(y.type(),
                                 [&](auto tag) {
                                     using T = typename decltype(tag)::type;
                                     return static_cast<double>(y.as<T>()[i]);
                                 }),
                      c.expected(i, rows.edges[static_cast<std::size_t>(i)]))
                << "row " << i << " of " << rows.n << ", " << rows.tensor.entries() << " edges";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sums, AlgorithmShortRows, testing::ValuesIn(cases()),
                         [](const auto& test) {
                             return std::string(test.param.name) + "_" + test.param.type;
                         });

// What a row adds up may fail for edges of others, which nobody asked about.
TEST(AlgorithmShortRowsAlone, DivideForTheirOwnEdgesOnly) {
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph<int>) -> total: int64 {\nx: vector<int>;\nx[i] = i % 2;\ntotal = 0;\n"
        "each i in {i : i % 2 == 0} { s: int64 = 0; for j in A[i] s += 12 / x[j]; total += s; "
        "}\n}\n",
        {.cache = false});
    // Even vertices lead to odd ones, and odd ones to even ones.
    const PreparedGraph graph(read_graph("ring:40"));
    EXPECT_EQ(algorithm.run({{"A", graph}}, Context({.threads = 1})).integers.at("total"),
              20 * 2 * 12);
}

} // namespace
} // namespace tropic
