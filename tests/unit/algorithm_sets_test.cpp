// Sets and sparse vectors against std::set, in both forms and both widths.
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "algorithm_session.h"

namespace tropic::cpu {

namespace {

using Members = std::set<std::int64_t>;

struct Sets : ::testing::TestWithParam<std::tuple<int, bool>> {
    int threads() const { return std::get<0>(GetParam()); }
    bool wide() const { return std::get<1>(GetParam()); }
};

Members random_members(std::mt19937& random, std::int64_t size, std::int64_t count) {
    Members members;
    for (std::int64_t i = 0; i < count && size > 0; ++i) {
        members.insert(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
    }
    return members;
}

void fill(TestSession& test, int variable, std::int64_t size, const Members& members, bool listed) {
    test.table.create(test.frame(), variable, size, 1, nullptr);
    const std::vector<std::int64_t> items(members.begin(), members.end());
    test.table.members(test.frame(), variable, items.data(),
                       static_cast<std::int64_t>(items.size()), "line 2, column 5");
    if (!listed) set_at(test.session.frame, variable).listed = 0;
}

void expect_members(TestSession& test, int variable, const Members& members) {
    StoredSet& set = set_at(test.session.frame, variable);
    mark_members(test.session.set_tools(), set);
    EXPECT_EQ(set.count, static_cast<std::int64_t>(members.size()));
    std::int64_t marked = 0;
    for (std::int64_t i = 0; i < set.size; ++i) marked += has_member(set, i) ? 1 : 0;
    EXPECT_EQ(marked, set.count);
    for (const std::int64_t i : members) {
        if (!has_member(set, i)) ADD_FAILURE() << i << " is missing";
    }
    EXPECT_EQ(test.members_of(variable), std::vector<std::int64_t>(members.begin(), members.end()));
}

TEST_P(Sets, CombineLikeSetsOfTheStandardLibrary) {
    TestAlgorithm of;
    const int a = of.add(la::Type::Shape::set);
    const int b = of.add(la::Type::Shape::set);
    std::mt19937 random(7);
    TestSession test(of, threads(), wide());
    for (const std::int64_t size : {0, 1, 63, 64, 65, 1000, 40'000}) {
        for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, size / 200, size / 2}) {
            for (int form = 0; form < 4; ++form) {
                for (std::int64_t operation = 0; operation < 3; ++operation) {
                    const Members left = random_members(random, size, count);
                    const Members right = random_members(random, size, size / 3);
                    fill(test, a, size, left, (form & 1) != 0);
                    fill(test, b, size, right, (form & 2) != 0);
                    test.table.combine(test.frame(), a, b, operation);
                    Members expected;
                    for (std::int64_t i = 0; i < size; ++i) {
                        const bool l = left.contains(i);
                        const bool r = right.contains(i);
                        if (operation == 0 ? l || r : operation == 1 ? l && r : l && !r) {
                            expected.insert(i);
                        }
                    }
                    expect_members(test, a, expected);
                    expect_members(test, b, right);
                }
            }
        }
    }
}

TEST_P(Sets, CopiesAndStacksHoldTheSame) {
    TestAlgorithm of;
    const int a = of.add(la::Type::Shape::set);
    const int b = of.add(la::Type::Shape::set);
    const int stack = of.add(la::Type::Shape::stack);
    std::mt19937 random(11);
    TestSession test(of, threads(), wide());
    test.table.create(test.frame(), stack, 0, 1, nullptr);
    std::vector<Members> pushed;
    for (const std::int64_t count : {0, 1, 20, 5000}) {
        const Members members = random_members(random, 10'000, count);
        fill(test, a, 10'000, members, count % 2 == 0);
        test.table.assign(test.frame(), b, a);
        expect_members(test, b, members);
        test.table.push(test.frame(), stack, b);
        pushed.push_back(members);
    }
    EXPECT_EQ(stack_at(test.session.frame, stack).count, 4);
    while (!pushed.empty()) {
        test.table.pop(test.frame(), stack, a, "line 2, column 5");
        expect_members(test, a, pushed.back());
        pushed.pop_back();
    }
    EXPECT_THROW(test.table.pop(test.frame(), stack, a, "line 2, column 5"), Error);
}

/// Makes a set that is not marked: what comes from a stack is a list.
void take_marks(TestSession& test, int variable, int stack) {
    test.table.push(test.frame(), stack, variable);
    test.table.pop(test.frame(), stack, variable, "line 2, column 5");
    const StoredSet& set = set_at(test.session.frame, variable);
    EXPECT_EQ(set.marked, set.count == 0 ? 1 : 0);
}

TEST_P(Sets, ListsServeWithoutMarks) {
    TestAlgorithm of;
    const int a = of.add(la::Type::Shape::set);
    const int b = of.add(la::Type::Shape::set);
    const int stack = of.add(la::Type::Shape::stack);
    std::mt19937 random(5);
    TestSession test(of, threads(), wide());
    test.table.create(test.frame(), stack, 0, 1, nullptr);
    for (const std::int64_t count : {0, 1, 50, 5000}) {
        for (std::int64_t operation = 0; operation < 3; ++operation) {
            for (int form = 1; form < 4; ++form) {
                const Members left = random_members(random, 40'000, count);
                const Members right = random_members(random, 40'000, 100);
                fill(test, a, 40'000, left, true);
                fill(test, b, 40'000, right, true);
                if ((form & 1) != 0) take_marks(test, a, stack);
                if ((form & 2) != 0) take_marks(test, b, stack);
                test.table.combine(test.frame(), a, b, operation);
                Members expected = operation == 1 ? Members{} : left;
                for (const std::int64_t i : right) {
                    if (operation == 0 || (operation == 1 && left.contains(i))) expected.insert(i);
                    if (operation == 2) expected.erase(i);
                }
                expect_members(test, a, expected);
                take_marks(test, a, stack);
                test.table.assign(test.frame(), b, a);
                expect_members(test, b, expected);
                take_marks(test, a, stack);
                EXPECT_EQ(test.table.insert(test.frame(), a, 7, ""), expected.contains(7) ? 0 : 1);
                expected.insert(7);
                take_marks(test, a, stack);
                order_members(test.session.set_tools(), set_at(test.session.frame, a));
                expect_members(test, a, expected);
                take_marks(test, a, stack);
                test.table.clear(test.frame(), a);
                expect_members(test, a, {});
            }
        }
    }
}

TEST_P(Sets, ElementsOfNoMemberHoldTheResetValue) {
    TestAlgorithm of;
    const int a = of.add(la::Type::Shape::sparse);
    std::mt19937 random(3);
    TestSession test(of, threads(), wide());
    const std::int32_t reset = 77;
    for (const std::int64_t count : {1, 10, 3000, 9000}) {
        for (const bool listed : {false, true}) {
            test.table.create(test.frame(), a, 10'000, 1, &reset);
            StoredSet& set = set_at(test.session.frame, a);
            auto* const values = static_cast<std::int32_t*>(set.values);
            for (const std::int64_t item : random_members(random, 10'000, count)) {
                test.table.insert(test.frame(), a, item, "");
                values[item] = static_cast<std::int32_t>(item);
            }
            if (!listed) set.listed = 0;
            test.table.clear(test.frame(), a);
            expect_members(test, a, {});
            for (std::int64_t i = 0; i < 10'000; ++i) ASSERT_EQ(values[i], reset);
        }
    }
}

TEST_P(Sets, MembersOutsideTheSpaceAreRefused) {
    TestAlgorithm of;
    const int a = of.add(la::Type::Shape::set);
    TestSession test(of, threads(), wide());
    test.table.create(test.frame(), a, 10, 1, nullptr);
    const std::int64_t outside[] = {3, 10};
    try {
        test.table.members(test.frame(), a, outside, 2, "line 2, column 5");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::range);
        EXPECT_EQ(error.diagnostic().line, 2);
        EXPECT_EQ(error.diagnostic().source_line, "    x[i] = 1;");
    }
    EXPECT_THROW(test.table.insert(test.frame(), a, -1, ""), Error);
}

INSTANTIATE_TEST_SUITE_P(Algorithm, Sets,
                         ::testing::Combine(::testing::Values(1, 3), ::testing::Bool()));

} // namespace

} // namespace tropic::cpu
