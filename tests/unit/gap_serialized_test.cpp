// The oracle is a serializer written down from the layout alone, edge list to bytes.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "graph/files/binary.h"
#include "memory_sink.h"
#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic {
namespace {

struct Edge {
    std::int32_t from;
    std::int32_t to;
    std::int32_t weight;

    auto operator<=>(const Edge&) const = default;
};

template <class T> void append(std::string& out, T number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof(T));
}

/// One direction: edges grouped by `from`, in list order within a row.
void append_half(std::string& out, Index n, const std::vector<Edge>& edges, bool weighted) {
    std::int64_t offset = 0;
    append(out, offset);
    for (Index v = 0; v < n; ++v) {
        offset +=
            std::count_if(edges.begin(), edges.end(), [&](const Edge& e) { return e.from == v; });
        append(out, offset);
    }
    for (Index v = 0; v < n; ++v) {
        for (const Edge& edge : edges) {
            if (edge.from != v) continue;
            append(out, edge.to);
            if (weighted) append(out, edge.weight);
        }
    }
}

std::vector<Edge> mirrored(std::vector<Edge> edges) {
    for (Edge& edge : edges) std::swap(edge.from, edge.to);
    std::sort(edges.begin(), edges.end());
    return edges;
}

std::string serialized(bool directed, Index n, const std::vector<Edge>& edges, bool weighted) {
    std::string out;
    append(out, static_cast<std::uint8_t>(directed));
    append(out, static_cast<std::int64_t>(edges.size()));
    append(out, static_cast<std::int64_t>(n));
    append_half(out, n, edges, weighted);
    if (directed) append_half(out, n, mirrored(edges), weighted);
    return out;
}

const std::vector<Edge> triangle_and_tail = {
    {0, 1, 5}, {0, 2, -7}, {2, 1, 300}, {2, 4, 1}, {4, 4, 2147483647}};

const std::vector<Edge> undirected_path = {{0, 1, 3}, {1, 0, 3}, {1, 3, -4}, {3, 1, -4}};

FileContent read(std::string_view bytes, const std::string& name, bool verify = true,
                 const Context& context = {}) {
    return read_gap_serialized_from_memory(bytes, name, {.verify = verify}, context);
}

std::vector<Edge> edges_of(const Tensor& tensor) {
    std::vector<Edge> edges;
    visit_csr(tensor, [&](const auto& view) {
        for (Index row = 0; row < view.rows; ++row) {
            for (Index e = view.pos[row]; e < view.pos[row + 1]; ++e) {
                edges.push_back({static_cast<std::int32_t>(row),
                                 static_cast<std::int32_t>(view.crd[e]),
                                 tensor.is_pattern() ? 0 : tensor.values().as<std::int32_t>()[e]});
            }
        }
    });
    return edges;
}

std::vector<Edge> without_weights(std::vector<Edge> edges) {
    for (Edge& edge : edges) edge.weight = 0;
    return edges;
}

Diagnostic error_of(std::string_view bytes, const std::string& name) {
    try {
        read(bytes, name);
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().file, name) << error.what();
        return error.diagnostic();
    }
    ADD_FAILURE() << "read a broken file";
    return {};
}

Graph graph_of(Index n, const std::vector<Edge>& edges, bool weighted, EdgeKind kind) {
    std::vector<std::int32_t> pos(n + 1);
    std::vector<std::int32_t> crd;
    std::vector<std::int32_t> weights;
    for (const Edge& edge : edges) {
        ++pos[edge.from + 1];
        crd.push_back(edge.to);
        weights.push_back(edge.weight);
    }
    for (Index v = 0; v < n; ++v) pos[v + 1] += pos[v];
    const auto size = static_cast<Index>(edges.size());
    Graph graph;
    graph.kind = kind;
    graph.ids.resize(2);
    graph.tensor = Tensor({n, n}, Format::csr(),
                          {Level{}, Level{.kind = LevelKind::compressed,
                                          .pos = Array::copy_of<std::int32_t>(pos, {}, "pos"),
                                          .crd = Array::copy_of<std::int32_t>(crd, {}, "crd")}},
                          weighted ? Array::copy_of<std::int32_t>(weights, {}, "weights")
                                   : Array::allocate(ElementType::pattern, size, {}, "weights"),
                          true, true);
    return graph;
}

