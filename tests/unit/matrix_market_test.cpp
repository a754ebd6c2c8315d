// Reads texts at the level of FileContent and compares with entries that the tests know by
// themselves.
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/files/reader.h"
#include "matrix_market_text.h"
#include "shared_data.h"
#include "support/memory.h"

namespace tropic {
namespace {

using test::count_in;

struct Entry {
    Index row;
    Index col;
    double value = 1;

    bool operator==(const Entry&) const = default;
    auto operator<=>(const Entry&) const = default;
    friend void PrintTo(const Entry& e, std::ostream* out) {
        *out << "(" << e.row << ", " << e.col << "): " << e.value;
    }
};

FileContent read(std::string_view text, std::size_t chunk = 1 << 20, const Context& context = {}) {
    return test::read_matrix_market_text(text, chunk, context);
}

/// Entries in file order, positions from 0.
std::vector<Entry> entries_of(const CoordinateList& list) {
    std::vector<Entry> entries;
    for (const CoordinateBlock& block : list.blocks) {
        EXPECT_EQ(block.values.type(), list.value_type);
        EXPECT_EQ(block.coordinates.size(), 2u);
        for (Index e = 0; e < block.size(); ++e) {
            EXPECT_EQ(block.coordinates[0].type(), list.index_type);
            EXPECT_EQ(block.coordinates[1].size(), block.size());
            entries.push_back({block.coordinates[0].index_at(e), block.coordinates[1].index_at(e),
                               block.values.value_at(e)});
        }
    }
    return entries;
}

struct Case {
    std::string_view text;
    ElementType type;
    std::vector<Index> shape;
    std::vector<Entry> entries;
};

TEST(MatrixMarket, ReadsCoordinates) {
    const Case cases[] = {
        {"%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 -2e3\n1 1 .25\n",
         ElementType::float64,
         {2, 3},
         {{0, 0, 1.5}, {1, 2, -2000}, {0, 0, 0.25}}},
        {"%%matrixmarket MATRIX Coordinate INTEGER General\n2 2 2\n1 2 -7\n2 1 2147483647\n",
         ElementType::int32,
         {2, 2},
         {{0, 1, -7}, {1, 0, 2147483647}}},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 1\n2 1 2147483648\n",
         ElementType::int64,
         {2, 2},
         {{0, 1, 1}, {1, 0, 2147483648.}}},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 1\n2 1 "
         "9223372036854775808\n",
         ElementType::uint64,
         {2, 2},
         {{0, 1, 1}, {1, 0, 0x1p63}}},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 3\n",
         ElementType::pattern,
         {3, 3},
         {{2, 0}, {0, 2}}},
        {"%%MatrixMarket matrix coordinate double symmetric\n3 3 3\n1 1 5\n3 1 7\n3 2 8\n",
         ElementType::float64,
         {3, 3},
         {{0, 0, 5}, {2, 0, 7}, {0, 2, 7}, {2, 1, 8}, {1, 2, 8}}},
        {"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 4\n3 2 -5\n",
         ElementType::int32,
         {3, 3},
         {{1, 0, 4}, {0, 1, -4}, {2, 1, -5}, {1, 2, 5}}},
        {"%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -2147483648\n",
         ElementType::int64,
         {2, 2},
         {{1, 0, -2147483648.}, {0, 1, 2147483648.}}},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 2\n2 1\n",
         ElementType::pattern,
         {2, 2},
         {{1, 1}, {1, 0}, {0, 1}}},
        // Comments and blank lines anywhere, all kinds of blanks and line ends, no last newline.
        {"%%MatrixMarket matrix coordinate real general\r\n% hello\r\n\r\n  %%GraphBLAS\n"
         "\t2  3\t2 \r\n\n1 1 1\r\n%\n \t\n  2\t 3 inf  ",
         ElementType::float64,
         {2, 3},
         {{0, 0, 1}, {1, 2, HUGE_VAL}}},
        {"\n\n%%MatrixMarket matrix coordinate real general\n0 0 0\n",
         ElementType::float64,
         {0, 0},
         {}},
        {"%%MatrixMarket matrix coordinate real general\n3 4 0", ElementType::float64, {3, 4}, {}},
        {"%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type int8_t\n2 2 1\n"
         "1 1 -128\n",
         ElementType::int8,
         {2, 2},
         {{0, 0, -128}}},
        {"%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type bool\n2 2 1\n1 1 1\n",
         ElementType::boolean,
         {2, 2},
         {{0, 0, 1}}},
        {"%%MatrixMarket matrix coordinate real general\n%%GraphBLAS type float\n2 2 1\n1 1 0.1\n",
         ElementType::float32,
         {2, 2},
         {{0, 0, static_cast<double>(0.1F)}}},
        {"%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type double\n2 2 1\n"
         "1 1 3\n",
         ElementType::float64,
         {2, 2},
         {{0, 0, 3}}},
        {"%%MatrixMarket matrix coordinate real general\n%%GraphBLAS type int16_t\n2 2 1\n"
         "1 1 3.0e2\n",
         ElementType::int16,
         {2, 2},
         {{0, 0, 300}}},
        {"%%MatrixMarket matrix coordinate pattern general\n%%GraphBLAS type bool\n2 2 1\n1 2\n",
         ElementType::pattern,
         {2, 2},
         {{0, 1}}},
        // 10^18 vertices cost nothing by themselves.
        {"%%MatrixMarket matrix coordinate pattern general\n1000000000000000000 "
         "9223372036854775807 1\n1000000000000000000 9223372036854775807\n",
         ElementType::pattern,
         {1'000'000'000'000'000'000, INT64_MAX},
         {{999'999'999'999'999'999, INT64_MAX - 1}}},
        // Without a banner.
        {"% a comment\n2 2 2\n1 1 0.5\n2 2 1\n",
         ElementType::float64,
         {2, 2},
         {{0, 0, 0.5}, {1, 1}}},
        {"2 2 2\n\n1 1\n2 2\n", ElementType::pattern, {2, 2}, {{0, 0}, {1, 1}}},
    };
    for (const Case& c : cases) {
        for (const std::size_t chunk : {1, 5, 1 << 20}) {
            for (const int threads : {1, 3}) {
                SCOPED_TRACE(c.text);
                const FileContent content = read(c.text, chunk, Context({.threads = threads}));
                EXPECT_EQ(content.list.shape, c.shape);
                EXPECT_EQ(content.list.value_type, c.type);
                EXPECT_EQ(entries_of(content.list), c.entries);
                EXPECT_EQ(count_in(content, "entries"), static_cast<Index>(c.entries.size()));
                ASSERT_EQ(content.ids.size(), 2u);
                EXPECT_EQ(content.ids[1][0], 1);
            }
        }
    }
}

TEST(MatrixMarket, TellsWhatItRead) {
    const FileContent content =
        read("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n3 1 7\n2 3 8\n");
    EXPECT_EQ(content.kind, EdgeKind::undirected);
    EXPECT_EQ(content.source, "matrix market, coordinate real symmetric");
    EXPECT_EQ(content.steps.at(0).what, "read matrix market");
    EXPECT_EQ(count_in(content, "entries in file"), 3);
    EXPECT_EQ(count_in(content, "mirrored"), 2);
    EXPECT_EQ(count_in(content, "entries"), 5);
    ASSERT_EQ(content.warnings.size(), 1u) << "an entry above the diagonal";
    EXPECT_THAT(content.warnings[0], testing::HasSubstr("1 entry lies above the diagonal"));
    const FileContent bare = read("2 2 1\n1 1\n");
    EXPECT_EQ(bare.kind, EdgeKind::directed);
    EXPECT_THAT(bare.warnings,
                testing::ElementsAre("no banner line: read as coordinate pattern general"));
}

TEST(MatrixMarket, ReadsArrays) {
    struct ArrayCase {
        std::string_view text;
        ElementType type;
        std::vector<Index> shape;
        std::vector<double> values; ///< row by row
    };
    const ArrayCase cases[] = {
        {"%%MatrixMarket matrix array real general\n% c\n2 3\n1\n2\n3\n\n4.5\n5\n6\n",
         ElementType::float64,
         {2, 3},
         {1, 3, 5, 2, 4.5, 6}},
        {"%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6",
         ElementType::int32,
         {3, 3},
         {1, 2, 3, 2, 4, 5, 3, 5, 6}},
        {"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n30000000000\n",
         ElementType::int64,
         {3, 3},
         {0, -1, -2, 1, 0, -3e10, 2, 3e10, 0}},
        {"%%MatrixMarket matrix array real general\n0 5\n", ElementType::float64, {0, 5}, {}},
        {"%%MatrixMarket matrix array real symmetric\n1 1\n7\n", ElementType::float64, {1, 1}, {7}},
        {"%%MatrixMarket matrix array real skew-symmetric\n1 1\n",
         ElementType::float64,
         {1, 1},
         {0}},
    };
    for (const ArrayCase& c : cases) {
        for (const std::size_t chunk : {1, 1 << 20}) {
            SCOPED_TRACE(c.text);
            const FileContent content = read(c.text, chunk, Context({.threads = 2}));
            ASSERT_TRUE(content.tensor.has_value());
            EXPECT_EQ(content.tensor->format(), Format::dense(2));
            EXPECT_EQ(content.tensor->shape(), c.shape);
            EXPECT_EQ(content.tensor->type(), c.type);
            std::vector<double> values;
            for (Index i = 0; i < content.tensor->entries(); ++i) {
                values.push_back(content.tensor->values().value_at(i));
            }
            EXPECT_EQ(values, c.values);
        }
    }
}

TEST(MatrixMarket, ReadsLargeArraysInEveryShape) {
    // More values than a block of the list holds, so that blocks start in the middle of columns.
    for (const auto& [rows, cols] :
         {std::pair<Index, Index>(3, 250'000), {250'000, 3}, {900, 900}}) {
        std::string text =
            fmt::format("%%MatrixMarket matrix array integer general\n{} {}\n", rows, cols);
        for (Index k = 0; k < rows * cols; ++k) text += fmt::format("{}\n", k % 1000);
        const FileContent content = read(text, 10'000, Context({.threads = 3}));
        const auto values = content.tensor->values().as<std::int32_t>();
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < cols; ++j) {
                ASSERT_EQ(values[i * cols + j], (j * rows + i) % 1000) << i << " " << j;
            }
        }
    }
    std::string text = "%%MatrixMarket matrix array integer symmetric\n1100 1100\n";
    for (Index j = 0; j < 1100; ++j) {
        for (Index i = j; i < 1100; ++i) text += fmt::format("{}\n", i * j % 777);
    }
    const FileContent content = read(text, 10'000);
    const auto values = content.tensor->values().as<std::int32_t>();
    for (Index i = 0; i < 1100; ++i) {
        for (Index j = 0; j < 1100; ++j) ASSERT_EQ(values[i * 1100 + j], i * j % 777);
    }
}

struct Fault {
    std::string_view text;
    ErrorCode code;
    Index line;
    Index column;
    std::string_view message;
    std::string_view advice = {}; ///< in what is accepted or what to try
};

constexpr std::string_view pattern = "%%MatrixMarket matrix coordinate pattern general\n";

TEST(MatrixMarket, SaysWhatIsWrong) {
    const Fault faults[] = {
        {"", ErrorCode::truncated, 0, 0, "the file ends before its size line"},
        {"%%MatrixMarket matrix coordinate real general\n", ErrorCode::truncated, 1, 0,
         "the file ends before its size line", "rows columns entries"},
        {"%%MatrixMarket matrix array real general\n% c\n\n", ErrorCode::truncated, 3, 0,
         "the file ends before its size line", "rows columns'"},
        {"%%MatrixMarket\n", ErrorCode::syntax, 1, 15, "the banner ends before its object",
         "matrix"},
        {"%%MatrixMarket vector coordinate real general\n", ErrorCode::syntax, 1, 16,
         "the object 'vector' is unknown", "matrix"},
        {"%%MatrixMarket matrix cordinate real general\n", ErrorCode::syntax, 1, 23,
         "the layout 'cordinate' is unknown", "did you mean 'coordinate'?"},
        {"%%MatrixMarket matrix coordinate reel general\n", ErrorCode::syntax, 1, 34,
         "the field 'reel' is unknown", "did you mean 'real'?"},
        {"%%MatrixMarket matrix coordinate complex general\n", ErrorCode::unsupported, 1, 34,
         "complex matrices are not read", "real part"},
        {"%%MatrixMarket matrix coordinate real hermitian\n", ErrorCode::unsupported, 1, 39,
         "hermitian matrices are not read", "symmetric"},
        {"%%MatrixMarket matrix coordinate real symetric\n", ErrorCode::syntax, 1, 39,
         "the symmetry 'symetric' is unknown", "did you mean 'symmetric'?"},
        {"%%MatrixMarket matrix coordinate real\n", ErrorCode::syntax, 1, 38,
         "the banner ends before its symmetry", "general, symmetric, skew-symmetric"},
        {"%%MatrixMarket matrix coordinate real general now\n", ErrorCode::syntax, 1, 47,
         "the banner goes on with 'now'", "five words"},
        {"%MatrixMarket matrix coordinate real general\n1 1 0\n", ErrorCode::syntax, 1, 1,
         "the banner begins with '%MatrixMarket'", "%%MatrixMarket"},
        {"%%MatrixMarket matrix array pattern general\n1 1\n", ErrorCode::inconsistent, 1, 29,
         "an array lists values, and a pattern has none", "coordinate"},
        {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n", ErrorCode::inconsistent, 1,
         42, "a pattern has no values that could change their sign when mirrored"},
        {"%%MatrixMarket matrix coordinate real general\n%%GraphBLAS type FC64\n1 1 0\n",
         ErrorCode::unsupported, 2, 18, "the element type 'FC64' is not offered", "uint8_t"},
        {"# Nodes: 5\n1 2\n", ErrorCode::syntax, 1, 1, "expected the number of rows, found '#'"},
        {"hello\n", ErrorCode::syntax, 1, 1,
         "no Matrix Market banner, and no size line of three numbers in its place", "--format"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3\n", ErrorCode::syntax, 2, 4,
         "expected the number of entries, found the end of the line"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 2 1\n", ErrorCode::syntax, 2, 7,
         "the size line goes on with '1'", "three numbers"},
        {"%%MatrixMarket matrix array real general\n3 3 9\n", ErrorCode::syntax, 2, 5,
         "the size line goes on with '9'", "two numbers"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 -3 2\n", ErrorCode::range, 2, 3,
         "the number of columns -3 is out of range", "0 to 9223372036854775807"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 99999999999999999999\n",
         ErrorCode::range, 2, 5, "the number of entries 99999999999999999999 is out of range"},
        {"%%MatrixMarket matrix coordinate pattern general\nthree 3 2\n", ErrorCode::syntax, 2, 1,
         "expected the number of rows, found 'three'"},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n3 4 2\n", ErrorCode::inconsistent, 2,
         1, "a symmetric matrix is square, and this one has 3 rows and 4 columns"},
        {"%%MatrixMarket matrix array real general\n4000000000 4000000000\n", ErrorCode::range, 2,
         1, "an array of 4000000000 x 4000000000 has more elements than can be counted"},
        {"%%MatrixMarket matrix array real symmetric\n9223372036854775807 9223372036854775807\n",
         ErrorCode::range, 2, 1,
         "an array of 9223372036854775807 x 9223372036854775807 has more elements than can be "
         "counted"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 1\n4 1\n", ErrorCode::range, 4,
         1, "row 4 is outside the 3 x 3 matrix that the size line announces", "rows 1 to 3"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 2 2\n1 1\n1  3\n", ErrorCode::range,
         4, 4, "column 3 is outside the 3 x 2 matrix that the size line announces",
         "columns 1 to 2"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 1\n", ErrorCode::range, 3, 1,
         "row 0 is outside the 3 x 3 matrix that the size line announces", "counts from 1"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n-1 1\n", ErrorCode::range, 3, 1,
         "row -1 is outside the 3 x 3 matrix that the size line announces"},
        {"%%MatrixMarket matrix coordinate pattern general\n0 0 1\n1 1\n", ErrorCode::range, 3, 1,
         "row 1 is outside the 0 x 0 matrix that the size line announces", "no entries at all"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n99999999999999999999 1\n",
         ErrorCode::range, 3, 1,
         "row 99999999999999999999 is outside the 3 x 3 matrix that the size line announces"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1\n", ErrorCode::syntax, 3, 2,
         "expected a column, found the end of the line"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2 3\n", ErrorCode::syntax, 3,
         5, "text behind the entry: '3'", "one entry a line"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n", ErrorCode::syntax, 3, 4,
         "expected a value, found the end of the line"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 0x1p3\n", ErrorCode::syntax, 3,
         5, "expected a value, found '0x1p3'"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 nan\n", ErrorCode::range, 3, 5,
         "a value is not a number (NaN)"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1e999\n", ErrorCode::range, 3,
         5, "a value '1e999' is too large for a floating-point number"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 3 % why\n", ErrorCode::syntax,
         3, 7, "text behind the entry: '%'"},
        {"%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 3.5\n", ErrorCode::syntax, 3,
         5, "expected a value, found '3.5'", "a whole number"},
        {"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 -1\n1 2 "
         "18446744073709551616\n",
         ErrorCode::range, 4, 5, "a value 18446744073709551616 is out of range",
         "-9223372036854775808 to 18446744073709551615"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -1\n1 1 "
         "-9223372036854775809\n",
         ErrorCode::range, 4, 5, "a value -9223372036854775809 is out of range",
         "-9223372036854775808 to 18446744073709551615"},
        {"%%MatrixMarket matrix array integer general\n2 1\n5000000000\n+99999999999999999999\n",
         ErrorCode::range, 4, 1, "a value +99999999999999999999 is out of range",
         "-9223372036854775808 to 18446744073709551615"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -1\n1 1 "
         "18446744073709551615\n",
         ErrorCode::range, 3, 5,
         "no 64-bit type holds both -1 and the value on line 4, which is greater than "
         "9223372036854775807",
         "write real in the banner"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 18446744073709551615\n1 2 "
         "-1\n",
         ErrorCode::range, 4, 5,
         "no 64-bit type holds both -1 and the value on line 3, which is greater than "
         "9223372036854775807",
         "or from 0 to 18446744073709551615"},
        {"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 "
         "-9223372036854775808\n",
         ErrorCode::range, 3, 5, "a value -9223372036854775808 is out of range",
         "-9223372036854775807 to 9223372036854775807"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1e-999\n", ErrorCode::range, 3,
         5, "a value '1e-999' is too small for a floating-point number"},
        {"%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type int8_t\n2 2 1\n1 1 "
         "128\n",
         ErrorCode::range, 4, 5, "a value 128 is out of range", "-128 to 127"},
        {"%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type bool\n2 2 1\n1 1 2\n",
         ErrorCode::range, 4, 5, "a value 2 is out of range", "0 to 1"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n",
         ErrorCode::inconsistent, 3, 3,
         "entry (2, 2) is on the diagonal, where a skew-symmetric matrix is zero"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 1\n\n2 2\n",
         ErrorCode::truncated, 5, 0, "the size line announces 3 entries, the file has 2", "line 2"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1000000000000000000\n1 1\n",
         ErrorCode::truncated, 3, 0,
         "the size line announces 1000000000000000000 entries, the file has 1"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 1\n% c\n2 2\n\n 3 3\n1 2\n",
         ErrorCode::inconsistent, 7, 2,
         "the size line announces 2 entries, and here the file goes on", "line 2"},
        {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1\nand some text\n",
         ErrorCode::inconsistent, 4, 1,
         "the size line announces 1 entry, and here the file goes on"},
        {"%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 1 1\n1 1 99999999999\n",
         ErrorCode::inconsistent, 4, 1,
         "the size line announces 1 entry, and here the file goes on"},
        {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", ErrorCode::truncated, 5, 0,
         "the size line 2 x 2 announces 4 values, the file has 3"},
        {"%%MatrixMarket matrix array real general\n1 2\n1\n2\n3\n", ErrorCode::inconsistent, 5, 1,
         "the size line 1 x 2 announces 2 values, and here the file goes on"},
        {"%%MatrixMarket matrix array real general\n1000000000 1000000000\n1\n",
         ErrorCode::truncated, 3, 0,
         "the size line 1000000000 x 1000000000 announces 1000000000000000000 values, the file has "
         "1"},
        {"%%MatrixMarket matrix array real general\n1 2\n1 2\n", ErrorCode::syntax, 3, 3,
         "text behind the entry: '2'"},
    };
    for (const Fault& fault : faults) {
        for (const std::size_t chunk : {1, 7, 1 << 20}) {
            for (const int threads : {1, 3}) {
                SCOPED_TRACE(testing::Message() << fault.text << " in chunks of " << chunk);
                const Context context({.threads = threads, .memory_limit = 4 << 20});
                try {
                    read(fault.text, chunk, context);
                    ADD_FAILURE() << "nothing was thrown";
                } catch (const Error& error) {
                    const Diagnostic& found = error.diagnostic();
                    EXPECT_EQ(found.code, fault.code) << name_of(found.code);
                    EXPECT_EQ(found.line, fault.line);
                    EXPECT_EQ(found.column, fault.column);
                    EXPECT_EQ(found.message, fault.message);
                    EXPECT_EQ(found.file, "input");
                    EXPECT_THAT(found.accepted + "\n" + found.hint,
                                testing::HasSubstr(std::string(fault.advice)));
                    if (found.column > 0) {
                        EXPECT_FALSE(found.source_line.empty() && !fault.text.empty());
                    }
                }
                EXPECT_EQ(context.budget()->used(), 0u);
            }
        }
    }
}

