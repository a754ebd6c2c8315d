#include <cmath>
#include <random>
#include <set>

#include <fmt/format.h>

#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Entries = std::vector<FlatEntry>;
constexpr auto read = read_edge_list;

FileContent read_both_ways(std::string_view text, ReadOptions options = {}) {
    FileContent whole = read_text(read, text, options);
    options.chunk_bytes = 1;
    const FileContent pieces = read_text(read, text, options, Context({.threads = 3}));
    EXPECT_EQ(flatten(whole.list), flatten(pieces.list));
    EXPECT_EQ(whole.list.shape, pieces.list.shape);
    EXPECT_EQ(whole.list.index_type, pieces.list.index_type);
    EXPECT_EQ(whole.list.value_type, pieces.list.value_type);
    EXPECT_EQ(whole.warnings, pieces.warnings);
    EXPECT_EQ(whole.source, pieces.source);
    return whole;
}

TEST(EdgeList, ReadsEveryDialect) {
    const Entries plain = {{{10, 20}}, {{20, 30}}, {{10, 10}}};
    for (const std::string_view text : {
             "10 20\n20 30\n10 10\n",
             "10 20\n20 30\n10 10",
             "\n  10\t20  \r\n\r\n20 30\r\n+10 10\r\n\n",
             "# FromNodeId ToNodeId\n10\t20\n20\t30\n# in between\n10\t10\n",
             "% asym\n10 20\n20 30\n10 10\n",
             "// c\n10 20\n20 30\n//\n10 10\n",
             "10,20\n20,30\n10,10\n",
             "10 , 20\n20 ,30\n10, 10\n",
             "10;20\n20;30\n10;10\n",
             "10|20\n20|30\n10|10\n",
             "10::20\n20::30\n10::10\n",
             "source,target\n10,20\n20,30\n10,10\n",
             "\"from\"\t\"to\"\n10\t20\n20\t30\n10\t10\n",
             ("\xef\xbb\xbf"
              "source,target\n10,20\n20,30\n10,10\n"),
             ("\xef\xbb\xbf"
              "10 20\n20 30\n10 10\n"),
             "10 20 a,b\n20 30 c;d\n10 10 e\n",
         }) {
        SCOPED_TRACE(text);
        const FileContent content = read_both_ways(text);
        EXPECT_EQ(in_file_ids(content), plain);
        EXPECT_EQ(content.list.value_type, ElementType::pattern);
        EXPECT_EQ(content.list.index_type, ElementType::int32);
        EXPECT_EQ(content.list.shape, (std::vector<Index>{3, 3}));
    }
}

TEST(EdgeList, TakesTheNarrowestTypeOfWeights) {
    struct Case {
        std::string_view text;
        ElementType type;
        std::vector<double> values;
    };
    const Case cases[] = {
        {"0 1 5\n1 2 -7\n", ElementType::int32, {5, -7}},
        {"0 1 5\n1 2 3000000000\n", ElementType::int64, {5, 3e9}},
        {"0 1 5\n1 2 0.5\n", ElementType::float64, {5, 0.5}},
        {"0 1 5\n1 2 3000000000\n2 1 1e-3\n", ElementType::float64, {5, 3e9, 1e-3}},
        {"0 1 5\n1 2 99999999999999999999\n", ElementType::float64, {5, 1e20}},
        {"0 1 5\n1 2 18446744073709551615\n", ElementType::uint64, {5, 0x1p64}},
        {"0 1 -5\n1 2 9223372036854775808\n", ElementType::float64, {-5, 0x1p63}},
        {"0 1 .5\n1 2 -inf\n", ElementType::float64, {.5, -HUGE_VAL}},
        {"0,1,5,x\n1,2,+6,y\n", ElementType::int32, {5, 6}},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.text);
        const FileContent content = read_both_ways(c.text);
        EXPECT_EQ(content.list.value_type, c.type);
        std::vector<double> values;
        for (const FlatEntry& entry : flatten(content.list)) values.push_back(entry.value);
        EXPECT_EQ(values, c.values);
    }
}

TEST(EdgeList, KeepsWholeWeightsExactly) {
    const FileContent large = read_both_ways("1 2 9223372036854775809\n2 3 9007199254740993\n");
    ASSERT_EQ(large.list.value_type, ElementType::uint64);
    std::vector<std::uint64_t> values;
    for (const CoordinateBlock& block : large.list.blocks) {
        for (const std::uint64_t value : block.values.as<std::uint64_t>()) values.push_back(value);
    }
    EXPECT_EQ(values, (std::vector<std::uint64_t>{9223372036854775809u, 9007199254740993u}));
    EXPECT_TRUE(large.warnings.empty());
}