TEST(GapSerialized, ReadsEveryKind) {
    for (const bool directed : {false, true}) {
        for (const bool weighted : {false, true}) {
            const auto& edges = directed ? triangle_and_tail : undirected_path;
            const std::string bytes = serialized(directed, 5, edges, weighted);
            EXPECT_TRUE(is_gap_serialized(bytes, bytes.size()));
            for (const bool verify : {false, true}) {
                for (const char* name : {"a.sg", "a.wsg", "a"}) {
                    const FileContent content = read(bytes, name, verify);
                    const Tensor& tensor = *content.tensor;
                    EXPECT_EQ(tensor.shape(), (std::vector<Index>{5, 5}));
                    EXPECT_EQ(tensor.format(), Format::csr());
                    EXPECT_EQ(edges_of(tensor), weighted ? edges : without_weights(edges));
                    EXPECT_EQ(tensor.type(), weighted ? ElementType::int32 : ElementType::pattern);
                    EXPECT_TRUE(tensor.sorted());
                    EXPECT_TRUE(tensor.unique());
                    EXPECT_EQ(content.kind, directed ? EdgeKind::directed : EdgeKind::undirected);
                    EXPECT_EQ(content.ids.size(), 2u);
                    ASSERT_EQ(content.steps.size(), 1u);
                    EXPECT_EQ(content.steps[0].what, "read gap serialized");
                    tensor.check();
                }
            }
        }
    }
}

TEST(GapSerialized, TheSuffixDecidesWhereThereIsNoEntry) {
    for (const Index n : {0, 1, 3}) {
        const std::string bytes = serialized(false, n, {}, false);
        EXPECT_EQ(read(bytes, "a.sg").tensor->type(), ElementType::pattern);
        EXPECT_EQ(read(bytes, "a.wsg").tensor->type(), ElementType::int32);
        EXPECT_EQ(read(bytes, "a.wsg").tensor->dim(0), n);
        EXPECT_EQ(read(bytes, "a.WSG").tensor->type(), ElementType::int32);
    }
}

TEST(GapSerialized, SortsRowsAndSaysSo) {
    const std::vector<Edge> edges = {{0, 2, 1}, {0, 1, 2}, {0, 2, 3}, {0, 0, 4},
                                     {1, 0, 5}, {1, 1, 6}, {2, 2, 7}, {2, 1, 8}};
    for (const bool weighted : {false, true}) {
        const FileContent content = read(serialized(true, 3, edges, weighted), "a.wsg");
        std::vector<Edge> expected = edges;
        std::sort(expected.begin(), expected.end(), [](const Edge& a, const Edge& b) {
            return std::tuple(a.from, a.to, a.weight) < std::tuple(b.from, b.to, b.weight);
        });
        EXPECT_EQ(edges_of(*content.tensor), weighted ? expected : without_weights(expected));
        EXPECT_TRUE(content.tensor->sorted());
        EXPECT_FALSE(content.tensor->unique());
        ASSERT_EQ(content.steps.size(), 2u);
        EXPECT_EQ(content.steps[1].what, "sorted rows");
        EXPECT_EQ(content.steps[1].counts[0].second, 2);
    }
    const FileContent unique = read(serialized(true, 3, {{0, 2, 1}, {0, 1, 2}}, true), "a.wsg");
    EXPECT_TRUE(unique.tensor->unique());
    const FileContent twice = read(serialized(true, 3, {{0, 1, 1}, {0, 1, 2}}, true), "a.wsg");
    EXPECT_FALSE(twice.tensor->unique());
    EXPECT_EQ(twice.steps.size(), 1u);
}

