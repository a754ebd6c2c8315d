#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Entries = std::vector<FlatEntry>;
constexpr auto read = read_dimacs;

FileContent read_both_ways(std::string_view text) {
    FileContent whole = read_text(read, text);
    const FileContent pieces = read_text(read, text, {.chunk_bytes = 1}, Context({.threads = 3}));
    EXPECT_EQ(flatten(whole.list), flatten(pieces.list));
    EXPECT_EQ(whole.warnings, pieces.warnings);
    return whole;
}

TEST(Dimacs, ReadsArcs) {
    const FileContent content =
        read_both_ways("c hello\nc\n\np sp 3 3\nc a\na 1 2 5\r\n a 3  1\t-7\na 1 2 5\n\nc end");
    EXPECT_EQ(flatten(content.list), (Entries{{{0, 1}, 5}, {{2, 0}, -7}, {{0, 1}, 5}}));
    EXPECT_EQ(content.list.shape, (std::vector<Index>{3, 3}));
    EXPECT_EQ(content.list.value_type, ElementType::int32);
    EXPECT_EQ(content.kind, EdgeKind::directed);
    EXPECT_EQ(content.ids[1].offset(), 1);
    EXPECT_EQ(content.source, "dimacs, p sp");
}

TEST(Dimacs, KeepsUndirectedEdgesAsListed) {
    for (const std::string_view text : {"p tw 4 2\n1 2\nc x\n3 2\n", "p edge 4 2\ne 1 2\ne 3 2\n",
                                        "c x\np col 4 2\ne 1 2\ne 3 2"}) {
        const FileContent content = read_both_ways(text);
        EXPECT_EQ(flatten(content.list), (Entries{{{0, 1}}, {{2, 1}}}));
        EXPECT_EQ(content.list.shape, (std::vector<Index>{4, 4}));
        EXPECT_EQ(content.kind, EdgeKind::undirected_once);
        EXPECT_EQ(content.list.value_type, ElementType::pattern);
        EXPECT_TRUE(content.warnings.empty());
    }
    EXPECT_EQ(read_both_ways("p col 2 1\nn 1 5\ne 1 2\nn 2 5\n").warnings,
              std::vector<std::string>{"2 node lines ('n ...') were not used"});
}

TEST(Dimacs, ChoosesTypesByTheNumbers) {
    EXPECT_EQ(read_both_ways("p sp 2 2\na 1 2 3\na 2 1 5000000000\n").list.value_type,
              ElementType::int64);
    const FileContent huge = read_both_ways("p tw 1000000000000000000 1\n1 1000000000000000000\n");
    EXPECT_EQ(huge.list.index_type, ElementType::int64);
    EXPECT_EQ(flatten(huge.list), (Entries{{{0, 999999999999999999}}}));
    EXPECT_EQ(read_both_ways("p sp 0 0\n").list.entries(), 0);
}

TEST(Dimacs, ExplainsFaults) {
    const Fault faults[] = {
        {"c only\n", ErrorCode::truncated, 0, 0, "the file ends before its problem line"},
        {"a 1 2 3\n", ErrorCode::syntax, 1, 1, "expected a problem line, found 'a'", "p sp n m"},
        {"p max 4 5\n", ErrorCode::unsupported, 1, 3,
         "the problem 'max' is not one of those read here", "p tw n m"},
        {"p\n", ErrorCode::syntax, 1, 2, "expected the kind of problem, found the end of the line"},
        {"p sp 4\n", ErrorCode::syntax, 1, 7,
         "expected the number of edges, found the end of the line"},
        {"p sp 4 1 1\n", ErrorCode::syntax, 1, 10, "expected the end of the line, found '1'"},
        {"p sp 4 -1\n", ErrorCode::range, 1, 8, "the number of edges -1 is out of range"},
        {"p sp 2 1\na 1 3 5\n", ErrorCode::range, 2, 5, "the second vertex 3 is out of range",
         "1 to 2"},
        {"p sp 2 1\na 0 1 5\n", ErrorCode::range, 2, 3, "the first vertex 0 is out of range",
         "ids count from 1"},
        {"p sp 0 1\na 1 1 5\n", ErrorCode::range, 2, 3, "the first vertex 1 is out of range",
         "there are no vertices"},
        {"p sp 2 1\na 1 2\n", ErrorCode::syntax, 2, 6,
         "expected the weight, found the end of the line"},
        {"p sp 2 1\na 1 2 1.5\n", ErrorCode::syntax, 2, 7, "expected the weight, found '1.5'",
         "DIMACS weights are whole numbers"},
        {"p sp 2 1\na 1 2 nan\n", ErrorCode::syntax, 2, 7, "expected the weight, found 'nan'"},
        {"p sp 2 1\na 1 2 3 4\n", ErrorCode::syntax, 2, 9,
         "expected the end of the line, found '4'", "a from to weight"},
        {"p sp 2 1\ne 1 2\n", ErrorCode::syntax, 2, 1,
         "expected a line that begins with 'a', found 'e'"},
        {"p sp 2 1\na1 2 3\n", ErrorCode::syntax, 2, 1,
         "expected a line that begins with 'a', found 'a1'"},
        {"p sp 2 1\na 1 2 3\np sp 2 1\n", ErrorCode::inconsistent, 3, 1, "a second problem line"},
        {"p tw 2 1\ne 1 2\n", ErrorCode::syntax, 2, 1, "expected the first vertex, found 'e'"},
        {"p sp 2 2\na 1 2 3\n", ErrorCode::truncated, 1, 8,
         "the header promises 2 arcs, and the file has 1", "cut off"},
        {"p tw 2 1\n1 2\n2 1\n", ErrorCode::inconsistent, 1, 8,
         "the header promises 1 edge, and the file has 2", "correct the header"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
}

} // namespace
} // namespace tropic::test
