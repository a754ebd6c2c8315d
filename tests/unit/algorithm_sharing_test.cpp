// Sharing small loops: the way that turns out to be faster is kept, whichever it is, and another
// one is found when that changes.
#include <gtest/gtest.h>

#include "machines/cpu/algorithm/sharing.h"

namespace tropic::cpu {
namespace {

/// Runs a loop that takes so long for a unit of work either way, and counts the runs that were
/// shared.
int shared_runs(Sharing& sharing, int runs, double alone, double shared) {
    int count = 0;
    for (int run = 0; run < runs; ++run) {
        const double work = 500 + run % 7;
        count += sharing.pays() ? 1 : 0;
        sharing.learn(work * (sharing.pays() ? shared : alone), work);
    }
    return count;
}

TEST(AlgorithmSharing, KeepsTheFasterWay) {
    Sharing helps;
    EXPECT_GT(shared_runs(helps, 2000, 2, 1), 1700);
    Sharing hurts;
    EXPECT_LT(shared_runs(hurts, 2000, 1, 2), 300);
}

TEST(AlgorithmSharing, TriesTheOtherWayNowAndThen) {
    Sharing sharing;
    EXPECT_LT(shared_runs(sharing, 1000, 1, 2), 300);
    shared_runs(sharing, 3000, 2, 1);
    EXPECT_GT(shared_runs(sharing, 1000, 2, 1), 900);
}

TEST(AlgorithmSharing, DoesNotCountTheFirstRunsAfterAChange) {
    Sharing sharing;
    bool before = sharing.pays();
    int since = 0;
    int shared = 0;
    for (int run = 0; run < 1000; ++run) {
        const bool now = sharing.pays();
        since = now == before ? since + 1 : 0;
        before = now;
        shared += now ? 1 : 0;
        sharing.learn(500 * (now ? 1 : 2) + (since < 5 ? 1e6 : 0), 500);
    }
    EXPECT_GT(shared, 800);
}

// Where the other way takes several times as long, hardly any runs are spent on finding out.
TEST(AlgorithmSharing, GivesUpHopelessTrialsEarly) {
    Sharing hurts;
    EXPECT_LT(shared_runs(hurts, 2000, 1, 3), 90);
}

TEST(AlgorithmSharing, RemembersLoopsByThreads) {
    SharingMemory memory;
    const int one = 0;
    const int other = 0;
    Sharing hurts = memory.recall(&one, 2);
    shared_runs(hurts, 100, 1, 3);
    ASSERT_FALSE(hurts.pays());
    memory.keep(&one, 2, hurts);
    EXPECT_FALSE(memory.recall(&one, 2).pays());
    // What is settled holds whatever the pace is now, and is tried again in time.
    Sharing elsewhere = memory.recall(&one, 2);
    EXPECT_LT(shared_runs(elsewhere, 60, 100, 300), 20);
    EXPECT_GT(shared_runs(elsewhere, 3000, 300, 100), 2500);
    EXPECT_TRUE(memory.recall(&one, 3).pays());
    EXPECT_TRUE(memory.recall(&other, 2).pays());
}

} // namespace
} // namespace tropic::cpu
