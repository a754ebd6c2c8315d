// Kernels written by hand the way the compiler writes them: loops by plan and run, reductions by
// chunk, workspaces, sparse results through entry buffers; against naive evaluation.
#include <atomic>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "cpu_session.h"
#include "machines/cpu/growing_buffer.h"
#include "small_matrices.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

template <class T> T* array(const void* data) {
    return static_cast<T*>(const_cast<void*>(data));
}

Tensor random_matrix(Index rows, Index cols, Index count, std::uint64_t seed,
                     ElementType type = ElementType::float64) {
    std::mt19937_64 random(seed);
    return build(naive::list_of({rows, cols},
                                naive::random_entries({rows, cols}, count, false, random),
                                ElementType::int32, type, 1000),
                 Format::csr(), Duplicates::sum);
}

// y = A x over (+, *). Frame: 0 A, 1 x, 2 y.
template <class I, class T>
void spmv(void* const* frame, std::int64_t, std::int64_t begin, std::int64_t end, Worker*) {
    const auto* a = static_cast<const TensorView*>(frame[0]);
    const T* x = array<T>(static_cast<const TensorView*>(frame[1])->values);
    T* y = array<T>(static_cast<const TensorView*>(frame[2])->values);
    const I* pos = array<I>(a->levels[1].pos);
    const I* crd = array<I>(a->levels[1].crd);
    const T* values = array<T>(a->values);
    for (std::int64_t i = begin; i < end; ++i) {
        T sum = 0;
        for (I p = pos[i]; p < pos[i + 1]; ++p) sum += values[p] * x[crd[p]];
        y[i] = sum;
    }
}

template <class I, class T> void check_spmv(int threads) {
    const Tensor matrix = random_matrix(3000, 2000, 40000, 3);
    TestRun run(sizeof(I) == 8, threads, {{"A", matrix}});
    const auto type = static_cast<std::int64_t>(element_type_of<T>());
    TensorView* const a = run.read("A", element_type_of<T>(), Format::csr());
    const TestFormat vector(Format::dense(1));
    const std::int64_t cols = 2000;
    const std::int64_t rows = 3000;
    TensorView* const x = run.table.random(&run.session, type, vector.view(), &cols, 0);
    TensorView* const y = run.table.dense(&run.session, type, vector.view(), &rows);
    void* frame[] = {a, x, y};
    EXPECT_GT(run.table.plan(&run.session, rows, a->levels[1].pos, 10), 1);
    run.table.run(&run.session, spmv<I, T>, frame);
    std::vector<double> expected(3000);
    for (const naive::Entry& e : naive::entries_of(matrix)) {
        expected[e.at[0]] += e.value * tensor_of(x).values().value_at(e.at[1]);
    }
    for (Index i = 0; i < rows; ++i) {
        EXPECT_NEAR(tensor_of(y).values().value_at(i), expected[i], 1e-3);
    }
}

TEST(CpuKernels, ProductWithAVector) {
    for (const int threads : {1, 2, 5}) {
        check_spmv<std::int32_t, double>(threads);
        check_spmv<std::int64_t, double>(threads);
        check_spmv<std::int32_t, float>(threads);
        check_spmv<std::int64_t, std::int32_t>(threads);
    }
}

