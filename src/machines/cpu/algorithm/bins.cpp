// Memory for the items of buckets.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "machines/cpu/algorithm/workers.h"

namespace tropic::cpu {

namespace {

constexpr std::size_t first_bytes = 512;

/// Blocks are cut from arrays much larger than all before them, in these bounds: large ones
/// stay with the run's pool of pages, so that the next run touches no new ones.
constexpr std::size_t smallest_array = 16 << 10;
constexpr std::size_t largest_array = 2 << 20;

} // namespace

int BinMemory::class_of(std::size_t bytes) {
    return static_cast<int>(std::bit_width(bytes)) - 1;
}

void* BinMemory::cut(std::size_t bytes) {
    if (left_ < bytes) {
        const std::size_t size =
            std::max(bytes, std::clamp(4 * total_, smallest_array, largest_array));
        arrays_.push_back(Array::allocate(ElementType::uint8, static_cast<Index>(size), context_,
                                          "the buckets of an ordered frontier"));
        next_ = static_cast<std::byte*>(arrays_.back().mutable_data());
        left_ = size;
        total_ += size;
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
}

void BinMemory::grow(Bin& bin, std::size_t item_bytes) {
    const std::size_t bytes =
        bin.capacity == 0 ? first_bytes : static_cast<std::size_t>(bin.capacity) * item_bytes * 2;
    auto& free = free_[class_of(bytes)];
    void* block = nullptr;
    if (!free.empty()) {
        block = free.back();
        free.pop_back();
    } else {
        block = cut(bytes);
    }
    if (bin.count > 0) {
        std::memcpy(block, bin.items, static_cast<std::size_t>(bin.count) * item_bytes);
    }
    const std::int64_t count = bin.count;
    give_back(bin, item_bytes);
    bin = {
        .items = block, .count = count, .capacity = static_cast<std::int64_t>(bytes / item_bytes)};
}

void BinMemory::give_back(Bin& bin, std::size_t item_bytes) {
    if (bin.capacity > 0) {
        free_[class_of(static_cast<std::size_t>(bin.capacity) * item_bytes)].push_back(bin.items);
    }
    bin = {};
}

} // namespace tropic::cpu
