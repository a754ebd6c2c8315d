#include "support/memory.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tropic/error.h"

namespace tropic {

namespace {

[[noreturn]] void refuse(std::uint64_t bytes, std::uint64_t used, std::uint64_t limit,
                         std::string_view purpose) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} would take {}; with {} in use that is over the memory limit of {}",
                            purpose, bytes_text(bytes), bytes_text(used), bytes_text(limit)),
                "raise the limit with --memory, or work on a smaller graph");
}

/// What resource limits (ulimit -v, ulimit -d) leave this process; the maximum if there are none.
std::uint64_t left_of_limits() {
    constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
    std::ifstream file("/proc/self/statm");
    std::uint64_t mapped = 0; // all of these in pages
    std::uint64_t data = 0;
    std::uint64_t other = 0;
    if (!(file >> mapped >> other >> other >> other >> other >> data)) return unlimited;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    const auto left = [&](auto resource, std::uint64_t pages) {
        rlimit limit{};
        if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
        return limit.rlim_cur > pages * page ? limit.rlim_cur - pages * page : 0;
    };
    return std::min(left(RLIMIT_AS, mapped), left(RLIMIT_DATA, data));
}

/// The value in a one-number file such as a cgroup's memory.max; the maximum if there is none.
std::uint64_t number_in(const char* path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : std::numeric_limits<std::uint64_t>::max();
}

} // namespace

void MemoryBudget::charge(std::uint64_t bytes, std::string_view purpose) {
    std::uint64_t used = used_.load();
    do {
        if (bytes > limit_ || used > limit_ - bytes) refuse(bytes, used, limit_, purpose);
    } while (!used_.compare_exchange_weak(used, used + bytes));
    std::uint64_t peak = peak_.load();
    while (peak < used + bytes && !peak_.compare_exchange_weak(peak, used + bytes)) {
    }
    constexpr std::uint64_t worth_looking = 1 << 20;
    if (bytes >= worth_looking && pool_.kept() > limit_ - (used + bytes)) pool_.drain();
}

void MemoryBudget::require(std::uint64_t bytes, std::string_view purpose) const {
    const std::uint64_t used = used_.load();
    if (bytes > limit_ || used > limit_ - bytes) refuse(bytes, used, limit_, purpose);
}

MemoryCharge::MemoryCharge(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes,
                           std::string_view purpose)
    : budget_(std::move(budget)), bytes_(bytes) {
    budget_->charge(bytes_, purpose);
}

MemoryCharge::~MemoryCharge() {
    if (budget_) budget_->release(bytes_);
}

MemoryCharge::MemoryCharge(MemoryCharge&& other) noexcept
    : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}

MemoryCharge& MemoryCharge::operator=(MemoryCharge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

std::uint64_t available_memory() {
    std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::uint64_t kilobytes = 0;
    std::string unit;
    while (meminfo >> key >> kilobytes >> unit) {
        if (key == "MemAvailable:") {
            available = kilobytes * 1024;
            break;
        }
    }
    if (available == std::numeric_limits<std::uint64_t>::max()) {
        available = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    }
    const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max");
    const std::uint64_t current = number_in("/sys/fs/cgroup/memory.current");
    if (limit != std::numeric_limits<std::uint64_t>::max() && current < limit) {
        available = std::min(available, limit - current);
    }
    // Threads and small allocations take their share of what a process may map.
    const std::uint64_t mappable = left_of_limits();
    return std::min(available, mappable - mappable / 4);
}

void require_of_limits(std::uint64_t bytes, std::string_view purpose) {
    const std::uint64_t left = left_of_limits();
    if (bytes <= left) return;
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} would take {}, and the limits of this process leave it {}", purpose,
                            bytes_text(bytes), bytes_text(left)),
                "raise the limit (ulimit -v, ulimit -d), or work on a smaller graph");
}

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array units = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

} // namespace tropic