// C = A B by rows with a dense workspace. Frame: 0 A, 1 B, 2 runtime, 3 entries, 4 counts, 5 sort.
template <class I, class T>
void spgemm(void* const* frame, std::int64_t chunk, std::int64_t begin, std::int64_t end,
            Worker* worker) {
    const auto* a = static_cast<const TensorView*>(frame[0]);
    const auto* b = static_cast<const TensorView*>(frame[1]);
    const auto* runtime = static_cast<const Runtime*>(frame[2]);
    void* const entries = frame[3];
    I* const counts = array<I>(frame[4]);
    const bool sort = frame[5] != nullptr;
    const std::int64_t cols = b->levels[1].size;
    T* const sums = array<T>(runtime->workspace(worker, 0, cols * static_cast<Index>(sizeof(T))));
    auto* const seen = array<std::uint8_t>(runtime->workspace(worker, 1, cols));
    I* const touched =
        array<I>(runtime->workspace(worker, 2, cols * static_cast<Index>(sizeof(I))));
    const I* a_pos = array<I>(a->levels[1].pos);
    const I* b_pos = array<I>(b->levels[1].pos);
    const I* a_crd = array<I>(a->levels[1].crd);
    const I* b_crd = array<I>(b->levels[1].crd);
    EntryBuffer* const out = runtime->entry_buffer(entries, chunk);
    for (std::int64_t i = begin; i < end; ++i) {
        std::int64_t count = 0;
        for (I p = a_pos[i]; p < a_pos[i + 1]; ++p) {
            const I k = a_crd[p];
            for (I q = b_pos[k]; q < b_pos[k + 1]; ++q) {
                const I j = b_crd[q];
                if (seen[j] == 0) {
                    seen[j] = 1;
                    touched[count++] = j;
                }
                sums[j] += array<T>(a->values)[p] * array<T>(b->values)[q];
            }
        }
        if (sort) std::sort(touched, touched + count);
        if (out->size + count > out->capacity) runtime->grow(entries, out, count);
        for (std::int64_t t = 0; t < count; ++t) {
            const I j = touched[t];
            for (int d = 0; d < 2; ++d) {
                // csr appends dimension 1; without counts both are appended.
                if (out->coordinates[d] == nullptr) continue;
                array<I>(out->coordinates[d])[out->size] = d == 1 ? j : static_cast<I>(i);
            }
            array<T>(out->values)[out->size++] = sums[j];
            sums[j] = 0;
            seen[j] = 0;
            touched[t] = 0;
        }
        if (counts != nullptr) counts[i] = static_cast<I>(count);
    }
}

struct Product {
    int threads;
    bool wide;
    bool counted;
    bool sort;
    Format format;
};

template <class I, class T> Tensor multiply(const Tensor& a, const Tensor& b, const Product& how) {
    TestRun run(how.wide, how.threads, {{"A", a}, {"B", b}});
    const Runtime& table = run.table;
    const auto type = static_cast<std::int64_t>(element_type_of<T>());
    TensorView* const left = run.read("A", element_type_of<T>(), Format::csr());
    TensorView* const right = run.read("B", element_type_of<T>(), Format::csr());
    table.plan(&run.session, a.dim(0), left->levels[1].pos, 50);
    void* counts = nullptr;
    void* const entries = table.begin_entries(&run.session, type, how.counted ? 2 : 3, a.dim(0),
                                              how.counted ? &counts : nullptr);
    void* frame[] = {left,    right,  const_cast<Runtime*>(&table),
                     entries, counts, how.sort ? left : nullptr};
    table.run(&run.session, spgemm<I, T>, frame);
    const std::int64_t shape[] = {a.dim(0), b.dim(1)};
    const TestFormat format(how.format);
    TensorView* const c =
        table.end_entries(&run.session, entries, format.view(), shape, how.sort ? 0 : 1);
    table.tensor_result(&run.session, "C", c, type, format.view());
    return run.session.tensor_results.at("C");
}

naive::Entries naive_product(const Tensor& a, const Tensor& b) {
    std::map<std::vector<Index>, double> sums;
    std::vector<naive::Entries> rows(static_cast<std::size_t>(b.dim(0)));
    for (const naive::Entry& e : naive::entries_of(b)) rows[e.at[0]].push_back(e);
    for (const naive::Entry& e : naive::entries_of(a)) {
        for (const naive::Entry& f : rows[e.at[1]]) sums[{e.at[0], f.at[1]}] += e.value * f.value;
    }
    naive::Entries result;
    for (const auto& [at, value] : sums) result.push_back({at, value});
    return result;
}