TEST(EdgeList, CountsTheWholeWeightsThatItRounds) {
    // 2^53 and its double are exact, and a real is not a whole number that was changed.
    const std::string text = "1 2 0.5\n2 3 9007199254740992\n3 4 -9007199254740993\n"
                             "4 5 +018014398509481984\n5 6 9007199254740993.0\n"
                             "6 7 100000000000000000000\n";
    const FileContent content = read_both_ways(text);
    EXPECT_EQ(content.list.value_type, ElementType::float64);
    const std::vector<std::string> expected = {
        "1 whole weight was rounded to float64, for no 64-bit integer type holds all weights: the "
        "first, '-9007199254740993' on line 3, became -9007199254740992"};
    EXPECT_EQ(content.warnings, expected);
    EXPECT_EQ(read_text(read, text, {.chunk_bytes = 1}).warnings, expected);
    const std::string two = "1 2 1.5\n1 2 9007199254740993\n2 3 9007199254740995\n";
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{1} << 20}) {
        EXPECT_EQ(read_text(read, two, {.chunk_bytes = chunk}).warnings,
                  std::vector<std::string>{
                      "2 whole weights were rounded to float64, for no 64-bit integer type holds "
                      "all weights: the first, '9007199254740993' on line 2, became "
                      "9007199254740992"});
    }
}

TEST(EdgeList, TellsOfWeightsThatAreCalledSomethingElse) {
    const FileContent named = read_both_ways("from,to,timestamp\n1,2,1000\n");
    EXPECT_EQ(named.list.value_type, ElementType::int32);
    ASSERT_EQ(named.warnings.size(), 1u);
    EXPECT_NE(named.warnings[0].find("the third column, 'timestamp', was read as weights"),
              std::string::npos);
    EXPECT_TRUE(read_both_ways("from,to,Distance\n1,2,1000\n").warnings.empty());
    EXPECT_TRUE(
        read_text(read, "from,to,timestamp\n1,2,1000\n", {.weighted = true}).warnings.empty());
}

TEST(EdgeList, SaysWhichColumnsItIgnored) {
    EXPECT_EQ(read_both_ways("0 1 5 9\n").warnings,
              std::vector<std::string>{"the fourth column was ignored"});
    EXPECT_EQ(read_both_ways("0 1 5 9 9\n").warnings,
              std::vector<std::string>{"columns 4 to 5 were ignored"});
    EXPECT_EQ(read_both_ways("0 1 x\n").warnings,
              std::vector<std::string>{
                  "columns after the second were ignored: the third ('x') is not a number"});
    const FileContent content = read_both_ways("0 1 5\n", {.weighted = false});
    EXPECT_EQ(content.list.value_type, ElementType::pattern);
    EXPECT_EQ(content.warnings, std::vector<std::string>{"columns after the second were ignored"});
    EXPECT_TRUE(read_both_ways("0 1 5\n", {.weighted = true}).warnings.empty());
}

TEST(EdgeList, ReadsWhatCommentsSay) {
    const FileContent content =
        read_both_ways("# Undirected graph: x\n# Nodes: 3 Edges: 2\n0 1\n1 2\n");
    EXPECT_EQ(content.kind, EdgeKind::undirected_once);
    EXPECT_TRUE(content.warnings.empty());
    const FileContent cut = read_both_ways("# Directed graph\n# Nodes: 4 Edges: 3\n0 1\n1 2\n");
    EXPECT_EQ(cut.kind, EdgeKind::directed);
    EXPECT_EQ(cut.warnings,
              (std::vector<std::string>{"a comment states 4 nodes, and 3 were read",
                                        "a comment states 3 edges, and 2 were read"}));
}

TEST(EdgeList, HasNoVerticesWithoutEdges) {
    for (const std::string_view text : {"# only this\n", "source,target\n", "% x"}) {
        const FileContent content = read_both_ways(text);
        EXPECT_EQ(content.list.shape, (std::vector<Index>{0, 0}));
        EXPECT_EQ(content.list.entries(), 0);
    }
}

