#include "machines/cpu/growing_buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t mapped_from_bytes = 1u << 20;

/// Address space is cheap: growing by this factor, or to this size, moves nothing.
constexpr std::size_t reserve_factor = 16;
constexpr std::size_t reserve_bytes = std::size_t{1} << 30;

/// Kept behind the data when a buffer shrinks: address space, so that the next result of about the
/// same size fits.
constexpr std::size_t slack_bytes = std::size_t{1} << 17;

constexpr const char* purpose = "entries of a result";

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
    return (bytes + unit - 1) / unit * unit;
}

} // namespace

GrowingBuffer::~GrowingBuffer() {
    free();
}

GrowingBuffer::GrowingBuffer(GrowingBuffer&& other) noexcept {
    *this = std::move(other);
}

GrowingBuffer& GrowingBuffer::operator=(GrowingBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    std::swap(budget_, other.budget_);
    return *this;
}

void GrowingBuffer::free() noexcept {
    if (mapping_ != nullptr) {
        shrink_mapping(capacity_);
        budget_->pool().give({mapping_, mapped_, data_});
    } else {
        std::free(data_);
    }
    if (budget_) budget_->release(capacity_);
    data_ = nullptr;
    mapping_ = nullptr;
    capacity_ = 0;
}

bool GrowingBuffer::map(std::size_t bytes, std::size_t reserved) noexcept {
    // No huge pages: results are written and read from end to end, which gains nothing by them, and
    // virtual machines whose host takes free memory back make them many times slower to get.
    const std::size_t wanted = round_up(reserved, page_bytes);
    void* const mapping = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    mapping_ = mapping;
    mapped_ = wanted;
    data_ = mapping;
    capacity_ = bytes;
    return true;
}

/// Gives the pages, with what is in them, the addresses of `to`'s first ones: nothing is copied,
/// and none of them has to be made again. The system refuses what it holds as several mappings.
bool GrowingBuffer::move_pages(GrowingBuffer& to) noexcept {
    const std::size_t bytes = (mapped_ - offset()) / page_bytes * page_bytes;
    if (mapping_ == nullptr || to.mapped_ - to.offset() < bytes) return false;
    if (mremap(data_, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to.data_) == MAP_FAILED) {
        return false;
    }
    if (offset() > 0) munmap(mapping_, offset());
    mapping_ = nullptr;
    data_ = nullptr;
    return true;
}

bool GrowingBuffer::reuse(std::size_t bytes, std::size_t expected, MemoryBudget& budget) {
    PagePool& pool = budget.pool();
    PagePool::Block block = pool.take(expected, expected * reserve_factor);
    // A smaller one saves pages as well, and grows by moving them.
    if (block.mapping == nullptr) block = pool.take_largest(std::max(bytes, expected / 2));
    if (block.mapping == nullptr) return false;
    mapping_ = block.mapping;
    mapped_ = block.mapped;
    data_ = block.data;
    capacity_ = bytes;
    return true;
}

void GrowingBuffer::reserve(std::size_t used, std::size_t bytes, std::size_t expected,
                            const std::shared_ptr<MemoryBudget>& budget) {
    if (bytes <= capacity_) return;
    if (!budget_) budget_ = budget;
    const std::size_t more = bytes - capacity_;
    if (mapping_ != nullptr && bytes <= mapped_ - offset()) {
        budget_->charge(more, purpose);
        capacity_ = bytes;
        return;
    }
    if (bytes < mapped_from_bytes) {
        budget_->charge(more, purpose);
        if (void* const grown = std::realloc(data_, bytes); grown != nullptr) {
            data_ = grown;
            capacity_ = bytes;
            return;
        }
        budget_->release(more);
    } else {
        budget_->charge(bytes, purpose);
        GrowingBuffer larger;
        if (larger.reuse(bytes, std::max(bytes, expected), *budget_) ||
            larger.map(bytes, std::max(bytes * reserve_factor, reserve_bytes)) ||
            larger.map(bytes, bytes)) {
            larger.budget_ = budget_;
            if (used > 0 && !move_pages(larger)) std::memcpy(larger.data_, data_, used);
            std::swap(*this, larger);
            return;
        }
        budget_->release(bytes);
    }
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the system has no {} left for {}", bytes_text(bytes), purpose),
                "set a limit with --memory, or work on a smaller graph");
}

void GrowingBuffer::shrink_mapping(std::size_t bytes) noexcept {
    const std::size_t keep = round_up(offset() + bytes + slack_bytes, page_bytes);
    if (keep < mapped_) munmap(static_cast<char*>(mapping_) + keep, mapped_ - keep);
    mapped_ = std::min(mapped_, keep);
}

void GrowingBuffer::shrink(std::size_t bytes) noexcept {
    if (mapping_ != nullptr) {
        shrink_mapping(bytes);
    } else if (capacity_ > page_bytes && bytes < capacity_ / 4 * 3) {
        void* const smaller = std::realloc(data_, std::max<std::size_t>(bytes, 64));
        if (smaller != nullptr) data_ = smaller;
    } else {
        return; // the slack is not worth it, and stays charged
    }
    budget_->release(capacity_ - std::min(bytes, capacity_));
    capacity_ = std::min(bytes, capacity_);
}

Array GrowingBuffer::release(ElementType type, Index size) && {
    if (data_ == nullptr) return Array::borrow(type, nullptr, 0);
    shrink(static_cast<std::size_t>(size) * size_of(type));
    auto owner = std::make_shared<GrowingBuffer>(std::move(*this));
    const void* const data = owner->data();
    return Array::borrow(type, data, size, std::move(owner));
}

} // namespace tropic::cpu
