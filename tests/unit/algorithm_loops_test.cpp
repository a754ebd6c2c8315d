// Loops over members, ordered frontiers, orders and sums, with bodies that do what compiled code
// does.
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <random>

#include <gtest/gtest.h>

#include "algorithm_session.h"
#include "tropic/generate.h"

namespace tropic::cpu {

namespace {

constexpr const char* place = "line 2, column 5";

// Variables of the loops below, in this order.
enum : std::int32_t { graph_variable, front, next, level, key, bucket };

TestAlgorithm searching() {
    TestAlgorithm of;
    of.add(la::Type::Shape::graph);
    of.add(la::Type::Shape::set);
    of.add(la::Type::Shape::set);
    of.add(la::Type::Shape::vector);
    of.add(la::Type::Shape::vector);
    of.add(la::Type::Shape::scalar, ElementType::int64);
    return of;
}

/// Appends as compiled code does.
void append(Frame* frame, WorkerView* worker, std::int64_t insert, std::int32_t item) {
    Appender& appender = worker->appenders[insert];
    if (appender.count == appender.capacity) frame->runtime->flush(frame, worker, insert);
    static_cast<std::int32_t*>(appender.items)[appender.count++] = item;
}

/// One step of a breadth-first search: claims neighbours without a level.
void expand(Frame* frame, WorkerView* worker, std::int64_t, std::int64_t begin, std::int64_t end,
            const void*) {
    const StoredGraph& graph = graph_at(*frame, graph_variable);
    const auto* const pos = static_cast<const std::int32_t*>(graph.out_pos);
    const auto* const crd = static_cast<const std::int32_t*>(graph.out_crd);
    const auto* const list = static_cast<const std::int32_t*>(set_at(*frame, front).list);
    auto* const levels = static_cast<std::int32_t*>(vector_at(*frame, level).data);
    for (std::int64_t at = begin; at < end; ++at) {
        const std::int32_t i = list[at];
        const std::int32_t deeper = std::atomic_ref(levels[i]).load(std::memory_order_relaxed) + 1;
        for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) {
            std::int32_t unset = -1;
            if (!std::atomic_ref(levels[crd[p]]).compare_exchange_strong(unset, deeper)) continue;
            std::atomic_ref(worker->appenders[0].bits[crd[p] / 64])
                .fetch_or(std::uint64_t{1} << (crd[p] % 64));
            append(frame, worker, 0, crd[p]);
        }
    }
}

std::vector<std::int32_t> serial_levels(const StoredGraph& graph, std::int32_t source) {
    const auto* const pos = static_cast<const std::int32_t*>(graph.out_pos);
    const auto* const crd = static_cast<const std::int32_t*>(graph.out_crd);
    std::vector<std::int32_t> levels(static_cast<std::size_t>(graph.rows), -1);
    std::queue<std::int32_t> queue({source});
    levels[source] = 0;
    while (!queue.empty()) {
        const std::int32_t i = queue.front();
        queue.pop();
        for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) {
            if (levels[crd[p]] >= 0) continue;
            levels[crd[p]] = levels[i] + 1;
            queue.push(crd[p]);
        }
    }
    return levels;
}

TEST(AlgorithmLoops, ASearchFindsTheLevelsOfASerialOne) {
    const TestAlgorithm of = searching();
    const InsertView inserts[] = {{.variable = next, .rebuilt = 1, .bits_only = 0, .list_only = 0}};
    const EachView view{.serial = expand,
                        .parallel = expand,
                        .inserts = inserts,
                        .insert_count = 1,
                        .members = front,
                        .graph = graph_variable,
                        .inward = 0,
                        .ordered = 0,
                        .alone = 0,
                        .units = 2,
                        .built = -1,
                        .partial_bytes = 0,
                        .place = place,
                        .text = "expand"};
    for (const char* const expression : {"kron:9", "grid:40x25", "path:300"}) {
        for (const int threads : {1, 2, 4}) {
            TestSession test(of, threads);
            Frame* const frame = test.frame();
            bind_graph(test.session, graph_variable,
                       std::make_shared<derived::GraphCache>(generate(expression)));
            const std::int64_t n = graph_at(*frame, graph_variable).rows;
            test.table.create(frame, front, n, 1, nullptr);
            test.table.create(frame, next, n, 1, nullptr);
            test.table.create(frame, level, n, 1, nullptr);
            const std::int64_t source = 5;
            test.table.members(frame, front, &source, 1, place);
            auto* const levels = static_cast<std::int32_t*>(vector_at(*frame, level).data);
            std::fill(levels, levels + n, -1);
            levels[source] = 0;
            while (set_at(*frame, front).count > 0) {
                test.table.each(frame, &view, 0);
                std::swap(frame->slots[front], frame->slots[next]);
            }
            EXPECT_EQ(std::vector<std::int32_t>(levels, levels + n),
                      serial_levels(graph_at(*frame, graph_variable), 5))
                << expression << " on " << threads;
        }
    }
}

