// The library: every method of every algorithm on graphs of every kind, checked by its verifier;
// values known from elsewhere; what the catalogue says against what the texts say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "library/perform.h"
#include "library/prepare.h"
#include "library_graphs.h"
#include "shared_data.h"
#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/tropic.h"

namespace tropic {
namespace {

using library::catalogue;
using library::Entry;
using library::Method;
using test::matrix;

struct Case {
    std::string entry;
    std::string method;
};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Entry& entry : catalogue()) {
        for (const Method& method : entry.methods) {
            cases.push_back({std::string(entry.name), std::string(method.name)});
        }
    }
    return cases;
}

/// Graphs that algorithms stumble over, and some of the usual kinds.
std::vector<Graph> small_graphs() {
    std::vector<Graph> graphs;
    graphs.push_back(matrix("pattern general\n0 0 0\n"));
    graphs.push_back(matrix("pattern general\n1 1 0\n"));
    graphs.push_back(matrix("pattern general\n1 1 1\n1 1\n"));
    graphs.push_back(matrix("integer general\n7 7 0\n"));
    graphs.push_back(matrix("integer symmetric\n6 6 5\n2 1 4\n3 2 3\n3 1 9\n4 3 2\n5 4 7\n"));
    graphs.push_back(
        read_graph_from_memory("7 7\n7 9\n7 9\n9 12\n12 7\n12 12\n40 41\n", "messy.el"));
    for (const char* expression :
         {"path:9", "ring:8", "star:20", "complete:9", "grid:7x5,weights=1..9", "kron:7",
          "kron:8,4,weights=1..255", "tree:31,directed", "urand:6,3,directed",
          "urand:7,weights=0.5..2.5", "tree:31"}) {
        try {
            graphs.push_back(generate(expression));
        } catch (const Error&) {
            ADD_FAILURE() << expression;
        }
    }
    return graphs;
}

class EveryAlgorithm : public ::testing::TestWithParam<Case> {};

