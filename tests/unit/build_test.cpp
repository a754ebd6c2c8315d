#include <limits>

#include <gtest/gtest.h>

#include "graph/build/build.h"
#include "naive_tensor.h"
#include "support/memory.h"
#include "support/wider_type.h"
#include "tropic/error.h"

namespace tropic {
namespace {

using building::build_tuned;
using building::Tuning;

const std::vector<Duplicates> rules = {Duplicates::keep, Duplicates::sum,   Duplicates::min,
                                       Duplicates::max,  Duplicates::first, Duplicates::last};

/// Cut so finely that every list has many tasks, many buckets and buckets that are split again.
const Tuning tiny{.task_entries = 7, .bucket_entries = 4, .split_entries = 9, .most_bits = 3};

/// What a tensor must store for the sorted, merged entries: the same ones, and for a dense
/// innermost level zeros in between.
void expect_stores(const Tensor& tensor, const naive::Entries& expected) {
    naive::Entries stored = naive::entries_of(tensor);
    if (tensor.format().levels.back() == LevelKind::dense) {
        std::erase_if(stored, [](const naive::Entry& entry) { return entry.value == 0; });
    }
    ASSERT_EQ(stored.size(), expected.size());
    EXPECT_TRUE(stored == expected);
}

struct Case {
    std::vector<Index> shape;
    Format format;
};

const std::vector<Case> cases = {
    {{13, 9}, Format::csr()},
    {{13, 9}, Format::csc()},
    {{13, 9}, Format::dcsr()},
    {{13, 9}, Format::dcsc()},
    {{13, 9}, Format::coo()},
    {{13, 9}, Format::dense(2)},
    {{64, 64}, Format::csr()},
    {{1, 100}, Format::csr()},
    {{100, 1}, Format::csr()},
    {{1000, 3}, Format::csr()},
    {{5000, 5000}, Format::csr()},
    {{17}, Format::sparse_vector()},
    {{17}, Format::dense_vector()},
    {{17}, Format::coo(1)},
    {{5, 6, 7}, Format::coo(3)},
    {{5, 6, 7}, Format::csf(3)},
    {{5, 6, 7}, Format::dense(3)},
    {{4, 3, 5, 2}, Format::csf(4)},
    {{5, 6, 7}, {{LevelKind::dense, LevelKind::compressed, LevelKind::compressed}, {2, 0, 1}}},
    {{5, 6, 7}, {{LevelKind::dense, LevelKind::compressed, LevelKind::singleton}, {0, 1, 2}}},
    {{5, 6, 7}, {{LevelKind::compressed, LevelKind::dense, LevelKind::compressed}, {1, 2, 0}}},
    {{5, 6, 7}, {{LevelKind::compressed, LevelKind::compressed, LevelKind::dense}, {0, 1, 2}}},
    {{3, 4, 5, 6},
     {{LevelKind::compressed, LevelKind::singleton, LevelKind::compressed, LevelKind::singleton},
      {0, 1, 2, 3}}},
    {{5, 6, 7}, {{LevelKind::dense, LevelKind::dense, LevelKind::compressed}, {0, 1, 2}}},
};

const std::vector<ElementType> types = {
    ElementType::pattern, ElementType::boolean, ElementType::int8,    ElementType::uint16,
    ElementType::int32,   ElementType::float32, ElementType::float64, ElementType::uint64};

TEST(Build, StoresWhatTheListSays) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 1500; ++round) {
        const Case& c = cases[random() % cases.size()];
        const Duplicates rule = rules[random() % rules.size()];
        const ElementType type = types[random() % types.size()];
        const bool boolean = type == ElementType::boolean || type == ElementType::pattern;
        const auto count = static_cast<Index>(random() % (round % 10 == 0 ? 3000 : 90));
        const naive::Entries entries = naive::random_entries(c.shape, count, boolean, random);
        naive::Entries expected = naive::merged(naive::sorted(entries, c.format.order), rule);
        if (boolean) {
            for (naive::Entry& entry : expected) entry.value = 1;
        }
        const ElementType index_type = random() % 2 == 0 ? ElementType::int32 : ElementType::int64;
        const Context context({.threads = static_cast<int>(1 + random() % 3)});
        const Tuning tuning = random() % 3 == 0 ? Tuning{} : tiny;
        SCOPED_TRACE(testing::Message() << "round " << round << " " << c.format.name() << " rank "
                                        << c.shape.size() << " rule " << name_of(rule) << " type "
                                        << name_of(type) << " entries " << count);
        auto list = naive::list_of(c.shape, entries, index_type, type,
                                   1 + static_cast<Index>(random() % 50));
        const bool dense = c.format.levels.back() == LevelKind::dense;
        const bool repeated = naive::merged(expected, Duplicates::first).size() != expected.size();
        BuildReport report;
        if (dense && repeated) {
            EXPECT_THROW(build_tuned(list, c.format, rule, tuning, context, &report), Error);
            continue;
        }
        const Tensor tensor =
            build_tuned(std::move(list), c.format, rule, tuning, context, &report);
        ASSERT_NO_THROW(tensor.check(context));
        expect_stores(tensor, expected);
        EXPECT_EQ(tensor.unique(), !repeated);
        EXPECT_TRUE(tensor.sorted());
        EXPECT_EQ(report.entries_in, count);
        EXPECT_EQ(report.merged, count - static_cast<Index>(expected.size()));
        EXPECT_EQ(tensor.type(),
                  dense && type == ElementType::pattern ? ElementType::boolean : type);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Build, ManyEntriesWithDefaultCutting) {
    std::mt19937_64 random(2);
    const std::vector<Index> shape = {5000, 3000};
    for (const ElementType type : {ElementType::pattern, ElementType::float64}) {
        auto entries = naive::random_entries(shape, 300000, type == ElementType::pattern, random);
        // A heavy row and a heavy column, so that buckets are uneven.
        for (std::size_t e = 0; e < 60000; ++e) entries[random() % entries.size()].at[0] = 77;
        for (std::size_t e = 0; e < 60000; ++e) entries[random() % entries.size()].at[1] = 99;
        const auto expected = naive::merged(naive::sorted(entries, {0, 1}), Duplicates::keep);
        for (const int threads : {1, 2, 3}) {
            const Context context({.threads = threads});
            const Tensor tensor =
                build(naive::list_of(shape, entries, ElementType::int32, type, 100000),
                      Format::csr(), Duplicates::keep, context);
            tensor.check(context);
            expect_stores(tensor, expected);
        }
    }
}

TEST(Build, OneRowOneColumnOnePlace) {
    std::mt19937_64 random(3);
    for (const Index rows : {Index{1} << 20, Index{1}}) {
        for (const Index cols : {Index{1} << 20, Index{1}}) {
            const std::vector<Index> reach = {rows, cols};
            auto entries = naive::random_entries(reach, 20000, false, random);
            const std::vector<Index> shape = {Index{1} << 20, Index{1} << 20};
            for (const Duplicates rule : {Duplicates::keep, Duplicates::sum}) {
                const Tuning tuning{.task_entries = 1000,
                                    .bucket_entries = 100,
                                    .split_entries = 500,
                                    .most_bits = 4};
                const Tensor tensor = build_tuned(
                    naive::list_of(shape, entries, ElementType::int32, ElementType::int64, 777),
                    Format::csr(), rule, tuning, Context({.threads = 2}), nullptr);
                tensor.check();
                expect_stores(tensor, naive::merged(naive::sorted(entries, {0, 1}), rule));
            }
        }
    }
}

TEST(Build, WideIndices) {
    std::mt19937_64 random(4);
    const Index far = Index{1} << 40;
    const std::vector<std::pair<std::vector<Index>, Format>> wide = {
        {{far, far}, Format::dcsr()},      {{far, far}, Format::dcsc()},
        {{far, far}, Format::coo()},       {{far, 3}, Format::dcsr()},
        {{3, far}, Format::csr()},         {{far, 3}, Format::csc()},
        {{far, far, 100}, Format::csf(3)}, {{far, far, far}, Format::coo(3)},
        {{far}, Format::sparse_vector()},  {{7, Index{1} << 62}, Format::csr()},
    };
    for (const auto& [shape, format] : wide) {
        for (const ElementType type : {ElementType::pattern, ElementType::int16}) {
            auto entries = naive::random_entries(shape, 500, type == ElementType::pattern, random);
            for (int e = 0; e < 50; ++e) entries.push_back(entries[random() % 400]);
            const Tensor tensor =
                build_tuned(naive::list_of(shape, entries, ElementType::int64, type, 60), format,
                            Duplicates::first, random() % 2 == 0 ? tiny : Tuning{},
                            Context({.threads = 2}), nullptr);
            tensor.check();
            EXPECT_EQ(tensor.level(tensor.rank() - 1).crd.type(),
                      index_type_for(tensor.dim(format.order.back()) - 1));
            expect_stores(tensor,
                          naive::merged(naive::sorted(entries, format.order), Duplicates::first));
        }
    }
}

/// Extents whose coordinates take so many bits together, as even as can be.
std::vector<Index> shape_of_bits(int bits, int rank) {
    std::vector<Index> shape;
    for (int d = 0; d < rank; ++d) {
        const int width = bits * (d + 1) / rank - bits * d / rank;
        shape.push_back(width == 63 ? std::numeric_limits<Index>::max() : Index{1} << width);
    }
    return shape;
}

TEST(Build, KeysThatLeaveNoRoomForPlaces) {
    std::mt19937_64 random(6);
    for (int bits = 118; bits <= 128; ++bits) {
        for (const int rank : {2, 3, 5, 16}) {
            if (rank == 2 && bits > 126) continue; // an extent is below 2^63
            const std::vector<Index> shape = shape_of_bits(bits, rank);
            std::vector<Format> formats = {Format::coo(rank), Format::csf(rank)};
            if (rank == 2) formats = {Format::coo(), Format::dcsr(), Format::dcsc()};
            for (const Index count : {1, 2, 5, 17, 300, 2000}) {
                auto entries = naive::random_entries(shape, count, false, random);
                // Entries that differ in their highest bit alone, and the end of the range.
                if (count > 2) {
                    entries[1] = {std::vector<Index>(shape.size(), 0), 3};
                    entries[2] = entries[1];
                    entries[2].at[0] = shape[0] / 2;
                }
                for (Index e = 0; e < count / 10; ++e) {
                    entries[random() % entries.size()].at = entries[random() % entries.size()].at;
                }
                for (std::size_t d = 0; d < shape.size(); ++d) entries[0].at[d] = shape[d] - 1;
                const Format& format = formats[random() % formats.size()];
                const Duplicates rule = rules[random() % rules.size()];
                const ElementType type =
                    random() % 4 == 0 ? ElementType::int16 : ElementType::float64;
                SCOPED_TRACE(testing::Message()
                             << bits << " bits, rank " << rank << ", " << count << " entries, "
                             << format.name() << ", " << name_of(rule));
                const Tensor tensor = build_tuned(
                    naive::list_of(shape, entries, ElementType::int64, type, 60), format, rule,
                    random() % 2 == 0 ? tiny : Tuning{}, Context({.threads = 2}), nullptr);
                tensor.check();
                expect_stores(tensor, naive::merged(naive::sorted(entries, format.order), rule));
                if (testing::Test::HasFailure()) return;
            }
        }
    }
}

TEST(Build, ShapesWiderThanKeysAreCutToWhatIsThere) {
    const Index far = Index{1} << 50;
    const naive::Entries entries = {{{3, 1, 4, 1}, 2}, {{1, 5, 9, 2}, 3}, {{1, 5, 9, 1}, 4}};
    const std::vector<Index> shape = {far, far, far, far};
    const Tensor tensor =
        build(naive::list_of(shape, entries, ElementType::int64, ElementType::int32, 2),
              Format::csf(4), Duplicates::keep);
    tensor.check();
    expect_stores(tensor, naive::sorted(entries, {0, 1, 2, 3}));
    const naive::Entries extremes = {{{far - 1, far - 1, far - 1, far - 1}, 2}};
    EXPECT_THROW(build(naive::list_of(shape, extremes, ElementType::int64, ElementType::int32, 2),
                       Format::csf(4), Duplicates::keep),
                 Error);
}

TEST(Build, EmptyThings) {
    for (const Case& c : cases) {
        const Tensor tensor =
            build(naive::list_of(c.shape, {}, ElementType::int32, ElementType::float32, 1),
                  c.format, Duplicates::sum);
        tensor.check();
        for (const naive::Entry& entry : naive::entries_of(tensor)) EXPECT_EQ(entry.value, 0);
    }
    const Tensor nothing =
        build(naive::list_of({0, 0}, {}, ElementType::int32, ElementType::pattern, 1),
              Format::csr(), Duplicates::keep);
    nothing.check();
    EXPECT_EQ(nothing.level(1).pos.size(), 1);
}

TEST(Build, RefusesIntegerSumsThatDoNotFit) {
    struct Sum {
        ElementType type;
        double value;     ///< that is added to itself
        const char* hint; ///< the type to try; nullptr: the sum fits
    };
    const std::vector<Sum> table = {
        {ElementType::int8, 63, nullptr},
        {ElementType::int8, 64, "int64"},
        {ElementType::int8, -64, nullptr},
        {ElementType::int8, -65, "int64"},
        {ElementType::uint8, 127, nullptr},
        {ElementType::uint8, 128, "int64"},
        {ElementType::int16, 20000, "int64"},
        {ElementType::int32, 2147483647, "int64"},
        {ElementType::uint32, 2147483648.0, "int64"},
        {ElementType::int64, 4611686018427387904.0, "float64"},
        {ElementType::uint64, 9223372036854775808.0, "float64"},
        {ElementType::int64, 2147483647, nullptr},
        {ElementType::float32, 3e38, nullptr},
        {ElementType::boolean, 1, nullptr},
    };
    for (const Sum& sum : table) {
        const naive::Entries entries = {{{0, 0}, sum.value},
                                        {{1, 0}, sum.value},
                                        {{0, 1}, 1},
                                        {{0, 0}, sum.value},
                                        {{1, 0}, sum.value}};
        for (const Format& format : {Format::csr(), Format::coo(), Format::dense(2)}) {
            const auto make = [&] {
                return build_tuned(naive::list_of({2, 2}, entries, ElementType::int32, sum.type, 2),
                                   format, Duplicates::sum, tiny, Context({.threads = 3}), nullptr);
            };
            if (sum.hint == nullptr) {
                EXPECT_NO_THROW(make()) << name_of(sum.type) << ' ' << sum.value;
                continue;
            }
            try {
                make();
                ADD_FAILURE() << "built " << name_of(sum.type);
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::range);
                EXPECT_EQ(error.diagnostic().message,
                          "values that are to be added up leave the range of " +
                              std::string(name_of(sum.type)) + ", in 2 additions");
                EXPECT_NE(error.diagnostic().hint.find(sum.hint), std::string::npos);
            }
        }
    }
}

