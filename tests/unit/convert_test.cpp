#include <gtest/gtest.h>

#include "naive_tensor.h"
#include "tropic/error.h"

namespace tropic {
namespace {

using naive::Entries;

const std::vector<std::pair<std::vector<Index>, std::vector<Format>>> families = {
    {{9, 14},
     {Format::csr(),
      Format::csc(),
      Format::dcsr(),
      Format::dcsc(),
      Format::coo(),
      Format::dense(2),
      {{LevelKind::dense, LevelKind::dense}, {1, 0}}}},
    {{20}, {Format::sparse_vector(), Format::dense_vector(), Format::coo(1)}},
    {{4, 5, 6},
     {Format::coo(3),
      Format::csf(3),
      Format::dense(3),
      {{LevelKind::dense, LevelKind::compressed, LevelKind::singleton}, {0, 1, 2}},
      {{LevelKind::compressed, LevelKind::dense, LevelKind::compressed}, {2, 0, 1}}}},
};

TEST(Convert, EveryFormatToEveryOther) {
    std::mt19937_64 random(1);
    for (const auto& [shape, formats] : families) {
        std::vector<int> natural(shape.size());
        for (std::size_t d = 0; d < shape.size(); ++d) natural[d] = static_cast<int>(d);
        for (int round = 0; round < 20; ++round) {
            const auto type = round % 2 == 0 ? ElementType::int16 : ElementType::float64;
            const auto count = static_cast<Index>(random() % 80);
            const Entries entries = naive::merged(
                naive::sorted(naive::random_entries(shape, count, false, random), natural),
                Duplicates::first);
            const Context context({.threads = 1 + round % 3});
            for (const Format& from : formats) {
                const Tensor source =
                    build(naive::list_of(shape, entries, ElementType::int32, type, 9), from,
                          Duplicates::keep, context);
                for (const Format& to : formats) {
                    SCOPED_TRACE(from.name() + " to " + to.name());
                    const Tensor result = convert(source, to, context);
                    ASSERT_NO_THROW(result.check(context));
                    EXPECT_EQ(result.format(), to);
                    EXPECT_EQ(result.type(), type);
                    EXPECT_TRUE(result.unique());
                    Entries stored = naive::entries_of(result);
                    if (to.levels.back() == LevelKind::dense) {
                        std::erase_if(stored, [](const auto& e) { return e.value == 0; });
                    }
                    EXPECT_TRUE(stored == naive::sorted(entries, to.order));
                    const Tensor direct =
                        build(naive::list_of(shape, entries, ElementType::int32, type, 9), to,
                              Duplicates::keep, context);
                    for (int l = 0; l < result.rank(); ++l) {
                        EXPECT_EQ(result.level(l).pos.type(), direct.level(l).pos.type());
                        EXPECT_EQ(result.level(l).crd.type(), direct.level(l).crd.type());
                    }
                }
            }
        }
    }
}

TEST(Convert, KeepsDuplicatesAndTheirOrder) {
    const Entries entries = {{{1, 1}, 5}, {{0, 2}, 6}, {{1, 1}, 4}, {{1, 0}, 7}, {{1, 1}, 5}};
    for (const Format& from : {Format::csr(), Format::csc(), Format::coo(), Format::dcsr()}) {
        const Tensor source =
            build(naive::list_of({2, 3}, entries, ElementType::int32, ElementType::int32, 2), from,
                  Duplicates::keep);
        for (const Format& to : {Format::csr(), Format::csc(), Format::coo(), Format::dcsc()}) {
            const Tensor result = convert(source, to);
            result.check();
            EXPECT_FALSE(result.unique());
            EXPECT_TRUE(naive::entries_of(result) == naive::sorted(entries, to.order));
        }
        EXPECT_THROW(convert(source, Format::dense(2)), Error);
    }
}

TEST(Convert, PatternToDenseIsBoolean) {
    const Tensor source = build(
        naive::list_of({2, 2}, {{{0, 1}}, {{1, 0}}}, ElementType::int32, ElementType::pattern, 2),
        Format::csr(), Duplicates::keep);
    const Tensor dense = convert(source, Format::dense(2));
    EXPECT_EQ(dense.type(), ElementType::boolean);
    const auto values = dense.values().as<bool>();
    EXPECT_EQ(std::vector<bool>(values.begin(), values.end()),
              (std::vector<bool>{false, true, true, false}));
}

TEST(Convert, RefusesRowsThatMemoryCannotHold) {
    const Index far = Index{1} << 40;
    const Tensor source =
        build(naive::list_of({far, far}, {{{1, 2}}}, ElementType::int64, ElementType::pattern, 1),
              Format::dcsr(), Duplicates::keep);
    for (const Format& to : {Format::csr(), Format::csc(), Format::dense(2)}) {
        try {
            convert(source, to);
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            EXPECT_NE(error.diagnostic().hint.find("dcsr"), std::string::npos);
        }
    }
    EXPECT_TRUE(naive::entries_of(convert(source, Format::dcsc())) == naive::entries_of(source));
}

TEST(Build, RefusesATensorWithoutDimensions) {
    try {
        build(CoordinateList{}, Format{}, Duplicates::keep);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().message, "a tensor of rank 0 has no dimensions to store");
    }
}

TEST(CoordinatesOf, GoesBackIntoTheSameTensor) {
    std::mt19937_64 random(9);
    for (const auto& [shape, formats] : families) {
        for (const Format& format : formats) {
            if (format.levels.back() == LevelKind::dense) continue;
            const auto entries = naive::random_entries(shape, 70, false, random);
            const Tensor tensor =
                build(naive::list_of(shape, entries, ElementType::int64, ElementType::int32, 10),
                      format, Duplicates::keep);
            const CoordinateList list = coordinates_of(tensor);
            EXPECT_EQ(list.entries(), 70);
            EXPECT_EQ(list.index_type, ElementType::int32);
            const Tensor again = build(list, format, Duplicates::keep);
            EXPECT_TRUE(naive::entries_of(again) == naive::entries_of(tensor));
        }
    }
    const Tensor dense =
        build(naive::list_of({2, 3}, {{{1, 1}, 4}}, ElementType::int32, ElementType::int32, 1),
              Format::dense(2), Duplicates::keep);
    EXPECT_EQ(coordinates_of(dense).entries(), 6);
}

} // namespace
} // namespace tropic
