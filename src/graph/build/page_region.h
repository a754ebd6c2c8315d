// Memory that fills up and empties in pieces: address space for all of it, pages only where
// written, and pages given back as soon as their contents are consumed. Arrays cannot do this: on
// huge pages, scattered writing would touch all of the memory at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "tropic/context.h"

namespace tropic::building {

class PageRegion {
  public:
    static constexpr std::size_t page_bytes = 4096;

    /// Reserves address space; nothing is charged yet.
    PageRegion(std::size_t bytes, const Context& context);
    ~PageRegion();
    PageRegion(const PageRegion&) = delete;
    PageRegion& operator=(const PageRegion&) = delete;

    std::byte* data() const noexcept { return data_; }

    /// To be called before `bytes` more are written anywhere; throws Error(out_of_memory).
    void charge(std::size_t bytes);

    /// `charged` bytes of the account are free again, and so are all whole pages in [begin, end).
    void release(std::byte* begin, std::byte* end, std::size_t charged) noexcept;

    static constexpr std::size_t round_up(std::size_t bytes) noexcept {
        return (bytes + page_bytes - 1) / page_bytes * page_bytes;
    }

  private:
    std::shared_ptr<MemoryBudget> budget_;
    std::byte* data_ = nullptr;
    std::size_t bytes_;
    std::atomic<std::size_t> charged_{0};
};

} // namespace tropic::building
