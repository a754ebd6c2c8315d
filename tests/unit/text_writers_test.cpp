// Writes graphs in every text format and reads them back.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using Writer = std::vector<std::string> (*)(const Graph&, ByteSink&, const WriteOptions&,
                                            const Context&);
using Entries = std::vector<FlatEntry>;
using Notes = std::vector<std::string>;

Graph graph_of(FileContent content, const Format& format = Format::csr()) {
    Graph graph;
    graph.name = "test";
    graph.tensor = build(std::move(content.list), format, Duplicates::keep);
    graph.kind = content.kind;
    graph.ids = content.ids;
    graph.vertex_weights = content.vertex_weights;
    graph.constraints = content.constraints;
    graph.vertex_sizes = content.vertex_sizes;
    return graph;
}

/// An n by m matrix with these entries; a pattern if the type says so. Ids count from `base`.
Graph matrix(Index rows, Index columns, const Entries& entries, ElementType type,
             const Format& format = Format::csr(), Index base = 1) {
    std::vector<std::int32_t> from;
    std::vector<std::int32_t> to;
    std::vector<double> values;
    for (const FlatEntry& entry : entries) {
        from.push_back(static_cast<std::int32_t>(entry.at[0]));
        to.push_back(static_cast<std::int32_t>(entry.at[1]));
        values.push_back(entry.value);
    }
    Graph graph;
    graph.tensor =
        matrix_from_edges(rows, columns, Array::copy_of<std::int32_t>(from, {}, "from"),
                          Array::copy_of<std::int32_t>(to, {}, "to"),
                          cast(Array::copy_of<double>(values, {}, "values"), type, {}), format);
    graph.ids.assign(2, VertexIds(base));
    return graph;
}

Entries entries_of(const Graph& graph) {
    Entries entries = flatten(coordinates_of(graph.tensor));
    std::sort(entries.begin(), entries.end());
    return entries;
}

struct Written {
    std::string text;
    Notes notes;
};

Written write(Writer writer, const Graph& graph, const std::string& path,
              const WriteOptions& options = {}) {
    MemorySink sink(path);
    Notes notes = writer(graph, sink, options, Context({.threads = 2}));
    return {sink.text(), std::move(notes)};
}

const Entries path_graph = {{{0, 1}, 5}, {{1, 0}, 5}, {{1, 2}, 7}, {{2, 1}, 7}};

TEST(TextWriters, WriteWhatTheFormatsSay) {
    const Graph plain = matrix(4, 4, path_graph, ElementType::pattern);
    const Graph weighted = matrix(4, 4, path_graph, ElementType::int32);
    EXPECT_EQ(write(write_metis, plain, "a.graph").text, "4 2\n2\n1 3\n2\n\n");
    EXPECT_EQ(write(write_metis, weighted, "a.graph").text, "4 2 001\n2 5\n1 5 3 7\n2 7\n\n");
    EXPECT_TRUE(write(write_metis, weighted, "a.graph").notes.empty());
    EXPECT_EQ(write(write_gset, weighted, "a.gset").text, "4 2\n1 2 5\n2 3 7\n");
    EXPECT_EQ(write(write_gset, plain, "a.gset").notes, Notes{"weights of 1 were written"});
    EXPECT_EQ(write(write_dimacs, weighted, "a.gr").text,
              "p sp 4 4\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 7\n");
    EXPECT_EQ(write(write_frostt, weighted, "a.tns").text, "1 2 5\n2 1 5\n2 3 7\n3 2 7\n");
    EXPECT_EQ(write(write_frostt, weighted, "a.tns").notes,
              (Notes{"the size 4 of dimension 1 is not said: the last entry there is at 3",
                     "the size 4 of dimension 2 is not said: the last entry there is at 3"}));
}

