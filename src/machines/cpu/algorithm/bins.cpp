// Memory for the items of buckets.
#include <bit>
#include <cstdlib>
#include <cstring>

#include "machines/cpu/algorithm/workers.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

constexpr std::size_t first_bytes = 512;

} // namespace

BinMemory::~BinMemory() {
    for (const auto& [block, bytes] : blocks_) {
        std::free(block);
        budget_->release(bytes);
    }
}

int BinMemory::class_of(std::size_t bytes) {
    return static_cast<int>(std::bit_width(bytes)) - 1;
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
        budget_->charge(bytes, "the buckets of an ordered frontier");
        block = std::malloc(bytes);
        if (block == nullptr) {
            budget_->release(bytes);
            throw Error(ErrorCode::out_of_memory, "the system has no memory left for buckets");
        }
        blocks_.emplace_back(block, bytes);
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
