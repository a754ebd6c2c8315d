// The memory a context may use. Large allocations are charged before they are made, so that running
// over a limit is an error with a name instead of a killed process.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/page_pool.h"

namespace tropic {

class MemoryBudget {
  public:
    explicit MemoryBudget(std::uint64_t limit) : limit_(limit), pool_(limit / 4) {}

    /// Throws Error(out_of_memory) if the limit would be passed; charges nothing then. What the
    /// pool keeps is given up first.
    void charge(std::uint64_t bytes, std::string_view purpose);
    void release(std::uint64_t bytes) noexcept { used_.fetch_sub(bytes); }

    /// Throws like `charge` but leaves the account as it is: for a plan that will allocate in
    /// steps.
    void require(std::uint64_t bytes, std::string_view purpose) const;

    std::uint64_t limit() const noexcept { return limit_; }
    std::uint64_t used() const noexcept { return used_.load(); }
    std::uint64_t peak() const noexcept { return peak_.load(); }

    /// Freed blocks, in nobody's account.
    PagePool& pool() noexcept { return pool_; }

  private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> peak_{0};
    PagePool pool_;
};

/// A charge held for as long as the object lives: for scratch memory in ordinary containers.
class MemoryCharge {
  public:
    MemoryCharge() = default;
    MemoryCharge(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes,
                 std::string_view purpose);
    ~MemoryCharge();
    MemoryCharge(MemoryCharge&& other) noexcept;
    MemoryCharge& operator=(MemoryCharge&& other) noexcept;

  private:
    std::shared_ptr<MemoryBudget> budget_;
    std::uint64_t bytes_ = 0;
};

/// Memory this process could still take: the least of the system's and the cgroup's free memory and
/// of most of what its resource limits leave.
std::uint64_t available_memory();

/// Throws Error(out_of_memory) if the resource limits of the process leave less than `bytes`:
/// before calls of libraries that allocate on their own and do not bear being refused.
void require_of_limits(std::uint64_t bytes, std::string_view purpose);

/// "1.5 GB" (powers of 1000).
std::string bytes_text(std::uint64_t bytes);

} // namespace tropic
