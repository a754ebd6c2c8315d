// Claims: the first edge that finds a vertex unclaimed gets it, on one thread or on several that do
// not lock anything.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include <fmt/format.h>
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

/// The first vertices, the hubs, have edges to all that are none, each `times` times; these have
/// none.
Tensor repeated_stars(std::int32_t hubs, std::int32_t others, std::int32_t times) {
    std::vector<std::int32_t> ends;
    std::vector<std::int32_t> pos = {0};
    for (std::int32_t hub = 0; hub < hubs; ++hub) {
        for (std::int32_t v = 0; v < others; ++v) {
            ends.insert(ends.end(), static_cast<std::size_t>(times), hubs + v);
        }
        pos.push_back(static_cast<std::int32_t>(ends.size()));
    }
    const std::int32_t vertices = hubs + others;
    pos.resize(static_cast<std::size_t>(vertices) + 1, static_cast<std::int32_t>(ends.size()));
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(ends, {}, "coordinates");
    return {{vertices, vertices}, Format::csr(), std::move(levels), Array(), false, true};
}

struct Stars {
    std::int32_t hubs;
    std::int32_t others;
    std::int32_t times;
};

/// Rows of all lengths at which loops over them turn from one way of going through them to another.
std::vector<Stars> all_stars() {
    std::vector<Stars> all;
    for (const std::int32_t times : {1, 2, 3, 65}) {
        for (const std::int32_t others : {1, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200}) {
            all.push_back({1, others, times});
        }
    }
    for (const std::int32_t others : {255, 256, 257, 1023, 1024, 1025}) {
        all.push_back({1, others, 1});
        all.push_back({3, others, 2});
    }
    all.push_back({1, 5000, 2});
    all.push_back({40, 5000, 2});
    all.push_back({700, 30, 3});
    all.push_back({3000, 1, 1});
    all.push_back({3000, 2, 2});
    return all;
}

struct Claiming {
    const char* what;
    const char* first; ///< in the loop over members: what is not the loop over the edges of i
    const char* value;
    bool wide;
};

class AlgorithmClaimsOf : public testing::TestWithParam<Claiming> {
  protected:
    template <class I> void check(const AlgorithmResult& result, const Stars& stars) {
        EXPECT_EQ(result.integers.at("met"), stars.others);
        const auto parent = result.values<I>("parent");
        EXPECT_TRUE(std::ranges::all_of(parent, [&](I p) { return p >= 0 && p < stars.hubs; }));
    }
};