TEST(TextWriters, WriteEdgeListsInTheStyleOfTheirSuffix) {
    const Graph weighted = matrix(3, 3, {{{0, 2}, 5}, {{1, 0}, 6}}, ElementType::int32);
    const Graph plain = matrix(3, 3, {{{0, 2}, 1}, {{1, 0}, 1}}, ElementType::pattern);
    const auto text = [&](const Graph& graph, const char* path, const WriteOptions& options = {}) {
        return write(write_edge_list, graph, path, options).text;
    };
    EXPECT_EQ(text(weighted, "a.csv"), "source,target,weight\n1,3,5\n2,1,6\n");
    EXPECT_EQ(text(plain, "a.csv"), "source,target\n1,3\n2,1\n");
    EXPECT_EQ(text(plain, "a.csv", {.original_ids = false}), "source,target\n0,2\n1,0\n");
    EXPECT_EQ(text(plain, "a.csv", {.separator = ';', .header = false}), "1;3\n2;1\n");
    EXPECT_EQ(text(plain, "a.txt", {.separator = ':'}), "source::target\n1::3\n2::1\n");
    EXPECT_EQ(text(weighted, "a.wel"), "1 3 5\n2 1 6\n");
    EXPECT_EQ(text(plain, "a.el"), "1 3\n2 1\n");
    EXPECT_EQ(text(plain, "a.wel"), "1 3 1\n2 1 1\n");
    EXPECT_EQ(text(weighted, "a.el"), "1 3\n2 1\n");
    EXPECT_EQ(text(weighted, "a.tsv"), "# Directed graph\n# Nodes: 3 Edges: 2\n"
                                       "# FromNodeId\tToNodeId\tWeight\n1\t3\t5\n2\t1\t6\n");
    EXPECT_EQ(write(write_edge_list, plain, "a.wel").notes, Notes{"weights of 1 were written"});
    EXPECT_EQ(write(write_edge_list, weighted, "a.el").notes,
              Notes{"weights were not written: .el files have none (.wel files do)"});
    EXPECT_EQ(failure_of([&] { text(plain, "a.txt", {.separator = 'x'}); }).code, ErrorCode::usage);
}

TEST(TextWriters, NoteWhatEdgeListsLose) {
    for (const Format& format : {Format::csr(), Format::csc(), Format::coo(), Format::dcsr()}) {
        const Graph square = matrix(5, 5, {{{0, 2}, 1}}, ElementType::pattern, format);
        EXPECT_EQ(write(write_edge_list, square, "a.el").text, "1 3\n");
        EXPECT_EQ(write(write_edge_list, square, "a.el").notes,
                  Notes{"3 vertices without edges are not listed, and a reader will not know of "
                        "them"});
        const Graph wide = matrix(2, 3, {{{0, 2}, 1}}, ElementType::pattern, format);
        EXPECT_EQ(write(write_edge_list, wide, "a.el").notes,
                  (Notes{"3 vertices without edges are not listed, and a reader will not know of "
                         "them",
                         "rows and columns are two kinds of ids: read it back with --bipartite"}));
    }
    const Graph dense =
        matrix(2, 2, {{{0, 1}, 3}, {{1, 0}, .5}}, ElementType::float64, Format::dense(2));
    EXPECT_EQ(write(write_edge_list, dense, "a.wel").text, "1 2 3\n2 1 0.5\n");
    EXPECT_EQ(write(write_edge_list, dense, "a.wel").notes, Notes{"2 zeros were not written"});
}

TEST(TextWriters, NoteKindsThatTheFileDoesNotSay) {
    Graph graph = matrix(3, 3, {{{0, 1}, 2}, {{1, 0}, 2}, {{2, 1}, 3}}, ElementType::int32);
    const Notes both = {"the file does not say that the graph is undirected: both directions of "
                        "each edge are listed"};
    const Notes once = {"the file does not say that the graph is undirected: each edge is listed "
                        "once"};
    const Notes two_ids = {"rows and columns are two kinds of ids: read it back with --bipartite"};
    const Notes two_things = {"the file does not say that rows and columns are two kinds of "
                              "things"};
    struct Case {
        Writer writer;
        const char* path;
        WriteOptions options;
        Notes undirected;
        Notes undirected_once;
        Notes bipartite;
    };
    const std::vector<Case> table = {
        {write_edge_list, "a.wel", {}, both, once, two_ids},
        {write_edge_list, "a.csv", {}, both, once, two_ids},
        {write_edge_list, "a.txt", {}, both, {}, two_ids},
        {write_edge_list, "a.txt", {.header = false}, both, once, two_ids},
        {write_edge_list, "a.wel", {.header = true}, both, {}, two_ids},
        {write_edge_list, "a.txt", {.separator = ';'}, both, once, two_ids},
        {write_frostt, "a.tns", {}, both, once, two_things},
    };
    for (const Case& c : table) {
        const auto notes = [&](EdgeKind kind) {
            graph.kind = kind;
            Notes all = write(c.writer, graph, c.path, c.options).notes;
            // Rows and columns without entries are none of this test's business.
            std::erase_if(all, [](const std::string& note) {
                return note.find("without edges") != note.npos || note.starts_with("the size");
            });
            return all;
        };
        EXPECT_EQ(notes(EdgeKind::directed), Notes{}) << c.path;
        EXPECT_EQ(notes(EdgeKind::undirected), c.undirected) << c.path;
        EXPECT_EQ(notes(EdgeKind::undirected_once), c.undirected_once) << c.path;
        EXPECT_EQ(notes(EdgeKind::bipartite), c.bipartite) << c.path;
    }
}

