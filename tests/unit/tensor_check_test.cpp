#include <gtest/gtest.h>

#include "tropic/error.h"
#include "tropic/tensor.h"

namespace tropic {
namespace {

Array numbers(const std::vector<std::int32_t>& values) {
    return Array::copy_of<std::int32_t>(values, {}, "test");
}

Array no_values(Index count) {
    return Array::allocate(ElementType::pattern, count, {}, "test");
}

Tensor csr(const std::vector<std::int32_t>& pos, const std::vector<std::int32_t>& crd, Index values,
           bool unique = true, bool sorted = true) {
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, numbers(pos), numbers(crd)};
    return Tensor({2, 3}, Format::csr(), levels, no_values(values), unique, sorted);
}

std::string complaint(const Tensor& tensor) {
    try {
        tensor.check(Context({.threads = 2}));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::corrupt);
        return error.diagnostic().message;
    }
    return "";
}

TEST(Tensor, TakesAsManyValuesAsEntries) {
    const Tensor tensor = csr({0, 2, 3}, {0, 2, 1}, 3);
    EXPECT_EQ(tensor.with_values(numbers({7, 8, 9})).type(), ElementType::int32);
    EXPECT_TRUE(tensor.with_values(numbers({7, 8, 9})).with_values(no_values(3)).is_pattern());
    for (const Array& wrong : {numbers({7, 8}), numbers({7, 8, 9, 10}), no_values(0)}) {
        try {
            static_cast<void>(tensor.with_values(wrong));
            ADD_FAILURE() << wrong.size() << " values were taken";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage);
            EXPECT_EQ(error.diagnostic().message,
                      std::to_string(wrong.size()) + " values are given for a tensor of 3 entries");
        }
    }
}

TEST(TensorCheck, AcceptsWhatIsRight) {
    EXPECT_EQ(complaint(csr({0, 2, 3}, {0, 2, 1}, 3)), "");
    EXPECT_EQ(complaint(csr({0, 0, 0}, {}, 0)), "");
    EXPECT_EQ(complaint(csr({0, 2, 3}, {1, 1, 1}, 3, false)), "");
    EXPECT_EQ(complaint(csr({0, 2, 3}, {2, 0, 1}, 3, true, false)), "");
    EXPECT_EQ(complaint(Tensor()), "");
}

TEST(TensorCheck, NamesWhatIsWrong) {
    struct Fault {
        Tensor tensor;
        std::string message;
    };
    std::vector<Level> other_kind(2);
    std::vector<Level> coo(2);
    coo[0] = {LevelKind::compressed, numbers({0, 2}), numbers({0, 0})};
    coo[1] = {LevelKind::singleton, {}, numbers({2, 1})};
    std::vector<Level> short_coo = coo;
    short_coo[1].crd = numbers({2});
    std::vector<Level> floats(2);
    floats[1] = {LevelKind::compressed, numbers({0, 0, 0}),
                 Array::allocate(ElementType::float32, 0, {}, "")};
    const std::vector<Fault> faults = {
        {csr({0, 2}, {0, 1}, 2), "level 1: 2 positions for 2 parents"},
        {csr({1, 2, 2}, {0, 1}, 2), "level 1: the first position is 1, not 0"},
        {csr({0, 2, 1}, {0, 1}, 2), "level 1: position 2 is 1, less than the 2 before it"},
        {csr({0, 1, 3}, {0, 1}, 2), "level 1: positions end at 3, and there are 2 coordinates"},
        {csr({0, 1, 2}, {0, 3}, 2), "level 1: coordinate 3 at 1 is outside 0 to 2"},
        {csr({0, 1, 2}, {-1, 0}, 2), "level 1: coordinate -1 at 0 is outside 0 to 2"},
        {csr({0, 1, 2}, {0, 1}, 3), "3 values for 2 entries"},
        {csr({0, 2, 3}, {2, 0, 1}, 3),
         "level 1: coordinate 0 at 1 follows 2, which is not ascending"},
        {csr({0, 2, 3}, {1, 1, 1}, 3),
         "level 1: coordinate 1 at 1 follows 1, which is not ascending"},
        {csr({0, 2, 3}, {1, 1, 0}, 3, true, false), "some coordinates are stored twice"},
        {Tensor({2, 3}, Format::csr(), {}, no_values(0), true, true), "rank 2 with 0 levels"},
        {Tensor({2, 3}, Format::csr(), other_kind, no_values(0), true, true),
         "level 1: another kind"},
        {Tensor({2, 3}, Format::csr(), floats, no_values(0), true, true),
         "level 1: crd holds float32, not int32 or int64"},
        {Tensor({2, 3}, Format::coo(), coo, no_values(2), true, true),
         "level 0: coordinate 0 at 1 follows 0, which is not ascending"},
        {Tensor({2, 3}, Format::coo(), short_coo, no_values(2), true, true),
         "level 1: 1 coordinates for 2 parents"},
        {Tensor({Index{1} << 40, Index{1} << 40}, Format::dense(2), other_kind, no_values(0), true,
                true),
         "level 1: a dense level of 1099511627776 times 1099511627776 elements"},
        {Tensor({-1, 3}, Format::csr(), other_kind, no_values(0), true, true),
         "a dimension has extent -1"},
        {Tensor({2, 3}, {{LevelKind::dense, LevelKind::dense}, {0, 0}}, other_kind, no_values(6),
                true, true),
         "the levels do not cover the dimensions"},
    };
    for (const Fault& fault : faults) EXPECT_EQ(complaint(fault.tensor), fault.message);
}

TEST(TensorCheck, LooksAcrossPiecesOfItsWork) {
    // One row of 200000 ascending columns with one step back in the middle, where pieces meet.
    constexpr std::int32_t count = 200000;
    for (const std::int32_t fault : {65536, 131072, 131073, 199999, -1}) {
        std::vector<std::int32_t> crd(count);
        for (std::int32_t i = 0; i < count; ++i) crd[i] = i + 1;
        if (fault >= 0) crd[fault] = 0;
        std::vector<Level> levels(2);
        levels[1] = {LevelKind::compressed, numbers({0, 0, count, count}), numbers(crd)};
        const Tensor tensor({3, count + 1}, Format::csr(), levels, no_values(count), true, true);
        EXPECT_EQ(complaint(tensor).empty(), fault < 0);
    }
}

} // namespace
} // namespace tropic
