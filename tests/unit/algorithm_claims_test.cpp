// Claims: the first edge that finds a vertex unclaimed gets it, on one thread or on several that do
// not lock anything.
#include <algorithm>
#include <atomic>
#include <numeric>

#include <gtest/gtest.h>

#include "algorithm_session.h"
#include "tropic/algorithm.h"
#include "tropic/generate.h"
#include "tropic/verify.h"

namespace tropic {
namespace {

// Edges of short rows are looked at several times where that changes nothing: a question that
// changes something is asked once.
TEST(AlgorithmClaims, AskOncePerEdge) {
    for (const char* const question :
         {"improve(x[j] += 1)", "improve(x[i] += 1)", "swap(x[j], x[j], x[j] + 1)"}) {
        const std::string text = std::string("def f(A: graph) -> total: int64 {\nx: vector<int>;\n"
                                             "parent: vector<vertex>;\nparent[i] = none;\n"
                                             "front = {i : i >= 0};\nnext = {};\n"
                                             "each i in front { for j in A[i] { if (") +
                                 question +
                                 ") { if (insert(next, j)) parent[j] = i; } } }\n"
                                 "total = sum[i](x[i]);\n}\n";
        const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
        for (const char* const expression :
             {"path:50", "ring:20", "grid:7x7", "star:9", "complete:9"}) {
            const PreparedGraph graph(generate(expression));
            EXPECT_EQ(algorithm.run({{"A", graph}}, Context({.threads = 1})).integers.at("total"),
                      graph.graph().tensor.entries())
                << question << " on " << expression;
        }
    }
}

// Two threads may claim the same vertex; it joins the front once.
TEST(AlgorithmClaims, CountOnceOnAnyNumberOfThreads) {
    const Algorithm algorithm = Algorithm::from_text(
        "def f(A: graph, source: vertex) -> parent: vector<vertex>, met: int64 {\n"
        "parent[i] = none;\nparent[source] = source;\nfront = {source};\n"
        "met = 0;\nwhile (front) {\nmet += count(front);\n"
        "parent[j]<parent[j] == none, push> = any[i](i : front[i] & A[i, j]) -> front;\n}\n}\n",
        {.cache = false});
    for (const char* const expression :
         {"grid:400x400,remove=0.2", "urand:14,4", "kron:12", "star:20000", "road:40000"}) {
        const PreparedGraph graph(generate(expression));
        for (const int threads : {1, 2, 3, 8}) {
            for (const std::int64_t source : {0, 77, 4000}) {
                const AlgorithmResult result = algorithm.run({{"A", graph}, {"source", source}},
                                                             Context({.threads = threads}));
                const Array parent = result.tensor("parent").values();
                EXPECT_EQ(result.integers.at("met"),
                          std::ranges::count_if(parent.as<std::int32_t>(),
                                                [](std::int32_t p) { return p >= 0; }))
                    << expression << " from " << source << " by " << threads;
                const Verdict verdict = verify::bfs_parents(graph.graph(), source, parent);
                EXPECT_TRUE(verdict.correct()) << expression << ": " << verdict.complaint;
            }
        }
    }
}

/// Vertex 0 has edges to all others, each `times` times, and these have none.
Tensor repeated_star(std::int32_t vertices, std::int32_t times) {
    std::vector<std::int32_t> ends;
    for (std::int32_t v = 1; v < vertices; ++v) {
        ends.insert(ends.end(), static_cast<std::size_t>(times), v);
    }
    std::vector<std::int32_t> pos(static_cast<std::size_t>(vertices) + 1,
                                  static_cast<std::int32_t>(ends.size()));
    pos[0] = 0;
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(ends, {}, "coordinates");
    return {{vertices, vertices}, Format::csr(), std::move(levels), Array(), false, true};
}

// Ends are looked at before any is claimed: an edge that a row has again claims nothing. What is
// claimed may be the vertex whose row it is, or anything else that is known there.
TEST(AlgorithmClaims, CountRepeatedEdgesOnce) {
    for (const char* const claimed : {"i", "vertex(k)"}) {
        const Algorithm algorithm = Algorithm::from_text(
            std::string("def f(A: graph) -> parent: vector<vertex>, met: int64 {\n"
                        "parent[i] = none;\nparent[0] = 0;\nfront = {vertex(0)};\nnext = {};\n"
                        "each i in front { k = i; for j in A[i] { if (parent[j] == none) {\n"
                        "if (insert(next, j)) parent[j] = ") +
                claimed + "; } } }\nmet = count(next);\n}\n",
            {.cache = false});
        for (const std::int32_t times : {1, 2, 3, 65}) {
            for (const std::int32_t others : {1, 4, 5, 63, 64, 65, 200, 5000}) {
                const PreparedGraph graph(repeated_star(others + 1, times));
                for (const int threads : {1, 2}) {
                    const AlgorithmResult result =
                        algorithm.run({{"A", graph}}, Context({.threads = threads}));
                    EXPECT_EQ(result.integers.at("met"), others)
                        << claimed << ", " << times << " times, by " << threads;
                    for (const std::int32_t p : result.values<std::int32_t>("parent")) {
                        ASSERT_EQ(p, 0);
                    }
                }
            }
        }
    }
}

// The runtime alone, with a body that claims everything for everybody: the worst of all races.

// Variables, in this order.
enum : std::int32_t { members, found, owner };

template <class I>
void claim_all(cpu::Frame* frame, cpu::WorkerView* worker, std::int64_t, std::int64_t begin,
               std::int64_t end, const void*) {
    const auto* const list = static_cast<const I*>(cpu::set_at(*frame, members).list);
    auto* const owners = static_cast<I*>(cpu::vector_at(*frame, owner).data);
    const std::int64_t n = cpu::vector_at(*frame, owner).size;
    cpu::Appender& appender = worker->appenders[0];
    for (std::int64_t at = begin; at < end; ++at) {
        for (std::int64_t item = 0; item < n; ++item) {
            std::atomic_ref(owners[item]).store(list[at], std::memory_order_relaxed);
            static_cast<I*>(appender.items)[appender.count] = static_cast<I>(item);
            static_cast<I*>(appender.claims)[appender.count] = list[at];
            if (++appender.count == appender.capacity) frame->runtime->flush(frame, worker, 0);
        }
    }
}

template <class I> void check_claims(int threads) {
    cpu::TestAlgorithm of;
    of.add(cpu::la::Type::Shape::set);
    of.add(cpu::la::Type::Shape::set);
    of.add(cpu::la::Type::Shape::vector, sizeof(I) == 8 ? ElementType::int64 : ElementType::int32);
    const cpu::InsertView inserts[] = {
        {.variable = found, .rebuilt = 1, .bits_only = 0, .list_only = 0, .claimed = owner}};
    const cpu::EachView view{.serial = nullptr,
                             .parallel = claim_all<I>,
                             .inserts = inserts,
                             .insert_count = 1,
                             .members = members,
                             .graph = -1,
                             .inward = 0,
                             .ordered = 0,
                             .alone = 0,
                             .units = 9,
                             .built = -1,
                             .partial_bytes = 0,
                             .place = "line 2, column 5",
                             .text = "claim"};
    cpu::TestSession test(of, threads, sizeof(I) == 8);
    constexpr std::int64_t n = 3000;
    std::vector<std::int64_t> everybody(n);
    std::iota(everybody.begin(), everybody.end(), 0);
    const std::vector<std::int64_t> starts = {17, 2999, 0, 5, 1500, 8, 9, 10};
    for (const std::int32_t variable : {members, found, owner}) {
        test.table.create(test.frame(), variable, n, 1, nullptr);
    }
    test.table.members(test.frame(), members, starts.data(),
                       static_cast<std::int64_t>(starts.size()), "line 2, column 5");
    for (int round = 0; round < 3; ++round) {
        test.table.each(test.frame(), &view, 0);
        EXPECT_EQ(cpu::set_at(*test.frame(), found).marked, 0);
        EXPECT_EQ(test.members_of(found), everybody) << "by " << threads;
    }
}

TEST(AlgorithmClaims, OfEverythingByEverybodyLeaveOneEach) {
    for (const int threads : {2, 3, 8}) {
        check_claims<std::int32_t>(threads);
        check_claims<std::int64_t>(threads);
    }
}

} // namespace
} // namespace tropic