TEST(TextWriters, WriteEdgeListsWithoutEdgesThatCanBeRead) {
    const Graph empty = matrix(0, 0, {}, ElementType::pattern);
    for (const char* path : {"a.el", "a.wel", "a.csv", "a.tsv", "a.txt"}) {
        for (const std::optional<bool> header : {std::optional<bool>(), {false}}) {
            const std::string text = write(write_edge_list, empty, path, {.header = header}).text;
            const Graph again = read_graph_from_memory(text, path);
            EXPECT_EQ(again.vertices(), 0) << path << "\n" << text;
            EXPECT_EQ(again.source.substr(0, 9), "edge list");
        }
    }
    EXPECT_EQ(write(write_edge_list, empty, "a.el").text, "# no edges\n");
}

TEST(TextWriters, NoteRealsThatComeBackAsIntegers) {
    const auto notes = [](const char* path, double first, double second, ElementType type) {
        return write(write_edge_list, matrix(2, 2, {{{0, 1}, first}, {{1, 0}, second}}, type), path)
            .notes;
    };
    const auto float64 = ElementType::float64;
    const std::string lost =
        "all weights are whole: a reader will take them for integers, not for ";
    EXPECT_EQ(notes("a.wel", 3, -4, float64), Notes{lost + "float64"});
    EXPECT_EQ(notes("a.csv", 0, 1, ElementType::float32), Notes{lost + "float32"});
    EXPECT_EQ(notes("a.wel", 3, 0.5, float64), Notes{});
    EXPECT_EQ(notes("a.wel", 3, 1e5, float64), Notes{});
    EXPECT_EQ(notes("a.wel", 3, HUGE_VAL, float64), Notes{});
    EXPECT_EQ(notes("a.wel", 3, 4, ElementType::int32), Notes{});
    EXPECT_EQ(notes("a.el", 3, 4, float64).size(), 1u); // that there are no weights
    // What the notes say of reading is so.
    for (const auto& [second, type] : {std::pair(-4.0, ElementType::int32),
                                       {0.5, float64},
                                       {1e5, float64},
                                       {HUGE_VAL, float64}}) {
        const Graph graph = matrix(2, 2, {{{0, 1}, 3}, {{1, 0}, second}}, float64);
        EXPECT_EQ(
            read_text(read_edge_list, write(write_edge_list, graph, "a.wel").text).list.value_type,
            type);
    }
}

TEST(TextWriters, NoteIdsThatAreShifted) {
    const std::string shifted = "ids were written as 1 to 2";
    const auto notes = [](Writer writer, Index base, std::string name = "a.el") {
        Graph graph =
            matrix(2, 2, {{{0, 1}, 5}, {{1, 0}, 5}}, ElementType::int32, Format::csr(), base);
        graph.name = std::move(name);
        return write(writer, graph, "out.wsg").notes;
    };
    for (const Writer writer :
         {write_matrix_market, write_metis, write_dimacs, write_gset, write_frostt}) {
        EXPECT_EQ(notes(writer, 0), Notes{shifted});
        EXPECT_EQ(notes(writer, 1), Notes{});
        EXPECT_EQ(notes(writer, 2), Notes{shifted});
        EXPECT_EQ(notes(writer, 0, "ring:2"), Notes{});
    }
    EXPECT_EQ(notes(write_edge_list, 0), Notes{});
    Graph nameless = matrix(2, 2, {{{0, 1}, 5}}, ElementType::int32);
    nameless.ids.clear();
    EXPECT_EQ(write(write_matrix_market, nameless, "out").notes, Notes{});
    const Notes gap = {"ids of the source were left out: vertices are numbered from 0"};
    EXPECT_EQ(notes(write_gap_serialized, 1), gap);
    EXPECT_EQ(notes(write_gap_serialized, 0), Notes{});
}

