#include "tropic/statistics.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/memory.h"
#include "tropic/error.h"
#include "unit/small_matrices.h"

namespace tropic {
namespace {

using testing::coo;
using testing::csc;
using testing::csr;
using testing::dcsr;
using testing::Entries;
using testing::Entry;
using testing::Layout;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

DegreeSummary expected_degrees(std::vector<Index> degrees) {
    DegreeSummary summary;
    if (degrees.empty()) return summary;
    std::sort(degrees.begin(), degrees.end());
    summary.min = degrees.front();
    summary.max = degrees.back();
    summary.median = degrees[(degrees.size() - 1) / 2];
    double sum = 0;
    for (const Index d : degrees) {
        sum += static_cast<double>(d);
        std::size_t bucket = 0;
        while ((Index{1} << bucket) <= d) ++bucket;
        if (summary.log2_counts.size() <= bucket) summary.log2_counts.resize(bucket + 1);
        ++summary.log2_counts[bucket];
    }
    summary.mean = sum / static_cast<double>(degrees.size());
    summary.zeros = std::count(degrees.begin(), degrees.end(), 0);
    return summary;
}

/// The definitions of the header over maps of coordinates.
Statistics expected(Index rows, Index cols, const Entries& entries, bool with_values) {
    Statistics result;
    result.rows = rows;
    result.cols = cols;
    result.entries = static_cast<Index>(entries.size());
    std::vector<Index> row_counts(static_cast<std::size_t>(rows));
    std::vector<Index> col_counts(static_cast<std::size_t>(cols));
    std::map<std::pair<Index, Index>, std::multiset<double>> cells;
    for (const Entry& entry : entries) {
        ++row_counts[entry.row];
        ++col_counts[entry.col];
        auto& cell = cells[{entry.row, entry.col}];
        if (!cell.empty()) ++result.duplicates;
        cell.insert(entry.value);
        if (rows == cols && entry.row == entry.col) ++result.self_loops;
    }
    result.row_degrees = expected_degrees(row_counts);
    result.column_degrees = expected_degrees(col_counts);
    result.empty_rows = result.row_degrees.zeros;
    result.empty_columns = result.column_degrees.zeros;
    if (rows == cols) {
        for (Index v = 0; v < rows; ++v) {
            result.isolated += row_counts[v] == 0 && col_counts[v] == 0 ? 1 : 0;
        }
        result.pattern_symmetric = true;
        result.value_symmetric = true;
        for (const auto& [place, values] : cells) {
            const auto mirror = cells.find({place.second, place.first});
            if (mirror == cells.end() || mirror->second.size() != values.size())
                result.pattern_symmetric = false;
            else if (with_values && mirror->second != values) result.value_symmetric = false;
        }
        result.value_symmetric &= result.pattern_symmetric;
    }
    if (with_values) {
        ValueSummary values;
        double sum = 0;
        for (const Entry& entry : entries) {
            if (sum == 0 && &entry == &entries[0]) values.min = values.max = entry.value;
            values.min = std::min(values.min, entry.value);
            values.max = std::max(values.max, entry.value);
            sum += entry.value;
            values.zeros += entry.value == 0 ? 1 : 0;
            values.negatives += entry.value < 0 ? 1 : 0;
        }
        values.mean = entries.empty() ? 0 : sum / static_cast<double>(entries.size());
        result.values = values;
    }
    return result;
}

void expect_same(const DegreeSummary& a, const DegreeSummary& b) {
    EXPECT_EQ(a.min, b.min);
    EXPECT_EQ(a.max, b.max);
    EXPECT_EQ(a.median, b.median);
    EXPECT_DOUBLE_EQ(a.mean, b.mean);
    EXPECT_EQ(a.zeros, b.zeros);
    EXPECT_EQ(a.log2_counts, b.log2_counts);
}

void expect_same(const Statistics& a, const Statistics& b) {
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.cols, b.cols);
    EXPECT_EQ(a.entries, b.entries);
    EXPECT_EQ(a.self_loops, b.self_loops);
    EXPECT_EQ(a.duplicates, b.duplicates);
    EXPECT_EQ(a.isolated, b.isolated);
    EXPECT_EQ(a.empty_rows, b.empty_rows);
    EXPECT_EQ(a.empty_columns, b.empty_columns);
    EXPECT_EQ(a.pattern_symmetric, b.pattern_symmetric);
    EXPECT_EQ(a.value_symmetric, b.value_symmetric);
    expect_same(a.row_degrees, b.row_degrees);
    expect_same(a.column_degrees, b.column_degrees);
    ASSERT_EQ(a.values.has_value(), b.values.has_value());
    if (!a.values) return;
    EXPECT_EQ(a.values->min, b.values->min);
    EXPECT_EQ(a.values->max, b.values->max);
    EXPECT_DOUBLE_EQ(a.values->mean, b.values->mean);
    EXPECT_EQ(a.values->zeros, b.values->zeros);
    EXPECT_EQ(a.values->negatives, b.values->negatives);
}

Layout layout_of(ElementType type, bool wide = false, bool sorted = true) {
    const ElementType index = wide ? ElementType::int64 : ElementType::int32;
    return {type, index, index, sorted};
}

struct SymmetryCase {
    const char* name;
    Entries entries;
    bool pattern;
    bool values;
};

class SymmetryTable : public ::testing::TestWithParam<SymmetryCase> {};

TEST_P(SymmetryTable, IsRecognised) {
    const SymmetryCase& test = GetParam();
    for (const bool sorted : {true, false}) {
        const Tensor matrix =
            csr(4, 4, test.entries, layout_of(ElementType::float64, false, sorted));
        const Statistics result = statistics_of(matrix);
        EXPECT_EQ(result.pattern_symmetric, test.pattern);
        EXPECT_EQ(result.value_symmetric, test.values);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Statistics, SymmetryTable,
    ::testing::Values(
        SymmetryCase{"empty", {}, true, true}, SymmetryCase{"loop", {{2, 2, 5}}, true, true},
        SymmetryCase{"pair", {{1, 3, 5}, {3, 1, 5}}, true, true},
        SymmetryCase{"other_value", {{1, 3, 5}, {3, 1, 6}}, true, false},
        SymmetryCase{"only_above", {{1, 3, 5}}, false, false},
        SymmetryCase{"only_below", {{3, 1, 5}}, false, false},
        SymmetryCase{"equally_many_on_both_sides", {{0, 1, 5}, {3, 2, 5}}, false, false},
        SymmetryCase{"not_a_number", {{1, 3, nan}, {3, 1, nan}}, true, true},
        SymmetryCase{"one_not_a_number", {{1, 3, nan}, {3, 1, 1}}, true, false},
        SymmetryCase{
            "doubled", {{1, 3, 5}, {1, 3, 6}, {3, 1, 6}, {3, 1, 5}, {0, 0, 1}}, true, true},
        SymmetryCase{
            "doubled_not_a_number", {{1, 3, nan}, {1, 3, 6}, {3, 1, 6}, {3, 1, nan}}, true, true},
        SymmetryCase{"doubled_on_one_side", {{1, 3, 5}, {1, 3, 5}, {3, 1, 5}}, false, false},
        SymmetryCase{"doubled_below_only", {{3, 1, 5}, {3, 1, 5}, {0, 2, 1}}, false, false},
        SymmetryCase{"doubled_loop", {{1, 1, 5}, {1, 1, 6}}, true, true}),
    [](const auto& info) { return std::string(info.param.name); });

// Symmetric matrices, and the same with one entry missing, moved or changed.
TEST(Statistics, SymmetryIsLostByOneEntry) {
    std::mt19937 random(3);
    const auto below = [&](Index n) { return static_cast<Index>(random() % n); };
    for (int round = 0; round < 60; ++round) {
        const Index n = 2 + below(60);
        std::map<std::pair<Index, Index>, double> cells;
        for (Index count = 1 + below(4 * n); count > 0; --count) {
            const Index i = below(n);
            const Index j = below(n);
            cells[{i, j}] = cells[{j, i}] = static_cast<double>(below(5));
        }
        const auto symmetry = [&](int threads) {
            Entries entries;
            for (const auto& [cell, value] : cells) {
                entries.push_back({cell.first, cell.second, value});
            }
            const Statistics result = statistics_of(
                csr(n, n, entries, layout_of(ElementType::float64)), Context({.threads = threads}));
            return std::pair(result.pattern_symmetric, result.value_symmetric);
        };
        const int threads = 1 + static_cast<int>(below(4));
        ASSERT_EQ(symmetry(threads), std::pair(true, true));
        auto entry = std::next(cells.begin(), below(static_cast<Index>(cells.size())));
        if (entry->first.first == entry->first.second) continue;
        entry->second += 1;
        ASSERT_EQ(symmetry(threads), std::pair(true, false));
        const auto cell = entry->first;
        cells.erase(entry);
        ASSERT_EQ(symmetry(threads), std::pair(false, false));
        // As many on both sides of the diagonal as before.
        const std::pair<Index, Index> other = {cell.first, n};
        cells[other] = 1;
        const Index size = n + 1;
        Entries entries;
        for (const auto& [at, value] : cells) entries.push_back({at.first, at.second, value});
        const Statistics moved =
            statistics_of(csr(size, size, entries, layout_of(ElementType::float64)),
                          Context({.threads = threads}));
        ASSERT_FALSE(moved.pattern_symmetric);
    }
}

TEST(Statistics, OfAGraphCountedByHand) {
    //  0 -> 1 (twice), 1 -> 0, 1 -> 1, 3 -> 4; 2 and 5 are isolated
    const Entries entries = {{0, 1, 4}, {0, 1, -1}, {1, 0, 4}, {1, 1, 0}, {3, 4, 7}};
    const Statistics result = statistics_of(csr(6, 6, entries, layout_of(ElementType::int32)));
    EXPECT_EQ(result.rows, 6);
    EXPECT_EQ(result.entries, 5);
    EXPECT_EQ(result.self_loops, 1);
    EXPECT_EQ(result.duplicates, 1);
    EXPECT_EQ(result.isolated, 2);
    EXPECT_EQ(result.empty_rows, 3);
    EXPECT_EQ(result.empty_columns, 3);
    EXPECT_FALSE(result.pattern_symmetric);
    EXPECT_EQ(result.row_degrees.max, 2);
    EXPECT_EQ(result.row_degrees.median, 0);
    EXPECT_EQ(result.row_degrees.log2_counts, (std::vector<Index>{3, 1, 2}));
    EXPECT_EQ(result.column_degrees.max, 3);
    EXPECT_EQ(result.column_degrees.log2_counts, (std::vector<Index>{3, 2, 1}));
    EXPECT_EQ(result.values->min, -1);
    EXPECT_EQ(result.values->max, 7);
    EXPECT_EQ(result.values->mean, 14.0 / 5);
    EXPECT_EQ(result.values->zeros, 1);
    EXPECT_EQ(result.values->negatives, 1);
}

TEST(Statistics, MatchTheDefinitionsOnRandomMatrices) {
    struct Shape {
        Index rows;
        Index cols;
        Index count;
    };
    std::uint64_t seed = 0;
    for (const Shape& shape :
         {Shape{1, 1, 0}, Shape{1, 1, 3}, Shape{5, 5, 0}, Shape{7, 7, 12}, Shape{40, 40, 90},
          Shape{300, 300, 4000}, Shape{30, 4, 50}, Shape{4, 30, 50}, Shape{3000, 3000, 2500}}) {
        for (int round = 0; round < 6; ++round) {
            Entries entries = testing::random_entries(shape.rows, shape.cols, shape.count, ++seed);
            if (shape.rows == shape.cols && round % 2 == 1) {
                for (const Entry& entry : testing::mirrored(entries)) entries.push_back(entry);
            }
            SCOPED_TRACE(::testing::Message()
                         << shape.rows << "x" << shape.cols << " seed " << seed);
            for (const ElementType type : {ElementType::pattern, ElementType::int8,
                                           ElementType::int64, ElementType::float32}) {
                const Statistics wanted =
                    expected(shape.rows, shape.cols, entries, type != ElementType::pattern);
                const bool wide = round % 3 == 1;
                const Layout layout = layout_of(type, wide);
                expect_same(statistics_of(csr(shape.rows, shape.cols, entries, layout)), wanted);
                expect_same(statistics_of(csc(shape.rows, shape.cols, entries, layout)), wanted);
                expect_same(statistics_of(coo(shape.rows, shape.cols, entries, layout)), wanted);
                expect_same(statistics_of(dcsr(shape.rows, shape.cols, entries, layout)), wanted);
                expect_same(statistics_of(
                                csr(shape.rows, shape.cols, entries, layout_of(type, wide, false))),
                            wanted);
            }
        }
    }
}

TEST(Statistics, OfMatricesWithoutRowsOrColumns) {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 0}, {0, 5}, {5, 0}}) {
        expect_same(statistics_of(csr(rows, cols, {})), expected(rows, cols, {}, false));
        expect_same(statistics_of(coo(rows, cols, {})), expected(rows, cols, {}, false));
    }
}