TEST_P(EveryAlgorithm, IsRightOnEveryGraph) {
    const Entry& entry = *library::find_entry(GetParam().entry);
    const Method& method = *entry.method(GetParam().method);
    for (Graph& original : small_graphs()) {
        std::vector<std::string> notes;
        const PreparedGraph graph(
            library::shaped(std::move(original), entry.shape, entry.name, notes, {}));
        const Index n = graph.graph().vertices();
        SCOPED_TRACE(graph.graph().name);
        if (entry.source && n == 0) continue;
        for (const int threads : {1, 2}) {
            const Context context({.threads = threads});
            try {
                const library::Performance done =
                    library::perform(entry, method, graph, n / 2, {}, {}, context);
                const Verdict verdict =
                    method.verify({graph.graph(), n / 2, done.options, done.result}, context);
                EXPECT_TRUE(verdict.correct()) << verdict.complaint;
            } catch (const Error& error) {
                // Only what has no answer may be refused.
                const bool circle = entry.name == "topological_sort" &&
                                    std::string(error.what()).find("cycle") != std::string::npos;
                const bool nothing = n == 0 && entry.name == "betweenness";
                EXPECT_TRUE(circle || nothing) << error.what();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Library, EveryAlgorithm, ::testing::ValuesIn(all_cases()),
                         [](const auto& info) {
                             return info.param.entry + "_" + info.param.method;
                         });

TEST(Library, CatalogueAgreesWithTheTexts) {
    for (const Entry& entry : catalogue()) {
        for (const Method& method : entry.methods) {
            SCOPED_TRACE(std::string(entry.name) + " " + std::string(method.name));
            const Algorithm& algorithm = library::library_function(
                std::string(entry.name), std::string(method.function), {}, false);
            for (const library::Column& column : method.columns) {
                EXPECT_TRUE(std::ranges::any_of(algorithm.results(), [&](const auto& result) {
                    return result.name == column.result;
                })) << column.result;
            }
            std::vector<std::string> numbers;
            for (const AlgorithmVariable& parameter : algorithm.parameters()) {
                if (parameter.kind != AlgorithmVariable::Kind::number) continue;
                if (entry.source && parameter.name == "source") continue;
                numbers.push_back(parameter.name);
            }
            if (entry.lanes) {
                numbers.emplace_back(entry.lanes->name);
                EXPECT_EQ(algorithm.results().front().lanes, entry.lanes->initial);
            }
            EXPECT_THAT(numbers, ::testing::UnorderedElementsAreArray(std::vector<std::string>(
                                     method.options.begin(), method.options.end())));
        }
    }
}

TEST(Library, EveryTextIsInTheCatalogue) {
    for (const std::string& name : Algorithm::library()) {
        if (name == "spgemm") continue; // a program of tensors, with a command of its own
        EXPECT_NE(library::find_entry(name), nullptr) << name;
    }
}

/// A graph of the shared data with what is known about it.
struct Known {
    const char* file;
    std::int64_t triangles;
    Index components;
};

TEST(Library, KnownValues) {
    const Known table[] = {
        {"karate.graph", 45, 1},           {"lagraph/A.mtx", 11, 1},
        {"lagraph/jagmesh7.mtx", 2016, 1}, {"lagraph/west0067.mtx", 120, 1},
        {"jazz.graph", 17899, 1},          {"facebook_combined.txt", 1612010, 1},
    };
    const auto data = test::shared_data();
    if (!std::filesystem::exists(data)) GTEST_SKIP() << "no shared graphs";
    for (const Known& known : table) {
        SCOPED_TRACE(known.file);
        const PreparedGraph graph(read_graph((data / known.file).string()));
        EXPECT_EQ(triangles(graph).triangles, known.triangles);
        const ComponentsResult parts = components(graph);
        Index roots = 0;
        for (Index v = 0; v < graph.graph().vertices(); ++v) {
            roots += parts.component.index_at(v) == v ? 1 : 0;
        }
        EXPECT_EQ(roots, known.components);
    }
}

TEST(Library, CommunitiesOfLargeModularity) {
    // A ring of cliques of five: each is a community.
    std::ostringstream text;
    for (int clique = 0; clique < 8; ++clique) {
        for (int a = 0; a < 5; ++a) {
            for (int b = 0; b < a; ++b) {
                text << 5 * clique + a << ' ' << 5 * clique + b << '\n';
                text << 5 * clique + b << ' ' << 5 * clique + a << '\n';
            }
        }
        text << 5 * clique << ' ' << (5 * clique + 6) % 40 << '\n';
        text << (5 * clique + 6) % 40 << ' ' << 5 * clique << '\n';
    }
    const PreparedGraph ring(read_graph_from_memory(text.str(), "ring.el"));
    const LouvainResult found = louvain(ring);
    for (Index v = 0; v < 40; ++v) EXPECT_EQ(found.community.index_at(v), v - v % 5) << v;
    EXPECT_NEAR(found.modularity, 80 / 88.0 - 1 / 8.0, 1e-12);
    EXPECT_EQ(found.levels, 1);
    // Weights decide: the heavy edges of a square, and nothing else, are communities.
    const PreparedGraph square(matrix("integer symmetric\n4 4 4\n2 1 9\n3 2 1\n4 3 9\n4 1 1\n"));
    const LouvainResult pairs = louvain(square);
    EXPECT_EQ(pairs.community.index_at(1), 0);
    EXPECT_EQ(pairs.community.index_at(2), 2);
    EXPECT_EQ(pairs.community.index_at(3), 2);
    EXPECT_NEAR(pairs.modularity, 0.9 - 0.5, 1e-12);
    // However small or large they are.
    for (const char* weight : {"1e-310", "1e307"}) {
        const PreparedGraph apart(
            matrix(fmt::format("real symmetric\n4 4 3\n2 1 {}\n3 2 0\n4 3 {}\n", weight, weight)));
        EXPECT_NEAR(louvain(apart).modularity, 0.5, 1e-12) << weight;
    }
}

TEST(Library, ModularityIsThatOfTheGroupsReturned) {
    for (const char* const spec : {"complete:2", "complete:7", "ring:9", "kron:8"}) {
        const PreparedGraph graph(generate(spec));
        for (const double tolerance : {0.0, 0.3, 0.5, 0.99}) {
            const LouvainResult found = louvain(graph, {.tolerance = tolerance});
            const Verdict verdict =
                verify::communities(graph.graph(), found.community, found.modularity);
            EXPECT_TRUE(verdict.correct()) << spec << " " << tolerance << verdict.complaint;
        }
    }
}

TEST(Library, CommunitiesOfKarate) {
    const auto file = test::shared_data() / "karate.graph";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared graphs";
    // The largest modularity there is, known from exhaustive methods.
    EXPECT_NEAR(louvain(PreparedGraph(read_graph(file.string()))).modularity, 0.4198, 1e-4);
}

TEST(Library, RefusesWhatItCannotDo) {
    const PreparedGraph negative(matrix("integer general\n3 3 2\n1 2 -4\n2 3 1\n"));
    EXPECT_THAT([&] { sssp(negative, {.source = 0}); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("needs edge values of at least 0"))));
    const SsspResult paths = sssp(negative, {.source = 0, .method = SsspMethod::bellman_ford});
    EXPECT_EQ(paths.distance.value_at(2), -3);
    const PreparedGraph circle(matrix("integer general\n2 2 2\n1 2 -4\n2 1 1\n"));
    EXPECT_THAT([&] { sssp(circle, {.source = 0, .method = SsspMethod::bellman_ford}); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("cycle of negative length"))));
    EXPECT_THAT([&] { bfs(circle, {.source = 2}); },
                ::testing::Throws<Error>(::testing::Property(&Error::code, ErrorCode::range)));
    EXPECT_THAT([&] { topological_sort(circle); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("no topological order"))));
    const PreparedGraph wide(matrix("integer general\n2 3 1\n1 3 1\n"));
    EXPECT_THAT([&] { pagerank(wide); }, ::testing::Throws<Error>(::testing::Property(
                                             &Error::code, ErrorCode::unsupported)));
    EXPECT_THAT([&] { louvain(negative); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("stores every edge both ways"))));
    const PreparedGraph repelling(matrix("integer symmetric\n2 2 1\n2 1 -4\n"));
    EXPECT_THAT([&] { louvain(repelling); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("needs edge values of at least 0"))));
    EXPECT_THAT([&] { k_truss(circle); }, ::testing::Not(::testing::Throws<std::bad_alloc>()));
}

