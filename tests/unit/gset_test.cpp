#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Entries = std::vector<FlatEntry>;
constexpr auto read = read_gset;

FileContent read_both_ways(std::string_view text) {
    FileContent whole = read_text(read, text);
    const FileContent pieces = read_text(read, text, {.chunk_bytes = 1}, Context({.threads = 3}));
    EXPECT_EQ(flatten(whole.list), flatten(pieces.list));
    return whole;
}

TEST(Gset, MirrorsEdgesButNotLoops) {
    const FileContent content = read_both_ways("3 3 \r\n1 2 5\r\n3 3 -1\r\n\r\n2 3 1");
    EXPECT_EQ(flatten(content.list),
              (Entries{{{0, 1}, 5}, {{1, 0}, 5}, {{2, 2}, -1}, {{1, 2}, 1}, {{2, 1}, 1}}));
    EXPECT_EQ(content.kind, EdgeKind::undirected);
    EXPECT_EQ(content.list.value_type, ElementType::int32);
    EXPECT_EQ(content.ids[0].offset(), 1);
    const std::vector<std::pair<std::string, Index>> counts = {
        {"vertices", 3}, {"edges", 3}, {"entries", 5}, {"self loops", 1}};
    EXPECT_EQ(content.steps[0].counts, counts);
}

TEST(Gset, TakesWeightsIfThereAreAny) {
    const FileContent plain = read_both_ways("2 1\n1 2\n");
    EXPECT_EQ(plain.list.value_type, ElementType::pattern);
    EXPECT_EQ(plain.list.entries(), 2);
    EXPECT_EQ(read_both_ways("2 1\n1 2 5000000000\n").list.value_type, ElementType::int64);
    EXPECT_EQ(read_both_ways("5 0\n").list.shape, (std::vector<Index>{5, 5}));
}

TEST(Gset, ExplainsFaults) {
    const Fault faults[] = {
        {"\n", ErrorCode::truncated, 0, 0, "the file ends before its header"},
        {"3\n", ErrorCode::syntax, 1, 2, "expected the number of edges, found the end of the line",
         "vertices edges"},
        {"3 2 1\n", ErrorCode::syntax, 1, 5, "expected the end of the line, found '1'",
         "--format el"},
        {"x 2\n", ErrorCode::syntax, 1, 1, "expected the number of vertices, found 'x'"},
        {"2 1\n0 1 1\n", ErrorCode::range, 2, 1, "the first vertex 0 is out of range",
         "ids count from 1"},
        {"2 1\n1 3 1\n", ErrorCode::range, 2, 3, "the second vertex 3 is out of range", "1 to 2"},
        {"2 2\n1 2 1\n1 2\n", ErrorCode::syntax, 3, 4,
         "expected the weight, found the end of the line"},
        {"2 2\n1 2\n1 2 1\n", ErrorCode::syntax, 3, 5, "expected the end of the line, found '1'",
         "vertex vertex"},
        {"2 1\n1 2 0.5\n", ErrorCode::syntax, 2, 5, "expected the weight, found '0.5'",
         "Gset weights are whole numbers"},
        {"2 2\n1 2 1\n", ErrorCode::truncated, 1, 3,
         "the header promises 2 edges, and the file has 1", "cut off"},
        {"2 1\n1 2 1\n2 1 1\n", ErrorCode::inconsistent, 1, 3,
         "the header promises 1 edge, and the file has 2"},
        {"1000000000000000000 9000000000000000000\n1 2 1\n", ErrorCode::truncated, 1, 21,
         "the header promises 9000000000000000000 edges, and the file has 1"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
}

} // namespace
} // namespace tropic::test
