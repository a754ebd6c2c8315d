#include <random>
#include <set>

#include <fmt/format.h>

#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Entries = std::vector<FlatEntry>;
constexpr auto read = read_metis;

std::vector<Index> numbers(const Array& array) {
    std::vector<Index> out;
    for (Index i = 0; i < array.size(); ++i) out.push_back(array.index_at(i));
    return out;
}

FileContent read_both_ways(std::string_view text) {
    FileContent whole = read_text(read, text);
    const FileContent pieces = read_text(read, text, {.chunk_bytes = 1}, Context({.threads = 3}));
    EXPECT_EQ(flatten(whole.list), flatten(pieces.list));
    EXPECT_EQ(whole.list.shape, pieces.list.shape);
    EXPECT_EQ(numbers(whole.vertex_sizes), numbers(pieces.vertex_sizes));
    EXPECT_EQ(numbers(whole.vertex_weights), numbers(pieces.vertex_weights));
    EXPECT_EQ(whole.warnings, pieces.warnings);
    EXPECT_EQ(whole.kind, pieces.kind);
    return whole;
}

/// The path 1 - 2 - 3 and the lonely vertex 4, in every fmt.
TEST(Metis, ReadsEveryFormatCode) {
    struct Case {
        std::string_view text;
        bool sizes;
        int constraints;
        bool weighted;
    };
    const Case cases[] = {
        {"4 2\n2\n1 3\n2\n\n", false, 0, false},
        {"4 2 0\n2\n1 3\n2\n\n", false, 0, false},
        {"4 2 000\n2\n1 3\n2\n\n", false, 0, false},
        {"4 2 1\n2 8\n1 8 3 9\n2 9\n\n", false, 0, true},
        {"4 2 001\n2 8\n1 8 3 9\n2 9\n\n", false, 0, true},
        {"4 2 10\n5 2\n6 1 3\n7 2\n8\n", false, 1, false},
        {"4 2 010 1\n5 2\n6 1 3\n7 2\n8\n", false, 1, false},
        {"4 2 10 2\n5 50 2\n6 60 1 3\n7 70 2\n8 80\n", false, 2, false},
        {"4 2 011\n5 2 8\n6 1 8 3 9\n7 2 9\n8\n", false, 1, true},
        {"4 2 100\n1 2\n2 1 3\n3 2\n4\n", true, 0, false},
        {"4 2 101\n1 2 8\n2 1 8 3 9\n3 2 9\n4\n", true, 0, true},
        {"4 2 110\n1 5 2\n2 6 1 3\n3 7 2\n4 8\n", true, 1, false},
        {"4 2 111 2\n1 5 50 2 8\n2 6 60 1 8 3 9\n3 7 70 2 9\n4 8 80\n", true, 2, true},
        {"% c\n\n%\n 4  2\t111 2 \r\n% c\n1 5 50 2 8\r\n2 6 60 1 8 3 9\n %c\n3 7 70 2 9\n4 8 "
         "80\n\n%\n",
         true, 2, true},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.text);
        const FileContent content = read_both_ways(c.text);
        const double a = c.weighted ? 8 : 1;
        const double b = c.weighted ? 9 : 1;
        EXPECT_EQ(flatten(content.list),
                  (Entries{{{0, 1}, a}, {{1, 0}, a}, {{1, 2}, b}, {{2, 1}, b}}));
        EXPECT_EQ(content.list.shape, (std::vector<Index>{4, 4}));
        EXPECT_EQ(content.kind, EdgeKind::undirected);
        EXPECT_EQ(content.constraints, c.constraints);
        EXPECT_EQ(numbers(content.vertex_sizes),
                  c.sizes ? (std::vector<Index>{1, 2, 3, 4}) : std::vector<Index>{});
        std::vector<Index> weights;
        if (c.constraints == 1) weights = {5, 6, 7, 8};
        if (c.constraints == 2) weights = {5, 50, 6, 60, 7, 70, 8, 80};
        EXPECT_EQ(numbers(content.vertex_weights), weights);
        EXPECT_EQ(content.ids[0].offset(), 1);
        EXPECT_TRUE(content.warnings.empty());
    }
}