TEST(Library, ManyPathsOverflow) {
    // Each diamond in a row doubles the number of shortest paths.
    const auto diamonds = [](int count) {
        std::ostringstream text;
        for (int d = 0; d < count; ++d) {
            const int base = 3 * d;
            for (const auto& [from, to] : {std::pair{0, 1}, {0, 2}, {1, 3}, {2, 3}}) {
                text << base + from << ' ' << base + to << '\n';
            }
        }
        return PreparedGraph(read_graph_from_memory(text.str(), "diamonds.el"));
    };
    const PreparedGraph graph = diamonds(53);
    const BfsOptions options{.source = 0, .method = BfsMethod::path_counts};
    EXPECT_THAT([&] { bfs(graph, options); }, ::testing::Throws<Error>(::testing::Property(
                                                  &Error::what, ::testing::HasSubstr("2^53"))));
    BfsOptions rounded = options;
    rounded.exact = false;
    EXPECT_EQ(bfs(graph, rounded).paths.value_at(159), 0x1p53);
    EXPECT_EQ(bfs(diamonds(52), options).paths.value_at(156), 0x1p52);
    EXPECT_EQ(bfs(diamonds(1023), rounded).paths.value_at(3069), 0x1p1023);
    const PreparedGraph many = diamonds(1024);
    EXPECT_THAT([&] { bfs(many, rounded); }, ::testing::Throws<Error>(::testing::Property(
                                                 &Error::what, ::testing::HasSubstr("1.8e308"))));
}

/// Large graphs of vertices much alike end a round early, told by a sample; hubs must not be
/// missed.
TEST(Library, PagerankEndsWhereOneMoreRoundWouldChangeLittle) {
    for (const char* const spec :
         {"urand:15", "kron:14", "road:20000", "grid:128x128", "grid:124x155", "delaunay:16384",
          "bipartite:9000x9000,0.0005", "star:20000", "tree:20000", "ring:20000", "rgg:20000"}) {
        const PreparedGraph graph(generate(spec));
        for (const double tolerance : {1e-3, 1e-4, 1e-7}) {
            const PagerankResult found = pagerank(graph, {.tolerance = tolerance});
            EXPECT_LE(found.change, tolerance) << spec;
            const Verdict verdict =
                verify::pagerank(graph.graph(), found.rank, 0.85, -1, 1.1 * tolerance);
            EXPECT_TRUE(verdict.correct())
                << spec << ", " << tolerance << ": " << verdict.complaint;
        }
    }
}