TEST(EdgeList, RefusesNamesThatTellOfAnotherOrder) {
    const std::string_view order = "in this order";
    const Fault faults[] = {
        {"target,source\n9,2\n", ErrorCode::unsupported, 1, 8,
         "by their names the source is column 2, the target column 1",
         "awk -F',' '{print $2, $1}'"},
        {"# c\n\"ID\";\"Source\";\"Target\"\n1;2;3\n", ErrorCode::unsupported, 2, 6,
         "by their names the source is column 2, the target column 3", order},
        {"w u v\n9 2 3\n", ErrorCode::unsupported, 1, 3,
         "by their names the source is column 2, the target column 3, the weight column 1",
         "awk '{print $2, $3, $1}'"},
        {"from::cost::to\n1::2::3\n", ErrorCode::unsupported, 1, 13,
         "by their names the source is column 1, the target column 3, the weight column 2",
         "awk -F:: "},
        {"i,j,id,value\n1,2,3,4\n", ErrorCode::unsupported, 1, 8,
         "by their names the source is column 1, the target column 2, the weight column 4", order},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
    // In order, or of no known order.
    for (const std::string_view text :
         {"source,target\n9,2\n", "SRC,dst,weight\n9,2,1\n", "i,j,v\n9,2,1\n", "v,w\n9,2\n",
          "from,to,cost,weight\n9,2,1,1\n", "head,tail\n9,2\n", "user,item,weight\n9,2,1\n",
          "weight,a\n9,2\n", "id,source\n9,2\n"}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(in_file_ids(read_both_ways(text)), (Entries{{{9, 2}}}));
    }
    EXPECT_EQ(in_file_ids(read_both_ways("i,j,id,value\n9,2,3,4\n", {.weighted = false})),
              (Entries{{{9, 2}}}));
}

TEST(EdgeList, WantsTheWeightsThatAHeaderNames) {
    const std::string_view advice = "--weighted no";
    expect_fault(read, {"source,target,weight\n1,2,NA\n2,3,5\n", ErrorCode::syntax, 2, 5,
                        "expected the weight, found 'NA'", advice});
    expect_fault(read, {"source,target,weight\n2,3,5\n1,2,NA\n", ErrorCode::syntax, 3, 5,
                        "expected the weight, found 'NA'", advice});
    expect_fault(read, {"a b Weight\n1 2\n", ErrorCode::inconsistent, 2, 4,
                        "line 1 names a weight, and there is no third column", advice});
    const std::string_view text = "source,target,weight\n1,2,NA\n2,3,5\n";
    EXPECT_EQ(read_both_ways(text, {.weighted = false}).list.entries(), 2);
    EXPECT_EQ(read_both_ways("source,target,label\n1,2,NA\n2,3,5\n").list.value_type,
              ElementType::pattern);
}

TEST(EdgeList, SaysThatQuotedNumbersAreNotRead) {
    const std::string_view advice = "tr -d '\"'";
    const Fault faults[] = {
        {"\"1\",\"2\",\"0.5\"\n\"2\",\"3\",\"1\"\n", ErrorCode::syntax, 1, 1,
         "expected the source id, found '\"1\"'", advice},
        {"\"source\",\"target\"\n\"1\",\"2\"\n", ErrorCode::syntax, 2, 1,
         "expected the source id, found '\"1\"'", advice},
        {"source target weight\n1 \"2\" \"3\"\n", ErrorCode::syntax, 2, 3,
         "expected the target id, found '\"2\"'", advice},
        {"1,2,\"3\"\n", ErrorCode::syntax, 1, 5, "expected the weight, found '\"3\"'", advice},
        {"1,2,3\n1,2,\"-3\"\n", ErrorCode::syntax, 2, 5, "expected the weight, found '\"-3\"'",
         advice},
        {"1,2,.3\n1,2,\".3\"\n", ErrorCode::syntax, 2, 5, "expected the weight, found '\".3\"'",
         advice},
        {"\"alice\",\"bob\"\n\"bob\",\"carol\"\n", ErrorCode::syntax, 1, 1,
         "expected the source id, found '\"alice\"'", "ids must be whole numbers"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
    EXPECT_EQ(read_both_ways("1,2,\"3\"\n", {.weighted = false}).list.entries(), 1);
    EXPECT_EQ(read_both_ways("1,2,\"likes\"\n").list.value_type, ElementType::pattern);
}

TEST(EdgeList, NumbersVerticesAsAsked) {
    const std::string_view text = "2 5\n5 9\n";
    const FileContent listed = read_both_ways(text);
    EXPECT_EQ(flatten(listed.list), (Entries{{{0, 1}}, {{1, 2}}}));
    ASSERT_EQ(listed.steps.size(), 2u);
    EXPECT_EQ(listed.steps[0].what, "read edge list");
    EXPECT_EQ(listed.steps[1].what, "closed gaps in ids");
    const std::vector<std::pair<std::string, Index>> counts = {
        {"ids used", 3}, {"smallest", 2}, {"largest", 9}, {"gaps", 5}};
    EXPECT_EQ(listed.steps[1].counts, counts);
    EXPECT_FALSE(listed.ids[0].is_offset());

    const FileContent zero = read_both_ways(text, {.base = IdBase::zero});
    EXPECT_EQ(zero.list.shape, (std::vector<Index>{10, 10}));
    EXPECT_EQ(flatten(zero.list), (Entries{{{2, 5}}, {{5, 9}}}));
    EXPECT_EQ(zero.ids[0].offset(), 0);

    const FileContent one = read_both_ways(text, {.base = IdBase::one});
    EXPECT_EQ(one.list.shape, (std::vector<Index>{9, 9}));
    EXPECT_EQ(flatten(one.list), (Entries{{{1, 4}}, {{4, 8}}}));
    EXPECT_EQ(one.ids[1].offset(), 1);

    const FileContent tight = read_both_ways("7 8\n8 6\n");
    EXPECT_TRUE(tight.ids[0].is_offset());
    EXPECT_EQ(tight.ids[0].offset(), 6);
    EXPECT_EQ(tight.steps.size(), 1u);
    EXPECT_EQ(flatten(tight.list), (Entries{{{1, 2}}, {{2, 0}}}));
}

TEST(EdgeList, SeparatesTheIdSpacesOfBipartiteGraphs) {
    const std::string_view text = "1 100\n1 300\n2 100\n";
    const FileContent content = read_both_ways(text, {.bipartite = true});
    EXPECT_EQ(content.list.shape, (std::vector<Index>{2, 2}));
    EXPECT_EQ(flatten(content.list), (Entries{{{0, 0}}, {{0, 1}}, {{1, 0}}}));
    EXPECT_EQ(content.ids[0][1], 2);
    EXPECT_EQ(content.ids[1][1], 300);
    EXPECT_EQ(read_both_ways(text, {.base = IdBase::zero, .bipartite = true}).list.shape,
              (std::vector<Index>{3, 301}));
    EXPECT_EQ(read_both_ways(text, {.base = IdBase::one, .bipartite = true}).list.shape,
              (std::vector<Index>{2, 300}));
}

TEST(EdgeList, WidensIdsOnlyWhereTheyAskForIt) {
    const FileContent sparse = read_both_ways("1 9223372036854775807\n3000000000 1\n");
    EXPECT_EQ(sparse.list.index_type, ElementType::int32);
    EXPECT_EQ(in_file_ids(sparse), (Entries{{{1, 9223372036854775807}}, {{3000000000, 1}}}));
    EXPECT_EQ(sparse.list.shape, (std::vector<Index>{3, 3}));

    const FileContent zero = read_both_ways("1 5000000000\n", {.base = IdBase::zero});
    EXPECT_EQ(zero.list.index_type, ElementType::int64);
    EXPECT_EQ(zero.list.shape[0], 5000000001);

    const FileContent high = read_both_ways("5000000000 5000000001\n");
    EXPECT_EQ(high.list.index_type, ElementType::int32);
    EXPECT_EQ(high.ids[0].offset(), 5000000000);
    const FileContent edge = read_both_ways("0 2147483647\n", {.base = IdBase::zero});
    EXPECT_EQ(edge.list.index_type, ElementType::int32);
}

TEST(EdgeList, ClosesGapsLikeAMapDoes) {
    std::mt19937_64 random(7);
    for (const Index spread :
         {Index{50}, Index{5000}, Index{40'000'000}, Index{1} << 40, Index{1} << 62}) {
        for (const bool bipartite : {false, true}) {
            std::string text;
            Entries expected;
            std::array<std::set<Index>, 2> used;
            for (int e = 0; e < 3000; ++e) {
                const auto i = static_cast<Index>(random() % spread);
                // Clustered targets make the buckets of the directory uneven.
                const Index j = static_cast<Index>(random() % (spread / 7 + 1)) / 3;
                text += fmt::format("{} {}\n", i, j);
                expected.push_back({{i, j}});
                used[0].insert(i);
                used[bipartite ? 1 : 0].insert(j);
            }
            SCOPED_TRACE(spread);
            const Context context({.threads = 2});
            const FileContent content =
                read_text(read, text, {.bipartite = bipartite, .chunk_bytes = 500}, context);
            EXPECT_EQ(in_file_ids(content), expected);
            for (std::size_t d = 0; d < 2; ++d) {
                const std::set<Index>& ids = used[bipartite ? d : 0];
                ASSERT_EQ(content.list.shape[d], static_cast<Index>(ids.size()));
                Index v = 0;
                for (const Index id : ids) ASSERT_EQ(content.ids[d][v++], id);
            }
        }
    }
}

TEST(EdgeList, GivesItsMemoryBackAndHonoursTheLimit) {
    std::string text;
    for (int e = 0; e < 200000; ++e) text += fmt::format("{} {}\n", e % 777, e);
    const Context context({.memory_limit = 50 << 20});
    {
        const FileContent content = read_text(read, text, {}, context);
        EXPECT_EQ(content.list.entries(), 200000);
    }
    EXPECT_EQ(context.budget()->used(), 0u);
    const Context small({.memory_limit = 1500000});
    const Diagnostic found =
        failure_of([&] { read_text(read, text, {.chunk_bytes = 1 << 16}, small); });
    EXPECT_EQ(found.code, ErrorCode::out_of_memory);
}

TEST(EdgeList, ExplainsFaults) {
    const Fault faults[] = {
        {"1\n2\n", ErrorCode::syntax, 1, 2, "expected the target id, found the end of the line",
         "one number on a line is no edge"},
        {"1 2\n3\n", ErrorCode::inconsistent, 2, 2, "1 column, and the first edge (line 1) has 2",
         "2 columns on every line, blank-separated"},
        {"1 2\n3 4 5\n", ErrorCode::inconsistent, 2, 5,
         "3 columns, and the first edge (line 1) has 2"},
        {"# c\n1,2,3\n3,4\n", ErrorCode::inconsistent, 3, 4,
         "2 columns, and the first edge (line 2) has 3", "comma-separated"},
        {"1,2\n3 4\n", ErrorCode::inconsistent, 2, 3,
         "1 column, and the first edge (line 1) has 2"},
        {"1 2 3 4\n1 2 3\n", ErrorCode::inconsistent, 2, 6,
         "3 columns, and the first edge (line 1) has 4"},
        {"1::2\n3:4\n", ErrorCode::inconsistent, 2, 2,
         "1 column, and the first edge (line 1) has 2"},
        {"1 2\nalice 3\n", ErrorCode::syntax, 2, 1, "expected the source id, found 'alice'",
         "ids must be whole numbers"},
        {"alice bob\nbob carol\n", ErrorCode::syntax, 1, 1, "expected the source id, found 'alice'",
         "ids must be whole numbers"},
        {"1 2\n1 1.5\n", ErrorCode::syntax, 2, 3, "expected the target id, found '1.5'"},
        {"1 2\n  -1 2\n", ErrorCode::range, 2, 3, "the source id -1 is out of range",
         "ids are never negative"},
        {"1 2\n1 9223372036854775808\n", ErrorCode::range, 2, 3,
         "the target id 9223372036854775808 is out of range", "from 0 to 9223372036854775807"},
        {"1,,2\n", ErrorCode::syntax, 1, 3, "expected the target id, found an empty field"},
        {"1 2 3\n1 2 x\n", ErrorCode::syntax, 2, 5, "expected the weight, found 'x'",
         "ignore the third column"},
        {"1 2 .5\n1 2 nan\n", ErrorCode::range, 2, 5, "the weight is not a number (NaN)"},
        {"1 2 3\n1 2 nan\n", ErrorCode::range, 2, 5, "the weight is not a number (NaN)"},
    };
    for (const Fault& fault : faults) expect_fault(read, fault);
    expect_fault(read,
                 {"1 2\n0 2\n", ErrorCode::range, 2, 1, "the source id 0 is out of range",
                  "ids count from 1 here"},
                 {.base = IdBase::one});
    expect_fault(read,
                 {"1 2\n1 9223372036854775807\n", ErrorCode::range, 2, 3,
                  "the target id 9223372036854775807 is out of range"},
                 {.base = IdBase::zero});
    expect_fault(read,
                 {"1 2\n", ErrorCode::inconsistent, 1, 4,
                  "weights were asked for, and there is no third column", "without weights"},
                 {.weighted = true});
    expect_fault(
        read,
        {"1 2 x\n", ErrorCode::syntax, 1, 5, "expected the weight, found 'x'", "without weights"},
        {.weighted = true});
}

TEST(EdgeList, ReportsTheFirstOfManyFaults) {
    std::string text;
    for (int e = 0; e < 5000; ++e) text += "1 2\n";
    for (int e = 0; e < 5000; ++e) text += "1 x\n";
    for (const int threads : {1, 4}) {
        const Diagnostic found = failure_of(
            [&] { read_text(read, text, {.chunk_bytes = 64}, Context({.threads = threads})); });
        EXPECT_EQ(found.line, 5001);
    }
}

} // namespace
} // namespace tropic::test
