// Freed memory that is used again: only while somebody wants it, never beyond the limit, and never
// mistaken for zeros.
#include <cstring>

#include <gtest/gtest.h>

#include "support/memory.h"
#include "tropic/array.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr Index large = 4 << 20;

const void* used_and_freed(const Context& context) {
    Array array = Array::allocate(ElementType::uint8, large, context, "test");
    std::memset(array.mutable_data(), 1, array.bytes());
    return array.data();
}

TEST(PagePool, GivesBlocksAgainWhileInUse) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    PagePool& pool = context.budget()->pool();
    {
        const PagePool::Use use(pool);
        const void* const first = used_and_freed(context);
        EXPECT_GE(pool.kept(), static_cast<std::size_t>(large));
        EXPECT_EQ(context.budget()->used(), 0u);
        const Array again = Array::allocate(ElementType::uint8, large - 1000, context, "test");
        EXPECT_EQ(again.data(), first);
        EXPECT_EQ(pool.kept(), 0u);
        used_and_freed(context);
        EXPECT_GT(pool.kept(), 0u);
    }
    EXPECT_EQ(pool.kept(), 0u);
    used_and_freed(context);
    EXPECT_EQ(pool.kept(), 0u);
}

// Wherever a mapping happens to begin: none is left behind that nobody finds again.
TEST(PagePool, FindsBlocksOfEverySizeAgain) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    PagePool& pool = context.budget()->pool();
    const PagePool::Use use(pool);
    for (const Index size : {Index{1} << 20, (Index{1} << 20) + 64, Index{3} << 19, Index{2} << 20,
                             (Index{2} << 20) + 1, Index{5} << 20}) {
        pool.drain();
        std::vector<Array> some;
        for (int n = 0; n < 4; ++n) {
            some.push_back(Array::allocate(ElementType::uint8, size, context, "test"));
        }
        some.clear();
        const std::size_t kept = pool.kept();
        for (int n = 0; n < 4; ++n) {
            some.push_back(Array::allocate(ElementType::uint8, size, context, "test"));
        }
        EXPECT_EQ(pool.kept(), 0u) << size;
        some.clear();
        EXPECT_EQ(pool.kept(), kept) << size;
    }
}

TEST(PagePool, ZerosAreZeroAgain) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    const PagePool::Use use(context.budget()->pool());
    const void* const first = used_and_freed(context);
    const Array zeros = Array::zeros(ElementType::uint8, large, context, "test");
    EXPECT_EQ(zeros.data(), first);
    for (const std::uint8_t byte : zeros.as<std::uint8_t>()) ASSERT_EQ(byte, 0);
}

TEST(PagePool, DoesNotTakeBlocksThatAreFarTooLarge) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    const PagePool::Use use(context.budget()->pool());
    {
        const Array array = Array::allocate(ElementType::uint8, 5 * large, context, "test");
    }
    const std::size_t kept = context.budget()->pool().kept();
    const Array small = Array::allocate(ElementType::uint8, large, context, "test");
    EXPECT_EQ(context.budget()->pool().kept(), kept);
}

TEST(PagePool, GivesTheLargestToThoseWhoCanMakeItLarger) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 1 << 28});
    PagePool& pool = context.budget()->pool();
    const PagePool::Use use(pool);
    EXPECT_EQ(pool.take_largest(1).mapping, nullptr);
    const void* larger = nullptr;
    {
        const Array small = Array::allocate(ElementType::uint8, large, context, "test");
        const Array array = Array::allocate(ElementType::uint8, 2 * large, context, "test");
        larger = array.data();
    }
    EXPECT_EQ(pool.take_largest(10 * large).mapping, nullptr);
    const PagePool::Block block = pool.take_largest(large);
    EXPECT_EQ(block.data, larger);
    pool.give(block);
}

TEST(PagePool, GivesWayToTheLimit) {
    const Context context(ContextOptions{.threads = 1, .memory_limit = 40 << 20});
    const PagePool::Use use(context.budget()->pool());
    used_and_freed(context);
    EXPECT_GT(context.budget()->pool().kept(), 0u);
    const Array array = Array::allocate(ElementType::uint8, 38 << 20, context, "test");
    EXPECT_EQ(context.budget()->pool().kept(), 0u);
    EXPECT_THROW(Array::allocate(ElementType::uint8, 3 << 20, context, "test"), Error);
}

} // namespace

} // namespace tropic