TEST(TextWriters, KeepDenseMatricesSymmetric) {
    const std::string_view text =
        "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n";
    for (const Format& format : {Format::dense(2), Format{Format::dense(2).levels, {1, 0}}}) {
        Graph graph = read_graph_from_memory(text, "a.mtx", {.storage = format});
        const Written same = write(write_matrix_market, graph, "b.mtx");
        EXPECT_EQ(same.text, text);
        EXPECT_EQ(same.notes, Notes{});
        graph.tensor =
            read_graph_from_memory("%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n",
                                   "c.mtx", {.storage = format})
                .tensor;
        const Written general = write(write_matrix_market, graph, "d.mtx");
        EXPECT_EQ(general.text, "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n");
        EXPECT_EQ(general.notes,
                  Notes{"written as a general matrix: that the edges are undirected is lost"});
    }
}

TEST(TextWriters, WriteHypersparseGraphs) {
    const std::string arcs = "p sp 1000000000000000000 3\na 1 7 2\na 7 1 2\na 1000000000000000000 "
                             "1000000000000000000 4\n";
    const std::string edges =
        "1000000000000000000 2\n1 7 2\n1000000000000000000 1000000000000000000 4\n";
    for (const Format& format : {Format::dcsr(), Format::dcsc(), Format::coo()}) {
        const Graph graph = graph_of(read_text(read_dimacs, arcs), format);
        EXPECT_EQ(write(write_dimacs, graph, "a.gr").text, arcs);
        EXPECT_EQ(write(write_dimacs, graph, "a.gr").notes, Notes{});
        EXPECT_EQ(write(write_gset, graph, "a.gset").text, edges);
        EXPECT_EQ(entries_of(graph_of(read_text(read_gset, edges), format)), entries_of(graph));
        const Diagnostic metis = failure_of([&] { write(write_metis, graph, "a.graph"); });
        EXPECT_EQ(metis.code, ErrorCode::out_of_memory);
        EXPECT_EQ(metis.file, "a.graph");
        EXPECT_NE(metis.hint.find("--drop-isolated"), std::string::npos);
    }
    const std::string none = "p sp 1000000000000000000 0\n";
    EXPECT_EQ(
        write(write_dimacs, graph_of(read_text(read_dimacs, none), Format::dcsr()), "a.gr").text,
        none);
    // Refusals speak of the ids of the source.
    Graph one_way =
        graph_of(read_text(read_edge_list, "5 999999999999999999\n", {.base = IdBase::zero}),
                 Format::dcsr());
    const Diagnostic found = failure_of([&] { write(write_gset, one_way, "a.gset"); });
    EXPECT_NE(found.message.find("(the edge from 5 to 999999999999999999)"), std::string::npos);
}

