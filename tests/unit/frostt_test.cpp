#include <cmath>

#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Entries = std::vector<FlatEntry>;
constexpr auto read = read_frostt;

FileContent read_both_ways(std::string_view text) {
    FileContent whole = read_text(read, text);
    const FileContent pieces = read_text(read, text, {.chunk_bytes = 1}, Context({.threads = 3}));
    EXPECT_EQ(flatten(whole.list), flatten(pieces.list));
    EXPECT_EQ(whole.list.shape, pieces.list.shape);
    return whole;
}

TEST(Frostt, TakesTheRankFromTheFirstLine) {
    const FileContent three = read_both_ways("# c\n1 2 3 0.5\r\n4 1  1\t-2\n\n# c\n1 2 3 inf");
    EXPECT_EQ(three.list.shape, (std::vector<Index>{4, 2, 3}));
    EXPECT_EQ(flatten(three.list),
              (Entries{{{0, 1, 2}, 0.5}, {{3, 0, 0}, -2}, {{0, 1, 2}, HUGE_VAL}}));
    EXPECT_EQ(three.list.value_type, ElementType::float64);
    EXPECT_EQ(three.ids.size(), 3u);
    EXPECT_EQ(three.ids[2].offset(), 1);

    EXPECT_EQ(read_both_ways("7 1\n3 2\n").list.shape, std::vector<Index>{7});
    EXPECT_EQ(read_both_ways("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 9\n").list.rank(), 16);
}

TEST(Frostt, TakesTheNarrowestTypeOfValues) {
    EXPECT_EQ(read_both_ways("1 1 5\n1 2 -6\n").list.value_type, ElementType::int32);
    EXPECT_EQ(read_both_ways("1 1 5\n1 2 6.0\n").list.value_type, ElementType::float64);
    EXPECT_EQ(read_both_ways("1 1 18446744073709551615\n").list.value_type, ElementType::uint64);
    const FileContent wide = read_both_ways("2\n3 3\n1 1 9007199254740993\n");
    ASSERT_EQ(wide.list.value_type, ElementType::int64);
    EXPECT_EQ(wide.list.blocks[0].values.as<std::int64_t>()[0], 9007199254740993);
    EXPECT_TRUE(wide.warnings.empty());
    EXPECT_EQ(read_both_ways("1 1 0.5\n1 2 9007199254740993\n").warnings,
              std::vector<std::string>{
                  "1 whole value was rounded to float64, for no 64-bit integer type holds all "
                  "values: the first, '9007199254740993' on line 2, became 9007199254740992"});
}

TEST(Frostt, ReadsSizesWhereTheyAreSaid) {
    const FileContent content = read_both_ways("# c\n3\n# d\n5 6 7\n1 2 3 0.5\n");
    EXPECT_EQ(content.list.shape, (std::vector<Index>{5, 6, 7}));
    EXPECT_EQ(flatten(content.list), (Entries{{{0, 1, 2}, 0.5}}));
    EXPECT_EQ(read_both_ways("2\n5 6\n").list.shape, (std::vector<Index>{5, 6}));
}

TEST(Frostt, WidensCoordinatesThatAskForIt) {
    const FileContent content = read_both_ways("1 1 1\n1 3000000000 2\n");
    EXPECT_EQ(content.list.index_type, ElementType::int64);
    EXPECT_EQ(content.list.shape, (std::vector<Index>{1, 3000000000}));
    EXPECT_EQ(read_both_ways("1 2147483647 1\n").list.index_type, ElementType::int32);
}

TEST(Frostt, ExplainsFaults) {
    const Fault faults[] = {
        {"# only\n", ErrorCode::truncated, 0, 0, "the file has no entries"},
        {"x\n", ErrorCode::syntax, 1, 1, "expected the rank, found 'x'"},
        {"0\n", ErrorCode::range, 1, 1, "the rank 0 is out of range"},
        {"17\n", ErrorCode::unsupported, 1, 1,
         "a tensor of 17 dimensions, and 16 is the most that is read", "1 to 16"},
        {"1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2\n", ErrorCode::unsupported, 1, 1,
         "a tensor of 17 dimensions, and 16 is the most that is read"},
        {"3\n", ErrorCode::truncated, 1, 1, "the file ends after its rank"},
        {"3\n1 2\n", ErrorCode::inconsistent, 2, 4, "2 sizes for a tensor of rank 3"},
        {"3\n1 2 3 4\n", ErrorCode::inconsistent, 2, 7, "4 sizes for a tensor of rank 3"},
        {"2\n5 5\n1 6 1\n", ErrorCode::range, 3, 3, "the second coordinate 6 is out of range",
         "1 to 5"},
        {"1 1 1\n1 0 1\n", ErrorCode::range, 2, 3, "the second coordinate 0 is out of range",
         "ids count from 1"},
        {"1 1 1\n1 -1 1\n", ErrorCode::range, 2, 3, "the second coordinate -1 is out of range"},
        {"1 1 1\n1 1\n", ErrorCode::syntax, 2, 4, "expected the value, found the end of the line"},
        {"1 1 1\n1 1 1 1\n", ErrorCode::inconsistent, 2, 7,
         "expected the end of the line, found '1'", "2 coordinates and a value"},
        {"1 1 1\n1 1.5 1\n", ErrorCode::syntax, 2, 3,
         "expected the second coordinate, found '1.5'"},
        {"1 1 1\n1 1 nan\n", ErrorCode::range, 2, 5, "the value is not a number (NaN)"},
        {"1 1 1\n1 1 x\n", ErrorCode::syntax, 2, 5, "expected the value, found 'x'"},
        {"1 9223372036854775808 1\n", ErrorCode::range, 1, 3,
         "the second coordinate 9223372036854775808 is out of range"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
}

} // namespace
} // namespace tropic::test