TEST(Build, OtherRulesAddNothingUp) {
    const naive::Entries entries = {{{0, 0}, 100}, {{0, 0}, 100}};
    for (const Duplicates rule : rules) {
        if (rule == Duplicates::sum) continue;
        EXPECT_NO_THROW(
            build(naive::list_of({1, 1}, entries, ElementType::int32, ElementType::int8, 9),
                  Format::csr(), rule));
    }
}

TEST(ElementTypes, ReachAsFar) {
    using enum ElementType;
    struct Pair {
        ElementType wide;
        ElementType narrow;
        bool reaches;
    };
    const std::vector<Pair> table = {
        {int64, int32, true},    {int32, int64, false},    {int32, int32, true},
        {int32, uint16, true},   {int32, uint32, false},   {uint64, int8, false},
        {uint64, uint8, true},   {float64, int64, true},   {float32, int64, true},
        {int64, float32, false}, {float64, float32, true}, {float32, float64, false},
        {int8, pattern, true},   {boolean, pattern, true}, {pattern, int8, false},
        {boolean, int8, false},  {int64, boolean, false},  {pattern, pattern, true},
    };
    for (const Pair& pair : table) {
        EXPECT_EQ(reaches_as_far(pair.wide, pair.narrow), pair.reaches)
            << name_of(pair.wide) << ' ' << name_of(pair.narrow);
    }
}