TEST(Statistics, OfADenseMatrixCountEveryElement) {
    const std::vector<double> values = {1, 2, nan, 2, 0, -3, nan, -3, 5};
    const Tensor matrix({3, 3}, Format::dense(2), std::vector<Level>(2),
                        Array::copy_of<double>(values, {}, "test"), true, true);
    const Statistics result = statistics_of(matrix);
    EXPECT_EQ(result.entries, 9);
    EXPECT_EQ(result.self_loops, 3);
    EXPECT_TRUE(result.value_symmetric);
    EXPECT_EQ(result.row_degrees.median, 3);
    EXPECT_EQ(result.row_degrees.log2_counts, (std::vector<Index>{0, 0, 3}));
    EXPECT_EQ(result.values->min, -3);
    EXPECT_EQ(result.values->max, 5);
    EXPECT_TRUE(std::isnan(result.values->mean));

    std::vector<double> skew = values;
    skew[1] = -2;
    EXPECT_FALSE(statistics_of(matrix.with_values(Array::copy_of<double>(skew, {}, "test")))
                     .value_symmetric);
}

TEST(Statistics, KeepInfinitiesAndLeaveNanOut) {
    const auto of = [](const Entries& entries) {
        return *statistics_of(csr(9, 9, entries, layout_of(ElementType::float64))).values;
    };
    EXPECT_EQ(of({{0, 1, infinity}, {0, 2, nan}}).min, infinity);
    EXPECT_EQ(of({{0, 1, -infinity}, {0, 2, 3}}).min, -infinity);
    EXPECT_EQ(of({{0, 1, -infinity}, {0, 2, 3}}).max, 3);
    EXPECT_TRUE(std::isnan(of({{0, 1, nan}}).min));
    EXPECT_TRUE(std::isnan(of({{0, 1, nan}}).max));
    EXPECT_EQ(of({}).min, 0);
}