TEST(CpuKernels, ProductOfMatrices) {
    const Tensor a = random_matrix(300, 200, 3000, 4);
    const Tensor b = random_matrix(200, 250, 2500, 5);
    const naive::Entries expected = naive_product(a, b);
    for (const int threads : {1, 2, 4}) {
        for (const bool wide : {false, true}) {
            for (const bool counted : {true, false}) {
                for (const bool sort : {true, false}) {
                    for (const Format& format :
                         {Format::csr(), Format::dcsr(), Format::coo(2), Format::dense(2)}) {
                        const Product how{threads, wide, counted, sort, format};
                        const Tensor c = wide ? multiply<std::int64_t, double>(a, b, how)
                                              : multiply<std::int32_t, double>(a, b, how);
                        EXPECT_EQ(nonzeros(c), expected);
                        EXPECT_EQ(c.sorted(), sort || !counted || format != Format::csr());
                        EXPECT_EQ(c.format(), format);
                        c.check();
                    }
                }
            }
        }
    }
    const Product narrow{2, false, true, true, Format::csr()};
    EXPECT_EQ(nonzeros(multiply<std::int32_t, std::int32_t>(a, b, narrow)), expected);
    EXPECT_EQ(nonzeros(multiply<std::int32_t, float>(a, b, narrow)), expected);
}

TEST(CpuKernels, ColumnsOfACscResult) {
    // (A B) stored by columns is the transpose of its rows: the kernel appends dimension 0.
    TestRun run(false, 2);
    run.table.plan(&run.session, 3, nullptr, 1);
    void* counts = nullptr;
    void* const entries = run.table.begin_entries(&run.session, 11, 1, 3, &counts);
    void* frame[] = {const_cast<Runtime*>(&run.table), entries, counts};
    run.table.run(
        &run.session,
        [](void* const* f, std::int64_t chunk, std::int64_t begin, std::int64_t end, Worker*) {
            const auto* runtime = static_cast<const Runtime*>(f[0]);
            EntryBuffer* out = runtime->entry_buffer(f[1], chunk);
            for (std::int64_t column = begin; column < end; ++column) {
                runtime->grow(f[1], out, 2);
                for (int row = 0; row < 2; ++row) {
                    array<std::int32_t>(out->coordinates[0])[out->size] = row;
                    array<double>(out->values)[out->size++] = static_cast<double>(column + 1);
                }
                array<std::int32_t>(f[2])[column] = 2;
            }
        },
        frame);
    const std::int64_t shape[] = {2, 3};
    const TestFormat csc(Format::csc());
    const Tensor c = tensor_of(run.table.end_entries(&run.session, entries, csc.view(), shape, 0));
    c.check();
    const naive::Entries expected = {{{0, 0}, 1}, {{0, 1}, 2}, {{0, 2}, 3},
                                     {{1, 0}, 1}, {{1, 1}, 2}, {{1, 2}, 3}};
    EXPECT_EQ(nonzeros(c), expected);
}

TEST(CpuKernels, JumbledRowsAreSortedByConvert) {
    const Tensor a = random_matrix(300, 300, 9000, 6);
    const Product how{2, false, true, false, Format::csr()};
    const Tensor jumbled = multiply<std::int32_t, float>(a, a, how);
    EXPECT_FALSE(jumbled.sorted());
    const Tensor sorted = in_order(jumbled, {});
    EXPECT_TRUE(sorted.sorted());
    sorted.check();
    EXPECT_EQ(nonzeros(sorted), naive_product(a, a));
}

// Appends the even numbers of its range to a sparse vector.
void evens(void* const* frame, std::int64_t chunk, std::int64_t begin, std::int64_t end, Worker*) {
    const auto* runtime = static_cast<const Runtime*>(frame[0]);
    EntryBuffer* const out = runtime->entry_buffer(frame[1], chunk);
    for (std::int64_t i = begin; i < end; ++i) {
        if (i % 2 != 0) continue;
        if (out->size == out->capacity) runtime->grow(frame[1], out, 1);
        array<std::int32_t>(out->coordinates[0])[out->size] = static_cast<std::int32_t>(i);
        array<std::int32_t>(out->values)[out->size++] = static_cast<std::int32_t>(i * 3);
    }
}