TEST(GapSerialized, IsRecognisedByItsSizes) {
    const std::string bytes = serialized(true, 5, triangle_and_tail, true);
    const std::string_view head = std::string_view(bytes).substr(0, 25);
    EXPECT_TRUE(is_gap_serialized(head, bytes.size()));
    EXPECT_TRUE(is_gap_serialized(head.substr(0, 17), bytes.size()));
    EXPECT_FALSE(is_gap_serialized(head.substr(0, 16), bytes.size()));
    EXPECT_FALSE(is_gap_serialized(head, bytes.size() - 1));
    EXPECT_FALSE(is_gap_serialized(head, bytes.size() + 8));
    EXPECT_FALSE(is_gap_serialized("%%MatrixMarket matrix coordinate real", 37));
    EXPECT_FALSE(is_gap_serialized("", 0));
    EXPECT_FALSE(is_gap_serialized(std::string(25, '\0'), 17));
    EXPECT_TRUE(is_gap_serialized(std::string(25, '\0'), 25)) << "no vertices, one offset";
    EXPECT_FALSE(is_gap_serialized(std::string(17, '\xff'), 17));
}

TEST(GapSerialized, NoticesEveryTruncation) {
    for (const bool directed : {false, true}) {
        for (const bool weighted : {false, true}) {
            const auto& edges = directed ? triangle_and_tail : undirected_path;
            const std::string bytes = serialized(directed, 5, edges, weighted);
            for (std::size_t size = 0; size < bytes.size(); ++size) {
                EXPECT_THROW(read(bytes.substr(0, size), weighted ? "a.wsg" : "a.sg"), Error)
                    << size;
            }
            EXPECT_EQ(error_of(bytes.substr(0, bytes.size() - 1), weighted ? "a.wsg" : "a.sg").code,
                      ErrorCode::truncated);
            EXPECT_EQ(error_of(bytes + "x", weighted ? "a.wsg" : "a.sg").code,
                      ErrorCode::inconsistent);
        }
    }
}

TEST(GapSerialized, NoticesEveryFlippedBitOfTheStructure) {
    // Without weights, and with weights stored twice, no byte can change unseen.
    for (const std::string& bytes : {serialized(false, 5, undirected_path, false),
                                     serialized(true, 5, triangle_and_tail, false),
                                     serialized(true, 5, triangle_and_tail, true)}) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string broken = bytes;
                broken[i] = static_cast<char>(broken[i] ^ (1 << bit));
                EXPECT_THROW(read(broken, "a.wsg"), Error) << "byte " << i << " bit " << bit;
            }
        }
    }
}

TEST(GapSerialized, SaysWhatIsWrong) {
    std::string bytes = serialized(true, 5, triangle_and_tail, false);
    const std::size_t offsets = 17;
    const std::size_t neighbours = offsets + 6 * 8;
    std::string broken = bytes;
    broken[offsets + 8] = 6;
    EXPECT_EQ(
        error_of(broken, "a.sg").message,
        "offset 1 of the outgoing edges is 6, below the one before it or above the 5 entries");
    broken = bytes;
    broken[offsets + 2 * 8] = 1;
    EXPECT_EQ(error_of(broken, "a.sg").code, ErrorCode::inconsistent);
    broken = bytes;
    broken[neighbours + 4 * 3] = 5;
    EXPECT_EQ(error_of(broken, "a.sg").message, "entry 3 of the outgoing edges leads to vertex 5");
    EXPECT_EQ(error_of(broken, "a.sg").accepted, "vertices 0 to 4");
    broken = bytes;
    broken[broken.size() - 4] = 3;
    EXPECT_NE(error_of(broken, "a.sg").message.find("incoming edges"), std::string::npos);

    const std::string asymmetric = serialized(false, 5, triangle_and_tail, false);
    EXPECT_NE(error_of(asymmetric, "a.sg").message.find("one way only"), std::string::npos);
    EXPECT_NO_THROW(read(asymmetric, "a.sg", false));

    EXPECT_EQ(error_of("graph { a -- b; c -- d }", "a.sg").code, ErrorCode::range);
    broken = bytes;
    broken[9 + 7] = 0x0d; // 9 * 10^17 vertices
    EXPECT_EQ(error_of(broken, "a.sg").code, ErrorCode::range);
    broken = bytes;
    broken[9 + 3] = 0x7f; // 2 * 10^9 vertices that the file does not have
    EXPECT_EQ(error_of(broken, "a.sg").code, ErrorCode::truncated);
}