/// Sums the numbers of its members into a partial of its chunk, and marks each.
void visit(Frame* frame, WorkerView*, std::int64_t chunk, std::int64_t begin, std::int64_t end,
           const void*) {
    auto* const partial =
        reinterpret_cast<double*>(static_cast<char*>(frame->partials) + chunk * 64);
    auto* const marks = static_cast<std::int32_t*>(vector_at(*frame, level).data);
    *partial = 0;
    for (std::int64_t i = begin; i < end; ++i) {
        *partial += 1.0 / static_cast<double>(i + 1);
        ++marks[i];
    }
}

TEST(AlgorithmLoops, PartialSumsDoNotDependOnTheThreads) {
    const TestAlgorithm of = searching();
    for (const bool balanced : {false, true}) {
        for (const std::int64_t n : {0, 1, 64, 65, 1000, 4096}) {
            const EachView view{.serial = visit,
                                .parallel = visit,
                                .inserts = nullptr,
                                .insert_count = 0,
                                .members = -1,
                                .graph = balanced ? graph_variable : -1,
                                .inward = 0,
                                .ordered = 0,
                                .alone = 0,
                                .units = 3,
                                .built = -1,
                                .partial_bytes = 64,
                                .place = place,
                                .text = "visit"};
            std::vector<double> sums;
            for (const int threads : {1, 2, 4}) {
                TestSession test(of, threads);
                Frame* const frame = test.frame();
                if (balanced) {
                    bind_graph(test.session, graph_variable,
                               std::make_shared<derived::GraphCache>(
                                   generate("star:" + std::to_string(std::max<Index>(n, 2)))));
                }
                test.table.create(frame, level, n, 1, nullptr);
                const std::int64_t chunks = test.table.each(frame, &view, n);
                double sum = 0;
                for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                    sum += *reinterpret_cast<double*>(static_cast<char*>(frame->partials) +
                                                      chunk * 64);
                }
                sums.push_back(sum);
                const auto* const marks = static_cast<std::int32_t*>(vector_at(*frame, level).data);
                EXPECT_EQ(std::count(marks, marks + n, 1), n);
                if (n >= 1000) EXPECT_GT(chunks, 1);
            }
            EXPECT_EQ(sums[0], sums[1]);
            EXPECT_EQ(sums[0], sums[2]);
        }
    }
}

/// Sets the bits of every third member of its own words and counts them.
void mark_thirds(Frame*, WorkerView* worker, std::int64_t, std::int64_t begin, std::int64_t end,
                 const void*) {
    Appender& appender = worker->appenders[0];
    for (std::int64_t i = begin; i < end; ++i) {
        if (i % 3 != 0) continue;
        appender.bits[i / 64] |= std::uint64_t{1} << (i % 64);
        ++appender.count;
    }
}