// Ends are looked at before any is claimed: an edge that a row has again claims nothing. What is
// claimed may be the vertex whose row it is, which many rows' edges do together, or anything else
// that is known there. Hubs are shared by threads.
TEST_P(AlgorithmClaimsOf, RepeatedEdgesCountOnce) {
    const Algorithm algorithm = Algorithm::from_text(
        fmt::format("def f(A: graph, hubs: int) -> parent: vector<vertex>, met: int64 {{\n"
                    "parent[i] = i < hubs ? i : none;\nfront = {{i : i < hubs}};\nnext = {{}};\n"
                    "each i in front {{ {} for j in A[i] {{ if (parent[j] == none) {{\n"
                    "if (insert(next, j)) parent[j] = {}; }} }} }}\nmet = count(next);\n}}\n",
                    GetParam().first, GetParam().value),
        {.wide = GetParam().wide, .cache = false});
    for (const Stars& stars : all_stars()) {
        const PreparedGraph graph(repeated_stars(stars.hubs, stars.others, stars.times));
        for (const int threads : {1, 2, 3}) {
            SCOPED_TRACE(fmt::format("{} to {}, {} times, by {}", stars.hubs, stars.others,
                                     stars.times, threads));
            const AlgorithmResult result =
                algorithm.run({{"A", graph}, {"hubs", stars.hubs}}, Context({.threads = threads}));
            if (GetParam().wide) check<std::int64_t>(result, stars);
            else check<std::int32_t>(result, stars);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, AlgorithmClaimsOf,
                         testing::Values(Claiming{"ManyRows", "", "i", false},
                                         Claiming{"ManyRowsWide", "", "i", true},
                                         Claiming{"RowByRow", "k = i;", "i", false},
                                         Claiming{"RowByRowWide", "k = i;", "i", true},
                                         Claiming{"ForAnother", "k = i;", "vertex(k)", false}),
                         [](const auto& one) { return std::string(one.param.what); });

struct Asking {
    const char* what;
    const char* body; ///< of the loop over the members i of `front`, which has vertex 0
};

// Claims that depend on what an edge before has claimed, or on what is gathered on the way.
TEST(AlgorithmClaims, SeeWhatEdgesBeforeHaveClaimed) {
    const std::vector<Asking> askings = {
        {"the neighbour in the order of vertices",
         "for j in A[i] { if (x[j] == 0 & x[vertex(int64(j) - 1)] > 0) {"
         " if (insert(next, j)) x[j] = 7; } }"},
        {"a neighbour of the neighbour",
         "for j in A[i] { if (x[j] == 0 & sum[k](x[k] : A[j, k]) > 0) {"
         " if (insert(next, j)) x[j] = 7; } }"},
        {"a gathered value",
         "total += 7; for j in A[i] { if (x[j] == 0) { if (insert(next, j)) x[j] = total; } }"},
        {"a gathered condition", "total += 7; for j in A[i] { if (x[j] == 0 & total > 0) {"
                                 " if (insert(next, j)) x[j] = 7; } }"},
    };
    for (const Asking& asking : askings) {
        const std::string text =
            std::string(
                "def f(A: graph) -> x: vector<int>, met: int64, total: int {\nx[i] = 0;\n"
                "x[0] = 1;\nfront = {vertex(0)};\nnext = {};\ntotal = 0;\neach i in front { ") +
            asking.body + " }\nmet = count(next);\n}\n";
        const Algorithm algorithm = Algorithm::from_text(text, {.cache = false});
        for (const char* const expression :
             {"star:5", "star:6", "star:65", "star:66", "star:300"}) {
            const PreparedGraph graph(generate(expression));
            const AlgorithmResult result = algorithm.run({{"A", graph}}, Context({.threads = 1}));
            const auto x = result.values<std::int32_t>("x");
            EXPECT_EQ(result.integers.at("met"), std::ssize(x) - 1)
                << asking.what << ", " << expression;
            EXPECT_EQ(std::ranges::count(x, 7), std::ssize(x) - 1)
                << asking.what << ", " << expression;
        }
    }
}

// The runtime alone, with a body that claims everything for everybody: the worst of all races.

// Variables, in this order.
enum : std::int32_t { members, found, owner };

/// A loop over the members that inserts one set, at 10 units of work a member.
cpu::EachView claiming_loop(cpu::EachBody serial, cpu::EachBody parallel,
                            const cpu::InsertView* inserts) {
    return {.serial = serial,
            .parallel = parallel,
            .inserts = inserts,
            .insert_count = 1,
            .members = members,
            .graph = -1,
            .inward = 0,
            .ordered = 0,
            .alone = 0,
            .units = 10,
            .built = -1,
            .partial_bytes = 0,
            .place = "line 2, column 5",
            .text = "claim"};
}

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
    const cpu::EachView view = claiming_loop(nullptr, claim_all<I>, inserts);
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

// Whether sharing pays is learned in one run and known in the next.

std::atomic<int> alone = 0;

template <class I>
void claim_alone(cpu::Frame* frame, cpu::WorkerView* worker, std::int64_t, std::int64_t begin,
                 std::int64_t end, const void*) {
    ++alone;
    const auto* const list = static_cast<const I*>(cpu::set_at(*frame, members).list);
    cpu::Appender& appender = worker->appenders[0];
    for (std::int64_t at = begin; at < end; ++at) {
        static_cast<I*>(appender.items)[appender.count++] = list[at];
    }
}

template <class I>
void claim_slowly(cpu::Frame* frame, cpu::WorkerView* worker, std::int64_t, std::int64_t begin,
                  std::int64_t end, const void*) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const auto* const list = static_cast<const I*>(cpu::set_at(*frame, members).list);
    auto* const owners = static_cast<I*>(cpu::vector_at(*frame, owner).data);
    cpu::Appender& appender = worker->appenders[0];
    for (std::int64_t at = begin; at < end; ++at) {
        std::atomic_ref(owners[list[at]]).store(list[at], std::memory_order_relaxed);
        static_cast<I*>(appender.items)[appender.count] = list[at];
        static_cast<I*>(appender.claims)[appender.count++] = list[at];
    }
}

const cpu::InsertView claiming[] = {
    {.variable = found, .rebuilt = 1, .bits_only = 0, .list_only = 1, .claimed = owner}};
const cpu::EachView slow_together =
    claiming_loop(claim_alone<std::int32_t>, claim_slowly<std::int32_t>, claiming);

/// How many of so many rounds of a run are left to one thread.
int rounds_alone(cpu::SharingMemory& memory, int rounds) {
    cpu::TestAlgorithm of;
    of.add(cpu::la::Type::Shape::set);
    of.add(cpu::la::Type::Shape::set);
    of.add(cpu::la::Type::Shape::vector, ElementType::int32);
    cpu::TestSession test(of, 2);
    // Less than a loop that is shared anyway, more than one that never is.
    test.session.options.smallest_loop = 200;
    test.session.options.memory = &memory;
    const std::vector<std::int64_t> starts = {0, 1, 2, 3, 4, 5, 6, 7};
    for (const std::int32_t variable : {members, found, owner}) {
        test.table.create(test.frame(), variable, 100, 1, nullptr);
    }
    test.table.members(test.frame(), members, starts.data(),
                       static_cast<std::int64_t>(starts.size()), "line 2, column 5");
    alone = 0;
    static int left;
    left = rounds;
    test.session.run([](cpu::Frame* frame) {
        for (; left > 0; --left) frame->runtime->each(frame, &slow_together, 0);
    });
    return alone;
}

TEST(AlgorithmClaims, RememberWhetherSharingPays) {
    cpu::SharingMemory memory;
    EXPECT_EQ(rounds_alone(memory, 1), 0);
    rounds_alone(memory, 300);
    EXPECT_FALSE(memory.recall(&slow_together, 2).pays());
    EXPECT_EQ(rounds_alone(memory, 1), 8); // chunks
}

TEST(AlgorithmClaims, OfEverythingByEverybodyLeaveOneEach) {
    for (const int threads : {2, 3, 8}) {
        check_claims<std::int32_t>(threads);
        check_claims<std::int64_t>(threads);
    }
}

} // namespace
} // namespace tropic