TEST(Statistics, KeepAllDigitsOfIntegers) {
    const auto of = [](const auto& values) {
        using T = std::remove_cvref_t<decltype(values[0])>;
        return *statistics_of(Tensor({1, 2}, Format::dense(2), std::vector<Level>(2),
                                     Array::copy_of<T>(values, {}, "test"), true, true))
                    .values;
    };
    const ValueSummary whole = of(std::vector<std::int64_t>{9007199254740993, -9007199254740993});
    EXPECT_EQ(whole.exact_min, ExactValue(std::int64_t{-9007199254740993}));
    EXPECT_EQ(whole.exact_max, ExactValue(std::int64_t{9007199254740993}));
    const ValueSummary natural = of(std::vector<std::uint64_t>{18446744073709551615u, 3});
    EXPECT_EQ(natural.exact_min, ExactValue(std::uint64_t{3}));
    EXPECT_EQ(natural.exact_max, ExactValue(std::uint64_t{18446744073709551615u}));
    const ValueSummary real = of(std::vector<double>{0.5, infinity});
    EXPECT_EQ(real.exact_min, ExactValue(0.5));
    EXPECT_EQ(real.exact_max, ExactValue(infinity));
}

TEST(Statistics, OfHypersparseMatricesNeedMemoryForTheirEntriesOnly) {
    const Index huge = Index{1} << 60;
    const Entries entries = {{5, huge - 1, 2}, {huge - 1, 5, 2}, {7, 7, 1}};
    const Context context({.memory_limit = 1 << 20});
    for (const auto make : {coo, dcsr}) {
        const Layout layout = {ElementType::int32, ElementType::int64, ElementType::int64};
        const Statistics square = statistics_of(make(huge, huge, entries, layout), context);
        EXPECT_EQ(square.rows, huge);
        EXPECT_EQ(square.isolated, huge - 3);
        EXPECT_EQ(square.self_loops, 1);
        EXPECT_TRUE(square.value_symmetric);
        EXPECT_EQ(square.row_degrees.zeros, huge - 3);
        EXPECT_EQ(square.row_degrees.median, 0);
        EXPECT_EQ(square.row_degrees.max, 1);

        const Statistics wide =
            statistics_of(make(8, huge, {{1, 5}, {1, 9}, {7, 5}}, layout), context);
        EXPECT_EQ(wide.empty_rows, 6);
        EXPECT_EQ(wide.empty_columns, huge - 2);
        EXPECT_EQ(wide.self_loops, 0);
    }
    const Layout layout = {ElementType::pattern, ElementType::int64, ElementType::int64};
    const Statistics wide = statistics_of(csr(8, huge, {{1, 5}, {1, huge - 9}}, layout), context);
    EXPECT_EQ(wide.empty_columns, huge - 2);
    EXPECT_EQ(wide.column_degrees.max, 1);
}

