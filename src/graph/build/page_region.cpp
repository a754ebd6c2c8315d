#include "graph/build/page_region.h"

#include <cstdint>

#include <fmt/format.h>
#include <sys/mman.h>

#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::building {

PageRegion::PageRegion(std::size_t bytes, const Context& context)
    : budget_(context.budget()), bytes_(round_up(bytes)) {
    if (bytes_ == 0) return;
    void* mapping = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        throw Error(
            ErrorCode::out_of_memory,
            fmt::format("the system has no {} left for sorting entries", bytes_text(bytes_)),
            "set a limit with --memory, or work on a smaller graph");
    }
    data_ = static_cast<std::byte*>(mapping);
}

PageRegion::~PageRegion() {
    if (data_ != nullptr) munmap(data_, bytes_);
    budget_->release(charged_.load());
}

void PageRegion::charge(std::size_t bytes) {
    budget_->charge(bytes, "sorting entries");
    charged_ += bytes;
}

void PageRegion::release(std::byte* begin, std::byte* end, std::size_t charged) noexcept {
    const auto first = round_up(reinterpret_cast<std::uintptr_t>(begin));
    const auto last = reinterpret_cast<std::uintptr_t>(end) / page_bytes * page_bytes;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
    charged_ -= charged;
    budget_->release(charged);
}

} // namespace tropic::building
