#include "tropic/array.h"

#include <gtest/gtest.h>

#include "support/memory.h"
#include "tropic/error.h"

namespace tropic {
namespace {

TEST(Array, IsRefusedBeforeItPassesTheLimit) {
    const Context context({.memory_limit = 1000});
    const Array small = Array::allocate(ElementType::int32, 200, context, "a small array");
    EXPECT_EQ(context.budget()->used(), 800u);
    try {
        Array::allocate(ElementType::int64, 26, context, "a large array");
        FAIL() << "allocated over the limit";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_NE(std::string(error.what()).find("a large array"), std::string::npos);
    }
    EXPECT_EQ(context.budget()->used(), 800u);
}

TEST(Array, GivesItsMemoryBack) {
    const Context context({.memory_limit = 100 << 20});
    {
        Array array = Array::zeros(ElementType::float64, 1 << 20, context, "values");
        EXPECT_EQ(array.as<double>()[(1 << 20) - 1], 0);
        array.shrink(1000);
        EXPECT_LT(context.budget()->used(), 1u << 20);
        EXPECT_EQ(array.size(), 1000);
    }
    EXPECT_EQ(context.budget()->used(), 0u);
}

TEST(Array, RefusesSizesNoMachineHas) {
    EXPECT_THROW(Array::allocate(ElementType::int64, Index{1} << 62, {}, "too much"), Error);
    EXPECT_THROW(Array::allocate(ElementType::int64, -1, {}, "negative"), Error);
}

TEST(Cast, NamesTheValueThatDoesNotFit) {
    const std::vector<std::int32_t> numbers = {1, -1, 300};
    const Array array = Array::copy_of<std::int32_t>(numbers, {}, "numbers");
    EXPECT_EQ(cast(array, ElementType::float64, {}).as<double>()[2], 300);
    EXPECT_THROW(cast(array, ElementType::uint8, {}), Error);
    try {
        cast(array, ElementType::int8, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().message, "value 300 of entry 2 does not fit int8");
    }
}

TEST(Array, AnotherTypeIsRefused) {
    const Array array = Array::copy_of<double>(std::vector<double>{1, 2}, {}, "numbers");
    EXPECT_EQ(array.as<double>()[1], 2);
    EXPECT_THROW(static_cast<void>(array.as<float>()), Error);
    EXPECT_THROW(static_cast<void>(array.as<std::int64_t>()), Error);
}

} // namespace
} // namespace tropic