TEST(AlgorithmLoops, BitsOfOwnMembersNeedNoAtomics) {
    const TestAlgorithm of = searching();
    const InsertView inserts[] = {{.variable = next, .rebuilt = 1, .bits_only = 1, .list_only = 0}};
    const EachView view{.serial = mark_thirds,
                        .parallel = mark_thirds,
                        .inserts = inserts,
                        .insert_count = 1,
                        .members = -1,
                        .graph = -1,
                        .inward = 0,
                        .ordered = 0,
                        .alone = 0,
                        .units = 5,
                        .built = -1,
                        .partial_bytes = 0,
                        .place = place,
                        .text = "mark"};
    for (const int threads : {1, 4}) {
        TestSession test(of, threads);
        test.table.create(test.frame(), next, 10'000, 1, nullptr);
        for (int round = 0; round < 3; ++round) {
            test.table.each(test.frame(), &view, 10'000);
            EXPECT_EQ(set_at(*test.frame(), next).count, 3334);
            EXPECT_EQ(set_at(*test.frame(), next).listed, 0);
        }
        const auto members = test.members_of(next);
        ASSERT_EQ(members.size(), 3334u);
        EXPECT_EQ(members[1000], 3000);
    }
}

void fail_at_700(Frame* frame, WorkerView*, std::int64_t, std::int64_t begin, std::int64_t end,
                 const void*) {
    if (begin <= 700 && 700 < end) frame->runtime->fail(frame, "no more", place);
}

TEST(AlgorithmLoops, WhatABodyThrowsComesOut) {
    const TestAlgorithm of = searching();
    const EachView view{.serial = fail_at_700,
                        .parallel = fail_at_700,
                        .inserts = nullptr,
                        .insert_count = 0,
                        .members = -1,
                        .graph = -1,
                        .inward = 0,
                        .ordered = 0,
                        .alone = 0,
                        .units = 5,
                        .built = -1,
                        .partial_bytes = 0,
                        .place = place,
                        .text = "fail"};
    for (const int threads : {1, 4}) {
        TestSession test(of, threads);
        try {
            test.table.each(test.frame(), &view, 10'000);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.diagnostic().message, "no more");
            EXPECT_EQ(error.diagnostic().line, 2);
        }
    }
}

TEST(AlgorithmLoops, CancellationAndTheClockEndARun) {
    const TestAlgorithm of = searching();
    const auto flag = std::make_shared<std::atomic<bool>>(false);
    TestSession test(of, 2, false, {.cancelled = flag});
    test.table.check_cancelled(test.frame());
    *flag = true;
    EXPECT_THROW(test.table.check_cancelled(test.frame()), Error);
    *flag = false;
    test.session.options.timeout = 1;
    test.session.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    test.table.check_cancelled(test.frame());
    test.session.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    EXPECT_THROW(test.table.check_cancelled(test.frame()), Error);
}

// --- ordered frontiers ---------------------------------------------------------------------------

/// The bucket width of the tests below.
constexpr std::int64_t width = 5;

std::int64_t bucket_of(std::int32_t distance) {
    return distance >= 0 ? distance / width : -((-distance + width - 1) / width);
}

void put(Frame* frame, WorkerView* worker, std::int64_t b, std::int32_t item) {
    if (b >= worker->until) return;
    const std::int64_t at = b - worker->first_bin;
    if (at >= 0 && at < worker->bin_count && worker->bins[at].count < worker->bins[at].capacity) {
        Bin& bin = worker->bins[at];
        static_cast<std::int32_t*>(bin.items)[bin.count++] = item;
    } else {
        frame->runtime->bucket_push(frame, worker, b, item);
    }
}

void distribute(Frame* frame, WorkerView* worker, std::int64_t, std::int64_t begin,
                std::int64_t end, const void* list) {
    const auto* const keys = static_cast<const std::int32_t*>(vector_at(*frame, key).data);
    for (std::int64_t at = begin; at < end; ++at) {
        const std::int32_t item = static_cast<const std::int32_t*>(list)[at];
        put(frame, worker, bucket_of(keys[item]), item);
    }
}

/// The first key of a bucket that a field of WorkerView has.
std::int64_t first_key(std::int64_t b) {
    constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
    return b < far / width ? b * width : far;
}

std::atomic<int> searches{0};
std::atomic<int> withheld{0};

void find(Frame* frame, WorkerView* worker, std::int64_t first, std::int64_t begin,
          std::int64_t end, const void* list) {
    ++searches;
    const auto* const keys = static_cast<const std::int32_t*>(vector_at(*frame, key).data);
    auto* const items = static_cast<std::int32_t*>(const_cast<void*>(list));
    for (std::int64_t i = begin; i < end; ++i) {
        if (keys[i] == std::numeric_limits<std::int32_t>::max()) continue;
        const std::int64_t b = bucket_of(keys[i]);
        if (b >= first && b < worker->until) items[worker->found++] = static_cast<std::int32_t>(i);
        else if (b >= worker->until) worker->least = std::min(worker->least, b);
    }
}

void relax(Frame* frame, WorkerView* worker, std::int64_t current, std::int64_t begin,
           std::int64_t end, const void* list) {
    const StoredGraph& graph = graph_at(*frame, graph_variable);
    const auto* const pos = static_cast<const std::int32_t*>(graph.out_pos);
    const auto* const crd = static_cast<const std::int32_t*>(graph.out_crd);
    const auto* const lengths = static_cast<const std::int32_t*>(graph.out_values);
    auto* const keys = static_cast<std::int32_t*>(vector_at(*frame, key).data);
    for (std::int64_t at = begin; at < end; ++at) {
        const std::int32_t i = static_cast<const std::int32_t*>(list)[at];
        const std::int32_t own = std::atomic_ref(keys[i]).load();
        if (bucket_of(own) != current) continue;
        for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) {
            const std::atomic_ref there(keys[crd[p]]);
            std::int32_t old = there.load();
            const std::int32_t better = own + lengths[p];
            if (better >= first_key(worker->limit)) {
                ++withheld;
                continue;
            }
            while (better < old && !there.compare_exchange_weak(old, better)) {
            }
            if (better < old) put(frame, worker, std::max(bucket_of(better), current), crd[p]);
        }
    }
}

std::vector<std::int32_t> shortest(const StoredGraph& graph, std::vector<std::int32_t> keys) {
    const auto* const pos = static_cast<const std::int32_t*>(graph.out_pos);
    const auto* const crd = static_cast<const std::int32_t*>(graph.out_crd);
    const auto* const lengths = static_cast<const std::int32_t*>(graph.out_values);
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
    for (bool changed = true; changed;) {
        changed = false;
        for (std::int32_t i = 0; i < graph.rows; ++i) {
            if (keys[i] == far) continue;
            for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) {
                if (keys[i] + lengths[p] >= keys[crd[p]]) continue;
                keys[crd[p]] = keys[i] + lengths[p];
                changed = true;
            }
        }
    }
    return keys;
}

std::atomic<int> pulls{0};

void pull(Frame* frame, WorkerView* worker, std::int64_t bucket, std::int64_t begin,
          std::int64_t end, const void* list) {
    ++pulls;
    const StoredGraph& graph = graph_at(*frame, graph_variable);
    const auto* const pos = static_cast<const std::int32_t*>(graph.out_pos);
    const auto* const crd = static_cast<const std::int32_t*>(graph.out_crd);
    const auto* const lengths = static_cast<const std::int32_t*>(graph.out_values);
    auto* const keys = static_cast<std::int32_t*>(vector_at(*frame, key).data);
    auto* const items = static_cast<std::int32_t*>(const_cast<void*>(list));
    const std::int64_t base = bucket * width + worker->pull_ahead;
    const std::int64_t limit = first_key(worker->limit);
    for (std::int64_t i = begin; i < end; ++i) {
        const std::atomic_ref here(keys[i]);
        if (here.load() <= std::min(base + worker->least_value, limit)) continue;
        const std::int64_t least = here.load() < limit ? base : first_key(worker->offered);
        ++worker->pulled_rows;
        worker->pulled_edges += pos[i + 1] - pos[i];
        bool changed = false;
        for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) {
            if (lengths[p] >= here.load() - least) continue;
            ++worker->pulled_ends;
            const std::int32_t there = std::atomic_ref(keys[crd[p]]).load();
            if (there >= here.load() || lengths[p] >= here.load() - there) continue;
            here.store(there + lengths[p]);
            changed = true;
        }
        if (changed) items[worker->found++] = static_cast<std::int32_t>(i);
    }
}

