// The threads of a run.
#include <atomic>
#include <chrono>
#include <set>

#include <gtest/gtest.h>

#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

TEST(AlgorithmTeam, EveryPieceIsDoneOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        Team team(threads);
        for (const std::int64_t count : {0, 1, 2, 63, 1000}) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
            team_pieces(team, count, [&](std::int64_t piece) { ++done[piece]; });
            for (const auto& times : done) EXPECT_EQ(times, 1);
        }
    }
}

TEST(AlgorithmTeam, ManyShortLoopsOneAfterTheOther) {
    Team team(4);
    std::int64_t plain = 0; // written by one piece at a time: loops do not overlap
    for (int round = 0; round < 20'000; ++round) {
        std::atomic<std::int64_t> sum{0};
        team_pieces(team, 5, [&](std::int64_t piece) { sum += piece; });
        plain += sum;
    }
    EXPECT_EQ(plain, 20'000 * 10);
}

TEST(AlgorithmTeam, ThreadsThatSleptComeBack) {
    Team team(3);
    for (int round = 0; round < 20; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::atomic<int> done{0};
        team_pieces(team, 50, [&](std::int64_t) { ++done; });
        EXPECT_EQ(done, 50);
    }
}

TEST(AlgorithmTeam, OtherThreadsTakePart) {
    Team team(2);
    std::set<std::thread::id> seen;
    std::mutex mutex;
    // Until the other one has come, which may take as long as it takes to start it.
    for (int round = 0; round < 1000 && seen.size() < 2; ++round) {
        team_pieces(team, 2, [&](std::int64_t) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const std::scoped_lock lock(mutex);
            seen.insert(std::this_thread::get_id());
        });
    }
    EXPECT_EQ(seen.size(), 2u);
}

TEST(AlgorithmTeam, TheFirstFailureIsThrownAfterAllCameBack) {
    Team team(4);
    for (int round = 0; round < 100; ++round) {
        EXPECT_THROW(team_pieces(team, 100,
                                 [&](std::int64_t piece) {
                                     if (piece == 37) throw std::runtime_error("37");
                                 }),
                     std::runtime_error);
    }
    int after = 0;
    team_pieces(team, 1, [&](std::int64_t) { ++after; });
    EXPECT_EQ(after, 1);
}

TEST(AlgorithmTeam, SumsAreThoseOfAllPieces) {
    Team team(2);
    const auto sum = team_sum(team, 1000, 7, [](std::int64_t begin, std::int64_t end) {
        std::int64_t here = 0;
        for (std::int64_t i = begin; i < end; ++i) here += i;
        return here;
    });
    EXPECT_EQ(sum, 999 * 1000 / 2);
}

TEST(AlgorithmTeam, BorrowedOnesAreUsedAgain) {
    const Team* first = nullptr;
    {
        const BorrowedTeam team(5);
        first = &*team;
        const BorrowedTeam other(5);
        EXPECT_NE(&*other, first);
    }
    const BorrowedTeam again(5);
    const BorrowedTeam another(5);
    EXPECT_TRUE(&*again == first || &*another == first);
}

} // namespace

} // namespace tropic::cpu