TEST(GapSerialized, HonoursTheMemoryLimit) {
    const Context context({.memory_limit = 50});
    try {
        read(serialized(true, 5, triangle_and_tail, true), "a.wsg", true, context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    }
}

TEST(GapSerialized, NeverCrashesOnRandomDamage) {
    const std::string bytes = serialized(true, 5, triangle_and_tail, true);
    std::mt19937 random(3);
    int read_anyway = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string broken = bytes;
        for (unsigned c = 0; c < 1 + random() % 4; ++c) {
            const std::size_t at =
                random() % 2 == 0 ? 17 + random() % (broken.size() - 17) : random() % broken.size();
            broken[at] = static_cast<char>(random() % 8);
        }
        try {
            const FileContent content = read(broken, "a.wsg", random() % 2 == 0);
            content.tensor->check();
            ++read_anyway;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(read_anyway, 100) << "the damage never gets past the sizes";
}

std::vector<Edge> random_edges(Index n, Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Edge> edges(count);
    for (Edge& edge : edges) {
        edge.from = static_cast<std::int32_t>(random() % n);
        // A few rows have most of the entries, many have none.
        if (random() % 4 != 0) edge.from = edge.from % 7 * 11;
        edge.to = static_cast<std::int32_t>(random() % n);
        edge.weight = static_cast<std::int32_t>(random());
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(
        std::unique(edges.begin(), edges.end(),
                    [](const Edge& a, const Edge& b) { return a.from == b.from && a.to == b.to; }),
        edges.end());
    return edges;
}

TEST(GapSerialized, WritesWhatTheOracleWrites) {
    for (const bool weighted : {false, true}) {
        const std::string name = weighted ? "a.wsg" : "a.sg";
        const std::vector<Edge> edges = random_edges(90, 1000, 5);
        test::MemorySink sink(name);
        const Graph graph = graph_of(90, edges, weighted, EdgeKind::directed);
        EXPECT_TRUE(write_gap_serialized(graph, sink, {}, {}).empty());
        EXPECT_EQ(sink.bytes(), serialized(true, 90, edges, weighted));

        test::MemorySink undirected(name);
        const Graph path = graph_of(4, undirected_path, weighted, EdgeKind::undirected);
        EXPECT_TRUE(write_gap_serialized(path, undirected, {}, {}).empty());
        EXPECT_EQ(undirected.bytes(), serialized(false, 4, undirected_path, weighted));
    }
    test::MemorySink empty("a.sg");
    write_gap_serialized(graph_of(0, {}, false, EdgeKind::undirected), empty, {}, {});
    EXPECT_EQ(empty.bytes(), serialized(false, 0, {}, false));
}

TEST(GapSerialized, GivesTheSameForAnyNumberOfThreads) {
    const Index n = 3000;
    const std::vector<Edge> edges = random_edges(n, 400'000, 11);
    ASSERT_GT(edges.size(), 110'000u) << "several pieces";
    const Graph graph = graph_of(n, edges, true, EdgeKind::directed);
    test::MemorySink sink("a.wsg");
    write_gap_serialized(graph, sink, {}, {});
    for (const int threads : {1, 2, 5}) {
        const Context context({.threads = threads});
        test::MemorySink again("a.wsg");
        write_gap_serialized(graph, again, {}, context);
        EXPECT_EQ(again.bytes(), sink.bytes());
        EXPECT_EQ(edges_of(*read(sink.bytes(), "a.wsg", true, context).tensor), edges);
        // A vertex that does not exist, twice: the first one is named.
        std::string broken = sink.bytes();
        const std::size_t neighbours = 17 + (n + 1) * 8;
        for (const std::size_t entry : {std::size_t{100'000}, std::size_t{70'001}}) {
            broken[neighbours + entry * 8 + 3] = 0x7f;
        }
        EXPECT_NE(error_of(broken, "a.wsg").message.find("entry 70001 "), std::string::npos);
    }
}

TEST(GapSerialized, ReadsAFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a.sg", serialized(true, 5, triangle_and_tail, false));
    EXPECT_EQ(edges_of(*read_gap_serialized(path, {}, {}).tensor),
              without_weights(triangle_and_tail));
    EXPECT_THROW(read_gap_serialized(folder.file("absent.sg"), {}, {}), Error);
    EXPECT_THROW(read_gap_serialized(folder.write("empty.sg", ""), {}, {}), Error);
}

TEST(GapSerialized, ABrokenFileIsNamedByItsSuffix) {
    const test::TemporaryFolder folder;
    const std::string bytes = serialized(true, 5, triangle_and_tail, false);
    for (const std::size_t size : {std::size_t{10}, std::size_t{30}, bytes.size() - 1}) {
        const std::string path = folder.write("a.sg", bytes.substr(0, size));
        try {
            read_graph(path);
            FAIL() << size;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::truncated) << error.what();
            EXPECT_EQ(error.diagnostic().file, path);
        }
    }
    EXPECT_EQ(read_graph(folder.write("a.sg", bytes)).entries(), 5);
}

TEST(GapSerialized, RefusesWhatTheFormatCannotHold) {
    const auto refused = [](const Graph& graph, const std::string& path) {
        test::MemorySink sink(path);
        try {
            write_gap_serialized(graph, sink, {}, {});
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::unsupported);
            EXPECT_TRUE(sink.bytes().empty());
            return error.diagnostic().hint;
        }
        ADD_FAILURE() << "written";
        return std::string();
    };
    Graph graph = graph_of(5, triangle_and_tail, false, EdgeKind::directed);
    EXPECT_NE(refused(graph, "a.wsg").find("--type int32"), std::string::npos);
    graph.tensor = graph.tensor.with_values(Array::zeros(ElementType::float64, 5, {}, "weights"));
    EXPECT_NE(refused(graph, "a.wsg").find("--type int32"), std::string::npos);
    const auto of_shape = [](Index rows, Index cols) {
        Graph huge;
        huge.tensor = Tensor({rows, cols}, Format::coo(),
                             {Level{.kind = LevelKind::compressed,
                                    .pos = Array::zeros(ElementType::int32, 2, {}, "pos"),
                                    .crd = Array::zeros(ElementType::int64, 0, {}, "crd")},
                              Level{.kind = LevelKind::singleton,
                                    .pos = {},
                                    .crd = Array::zeros(ElementType::int64, 0, {}, "crd")}},
                             {}, true, true);
        return huge;
    };
    refused(of_shape(Index{1} << 31, Index{1} << 31), "a.sg");
    refused(of_shape(3, 4), "a.sg");
}

TEST(GapSerialized, ReportsWhatIsLost) {
    Graph graph = graph_of(5, triangle_and_tail, true, EdgeKind::undirected_once);
    graph.ids = {VertexIds(7), VertexIds(7)};
    graph.constraints = 1;
    graph.vertex_weights = Array::zeros(ElementType::int32, 5, {}, "weights");
    test::MemorySink sink("a.sg");
    EXPECT_EQ(write_gap_serialized(graph, sink, {}, {}).size(), 4u);
    EXPECT_EQ(sink.bytes(), serialized(true, 5, triangle_and_tail, false));

    // Dense storage holds 25 values; a zero among them may have been an edge.
    graph = graph_of(5, triangle_and_tail, true, EdgeKind::directed);
    const Index places = 25 - graph.entries();
    graph.tensor = convert(graph.tensor, Format::dense(2));
    test::MemorySink dense("a.wsg");
    EXPECT_EQ(write_gap_serialized(graph, dense, {}, {}),
              std::vector{std::to_string(places) + " zeros were not written"});
    EXPECT_EQ(dense.bytes(), serialized(true, 5, triangle_and_tail, true));

    graph = graph_of(5, triangle_and_tail, false, EdgeKind::undirected);
    test::MemorySink lie("a.sg");
    const std::vector<std::string> lost = write_gap_serialized(graph, lie, {}, {});
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_EQ(lost[0], "the graph is not symmetric and was written as directed");
    EXPECT_EQ(read(lie.bytes(), "a.sg").kind, EdgeKind::directed);
}

} // namespace
} // namespace tropic