BucketsView relaxing(EachBody find_them, EachBody pull_them = nullptr) {
    return {.serial = relax,
            .parallel = relax,
            .distribute = distribute,
            .find = find_them,
            .pull = pull_them,
            .inserts = nullptr,
            .insert_count = 0,
            .start = front,
            .bucket = bucket,
            .graph = graph_variable,
            .inward = 0,
            .key = key,
            .place = place,
            .text = "relax"};
}

/// `pulling` as in AlgorithmSessionOptions.
void ordered_frontiers_find_shortest_paths(EachBody find_them, EachBody pull_them = nullptr,
                                           double pulling = 1) {
    const TestAlgorithm of = searching();
    const BucketsView view = relaxing(find_them, pull_them);
    // The last has buckets far outside the window of bins, before it and behind it.
    for (const char* const expression :
         {"kron:8,weights=1..255", "kron:8,weights=1..9", "urand:17,6,weights=1..99",
          "urand:12,weights=1..255", "urand:11,50,weights=5..900", "grid:30x30,weights=1..9",
          "path:200,weights=9000..30000"}) {
        for (const int threads : {1, 2, 4}) {
            for (const std::int32_t start : {0, -1000, 70'000}) {
                TestSession test(of, threads);
                test.session.options.pulling = pulling;
                Frame* const frame = test.frame();
                const auto cache = std::make_shared<derived::GraphCache>(generate(expression));
                ASSERT_TRUE(cache->symmetric(true, {}));
                bind_graph(test.session, graph_variable, cache);
                const StoredGraph& graph = graph_at(*frame, graph_variable);
                const std::int64_t n = graph.rows;
                test.table.create(frame, front, n, 1, nullptr);
                test.table.create(frame, key, n, 1, nullptr);
                std::vector<std::int32_t> keys(static_cast<std::size_t>(n),
                                               std::numeric_limits<std::int32_t>::max());
                const std::int64_t sources[] = {1, 7};
                test.table.members(frame, front, sources, 2, place);
                keys[1] = start;
                keys[7] = start + 12'345;
                std::ranges::copy(keys, static_cast<std::int32_t*>(vector_at(*frame, key).data));
                test.table.buckets(frame, &view, width);
                const auto* const found =
                    static_cast<const std::int32_t*>(vector_at(*frame, key).data);
                EXPECT_EQ(std::vector<std::int32_t>(found, found + n), shortest(graph, keys))
                    << expression << " on " << threads << " from " << start;
            }
        }
    }
}

TEST(AlgorithmLoops, OrderedFrontiersFindShortestPaths) {
    ordered_frontiers_find_shortest_paths(nullptr);
}

TEST(AlgorithmLoops, MembersOfLargeBucketsAreFoundByTheirKeys) {
    searches = 0;
    ordered_frontiers_find_shortest_paths(find);
    EXPECT_GT(searches, 100);
}

TEST(AlgorithmLoops, KeysArePulledWhereThatIsLessWork) {
    pulls = 0;
    ordered_frontiers_find_shortest_paths(find, pull);
    EXPECT_GT(pulls, 0);
}

TEST(AlgorithmLoops, KeysCanBePulledAtAnyBucket) {
    for (const double pulling : {30., 1e9}) {
        pulls = 0;
        ordered_frontiers_find_shortest_paths(find, pull, pulling);
        EXPECT_GT(pulls, 100);
    }
}

// What lies beyond a limit is taken when the buckets come there.
TEST(AlgorithmLoops, KeysThatFewWillHaveAreNotOffered) {
    pulls = 0;
    withheld = 0;
    ordered_frontiers_find_shortest_paths(find, pull, 0);
    EXPECT_GT(withheld, 100'000);
    EXPECT_GT(pulls, 0);
}

// A vertex that has a key and is no member of the start waits for nobody.
TEST(AlgorithmLoops, KeysOfOthersAreNoMembers) {
    const TestAlgorithm of = searching();
    const BucketsView view = relaxing(find);
    TestSession test(of, 1);
    Frame* const frame = test.frame();
    bind_graph(test.session, graph_variable,
               std::make_shared<derived::GraphCache>(generate("complete:40,weights=50..60")));
    test.table.create(frame, front, 40, 1, nullptr);
    test.table.create(frame, key, 40, 1, nullptr);
    auto* const keys = static_cast<std::int32_t*>(vector_at(*frame, key).data);
    std::fill_n(keys, 40, std::numeric_limits<std::int32_t>::max());
    keys[3] = 0;
    keys[5] = 7; // not taken: nothing is relaxed from it
    const std::int64_t sources[] = {3};
    test.table.members(frame, front, sources, 1, place);
    std::vector<std::int32_t> wanted(keys, keys + 40);
    const StoredGraph& graph = graph_at(*frame, graph_variable);
    wanted[5] = std::numeric_limits<std::int32_t>::max();
    wanted = shortest(graph, wanted);
    wanted[5] = 7;
    test.table.buckets(frame, &view, width);
    EXPECT_EQ(std::vector<std::int32_t>(keys, keys + 40), wanted);
}

// --- orders and sums -----------------------------------------------------------------------------

TEST(AlgorithmLoops, SortsAreStableAndScansAddUp) {
    for (const ElementType type : {ElementType::int32, ElementType::float64, ElementType::uint8}) {
        TestAlgorithm of;
        const int from = of.add(la::Type::Shape::vector, type);
        const int order = of.add(la::Type::Shape::vector);
        of.algorithm.variables[order].type.vertex = true;
        const int sums =
            of.add(la::Type::Shape::vector, type == ElementType::uint8 ? ElementType::int64 : type);
        for (const std::int64_t n : {0, 1, 1000, 70'000}) {
            TestSession test(of, 2);
            Frame* const frame = test.frame();
            test.table.create(frame, from, n, 1, nullptr);
            StoredVector& vector = vector_at(*frame, from);
            std::mt19937 random(5);
            std::vector<double> values;
            visit_type(type, [&](auto tag) {
                using T = typename decltype(tag)::type;
                for (std::int64_t i = 0; i < n; ++i) {
                    const auto value = static_cast<T>(static_cast<int>(random() % 200) - 50);
                    static_cast<T*>(vector.data)[i] = value;
                    values.push_back(static_cast<double>(value));
                }
            });
            test.table.sort(frame, order, from);
            std::vector<std::int32_t> expected(static_cast<std::size_t>(n));
            std::iota(expected.begin(), expected.end(), 0);
            std::ranges::sort(expected, {},
                              [&](std::int32_t i) { return std::pair(values[i], i); });
            const auto* const got = static_cast<std::int32_t*>(vector_at(*frame, order).data);
            EXPECT_EQ(std::vector<std::int32_t>(got, got + n), expected);

            test.table.scan(frame, sums, from);
            double sum = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                ASSERT_EQ(vector_at(*frame, sums).memory.value_at(i), sum);
                sum += values[i];
            }
        }
    }
}

TEST(AlgorithmLoops, MemoryIsChargedAndLimited) {
    const TestAlgorithm of = searching();
    TestSession test(of, 1, false, {.memory_limit = 1'000'000});
    test.table.create(test.frame(), level, 200'000, 1, nullptr);
    EXPECT_GE(test.session.context().budget()->used(), 800'000u);
    EXPECT_THROW(test.table.create(test.frame(), key, 200'000, 1, nullptr), Error);
}

TEST(AlgorithmLoops, ValuesArePrinted) {
    TestAlgorithm of = searching();
    const int real = of.add(la::Type::Shape::scalar, ElementType::float64);
    TestSession test(of, 1);
    Frame* const frame = test.frame();
    test.table.create(frame, front, 10, 1, nullptr);
    const std::int64_t items[] = {7, 2};
    test.table.members(frame, front, items, 2, place);
    test.table.print_variable(frame, front);
    test.table.create(frame, level, 3, 1, nullptr);
    test.table.print_variable(frame, level);
    *static_cast<double*>(frame->slots[real]) = 0.25;
    test.table.print_variable(frame, real);
    const std::int32_t none = -1;
    test.table.print_value(frame, &none, static_cast<std::int64_t>(ElementType::int32), 1, 1, -1);
    EXPECT_EQ(test.printed, "{2, 7}\n0, 0, 0\n0.25\nnone\n");
}

} // namespace

} // namespace tropic::cpu