TEST(TextWriters, RefuseWhatAFormatCannotSay) {
    struct Case {
        Writer writer;
        Graph graph;
        std::string_view message;
        std::string_view advice;
    };
    const auto square = [](const Entries& entries, ElementType type) {
        return matrix(3, 3, entries, type);
    };
    const auto int32 = ElementType::int32;
    const auto float64 = ElementType::float64;
    const Case cases[] = {
        {write_metis, square({{{0, 1}, 1}}, int32),
         "METIS files cannot hold an edge without its mirror image of the same weight (the edge "
         "from 1 to 2)",
         "--symmetrise"},
        {write_metis, square({{{0, 1}, 1}, {{1, 0}, 2}}, int32),
         "METIS files cannot hold an edge without its mirror image of the same weight (the edge "
         "from 1 to 2)",
         "--symmetrise"},
        {write_metis, square({{{2, 2}, 1}}, int32),
         "METIS files cannot hold self loops (the edge from 3 to 3)", "--drop-loops"},
        {write_metis, square({{{0, 1}, 1}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 0}, 1}}, int32),
         "METIS files cannot hold the same edge twice (the edge from 1 to 2)", "--duplicates sum"},
        {write_metis, square({{{0, 1}, 0}, {{1, 0}, 0}}, int32),
         "METIS files cannot hold the weight 0: weights are whole numbers of at least 1 (the edge "
         "from 1 to 2)",
         "Matrix Market"},
        {write_metis, square({{{0, 1}, 0.5}, {{1, 0}, 0.5}}, float64),
         "METIS files cannot hold the weight 0.5: weights are whole numbers of at least 1 (the "
         "edge from 1 to 2)",
         "Matrix Market"},
        {write_metis, matrix(2, 3, {}, int32),
         "a METIS file needs a square matrix, and this one has 2 rows and 3 columns", ""},
        {write_gset, square({{{0, 1}, 1}}, int32),
         "Gset files cannot hold an edge without its mirror image of the same weight (the edge "
         "from 1 to 2)",
         "--symmetrise"},
        {write_gset, square({{{0, 1}, 1e300}, {{1, 0}, 1e300}}, float64),
         "Gset files cannot hold the weight 1e+300: weights are whole numbers (the edge from 1 to "
         "2)",
         "Matrix Market"},
        {write_dimacs, square({{{0, 1}, 0.25}}, float64),
         "DIMACS files cannot hold the weight 0.25: weights are whole numbers (the edge from 1 to "
         "2)",
         "Matrix Market"},
        {write_dimacs, matrix(2, 3, {}, int32),
         "a DIMACS file needs a square matrix, and this one has 2 rows and 3 columns", ""},
        {write_edge_list, square({{{0, 1}, NAN}}, float64),
         "the value of entry 0 is not a number (NaN)", "--type pattern"},
        {write_frostt, square({{{0, 1}, NAN}}, float64),
         "the value of entry 0 is not a number (NaN)", "--type pattern"},
    };
    for (const Case& c : cases) {
        const Diagnostic found = failure_of([&] { write(c.writer, c.graph, "out"); });
        EXPECT_EQ(found.code, ErrorCode::unsupported);
        EXPECT_EQ(found.message, c.message);
        EXPECT_NE(found.hint.find(c.advice), std::string::npos);
    }
}

TEST(TextWriters, KeepVertexWeightsAndSizes) {
    for (const std::string_view text : {"3 2 111 2\n1 5 50 2 8\n2 6 60 1 8 3 9\n3 7 70 2 9\n",
                                        "3 2 010\n5 2\n6 1 3\n7 2\n", "2 0 100\n4\n5\n"}) {
        const Graph graph = graph_of(read_text(read_metis, text));
        EXPECT_EQ(write(write_metis, graph, "a.graph").text, text);
        const Notes notes = write(write_dimacs, graph, "a.gr").notes;
        EXPECT_NE(std::find_if(notes.begin(), notes.end(),
                               [](const auto& note) { return note.starts_with("vertex "); }),
                  notes.end());
    }
}

TEST(TextWriters, WritePlainDimacsForEdgesListedOnce) {
    Graph graph = matrix(3, 3, {{{0, 1}, 1}, {{2, 1}, 1}}, ElementType::pattern);
    graph.kind = EdgeKind::undirected_once;
    const Written written = write(write_dimacs, graph, "a.gr");
    EXPECT_EQ(written.text, "p tw 3 2\n1 2\n3 2\n");
    EXPECT_TRUE(written.notes.empty());
    EXPECT_EQ(read_text(read_dimacs, written.text).kind, EdgeKind::undirected_once);
    EXPECT_EQ(write(write_gset, graph, "a.gset").text, "3 2\n1 2 1\n3 2 1\n");
    EXPECT_EQ(read_text(read_edge_list, write(write_edge_list, graph, "a.txt").text).kind,
              EdgeKind::undirected_once);
}

TEST(TextWriters, WriteTheIdsOfTheSource) {
    const Graph graph = graph_of(read_text(read_edge_list, "1000000000000 7\n7 3\n"));
    EXPECT_EQ(write(write_edge_list, graph, "a.el").text, "7 3\n1000000000000 7\n");
    EXPECT_EQ(write(write_edge_list, graph, "a.el", {.original_ids = false}).text, "1 0\n2 1\n");
    EXPECT_EQ(write(write_dimacs, graph, "a.gr").notes,
              (Notes{"weights of 1 were written", "ids were written as 1 to 3"}));
}

/// A random symmetric graph with weights that `type` can hold exactly.
Graph random_graph(ElementType type, std::mt19937& random, bool loops) {
    Entries entries;
    constexpr Index n = 40;
    std::vector<bool> used(n * n, false);
    for (int e = 0; e < 150; ++e) {
        const Index i = random() % n;
        const Index j = random() % n;
        if (used[i * n + j] || (i == j && !loops)) continue;
        used[i * n + j] = used[j * n + i] = true;
        const double value =
            type == ElementType::boolean ? 1 : 1 + static_cast<double>(random() % 100);
        entries.push_back({{i, j}, value});
        if (i != j) entries.push_back({{j, i}, value});
    }
    // The last vertex takes part, so that formats without a header know of it.
    if (!used[n * n - 2]) {
        entries.push_back({{n - 1, n - 2}, 1});
        entries.push_back({{n - 2, n - 1}, 1});
    }
    return matrix(n, n, entries, type);
}

