// Elements of several parts that several threads change: records, which must not be seen half old
// and half new.
#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

namespace {

/// One of many locks that elements share, by their addresses. It is held only while bytes are
/// copied.
class Lock {
  public:
    void take() noexcept {
        while (held_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    }
    void give_back() noexcept { held_.clear(std::memory_order_release); }

  private:
    alignas(64) std::atomic_flag held_;
};

constexpr int lock_bits = 8;
constinit std::array<Lock, 1 << lock_bits> locks;

class Held {
  public:
    explicit Held(const void* element) noexcept : lock_(&lock_of(element)) { lock_->take(); }
    ~Held() { lock_->give_back(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    static Lock& lock_of(const void* element) noexcept {
        // Fibonacci hashing: neighbours in memory get locks far from each other.
        const auto address = reinterpret_cast<std::uintptr_t>(element);
        return locks[address * 0x9e3779b97f4a7c15 >> (64 - lock_bits)];
    }
    Lock* lock_;
};

} // namespace

void copy_whole(void* to, const void* from, const void* element, std::int64_t bytes) {
    const Held held(element);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

std::int64_t replace_whole(void* element, void* before, const void* after, std::int64_t bytes) {
    const auto count = static_cast<std::size_t>(bytes);
    const Held held(element);
    if (std::memcmp(element, before, count) != 0) {
        std::memcpy(before, element, count);
        return 0;
    }
    std::memcpy(element, after, count);
    return 1;
}

} // namespace tropic::cpu