TEST(Metis, AcceptsOtherWaysOfCountingWithAWarning) {
    const FileContent directed = read_both_ways("3 2\n2\n3\n\n");
    EXPECT_EQ(directed.kind, EdgeKind::directed);
    EXPECT_EQ(directed.list.entries(), 2);
    ASSERT_EQ(directed.warnings.size(), 1u);
    EXPECT_NE(directed.warnings[0].find("counts each direction"), std::string::npos);

    const FileContent sized = read_both_ways("3 4 100\n7 2\n\n9 2\n");
    EXPECT_EQ(sized.kind, EdgeKind::directed);
    EXPECT_EQ(flatten(sized.list), (Entries{{{0, 1}}, {{2, 1}}}));
    EXPECT_EQ(numbers(sized.vertex_sizes), (std::vector<Index>{7, 1, 9}));
    ASSERT_EQ(sized.warnings.size(), 1u);
    EXPECT_NE(sized.warnings[0].find("counts vertex sizes"), std::string::npos);
}

TEST(Metis, WidensWeightsThatAskForIt) {
    const FileContent content =
        read_both_ways("2 1 011\n3000000000 2 5000000000\n1 1 5000000000\n");
    EXPECT_EQ(content.list.value_type, ElementType::int64);
    EXPECT_EQ(content.vertex_weights.type(), ElementType::int64);
    EXPECT_EQ(flatten(content.list)[0].value, 5e9);
    EXPECT_EQ(numbers(content.vertex_weights), (std::vector<Index>{3000000000, 1}));
    EXPECT_EQ(read_both_ways("1 0 10\n5\n").vertex_weights.type(), ElementType::int32);
}

TEST(Metis, ReadsGraphsWithoutVerticesOrEdges) {
    EXPECT_EQ(read_both_ways("0 0\n").list.shape, (std::vector<Index>{0, 0}));
    EXPECT_EQ(read_both_ways("0 0").list.entries(), 0);
    EXPECT_EQ(read_both_ways("2 0\n\n\n").list.shape, (std::vector<Index>{2, 2}));
    EXPECT_EQ(read_both_ways("2 0\n\n\n\n\n% end\n\n").list.entries(), 0);
}

TEST(Metis, ReadsRandomGraphsWithCommentsBetweenLines) {
    std::mt19937 random(3);
    std::set<std::pair<Index, Index>> edges;
    constexpr Index n = 500;
    while (edges.size() < 2000) {
        const Index i = random() % n;
        const Index j = random() % (n / 2);
        if (i != j) edges.insert({std::min(i, j), std::max(i, j)});
    }
    std::vector<std::vector<Index>> rows(n);
    for (const auto& [i, j] : edges) {
        rows[i].push_back(j);
        rows[j].push_back(i);
    }
    std::string text = fmt::format("{} {}\n", n, edges.size());
    Entries expected;
    for (Index i = 0; i < n; ++i) {
        while (random() % 3 == 0) text += "% a comment\n";
        for (const Index j : rows[i]) {
            text += fmt::format(" {}", j + 1);
            expected.push_back({{i, j}});
        }
        text += '\n';
    }
    for (const std::size_t chunk : {1, 100, 5000, 1 << 20}) {
        for (const int threads : {1, 4}) {
            const FileContent content =
                read_text(read, text, {.chunk_bytes = chunk}, Context({.threads = threads}));
            EXPECT_EQ(flatten(content.list), expected);
        }
    }
}