/// Of every 31 vertices the first has one edge, from the second, and none of its own: nothing
/// changes there, while the others are a random graph.
TEST(Library, PagerankSeesMoreThanVerticesOfOneKind) {
    std::mt19937 random(5);
    constexpr unsigned blocks = 1000;
    std::vector<std::pair<unsigned, unsigned>> edges;
    for (unsigned block = 0; block < blocks; ++block) {
        edges.emplace_back(31 * block + 1, 31 * block);
        for (unsigned place = 2; place < 31; ++place) {
            for (int k = 0; k < 4; ++k) {
                edges.emplace_back(31 * block + place,
                                   31 * (random() % blocks) + 2 + random() % 29);
            }
        }
    }
    std::string text =
        fmt::format("pattern general\n{} {} {}\n", 31 * blocks, 31 * blocks, edges.size());
    for (const auto& [from, to] : edges) text += fmt::format("{} {}\n", from + 1, to + 1);
    const PreparedGraph graph(matrix(text));
    for (const double tolerance : {1e-3, 1e-4}) {
        const PagerankResult found = pagerank(graph, {.tolerance = tolerance});
        const Verdict verdict =
            verify::pagerank(graph.graph(), found.rank, 0.85, -1, 1.1 * tolerance);
        EXPECT_TRUE(verdict.correct()) << tolerance << ": " << verdict.complaint;
    }
}

/// Few vertices, in all kinds of knots, most of them directed one way: where going further than the
/// equation says does harm, and rounds in place differ most from whole ones.
TEST(Library, PagerankOfSmallTanglesIsAlwaysRight) {
    std::mt19937 random(7);
    for (int number = 0; number < 150; ++number) {
        const auto n = static_cast<unsigned>(1 + number % 12);
        std::string text = fmt::format("{} {}\n", n - 1, n - 1);
        for (unsigned edge = random() % (3 * n); edge > 0; --edge) {
            text += fmt::format("{} {}\n", random() % n, random() % n);
        }
        const PreparedGraph graph(read_graph_from_memory(text, "tangle.el"));
        for (const double damping : {0.5, 0.85, 0.99, 0.999}) {
            for (const double tolerance : {1e-3, 1e-4, 1e-9}) {
                const PagerankResult found =
                    pagerank(graph, {.damping = damping, .tolerance = tolerance, .limit = 20000});
                const Verdict verdict = verify::pagerank(graph.graph(), found.rank, damping, -1,
                                                         1.1 * tolerance + 1e-12);
                EXPECT_TRUE(verdict.correct())
                    << text << damping << ", " << tolerance << ": " << verdict.complaint;
            }
        }
    }
}