TEST(MatrixMarket, HonoursTheMemoryLimit) {
    std::string text = std::string(pattern) + "1000 1000 200000\n";
    for (int i = 0; i < 200'000; ++i) text += "1000 1000\n";
    const Context enough({.threads = 2, .memory_limit = 16 << 20});
    EXPECT_EQ(read(text, 1 << 16, enough).list.entries(), 200'000);
    const Context little({.threads = 2, .memory_limit = 1 << 20});
    EXPECT_THROW(read(text, 1 << 16, little), Error);
    EXPECT_EQ(little.budget()->used(), 0u);
}

/// Random entries as text in a random but legal style, read with random chunks and threads.
TEST(MatrixMarket, ReadsRandomFiles) {
    std::mt19937_64 random(1);
    const auto pick = [&](std::size_t n) { return random() % n; };
    for (int round = 0; round < 150; ++round) {
        const Index rows = 1 + static_cast<Index>(pick(20));
        const bool symmetric = pick(3) == 0;
        const Index cols = symmetric ? rows : 1 + static_cast<Index>(pick(2000000000));
        const int field = static_cast<int>(pick(3));
        const std::size_t lines = pick(300);
        std::string text = fmt::format("%%MatrixMarket matrix coordinate {} {}\n",
                                       field == 0   ? "real"
                                       : field == 1 ? "integer"
                                                    : "pattern",
                                       symmetric ? "symmetric" : "general");
        const auto noise = [&] {
            if (pick(10) == 0) text += pick(2) == 0 ? "\n" : "% 1 1 1\n";
        };
        noise();
        text += fmt::format("{} {} {}\n", rows, cols, lines);
        std::vector<Entry> expected;
        const char* const blanks[] = {" ", " ", " ", "  ", "\t", " \t "};
        for (std::size_t k = 0; k < lines; ++k) {
            noise();
            Entry entry{static_cast<Index>(pick(static_cast<std::size_t>(rows))),
                        static_cast<Index>(pick(static_cast<std::size_t>(cols)))};
            std::string value;
            if (field == 0) {
                entry.value = std::ldexp(static_cast<double>(random() >> 11),
                                         static_cast<int>(pick(120)) - 110);
                value = fmt::format("{}", entry.value);
            } else if (field == 1) {
                entry.value = static_cast<double>(pick(2000)) - 1000;
                value = fmt::format("{}", static_cast<int>(entry.value));
            }
            if (pick(20) == 0) text += blanks[pick(6)];
            text += fmt::format("{}{}{}", entry.row + 1, blanks[pick(6)], entry.col + 1);
            if (field < 2) text += blanks[pick(6)] + value;
            if (pick(20) == 0) text += " ";
            text += pick(20) == 0 ? "\r\n" : "\n";
            expected.push_back(entry);
            if (symmetric && entry.row != entry.col) {
                expected.push_back({entry.col, entry.row, entry.value});
            }
        }
        if (pick(2) == 0 && text.ends_with('\n')) text.pop_back();
        const std::size_t chunk = 1 + pick(200);
        const Context context({.threads = 1 + static_cast<int>(pick(4))});
        const FileContent content = read(text, chunk, context);
        ASSERT_EQ(entries_of(content.list), expected) << text;
    }
}

TEST(MatrixMarket, ReadsManyEntriesIntoFewBlocksOfExactSize) {
    const Index lines = 1'500'000;
    std::string text = fmt::format("{}2000000 2000000 {}\n", pattern, lines);
    for (Index k = 0; k < lines; ++k) text += fmt::format("{} {}\n", k + 1, 2 * k % 2'000'000 + 1);
    for (const int threads : {1, 3}) {
        const FileContent content = read(text, 1 << 16, Context({.threads = threads}));
        EXPECT_LT(content.list.blocks.size(), 20u);
        Index k = 0;
        for (const CoordinateBlock& block : content.list.blocks) {
            const auto rows = block.coordinates[0].as<std::int32_t>();
            const auto cols = block.coordinates[1].as<std::int32_t>();
            for (Index e = 0; e < block.size(); ++e, ++k) {
                ASSERT_EQ(rows[e], k);
                ASSERT_EQ(cols[e], 2 * k % 2'000'000);
            }
        }
        EXPECT_EQ(k, lines);
    }
}

// Real files.

TEST(MatrixMarket, ReadsTheSharedFiles) {
    const std::filesystem::path data = test::shared_data();
    if (!std::filesystem::exists(data / "SOURCES.tsv")) {
        GTEST_SKIP() << "no shared data at " << data;
    }
    struct Known {
        const char* file;
        Index rows;
        Index cols;
        Index entries;
    };
    const Known known[] = {
        {"formats/4.mtx", 14, 14, 256},
        {"formats/4w.mtx", 14, 14, 256},
        {"lagraph/A.mtx", 7, 7, 30},
        {"lagraph/LFAT5.mtx", 14, 14, 46},
        {"lagraph/LFAT5_hypersparse.mtx", 2000, 2000, 46},
        {"lagraph/cover.mtx", 7, 7, 12},
        {"lagraph/empty.mtx", 3, 4, 0},
        {"lagraph/full.mtx", 3, 3, 9},
        {"lagraph/jagmesh7.mtx", 1138, 1138, 7450},
        {"lagraph/ldbc-cdlp-directed-example.mtx", 8, 8, 18},
        {"lagraph/ldbc-cdlp-undirected-example.mtx", 8, 8, 24},
        {"lagraph/ldbc-directed-example.mtx", 10, 10, 17},
        {"lagraph/ldbc-undirected-example.mtx", 9, 9, 24},
        {"lagraph/ldbc-wcc-example.mtx", 10, 10, 30},
        {"lagraph/lp_afiro.mtx", 27, 51, 102},
        {"lagraph/matrix_int8.mtx", 7, 7, 12},
        {"lagraph/msf1.mtx", 6, 6, 8},
        {"lagraph/msf2.mtx", 8, 8, 12},
        {"lagraph/msf3.mtx", 5, 5, 7},
        {"lagraph/olm1000.mtx", 1000, 1000, 3996},
        {"lagraph/sample.mtx", 8, 8, 12},
        {"lagraph/skew_fp64.mtx", 6, 6, 20},
        {"lagraph/test_BF.mtx", 7, 7, 12},
        {"lagraph/tree-example.mtx", 6, 6, 10},
        {"lagraph/west0067.mtx", 67, 67, 294},
        {"lagraph/west0067_jumbled.mtx", 67, 67, 294},
        {"lagraph/west0067_noheader.mtx", 67, 67, 294},
        {"netscience.mtx", 1589, 1589, 5484},
    };
    std::map<std::string, std::vector<Entry>> lists;
    for (const Known& file : known) {
        for (const std::size_t chunk : {1, 1 << 20}) {
            SCOPED_TRACE(file.file);
            TextFile text(open_file((data / file.file).string(), {}), chunk, {});
            const FileContent content = read_matrix_market(text, {});
            EXPECT_EQ(count_in(content, "entries"), file.entries);
            const std::vector<Index> shape =
                content.tensor ? content.tensor->shape() : content.list.shape;
            EXPECT_EQ(shape, (std::vector<Index>{file.rows, file.cols}));
            lists[file.file] = entries_of(content.list);
            std::ranges::sort(lists[file.file]);
        }
    }
    EXPECT_EQ(lists["lagraph/west0067.mtx"], lists["lagraph/west0067_jumbled.mtx"]);
    EXPECT_EQ(lists["lagraph/west0067.mtx"], lists["lagraph/west0067_noheader.mtx"]);
}

} // namespace
} // namespace tropic