TEST(Metis, ExplainsFaults) {
    const Fault faults[] = {
        {"% only\n", ErrorCode::truncated, 0, 0, "the file ends before its header"},
        {"3\n", ErrorCode::syntax, 1, 2, "expected the number of edges, found the end of the line",
         "vertices edges [fmt [ncon]]"},
        {"x 3\n", ErrorCode::syntax, 1, 1, "expected the number of vertices, found 'x'"},
        {"-3 3\n", ErrorCode::range, 1, 1, "the number of vertices -3 is out of range"},
        {"99999999999999999999 3\n", ErrorCode::range, 1, 1,
         "the number of vertices 99999999999999999999 is out of range"},
        {"3 2 10\n9 2\n\n9 2x 1 3\n7 2\n", ErrorCode::syntax, 3, 1,
         "expected a vertex weight, found the end of the line"},
        {"3 2 10\n9 2\n9 2x\n\n7 2\n", ErrorCode::syntax, 3, 3, "expected a neighbour, found '2x'"},
        {"1 0\n\n5\nx\n", ErrorCode::inconsistent, 3, 1,
         "a line for vertex 2, and the header says that there are 1"},
        {"2 1\n2\n1\nx\n", ErrorCode::inconsistent, 4, 1,
         "a line for vertex 3, and the header says that there are 2"},
        {"2 1 2\n", ErrorCode::syntax, 1, 5, "expected fmt, found '2'", "three digits"},
        {"2 1 0001\n", ErrorCode::syntax, 1, 5, "expected fmt, found '0001'"},
        {"2 1 1 2\n", ErrorCode::inconsistent, 1, 7,
         "ncon is 2, and fmt 1 says that vertices have none"},
        {"2 1 10 0\n", ErrorCode::inconsistent, 1, 8,
         "ncon is 0, and fmt 10 says that vertices have weights"},
        {"2 1 10 100000\n", ErrorCode::range, 1, 8,
         "ncon (the number of vertex weights) 100000 is out of range"},
        {"2 1 10 1 5\n", ErrorCode::syntax, 1, 10, "expected the end of the line, found '5'"},
        {"2 1\n2\n0\n", ErrorCode::range, 3, 1, "a neighbour 0 is out of range",
         "ids count from 1"},
        {"2 1\n2\n1 3\n", ErrorCode::range, 3, 3, "a neighbour 3 is out of range",
         "correct the number of vertices"},
        {"2 1\n2\n-1\n", ErrorCode::range, 3, 1, "a neighbour -1 is out of range",
         "never negative"},
        {"2 1\n2\n1x\n", ErrorCode::syntax, 3, 1, "expected a neighbour, found '1x'"},
        {"3 2 10 11\n\n31 14 4\n", ErrorCode::syntax, 2, 1,
         "expected a vertex weight, found the end of the line"},
        {"2 1 1\n2 5\n1\n", ErrorCode::syntax, 3, 2,
         "expected the weight of an edge, found the end of the line"},
        {"2 1 1\n2 5\n1 0\n", ErrorCode::range, 3, 3, "the weight of an edge 0 is out of range",
         "METIS wants whole weights of at least 1"},
        {"2 1 1\n2 5\n1 0.5\n", ErrorCode::syntax, 3, 3,
         "expected the weight of an edge, found '0.5'", "a whole number"},
        {"2 1 1\n2 5\n1 9999999999999999999\n", ErrorCode::range, 3, 3,
         "the weight of an edge 9999999999999999999 is out of range"},
        {"2 1 10\n5 2\n-5 1\n", ErrorCode::range, 3, 1, "a vertex weight -5 is out of range"},
        {"2 0 10\n5\n\n", ErrorCode::syntax, 3, 1,
         "expected a vertex weight, found the end of the line"},
        {"2 0 10 2\n5 6\n5\n", ErrorCode::syntax, 3, 2,
         "expected a vertex weight, found the end of the line"},
        {"3 1\n2\n1\n", ErrorCode::truncated, 1, 1,
         "the header promises 3 vertices, and the file has 2", "cut off"},
        {"1000000000000000000 1\n2\n1\n", ErrorCode::truncated, 1, 1,
         "the header promises 1000000000000000000 vertices, and the file has 2"},
        {"2 1\n2\n1\n\n% c\n1\n", ErrorCode::inconsistent, 6, 1,
         "a line for vertex 4, and the header says that there are 2", "--format el"},
        {"3 3\n2\n1 3\n2\n", ErrorCode::truncated, 1, 3,
         "the header promises 3 edges, which makes 6 neighbours, and the file lists 4"},
        {"3 1\n2\n1 3\n2\n", ErrorCode::inconsistent, 1, 3,
         "the header promises 1 edge, which makes 2 neighbours, and the file lists 4"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
}

} // namespace
} // namespace tropic::test