TEST(Build, SumsAreTakenInListOrder) {
    // In floating point the order decides: 1e16 + 1 + 1 - 1e16 is 0, 2 or 1 depending on it.
    const naive::Entries entries = {{{0, 0}, 1e16}, {{0, 0}, 1}, {{0, 0}, 1}, {{0, 0}, -1e16}};
    for (const Format& format : {Format::csr(), Format::coo()}) {
        const Tensor tensor = build_tuned(
            naive::list_of({2, 2}, entries, ElementType::int32, ElementType::float64, 1), format,
            Duplicates::sum, tiny, Context({.threads = 3}), nullptr);
        EXPECT_EQ(tensor.values().as<double>()[0], 0);
    }
}

TEST(Build, RefusesCoordinatesOutsideTheShape) {
    struct Outside {
        std::vector<Index> at;
        std::string message;
    };
    const std::vector<Outside> table = {
        {{3, 0}, "coordinate 3 of dimension 0 is outside the shape (entry 2)"},
        {{-1, 0}, "coordinate -1 of dimension 0 is outside the shape (entry 2)"},
        {{0, 5}, "coordinate 5 of dimension 1 is outside the shape (entry 2)"},
        {{0, -2147483648LL},
         "coordinate -2147483648 of dimension 1 is outside the shape (entry 2)"},
    };
    for (const Outside& outside : table) {
        for (const Format& format : {Format::csr(), Format::coo(), Format::csc()}) {
            const naive::Entries entries = {{{0, 0}}, {{2, 4}}, {outside.at}, {{1, 1}}};
            try {
                build(naive::list_of({3, 5}, entries, ElementType::int32, ElementType::pattern, 2),
                      format, Duplicates::keep);
                ADD_FAILURE() << "built";
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::range);
                EXPECT_EQ(error.diagnostic().message, outside.message);
            }
        }
    }
}