TEST(Library, OptionsAreInTheirRanges) {
    const PreparedGraph ring(generate("ring:10"));
    const auto code_of = [](const auto& call) {
        try {
            call();
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode::internal;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double damping : {2.0, 1.0, -0.1, nan}) {
        EXPECT_EQ(code_of([&] { pagerank(ring, {.damping = damping}); }), ErrorCode::range);
    }
    EXPECT_EQ(code_of([&] { pagerank(ring, {.tolerance = -1}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { pagerank(ring, {.limit = -5}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { sssp(ring, {.delta = -4}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { k_truss(ring, {.k = -1}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { betweenness(ring, {.samples = -4}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { pagerank(ring, {.limit = 0}); }), ErrorCode::range);
    EXPECT_EQ(code_of([&] { louvain(ring, {.tolerance = 1}); }), ErrorCode::range);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double start : {0.0, 1e308, infinity, nan}) {
        EXPECT_EQ(code_of([&] { lda(ring, {.alpha = start}); }), ErrorCode::range) << start;
        EXPECT_EQ(code_of([&] { lda(ring, {.beta = start}); }), ErrorCode::range) << start;
    }
    EXPECT_EQ(code_of([&] { katz(ring, {.beta = infinity}); }), ErrorCode::range);
    EXPECT_NO_THROW(pagerank(ring, {.damping = 0, .tolerance = 0, .limit = 3}));
}

TEST(Library, ZerosOfDenseMatricesAreNoEdges) {
    const std::string text = "%%MatrixMarket matrix array real general\n3 3\n"
                             "0\n1.5\n0\n2\n0\n0\n0\n4\n0\n";
    const Graph dense = read_graph_from_memory(text, "dense.mtx");
    ASSERT_EQ(dense.tensor.format(), Format::dense(2));
    const PreparedGraph graph(dense);
    EXPECT_EQ(graph.graph().entries(), 3);
    EXPECT_EQ(mesh_update(graph).edge.size(), 3);
    EXPECT_TRUE(verify::shortest_paths(dense, 0, sssp(graph, {.source = 0}).distance).correct());
    const Algorithm edges =
        Algorithm::from_text("def edges(A: graph<double>) -> n: int, most: double {\n"
                             "    n = count(A);\n    most = max[i, j](A[i, j]);\n}\n");
    const AlgorithmResult result = edges.run({{"A", dense}});
    EXPECT_EQ(result.integer("n"), 3);
    EXPECT_EQ(result.number("most"), 4);
}

TEST(Library, NumbersHaveToBeFinite) {
    const PreparedGraph ratings(matrix("real general\n2 2 2\n1 1 inf\n2 2 1\n"));
    EXPECT_THROW(static_cast<void>(collaborative_filtering(ratings)), Error);
    EXPECT_THROW(static_cast<void>(lda(ratings)), Error);
    // Finite, but not in single precision.
    const PreparedGraph large(matrix("real general\n2 2 2\n1 1 1e300\n2 2 1\n"));
    EXPECT_THROW(static_cast<void>(collaborative_filtering(large)), Error);
}

TEST(Library, SeedsOf64Bits) {
    const PreparedGraph graph(generate("kron:8"));
    constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;
    const Array one = independent_set(graph, {.seed = large}).member;
    EXPECT_TRUE(verify::independent_set(graph.graph(), one).correct());
    const Array x = spmv(graph, {.random = true, .seed = large}).x;
    const Array y = spmv(graph, {.random = true, .seed = large - 1}).x;
    EXPECT_NE(x.value_at(0), y.value_at(0));
}

template <class Enum, class Call> void expect_no_method(const Call& call) {
    EXPECT_THAT([&] { call(static_cast<Enum>(77)); },
                ::testing::Throws<Error>(::testing::AllOf(
                    ::testing::Property(&Error::code, ErrorCode::usage),
                    ::testing::Property(&Error::what, ::testing::HasSubstr("77")))));
}

TEST(Library, MethodsAreThoseThereAre) {
    const PreparedGraph ring(generate("ring:5"));
    expect_no_method<BfsMethod>([&](auto m) { bfs(ring, {.method = m}); });
    expect_no_method<SsspMethod>([&](auto m) { sssp(ring, {.method = m}); });
    expect_no_method<ApspMethod>([&](auto m) { apsp(ring, {.method = m}); });
    expect_no_method<SpanningTreeMethod>([&](auto m) { spanning_tree(ring, {.method = m}); });
    expect_no_method<ComponentsMethod>([&](auto m) { components(ring, {.method = m}); });
    expect_no_method<TrianglesMethod>([&](auto m) { triangles(ring, {.method = m}); });
    expect_no_method<FilteringMethod>(
        [&](auto m) { collaborative_filtering(ring, {.method = m}); });
    expect_no_method<PartitionMethod>(
        [&](auto m) { partition(ring.graph(), {.method = m, .parts = 2}); });
    const Algorithm algorithm = Algorithm::from_library("bfs");
    expect_no_method<AlgorithmStage>([&](auto stage) { static_cast<void>(algorithm.show(stage)); });
}

TEST(Library, GraphsWithoutNames) {
    Graph graph = matrix("integer general\n2 2 1\n1 2 -128\n");
    graph.name.clear();
    EXPECT_THAT([&] { sssp(PreparedGraph(graph), {}); },
                ::testing::Throws<Error>(::testing::Property(
                    &Error::what, ::testing::HasSubstr("and the graph has -128"))));
}

/// A triangle 0 1 2 and an edge 2 3.
PreparedGraph with_unsorted_rows(ElementType type = ElementType::pattern) {
    const auto indices = [](const std::vector<std::int32_t>& of) {
        return Array::copy_of(std::span(of), {}, "a test");
    };
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, indices({0, 2, 4, 7, 8}),
                 indices({2, 1, 2, 0, 3, 0, 1, 2})};
    const std::vector<double> ones(8, 1);
    Array values = type == ElementType::pattern ? Array::allocate(type, 8, {}, "a test")
                                                : Array::copy_of(std::span(ones), {}, "a test");
    return PreparedGraph(
        Tensor({4, 4}, Format::csr(), std::move(levels), std::move(values), true, false));
}

template <class T> std::vector<T> elements(const Array& array) {
    return {array.as<T>().begin(), array.as<T>().end()};
}

TEST(Library, ResultsOfEntriesComeRowByRow) {
    const PreparedGraph plain = with_unsorted_rows();
    const PreparedGraph sorted(
        build(coordinates_of(plain.graph().tensor), Format::csr(), Duplicates::keep));
    const PreparedGraph columns(convert(sorted.graph().tensor, Format::csc()));
    const PreparedGraph weighted = with_unsorted_rows(ElementType::float64);
    const MeshUpdateResult mesh = mesh_update(sorted);
    for (const PreparedGraph& graph : {plain, sorted, columns, weighted}) {
        const KTrussResult truss = k_truss(graph);
        EXPECT_EQ(elements<std::int32_t>(truss.support),
                  (std::vector<std::int32_t>{1, 1, 1, 1, 1, 1, -1, -1}));
        EXPECT_TRUE(verify::truss(graph.graph(), 3, truss.support).correct());
        const JaccardResult jaccards = jaccard(graph);
        const std::vector<double> similar = elements<double>(jaccards.similarity);
        EXPECT_EQ(similar[0], similar[2]); // (0, 1) and (1, 0)
        EXPECT_EQ(similar[6], 0);          // (2, 3)
        EXPECT_TRUE(verify::jaccard(graph.graph(), jaccards.similarity).correct());
        const MeshUpdateResult update = mesh_update(graph);
        EXPECT_EQ(elements<float>(update.edge), elements<float>(mesh.edge));
        EXPECT_TRUE(verify::mesh_update(graph.graph(), update.start, 1, update.node, update.edge)
                        .correct());
    }
    const std::vector<std::int32_t> as_stored = {1, 1, 1, 1, -1, 1, 1, -1};
    EXPECT_FALSE(verify::truss(plain.graph(), 3, Array::copy_of(std::span(as_stored), {}, "a test"))
                     .correct());
}

TEST(Library, TimesHaveToBePositive) {
    const PreparedGraph graph(generate("path:3"));
    const Tensor& a = graph.graph().tensor;
    for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(static_cast<void>(triangles(graph, {.call = {.timeout = seconds}})), Error);
        EXPECT_THROW(static_cast<void>(spgemm(a, a, {.call = {.timeout = seconds}})), Error);
    }
}

TEST(Library, ThreadsAreLimited) {
    const Context many({.threads = 1000000});
    EXPECT_EQ(many.threads(), 256);
    EXPECT_THAT([] { const Context less({.threads = -1}); },
                ::testing::Throws<Error>(::testing::Property(&Error::code, ErrorCode::usage)));
    EXPECT_EQ(triangles(PreparedGraph(generate("complete:5")), {}, many).triangles, 10);
}

TEST(Library, RanksAreComputedForAnyTolerance) {
    const PreparedGraph graph(generate("urand:6,3,directed"));
    const HitsResult rough = hits(graph, {.tolerance = 5});
    EXPECT_TRUE(verify::hits(graph.graph(), rough.hub, rough.authority, 5).correct());
    EXPECT_EQ(rough.rounds, 1);
    const KatzResult walks = katz(graph, {.tolerance = 5});
    EXPECT_EQ(walks.rounds, 1);
    EXPECT_NO_THROW(static_cast<void>(katz(graph, {.tolerance = 0}))); // as far as rounding goes
    // As many rounds wherever every vertex has as many neighbours.
    for (const char* const regular : {"complete:2", "complete:120", "complete:2000", "ring:1000"}) {
        const PreparedGraph same(generate(regular));
        const KatzResult all = katz(same);
        EXPECT_EQ(all.rounds, 129) << regular;
        EXPECT_TRUE(verify::katz(same.graph(), all.centrality, 0, 1e-6).correct()) << regular;
    }
}

TEST(Library, KatzIsTheSameForAnyBeta) {
    const PreparedGraph graph(generate("urand:6,3,directed"));
    const Array one = katz(graph).centrality;
    for (const double beta : {1e-300, 1e-20, 1e20, 1e308}) {
        const Array other = katz(graph, {.beta = beta}).centrality;
        for (Index v = 0; v < one.size(); ++v) {
            ASSERT_EQ(other.value_at(v), one.value_at(v)) << beta;
        }
    }
}

TEST(Library, LikelihoodIsThatOfTheCountsReturned) {
    const PreparedGraph counts(matrix("integer general\n2 3 3\n1 1 5\n1 3 1\n2 2 4\n"));
    double before = -std::numeric_limits<double>::infinity();
    for (const int rounds : {0, 1, 2, 20}) {
        const double likelihood = lda(counts, {.rounds = rounds}).likelihood;
        EXPECT_GT(likelihood, before) << rounds;
        before = likelihood;
    }
    EXPECT_LT(before, 0);
    // Large beginnings make all topics and words alike: three words, each as likely as the others.
    EXPECT_NEAR(lda(counts, {.rounds = 3, .beta = 1e100}).likelihood, 10 * std::log(1 / 3.0), 1e-9);
    const PreparedGraph many(matrix("real general\n2 1 2\n1 1 1e308\n2 1 1e308\n"));
    EXPECT_THAT([&] { lda(many); }, ::testing::Throws<Error>(::testing::Property(
                                        &Error::what, ::testing::HasSubstr("add up to more"))));
}

/// What the help offers must be accepted.
TEST(Library, DefaultsAreInTheirRanges) {
    for (const Entry& entry : catalogue()) {
        for (const library::Option& option : entry.options) {
            if (option.initial.empty() || option.initial == "true") continue;
            EXPECT_NO_THROW(
                library::check_range(entry, option.name, std::stod(std::string(option.initial))))
                << entry.name << " " << option.name;
        }
    }
}

TEST(Library, VerifiersLookAtEveryResult) {
    const PreparedGraph graph(generate("grid:4x4"));
    const PreparedGraph ordered(generate("tree:15,directed"));
    struct Beside {
        const char* entry;
        const char* method;
        const char* result; ///< a number, or a vector of which the last element is changed
    };
    for (const Beside& beside : {Beside{"bfs", "path_counts", "level"},
                                 {"topological_sort", "", "level"},
                                 {"spanning_tree", "boruvka", "trees"},
                                 {"spanning_tree", "prim", "trees"},
                                 {"independent_set", "", "members"},
                                 {"colouring", "", "colours"},
                                 {"matching", "", "pairs"},
                                 {"clustering", "", "mean"},
                                 {"k_core", "", "degeneracy"},
                                 {"k_truss", "", "edges_left"},
                                 {"lda", "", "likelihood"}}) {
        const Entry& entry = *library::find_entry(beside.entry);
        const Method& method = *entry.method(beside.method);
        const PreparedGraph& used = entry.name == "topological_sort" ? ordered : graph;
        const Index source = entry.source ? 0 : -1;
        library::Performance done = library::perform(entry, method, used, source, {}, {}, {});
        const auto verdict = [&] {
            return method.verify({used.graph(), source, done.options, done.result}, {});
        };
        EXPECT_TRUE(verdict().correct()) << entry.name << ": " << verdict().complaint;
        if (const auto number = done.result.numbers.find(beside.result);
            number != done.result.numbers.end()) {
            number->second += 1;
        } else {
            const auto values = done.result.values<std::int32_t>(beside.result);
            std::vector<std::int32_t> changed(values.begin(), values.end());
            changed.back() += 1;
            Tensor& tensor = done.result.tensors.at(beside.result);
            tensor = tensor.with_values(
                Array::copy_of(std::span<const std::int32_t>(changed), {}, "a test"));
        }
        EXPECT_FALSE(verdict().correct()) << entry.name;
    }
}

} // namespace
} // namespace tropic
