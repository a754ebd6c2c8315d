// Tensors of a session: reading in every type, width, format and triangle, converting, filling.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cpu_session.h"
#include "small_matrices.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

using naive::Entries;

Entries sorted_merged(const Entries& entries) {
    return naive::merged(naive::sorted(entries, {0, 1}), Duplicates::sum);
}

/// Every array of the tensor has the program's width and at least one readable element.
void expect_width(TensorView* view, bool wide) {
    const ElementType type = wide ? ElementType::int64 : ElementType::int32;
    const Tensor& tensor = tensor_of(view);
    ASSERT_NE(view->values, nullptr);
    EXPECT_EQ(view->entries, tensor.entries());
    for (int l = 0; l < tensor.rank(); ++l) {
        const Level& level = tensor.level(l);
        EXPECT_EQ(view->levels[l].size, tensor.dim(tensor.format().order[l]));
        if (level.kind == LevelKind::compressed) {
            EXPECT_EQ(level.pos.type(), type);
            EXPECT_NE(view->levels[l].pos, nullptr);
        }
        if (level.kind != LevelKind::dense) {
            EXPECT_EQ(level.crd.type(), type);
            EXPECT_NE(view->levels[l].crd, nullptr);
        }
    }
}

TEST(CpuRead, EveryTypeWidthFormatAndTriangle) {
    std::mt19937_64 random(1);
    const std::vector<Index> shape = {13, 9};
    const Entries raw = naive::random_entries(shape, 50, false, random);
    const Entries all = sorted_merged(raw);
    const std::vector<Format> formats = {Format::csr(),  Format::csc(),  Format::dcsr(),
                                         Format::dcsc(), Format::coo(2), Format::dense(2)};
    for (const bool wide : {false, true}) {
        for (const int threads : {1, 2}) {
            for (const Format& source : formats) {
                const bool merged = source.levels.back() == LevelKind::dense;
                TestRun run(wide, threads,
                            {{"A", build(naive::list_of(shape, raw, ElementType::int64,
                                                        ElementType::int16, 7),
                                         source, merged ? Duplicates::sum : Duplicates::keep)}});
                for (const Format& format : formats) {
                    for (const ElementType type :
                         {ElementType::float64, ElementType::float32, ElementType::int32}) {
                        for (int mode = 1; mode <= 5; ++mode) {
                            Entries expected;
                            for (const naive::Entry& e : all) {
                                const Index below = e.at[0] - e.at[1];
                                const bool keep = mode == 1 || (mode == 2 && below > 0) ||
                                                  (mode == 3 && below >= 0) ||
                                                  (mode == 4 && below < 0) ||
                                                  (mode == 5 && below <= 0);
                                if (keep) expected.push_back(e);
                            }
                            TensorView* const view = run.read("A", type, format, mode);
                            const Tensor& tensor = tensor_of(view);
                            tensor.check();
                            EXPECT_EQ(tensor.format(), format);
                            EXPECT_EQ(tensor.type(), type);
                            EXPECT_EQ(nonzeros(tensor), expected);
                            expect_width(view, wide);
                            run.table.release(&run.session, view);
                        }
                    }
                }
            }
        }
    }
}

TEST(CpuRead, TakesTheCallersArraysWhereNothingChanges) {
    const Tensor matrix =
        testing::csr(3, 3, {{0, 1, 2}, {2, 0, 3}}, {.type = ElementType::float64});
    TestRun run(false, 1, {{"0", matrix}});
    TensorView* const view = run.read("0", ElementType::float64, Format::csr());
    EXPECT_EQ(view->values, matrix.values().data());
    EXPECT_EQ(view->levels[1].crd, matrix.level(1).crd.data());
}

TEST(CpuRead, SortsRowsAndCountsPatternDuplicates) {
    const testing::Entries entries = {{0, 2}, {0, 1}, {0, 2}, {1, 0}};
    const Tensor matrix = testing::csr(2, 3, entries, {.sorted = false});
    TestRun run(false, 1, {{"A", matrix}});
    const Tensor& read = tensor_of(run.read("A", ElementType::float64, Format::csr()));
    const Entries expected = {{{0, 1}, 1}, {{0, 2}, 2}, {{1, 0}, 1}};
    EXPECT_EQ(naive::entries_of(read), expected);
}