TEST(Statistics, DoNotDependOnTheNumberOfThreads) {
    Entries entries = testing::random_entries(2000, 2000, 60000, 11);
    for (Entry& entry : entries) entry.value = 1 / (entry.value + 0.37);
    const Tensor matrix = csr(2000, 2000, entries, layout_of(ElementType::float64));
    const Statistics one = statistics_of(matrix, Context({.threads = 1}));
    const Statistics four = statistics_of(matrix, Context({.threads = 4}));
    expect_same(one, four);
    EXPECT_EQ(one.values->mean, four.values->mean);
}

TEST(Statistics, FindTheMedianInAWideBucket) {
    // Degrees 513 to 1023 share a bucket of the histogram.
    Entries entries;
    std::vector<Index> degrees;
    for (Index i = 0; i < 101; ++i) {
        const Index degree = 513 + (i * 37) % 511;
        degrees.push_back(degree);
        for (Index j = 0; j < degree; ++j) entries.push_back({i, j});
    }
    const Statistics result = statistics_of(csr(101, 1023, entries));
    std::sort(degrees.begin(), degrees.end());
    EXPECT_EQ(result.row_degrees.median, degrees[50]);
}

TEST(Degrees, AreGivenForEveryRowAndColumn) {
    const Entries entries = {{0, 1}, {0, 1}, {2, 0}};
    const auto list = [](const Array& array) {
        std::vector<Index> result;
        for (Index i = 0; i < array.size(); ++i) result.push_back(array.index_at(i));
        return result;
    };
    for (const auto make : {csr, csc, coo, dcsr}) {
        EXPECT_EQ(list(row_degrees(make(3, 2, entries, {}))), (std::vector<Index>{2, 0, 1}));
        EXPECT_EQ(list(column_degrees(make(3, 2, entries, {}))), (std::vector<Index>{1, 2}));
    }
    EXPECT_THROW(row_degrees(Tensor()), Error);
    EXPECT_THROW(statistics_of(Tensor()), Error);
}

} // namespace
} // namespace tropic
