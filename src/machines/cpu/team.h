// The threads of a run. A compiled algorithm starts thousands of short loops, so that a thread
// which has nothing to do keeps looking for work for a while before it sleeps, and whoever starts a
// loop never waits for threads that did not come in time: they find it closed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace tropic::cpu {

/// How to wait for other threads that are about to finish.
class Patience {
  public:
    void wait() noexcept;

  private:
    int waited_ = 0;
};

class Team {
  public:
    /// `threads` counts the caller's. Threads are started when first needed.
    explicit Team(int threads) : size_(threads) {}
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const noexcept { return size_; }

    /// Whether other threads would begin within a microsecond.
    bool awake() const noexcept {
        return !threads_.empty() && asleep_.load(std::memory_order_relaxed) == 0;
    }

    /// Calls work(object, 0) here and work(object, w), w from 1, on each other thread that comes
    /// before the first returns; comes back when all have. `work` must not throw, and takes its
    /// share from something that all of them see.
    using Work = void (*)(void* object, int worker);
    void run(Work work, void* object);

    template <class Object> void run(Object& object) {
        run([](void* it, int worker) { (*static_cast<Object*>(it))(worker); }, &object);
    }

  private:
    void start();
    void serve(int worker);
    void sleep(std::uint64_t done);

    // The state of the current loop: its number above, whether it is open, how many are inside.
    static constexpr std::uint64_t open_bit = 1u << 16;
    static constexpr std::uint64_t inside_mask = open_bit - 1;
    static constexpr std::uint64_t one_loop = open_bit << 1;

    int size_;
    std::vector<std::thread> threads_;
    Work work_ = nullptr;
    void* object_ = nullptr;
    alignas(64) std::atomic<std::uint64_t> state_{0};
    alignas(64) std::atomic<int> asleep_{0};
    std::atomic<std::uint32_t> signal_{0};
    std::atomic<bool> ending_{false};
};

/// A team that is nobody else's for as long as the handle lives. Teams are kept for the next run
/// of the process; their threads sleep meanwhile.
class BorrowedTeam {
  public:
    explicit BorrowedTeam(int threads);
    ~BorrowedTeam();
    BorrowedTeam(const BorrowedTeam&) = delete;
    BorrowedTeam& operator=(const BorrowedTeam&) = delete;

    Team& operator*() const noexcept { return *team_; }
    Team* operator->() const noexcept { return team_.get(); }

  private:
    std::unique_ptr<Team> team_;
};

} // namespace tropic::cpu