TEST(CpuRead, MatrixOfOneColumnIsAVector) {
    const Tensor column = testing::csr(4, 1, {{1, 0, 5}, {3, 0, 7}}, {.type = ElementType::int32});
    TestRun run(false, 1, {{"x", column}});
    const Tensor& read = tensor_of(run.read("x", ElementType::float64, Format::dense(1)));
    const auto values = read.values().as<double>();
    EXPECT_THAT(std::vector<double>(values.begin(), values.end()),
                ::testing::ElementsAre(0, 5, 0, 7));
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(CpuRead, SaysWhatIsWrongAndWhere) {
    const Tensor matrix = testing::csr(3, 4, {{0, 1, 2.5}}, {.type = ElementType::float64});
    TestRun run(false, 1, {{"A", matrix}});
    EXPECT_EQ(message_of([&] { run.read("B", ElementType::float64, Format::csr()); }),
              "program.tropic:2:5: nothing is bound to input B\n"
              "  2 |     A[i] = x;\n"
              "    |     ^\n"
              "  try: name a file or a generator for it: -i B=FILE");
    EXPECT_THAT(message_of([&] { run.read("A", ElementType::float64, Format::csf(3)); }),
                ::testing::HasSubstr("input A has 2 dimensions, and the program wants 3"));
    EXPECT_THAT(message_of([&] { run.read("A", ElementType::int32, Format::csr()); }),
                ::testing::HasSubstr("input A: value 2.5 of entry 0 does not fit int32"));
    const std::int64_t wanted[] = {-1, 5};
    const TestFormat csr(Format::csr());
    EXPECT_THAT(message_of([&] {
                    run.table.read(&run.session, "A", 1,
                                   static_cast<std::int64_t>(ElementType::float64), csr.view(),
                                   wanted, "line 2, column 5");
                }),
                ::testing::HasSubstr("input A is 3 x 4, and the program wants 5 in dimension 2"));
}

TEST(CpuRead, NarrowProgramRefusesWhatItCannotCount) {
    const Tensor huge = build(naive::list_of({Index{1} << 33, 4}, {{{7, 1}, 2}}, ElementType::int64,
                                             ElementType::float64, 7),
                              Format::coo(2), Duplicates::keep);
    TestRun narrow(false, 1, {{"A", huge}});
    EXPECT_THAT(message_of([&] { narrow.read("A", ElementType::float64, Format::coo(2)); }),
                ::testing::HasSubstr("--wide"));
    TestRun wide(true, 1, {{"A", huge}});
    EXPECT_EQ(naive::entries_of(tensor_of(wide.read("A", ElementType::float64, Format::coo(2)))),
              (Entries{{{7, 1}, 2}}));
}

TEST(CpuConvert, EveryPermutationOfRankThree) {
    std::mt19937_64 random(2);
    const std::vector<Index> shape = {4, 5, 3};
    const Entries raw = naive::random_entries(shape, 30, false, random);
    const Tensor source =
        build(naive::list_of(shape, raw, ElementType::int32, ElementType::float64, 9),
              Format::csf(3), Duplicates::sum);
    Format mixed = Format::csf(3);
    mixed.levels[2] = LevelKind::dense;
    mixed.order = {2, 0, 1};
    const std::vector<Format> formats = {Format::csf(3),
                                         Format::coo(3),
                                         Format::dense(3),
                                         {Format::dense(3).levels, {1, 2, 0}},
                                         mixed};
    std::vector<std::int8_t> permutation = {0, 1, 2};
    do {
        for (const Format& from : formats) {
            for (const Format& to : formats) {
                TestRun run(false, 2, {{"A", source}});
                TensorView* const view = run.read("A", ElementType::float64, from);
                const TestFormat format(to);
                TensorView* const result = run.table.convert(
                    &run.session, view, permutation.data(),
                    static_cast<std::int64_t>(ElementType::float32), format.view());
                Entries expected;
                for (const naive::Entry& e : nonzeros(source)) {
                    expected.push_back(
                        {{e.at[permutation[0]], e.at[permutation[1]], e.at[permutation[2]]},
                         e.value});
                }
                EXPECT_EQ(nonzeros(tensor_of(result)), naive::sorted(expected, {0, 1, 2}));
                EXPECT_EQ(tensor_of(result).format(), to);
                tensor_of(result).check();
            }
        }
    } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(CpuConvert, NothingToDoGivesTheTensorItself) {
    TestRun run(false, 1, {{"A", testing::csr(2, 2, {{0, 1, 1}}, {.type = ElementType::float64})}});
    TensorView* const view = run.read("A", ElementType::float64, Format::csr());
    const std::int8_t same[] = {0, 1};
    const TestFormat csr(Format::csr());
    const auto type = static_cast<std::int64_t>(ElementType::float64);
    EXPECT_EQ(run.table.convert(&run.session, view, same, type, csr.view()), view);
    run.table.release(&run.session, view);
    EXPECT_EQ(run.session.tensors.size(), 1u);
    run.table.release(&run.session, view);
    EXPECT_EQ(run.session.tensors.size(), 0u);
}

TEST(CpuConvert, TransposeByNameHasValuesOfItsOwn) {
    TestRun run(false, 1, {{"A", testing::csr(2, 3, {{0, 1, 4}}, {.type = ElementType::float64})}});
    TensorView* const view = run.read("A", ElementType::float64, Format::csr());
    const std::int8_t exchanged[] = {1, 0};
    const TestFormat csc(Format::csc());
    TensorView* const result = run.table.convert(
        &run.session, view, exchanged, static_cast<std::int64_t>(ElementType::float64), csc.view());
    EXPECT_NE(result->values, view->values);
    EXPECT_EQ(nonzeros(tensor_of(result)), (Entries{{{1, 0}, 4}}));
}

TEST(CpuTensors, RepeatedDimensionsAreStoredOnce) {
    // A vector along dimension 2, the same for all values of the dimensions 0 and 1.
    const TestFormat vector(Format::dense(1));
    const std::int8_t kinds[] = {0, 3, 3};
    const std::int8_t order[] = {2, 0, 1};
    const FormatView repeated{3, kinds, order};
    const auto tag = static_cast<std::int64_t>(ElementType::int32);
    const std::int8_t names[] = {0, 1, 2};
    for (const std::int64_t size : {3, 1, 0}) {
        TestRun run(false, 2);
        TensorView* const once = run.table.dense(&run.session, tag, vector.view(), &size);
        auto* const values = static_cast<std::int32_t*>(once->values);
        for (std::int64_t i = 0; i < size; ++i) values[i] = static_cast<std::int32_t>(10 + i);
        const std::int64_t sizes[] = {2, 40000};
        TensorView* const view = run.table.repeat(&run.session, once, &repeated, sizes);
        EXPECT_EQ(view->values, once->values);
        EXPECT_EQ(view->rank, 3);
        EXPECT_EQ(view->levels[0].size, size);
        EXPECT_EQ(view->levels[2].size, 40000);
        run.table.release(&run.session, once);
        Format format = Format::dense(3);
        for (const bool in_order : {true, false}) {
            if (!in_order) format.order = {1, 2, 0};
            const TestFormat dense(format);
            const Tensor& whole =
                tensor_of(run.table.convert(&run.session, view, names, tag, dense.view()));
            ASSERT_EQ(whole.shape(), (std::vector<Index>{2, 40000, size}));
            ASSERT_EQ(whole.entries(), 80000 * size);
            for (Index place = 0; place < whole.entries(); ++place) {
                const Index at = in_order ? place % size : place / 2 % size;
                ASSERT_EQ(whole.values().value_at(place), static_cast<double>(10 + at));
            }
        }
    }
}

TEST(CpuTensors, DenseFillLikeEmpty) {
    for (const ElementType type :
         {ElementType::boolean, ElementType::int16, ElementType::float32, ElementType::float64}) {
        TestRun run(false, 2);
        const auto tag = static_cast<std::int64_t>(type);
        const std::int64_t shape[] = {300, 500};
        const TestFormat dense(Format::dense(2));
        visit_type(type, [&](auto t) {
            using T = typename decltype(t)::type;
            const T one = 1;
            TensorView* const view =
                run.table.uniform(&run.session, tag, dense.view(), shape, &one);
            EXPECT_EQ(view->entries, 150000);
            EXPECT_TRUE(std::ranges::all_of(tensor_of(view).values().template as<T>(),
                                            [](T value) { return value == T{1}; }));
            // The next one with the same element is not filled again; others are others.
            EXPECT_EQ(run.table.uniform(&run.session, tag, dense.view(), shape, &one)->values,
                      view->values);
            const T zero = 0;
            EXPECT_NE(run.table.uniform(&run.session, tag, dense.view(), shape, &zero)->values,
                      view->values);
        });
        const auto none = run.table.empty(&run.session, tag, dense.view(), shape);
        EXPECT_EQ(tensor_of(none).values().value_at(149999), 0);
        for (const Format& format :
             {Format::csr(), Format::csc(), Format::dcsr(), Format::coo(2)}) {
            const TestFormat sparse(format);
            TensorView* const empty = run.table.empty(&run.session, tag, sparse.view(), shape);
            EXPECT_EQ(empty->entries, 0);
            tensor_of(empty).check();
            expect_width(empty, false);
        }
        TensorView* const made = run.table.like(&run.session, none, 4);
        EXPECT_EQ(tensor_of(made).type(), ElementType::int32);
        EXPECT_EQ(made->entries, 150000);
    }
}

TEST(CpuTensors, OnlyWhatNobodyElseHoldsIsTakenOver) {
    TestRun run;
    const TestFormat format(Format::dense_vector());
    const auto type = static_cast<std::int64_t>(ElementType::float64);
    const std::int64_t size = 3;
    const auto set = [](TensorView* view, double first) {
        for (int i = 0; i < 3; ++i) static_cast<double*>(view->values)[i] = first + i;
    };
    TensorView* const own = run.table.dense(&run.session, type, format.view(), &size);
    set(own, 1);
    EXPECT_EQ(run.table.take_over(&run.session, own), own);
    run.table.release(&run.session, own);

    // By a name of the program, by a result that the caller gets, by an array for everybody.
    run.table.retain(&run.session, own);
    TensorView* const copy = run.table.take_over(&run.session, own);
    ASSERT_NE(copy, own);
    set(copy, 7);
    run.table.release(&run.session, own);
    EXPECT_EQ(tensor_of(own).values().as<double>()[2], 3);
    EXPECT_EQ(run.table.take_over(&run.session, copy), copy);
    run.table.tensor_result(&run.session, "x", own, type, format.view());
    EXPECT_NE(run.table.take_over(&run.session, own), own);
    const double one = 1;
    TensorView* const ones = run.table.uniform(&run.session, type, format.view(), &size, &one);
    TensorView* const other = run.table.take_over(&run.session, ones);
    ASSERT_NE(other, ones);
    set(other, 5);
    EXPECT_EQ(tensor_of(ones).values().as<double>()[0], 1);
}

TEST(CpuTensors, RandomDependsOnSeedStreamAndPlaceOnly) {
    const std::int64_t shape[] = {200, 300};
    const auto real = static_cast<std::int64_t>(ElementType::float64);
    const TestFormat rows(Format::dense(2));
    const TestFormat columns({Format::dense(2).levels, {1, 0}});
    const auto drawn = [&](int threads, const TestFormat& format, std::int64_t stream,
                           std::uint64_t seed) {
        TestRun run(false, threads);
        run.session.options.seed = seed;
        return naive::sorted(naive::entries_of(tensor_of(run.table.random(
                                 &run.session, real, format.view(), shape, stream))),
                             {0, 1});
    };
    const Entries first = drawn(1, rows, 0, 1);
    EXPECT_EQ(first, drawn(2, rows, 0, 1));
    EXPECT_EQ(first, drawn(2, columns, 0, 1));
    EXPECT_NE(first, drawn(1, rows, 1, 1));
    EXPECT_NE(first, drawn(1, rows, 0, 2));
    TestRun again(false, 1);
    const auto next = [&] {
        return naive::sorted(naive::entries_of(tensor_of(
                                 again.table.random(&again.session, real, rows.view(), shape, 0))),
                             {0, 1});
    };
    EXPECT_EQ(first, next());
    const Entries second = next();
    EXPECT_NE(first, second);
    EXPECT_NE(second, next());
    double sum = 0;
    for (const naive::Entry& entry : first) {
        EXPECT_TRUE(entry.value >= 0 && entry.value < 1);
        sum += entry.value;
    }
    EXPECT_NEAR(sum / 60000, 0.5, 0.01);
}

TEST(CpuTensors, SessionGivesAllMemoryBack) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    {
        SessionOptions options{.context = context};
        Session session(std::move(options));
        const std::int64_t shape[] = {1000, 1000};
        const TestFormat dense(Format::dense(2));
        runtime_table().dense(&session, static_cast<std::int64_t>(ElementType::float64),
                              dense.view(), shape);
        EXPECT_GE(context.budget()->used(), 8'000'000u);
        const std::int64_t large[] = {100000, 100000};
        EXPECT_THROW(runtime_table().dense(&session, 11, dense.view(), large), Error);
        void* const scratch = runtime_table().scratch(&session, 100);
        runtime_table().release_scratch(&session, scratch);
    }
    EXPECT_EQ(context.budget()->used(), 0u);
}

TEST(CpuTensors, SizesOfALabelMustAgree) {
    TestRun run;
    run.table.require_equal(&run.session, 3, 3, "i", "A", "B", "line 2, column 5");
    EXPECT_THAT(message_of([&] {
                    run.table.require_equal(&run.session, 3, 4, "i", "A's dimension 1",
                                            "B's dimension 2", "line 2, column 5");
                }),
                ::testing::HasSubstr("program.tropic:2:5: label i has two sizes: A's dimension 1 "
                                     "is 3, B's dimension 2 is 4"));
}

} // namespace

} // namespace tropic::cpu