TEST(CpuKernels, SparseVectors) {
    for (const int threads : {1, 2}) {
        for (const std::int64_t count : {0, 1, 5, 400'000}) {
            for (const Format& wanted : {Format::sparse_vector(), Format::dense(1)}) {
                TestRun run(false, threads);
                run.table.plan(&run.session, count, nullptr, 2);
                void* const entries = run.table.begin_entries(&run.session, 4, 1, 0, nullptr);
                void* frame[] = {const_cast<Runtime*>(&run.table), entries};
                run.table.run(&run.session, evens, frame);
                const TestFormat format(wanted);
                const Tensor v = tensor_of(
                    run.table.end_entries(&run.session, entries, format.view(), &count, 0));
                v.check();
                naive::Entries expected;
                for (Index i = 2; i < count; i += 2) {
                    expected.push_back({{i}, static_cast<double>(i * 3)});
                }
                EXPECT_EQ(nonzeros(v), expected);
                if (wanted == Format::sparse_vector()) EXPECT_EQ(v.entries(), (count + 1) / 2);
            }
        }
    }
}

TEST(CpuLoops, ChunksDependOnTheWorkAlone) {
    const Tensor matrix = random_matrix(20000, 20000, 300'000, 7);
    std::vector<std::vector<double>> sums;
    for (const int threads : {1, 2, 3}) {
        TestRun run(false, threads, {{"A", matrix}});
        TensorView* const a = run.read("A", ElementType::float64, Format::csr());
        const std::int64_t chunks = run.table.plan(&run.session, 20000, a->levels[1].pos, 30);
        std::vector<double> partial(static_cast<std::size_t>(chunks));
        void* frame[] = {a, partial.data()};
        run.table.run(
            &run.session,
            [](void* const* f, std::int64_t chunk, std::int64_t begin, std::int64_t end, Worker*) {
                const auto* view = static_cast<const TensorView*>(f[0]);
                const auto* pos = array<std::int32_t>(view->levels[1].pos);
                double sum = 0;
                for (auto p = pos[begin]; p < pos[end]; ++p) {
                    sum += 1 / (3 + array<double>(view->values)[p] + p);
                }
                array<double>(f[1])[chunk] = sum;
            },
            frame);
        sums.push_back(partial);
    }
    EXPECT_GT(sums[0].size(), 8u);
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(sums[0], sums[2]);
}

TEST(CpuLoops, EveryIterationOnceInBalancedChunks) {
    std::mt19937_64 random(8);
    for (const std::int64_t count : {0, 1, 2, 100, 12345}) {
        std::vector<std::int64_t> pos = {5};
        for (std::int64_t i = 0; i < count; ++i) {
            pos.push_back(pos.back() +
                          static_cast<Index>(random() % 50 == 0 ? 5000 : random() % 3));
        }
        TestRun run(true, 2);
        const std::int64_t chunks = run.table.plan(&run.session, count, pos.data(), 1000);
        EXPECT_GE(chunks, 1);
        EXPECT_LE(chunks, std::max<std::int64_t>(count, 1));
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
        std::vector<std::int64_t> work(static_cast<std::size_t>(chunks));
        void* frame[] = {seen.data(), work.data(), pos.data()};
        run.table.run(
            &run.session,
            [](void* const* f, std::int64_t chunk, std::int64_t begin, std::int64_t end, Worker*) {
                for (std::int64_t i = begin; i < end; ++i) ++array<std::atomic<int>>(f[0])[i];
                const auto* p = array<std::int64_t>(f[2]);
                array<std::int64_t>(f[1])[chunk] = end - begin + p[end] - p[begin];
            },
            frame);
        for (const auto& times : seen) EXPECT_EQ(times, 1);
        const std::int64_t total = std::accumulate(work.begin(), work.end(), std::int64_t{0});
        EXPECT_EQ(total, count + pos.back() - 5);
        for (const std::int64_t one : work) EXPECT_LE(one, total / chunks + 5001);
    }
}

TEST(CpuLoops, SmallWorkIsOneChunk) {
    TestRun run(false, 2);
    EXPECT_EQ(run.table.plan(&run.session, 1000, nullptr, 1), 1);
    EXPECT_EQ(run.table.plan(&run.session, 0, nullptr, 1e9), 1);
    EXPECT_EQ(run.table.plan(&run.session, 3, nullptr, 1e9), 3);
    EXPECT_LE(run.table.plan(&run.session, 1'000'000'000, nullptr, 10), 256);
}

TEST(CpuLoops, RangesAreAsManyAsThreadsAndCoverEveryCoordinate) {
    for (const int threads : {1, 2, 3}) {
        TestRun run(false, threads);
        EXPECT_EQ(run.table.plan_ranges(&run.session, 1000, 10'000), 1);
        EXPECT_EQ(run.table.plan_ranges(&run.session, 0, 1'000'000), 1);
        EXPECT_EQ(run.table.plan_ranges(&run.session, 1, 1'000'000), 1);
        EXPECT_EQ(run.table.plan_ranges(&run.session, 1000, 1'000'000), threads);
        std::vector<std::atomic<int>> seen(1000);
        void* frame[] = {seen.data()};
        run.table.run(
            &run.session,
            [](void* const* f, std::int64_t, std::int64_t begin, std::int64_t end, Worker*) {
                for (std::int64_t i = begin; i < end; ++i) ++array<std::atomic<int>>(f[0])[i];
            },
            frame);
        for (const auto& times : seen) EXPECT_EQ(times, 1);
    }
}

TEST(CpuLoops, WorkspacesStayWithTheirWorkerAndAreAligned) {
    TestRun run(false, 1);
    run.table.plan(&run.session, 1, nullptr, 1);
    void* frame[] = {const_cast<Runtime*>(&run.table)};
    run.table.run(
        &run.session,
        [](void* const* f, std::int64_t, std::int64_t, std::int64_t, Worker* worker) {
            const auto* runtime = static_cast<const Runtime*>(f[0]);
            auto* const first = array<char>(runtime->workspace(worker, 3, 100));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
            EXPECT_EQ(first[99], 0);
            EXPECT_EQ(runtime->workspace(worker, 3, 50), first);
            auto* const larger = array<char>(runtime->workspace(worker, 3, 3 << 20));
            EXPECT_EQ(std::count(larger, larger + (3 << 20), 0), 3 << 20);
            EXPECT_NE(runtime->workspace(worker, 0, 8), static_cast<void*>(larger));
        },
        frame);
}

TEST(CpuLoops, SortsCoordinatesOfEveryCountAndRange) {
    std::mt19937_64 random(9);
    for (const bool wide : {false, true}) {
        TestRun run(wide, 1);
        Worker worker{run.session.context(), wide};
        for (const Index count : {0, 1, 2, 31, 32, 33, 100, 511, 512, 5000}) {
            for (const Index size : {Index{5000}, Index{70'000}, Index{2'000'000'000}}) {
                std::set<std::int64_t> chosen;
                while (static_cast<Index>(chosen.size()) < count) {
                    chosen.insert(static_cast<Index>(random() % static_cast<std::uint64_t>(size)));
                }
                std::vector<std::int64_t> expected(chosen.begin(), chosen.end());
                std::vector<std::int64_t> given = expected;
                std::shuffle(given.begin(), given.end(), random);
                if (wide) {
                    run.table.sort_coordinates(&worker, given.data(), count, size);
                } else {
                    std::vector<std::int32_t> narrow(given.begin(), given.end());
                    run.table.sort_coordinates(&worker, narrow.data(), count, size);
                    given.assign(narrow.begin(), narrow.end());
                }
                EXPECT_EQ(given, expected);
            }
        }
    }
}

TEST(CpuLoops, ErrorsAndCancellationLeaveTheLoop) {
    for (const int threads : {1, 2}) {
        const auto cancelled = std::make_shared<std::atomic<bool>>(false);
        TestRun run(false, threads, {}, {.cancelled = cancelled});
        EXPECT_GT(run.table.plan(&run.session, 100, nullptr, 1e6), 10);
        void* frame[] = {cancelled.get()};
        try {
            run.table.run(
                &run.session,
                [](void* const* f, std::int64_t, std::int64_t, std::int64_t, Worker*) {
                    *static_cast<std::atomic<bool>*>(f[0]) = true;
                },
                frame);
            FAIL() << "not cancelled";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::cancelled);
        }
        EXPECT_THROW(run.table.check_cancelled(&run.session), Error);
    }
}

TEST(CpuEntries, StopAtTheMemoryLimitAndGiveItBack) {
    for (const int threads : {1, 2}) {
        const Context context(ContextOptions{.threads = threads, .memory_limit = 8 << 20});
        {
            Session session(SessionOptions{.context = context});
            const Runtime& table = runtime_table();
            const std::int64_t count = 4'000'000;
            table.plan(&session, count, nullptr, 2);
            void* const entries = table.begin_entries(&session, 4, 1, 0, nullptr);
            void* frame[] = {const_cast<Runtime*>(&table), entries};
            try {
                table.run(&session, evens, frame);
                FAIL() << "over the limit";
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            }
        }
        EXPECT_EQ(context.budget()->used(), 0u);
    }
}

TEST(CpuEntries, LargeBuffersKeepTheirEntriesWhileGrowing) {
    const Context context(ContextOptions{.threads = 1});
    const std::uint64_t before = context.budget()->used();
    GrowingBuffer buffer;
    Index size = 0;
    for (Index step = 1; size < 6'000'000; step = step * 3 / 2 + 1) {
        buffer.reserve(static_cast<std::size_t>(size) * 4,
                       static_cast<std::size_t>(size + step) * 4, 0, context.budget());
        auto* const data = static_cast<std::int32_t*>(buffer.data());
        for (Index i = size; i < size + step; ++i) data[i] = static_cast<std::int32_t>(i);
        size += step;
    }
    EXPECT_EQ(context.budget()->used() - before, static_cast<std::uint64_t>(size) * 4);
    {
        const Array array = std::move(buffer).release(ElementType::int32, 5'000'000);
        EXPECT_EQ(context.budget()->used() - before, 20'000'000u);
        for (Index i = 0; i < array.size(); ++i) ASSERT_EQ(array.as<std::int32_t>()[i], i);
    }
    EXPECT_EQ(context.budget()->used(), before);
}

TEST(CpuEntries, BuffersOutgrowTheirAddressSpace) {
    // Twice: the second time the pages begin as those of the first.
    const Context context(ContextOptions{.threads = 1, .memory_limit = std::uint64_t{1} << 40});
    const PagePool::Use use(context.budget()->pool());
    constexpr Index filled = 3'000'000;
    for (int round = 0; round < 2; ++round) {
        GrowingBuffer buffer;
        buffer.reserve(0, filled * 4, 0, context.budget());
        auto* data = static_cast<std::int32_t*>(buffer.data());
        for (Index i = 0; i < filled; ++i) data[i] = static_cast<std::int32_t>(i + round);
        for (const std::size_t bytes : {std::size_t{3} << 30, std::size_t{100} << 30}) {
            buffer.reserve(filled * 4, bytes, 0, context.budget());
            data = static_cast<std::int32_t*>(buffer.data());
            for (Index i = 0; i < filled; ++i) ASSERT_EQ(data[i], i + round);
            data[(bytes - 4) / 4] = 1;
        }
        const Array array = std::move(buffer).release(ElementType::int32, filled);
        EXPECT_EQ(context.budget()->used(), static_cast<std::uint64_t>(filled) * 4);
    }
    EXPECT_GT(context.budget()->pool().kept(), 0u);
}

} // namespace

} // namespace tropic::cpu