TEST(TextWriters, RoundTripEveryFormatAndType) {
    struct Path {
        Writer writer;
        Reader reader;
        const char* name;
        bool loops;
    };
    const Path paths[] = {
        {write_edge_list, read_edge_list, "a.csv", true},
        {write_edge_list, read_edge_list, "a.txt", true},
        {write_edge_list, read_edge_list, "a.wel", true},
        {write_metis, read_metis, "a.graph", false},
        {write_dimacs, read_dimacs, "a.gr", true},
        {write_gset, read_gset, "a.gset", true},
        {write_frostt, read_frostt, "a.tns", true},
    };
    std::mt19937 random(11);
    for (const Path& path : paths) {
        for (int t = 0; t < element_type_count; ++t) {
            const auto type = static_cast<ElementType>(t);
            SCOPED_TRACE(fmt::format("{} {}", path.name, name_of(type)));
            const Graph graph = random_graph(type, random, path.loops);
            const Written written = write(path.writer, graph, path.name);
            ReadOptions options;
            options.base = IdBase::one;
            const Graph again = graph_of(read_text(path.reader, written.text, options));
            EXPECT_EQ(again.tensor.shape(), graph.tensor.shape());
            EXPECT_EQ(entries_of(again), entries_of(graph));
        }
    }
}

TEST(TextWriters, RoundTripRealsExactly) {
    std::mt19937_64 random(5);
    Entries entries;
    Index at = 0;
    for (const double value : {0.1, -1e-310, 1.7976931348623157e308, 1.0 / 3, HUGE_VAL, -0.0}) {
        entries.push_back({{at++, 0}, value});
    }
    for (; at < 3000; ++at) {
        double value = 0;
        do {
            const std::uint64_t bits = random();
            std::memcpy(&value, &bits, sizeof(value));
        } while (!std::isfinite(value));
        entries.push_back({{at, at % 7}, value});
    }
    const Graph graph = matrix(3000, 3000, entries, ElementType::float64);
    EXPECT_EQ(
        entries_of(graph_of(read_text(read_edge_list, write(write_edge_list, graph, "a.csv").text,
                                      {.base = IdBase::one}))),
        entries_of(graph));
    EXPECT_EQ(flatten(read_text(read_frostt, write(write_frostt, graph, "a.tns").text).list),
              flatten(coordinates_of(graph.tensor)));
}

TEST(TextWriters, WriteTensorsOfAnyRank) {
    for (const std::string_view text :
         {"3 1.5\n7 2\n", "1 1 1 0.5\n1 2 3 4\n2 1 1 -1\n", "1 1 1 1 2 8\n"}) {
        FileContent content = read_text(read_frostt, text);
        const int rank = content.list.rank();
        for (const Format& format : {Format::coo(rank), Format::csf(rank)}) {
            FileContent copy = read_text(read_frostt, text);
            const Graph graph = graph_of(std::move(copy), format);
            const Written written = write(write_frostt, graph, "a.tns");
            EXPECT_EQ(written.text, text);
            EXPECT_TRUE(written.notes.empty());
        }
    }
    const Graph empty = graph_of(read_text(read_frostt, "2\n3 4\n"), Format::coo(2));
    EXPECT_EQ(write(write_frostt, empty, "a.tns").text, "2\n3 4\n");
}

TEST(TextWriters, WriteLargeGraphsInPieces) {
    // More entries than one piece holds, with empty rows at the seams.
    std::string text = "p sp 100000 150000\n";
    for (int e = 0; e < 150000; ++e) {
        text += fmt::format("a {} {} {}\n", e / 15 * 10 + 1, e % 100000 + 1, e);
    }
    const Graph graph = graph_of(read_text(read_dimacs, text));
    const Written written = write(write_dimacs, graph, "a.gr");
    EXPECT_EQ(entries_of(graph_of(read_text(read_dimacs, written.text))), entries_of(graph));
}

} // namespace
} // namespace tropic::test