TEST(Build, HonoursTheLimitAndNamesTheWayOut) {
    const naive::Entries entries = {{{0, 0}}, {{5, 4}}};
    const Context context({.memory_limit = 1 << 20});
    try {
        build(naive::list_of({Index{1} << 40, 5}, entries, ElementType::int64, ElementType::pattern,
                             2),
              Format::csr(), Duplicates::keep, context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_NE(error.diagnostic().hint.find("dcsr"), std::string::npos);
    }
    EXPECT_EQ(context.budget()->used(), 0u);
    EXPECT_THROW(build(naive::list_of({Index{1} << 40, Index{1} << 40}, entries, ElementType::int64,
                                      ElementType::pattern, 2),
                       Format::dense(2), Duplicates::keep),
                 Error);
}

TEST(Build, GivesBackEverything) {
    const Context context({.threads = 2, .memory_limit = 1 << 30});
    std::mt19937_64 random(5);
    {
        const auto entries = naive::random_entries({1000, 1000}, 100000, false, random);
        const Tensor tensor = build_tuned(
            naive::list_of({1000, 1000}, entries, ElementType::int32, ElementType::float64, 5000),
            Format::csr(), Duplicates::sum, tiny, context, nullptr);
        EXPECT_LE(context.budget()->used(), tensor.bytes() + 800000u);
    }
    EXPECT_EQ(context.budget()->used(), 0u);
    const auto bad = naive::random_entries({2000, 1000}, 100000, false, random);
    EXPECT_THROW(
        build(naive::list_of({1000, 1000}, bad, ElementType::int32, ElementType::float64, 5000),
              Format::csr(), Duplicates::sum, context),
        Error);
    EXPECT_EQ(context.budget()->used(), 0u);
}

TEST(Build, RefusesFormatsThatCannotHold) {
    const auto list = [] {
        return naive::list_of({3, 3}, {}, ElementType::int32, ElementType::pattern, 1);
    };
    EXPECT_THROW(build(list(), Format::csf(3), Duplicates::keep), Error);
    EXPECT_THROW(
        build(list(), {{LevelKind::dense, LevelKind::compressed}, {0, 0}}, Duplicates::keep),
        Error);
    EXPECT_THROW(
        build(list(), {{LevelKind::dense, LevelKind::singleton}, {0, 1}}, Duplicates::keep), Error);
    EXPECT_THROW(
        build(list(), {{LevelKind::singleton, LevelKind::compressed}, {0, 1}}, Duplicates::keep),
        Error);
}

TEST(Build, CanBeCancelled) {
    auto flag = std::make_shared<std::atomic<bool>>(true);
    const Context context({.cancelled = flag});
    const naive::Entries entries = {{{0, 0}}};
    try {
        build(naive::list_of({1, 1}, entries, ElementType::int32, ElementType::pattern, 1),
              Format::csr(), Duplicates::keep, context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled);
    }
}

TEST(MatrixFromEdges, TakesBorrowedArrays) {
    const std::vector<std::int32_t> from = {2, 0, 2};
    const std::vector<std::int64_t> to = {1, 1, 0};
    const std::vector<float> weights = {5, 6, 7};
    const auto borrow = [](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::value_type;
        return Array::borrow(element_type_of<T>(), v.data(), static_cast<Index>(v.size()));
    };
    const Tensor tensor = matrix_from_edges(3, 2, borrow(from), borrow(to), borrow(weights));
    EXPECT_TRUE(
        (naive::entries_of(tensor) == naive::Entries{{{0, 1}, 6}, {{2, 0}, 7}, {{2, 1}, 5}}));
    const Tensor pattern = matrix_from_edges(3, 2, borrow(from), borrow(to), {});
    EXPECT_TRUE(pattern.is_pattern());
    EXPECT_EQ(pattern.entries(), 3);
    EXPECT_THROW(matrix_from_edges(3, 2, borrow(from), borrow(weights), {}), Error);
    EXPECT_THROW(matrix_from_edges(3, 2, borrow(from),
                                   Array::borrow(ElementType::int32, from.data(), 2), {}),
                 Error);
}

TEST(Duplicates, NamesGoBothWays) {
    for (const Duplicates rule : rules) {
        Duplicates parsed{};
        EXPECT_TRUE(parse_duplicates(name_of(rule), parsed));
        EXPECT_EQ(parsed, rule);
    }
    Duplicates untouched = Duplicates::max;
    EXPECT_FALSE(parse_duplicates("mean", untouched));
    EXPECT_EQ(untouched, Duplicates::max);
}

} // namespace
} // namespace tropic
