#include "graph/files/coordinate_collector.h"

#include <cstring>

namespace tropic {

namespace {

/// Arrays of a full block are one huge page each at four bytes an element.
constexpr Index largest_block = 1 << 19;
constexpr Index smallest_block = 1 << 10;

void copy_into(Array& array, Index at, const void* from, Index count) {
    const std::size_t width = size_of(array.type());
    if (width == 0 || count == 0) return;
    std::memcpy(static_cast<char*>(array.mutable_data()) + static_cast<std::size_t>(at) * width,
                from, static_cast<std::size_t>(count) * width);
}

const void* advance(const void* from, ElementType type, Index count) {
    if (from == nullptr) return nullptr;
    return static_cast<const char*>(from) + static_cast<std::size_t>(count) * size_of(type);
}

} // namespace

/// Each block doubles the list, until blocks are large.
void CoordinateCollector::start_block(Index at_least) {
    const Index capacity = std::clamp(std::max(entries_, at_least), smallest_block, largest_block);
    CoordinateBlock block;
    for (int d = 0; d < rank_; ++d) {
        block.coordinates.push_back(
            Array::allocate(list_.index_type, capacity, context_, "the entries read"));
    }
    block.values = Array::allocate(list_.value_type, capacity, context_, "the values read");
    list_.blocks.push_back(std::move(block));
    used_ = 0;
}

void CoordinateCollector::append(std::span<const void* const> coordinates, const void* values,
                                 Index count) {
    Index done = 0;
    while (done < count) {
        if (list_.blocks.empty() || used_ == list_.blocks.back().size()) start_block(count - done);
        CoordinateBlock& block = list_.blocks.back();
        const Index some = std::min(count - done, block.size() - used_);
        for (int d = 0; d < rank_; ++d) {
            copy_into(block.coordinates[d], used_, advance(coordinates[d], list_.index_type, done),
                      some);
        }
        copy_into(block.values, used_, advance(values, list_.value_type, done), some);
        used_ += some;
        entries_ += some;
        done += some;
    }
}

void CoordinateCollector::finish() {
    if (list_.blocks.empty()) return;
    CoordinateBlock& block = list_.blocks.back();
    for (Array& array : block.coordinates) array.shrink(used_);
    block.values.shrink(used_);
}

} // namespace tropic
