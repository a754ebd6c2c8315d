#include "machines/cpu/team.h"

#include <mutex>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tropic::cpu {

namespace {

/// How often a thread looks before it sleeps: some 50 microseconds.
constexpr int looks = 1000;

void pause() noexcept {
#if defined(__x86_64__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

void Patience::wait() noexcept {
    // A thread that lost its core finishes only if somebody lets it.
    if (++waited_ % looks == 0) std::this_thread::yield();
    else pause();
}

Team::~Team() {
    ending_ = true;
    signal_.fetch_add(1);
    signal_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Team::start() {
    threads_.reserve(static_cast<std::size_t>(size_));
    for (int worker = 1; worker < size_; ++worker) {
        threads_.emplace_back([this, worker] { serve(worker); });
    }
}

void Team::run(Work work, void* object) {
    if (size_ == 1) return work(object, 0);
    if (threads_.empty()) start();
    work_ = work;
    object_ = object;
    // Sequentially consistent, like the thread's own look before it sleeps: one of the two sees
    // the other.
    state_.fetch_add(one_loop | open_bit);
    if (asleep_.load() > 0) {
        signal_.fetch_add(1);
        signal_.notify_all();
    }
    work(object, 0);
    state_.fetch_and(~open_bit, std::memory_order_acq_rel);
    Patience patience;
    while ((state_.load(std::memory_order_acquire) & inside_mask) != 0) patience.wait();
}

void Team::serve(int worker) {
    std::uint64_t done = 0;
    int looked = 0;
    while (!ending_.load(std::memory_order_relaxed)) {
        std::uint64_t state = state_.load(std::memory_order_acquire);
        const std::uint64_t number = state / one_loop;
        if ((state & open_bit) == 0 || number == done) {
            if (++looked < looks) {
                pause();
            } else {
                sleep(done);
                looked = 0;
            }
            continue;
        }
        if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
        done = number;
        work_(object_, worker);
        state_.fetch_sub(1, std::memory_order_release);
        looked = 0;
    }
}

void Team::sleep(std::uint64_t done) {
    const std::uint32_t signal = signal_.load();
    asleep_.fetch_add(1);
    const std::uint64_t state = state_.load();
    const bool work_waits = (state & open_bit) != 0 && state / one_loop != done;
    if (!work_waits && !ending_.load()) signal_.wait(signal);
    asleep_.fetch_sub(1);
}

namespace {

struct Teams {
    std::mutex mutex;
    std::vector<std::unique_ptr<Team>> idle;
};

Teams& teams() {
    static Teams all;
    return all;
}

} // namespace

BorrowedTeam::BorrowedTeam(int threads) {
    Teams& all = teams();
    const std::scoped_lock lock(all.mutex);
    for (auto& team : all.idle) {
        if (team->size() != threads) continue;
        team_ = std::move(team);
        std::erase(all.idle, nullptr);
        return;
    }
    team_ = std::make_unique<Team>(threads);
}

BorrowedTeam::~BorrowedTeam() {
    constexpr std::size_t most = 8;
    Teams& all = teams();
    const std::scoped_lock lock(all.mutex);
    if (all.idle.size() < most) all.idle.push_back(std::move(team_));
}

} // namespace tropic::cpu
