// Gathers the entries that parsers found, in file order, into the blocks of a CoordinateList.
// Parsers write into scratch memory that they use again for every piece of text; here the entries
// are copied once into blocks large enough to be mapped by the system, so that building can give
// their memory back one by one.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "support/memory.h"
#include "tropic/coordinates.h"

namespace tropic {

/// Memory for elements of a parser's, uninitialised, growing by doubling, charged to a budget.
template <class T> class Scratch {
  public:
    void clear() noexcept { size_ = 0; }
    Index size() const noexcept { return size_; }
    const T* data() const noexcept { return elements_.get(); }

    void reserve(Index capacity, const Context& context) {
        if (capacity <= capacity_) return;
        capacity = std::max(capacity, capacity_ * 2);
        MemoryCharge charge(context.budget(), static_cast<std::uint64_t>(capacity) * sizeof(T),
                            "the entries being read");
        std::unique_ptr<T[]> larger(new T[static_cast<std::size_t>(capacity)]);
        if (size_ > 0) std::copy_n(elements_.get(), size_, larger.get());
        elements_ = std::move(larger);
        capacity_ = capacity;
        charge_ = std::move(charge);
    }
    Index capacity() const noexcept { return capacity_; }
    /// Elements are written through here and counted afterwards; room must have been reserved.
    T* data() noexcept { return elements_.get(); }
    void resize(Index size) noexcept { size_ = size; }

  private:
    std::unique_ptr<T[]> elements_;
    Index size_ = 0;
    Index capacity_ = 0;
    MemoryCharge charge_;
};

class CoordinateCollector {
  public:
    /// Blocks of the list get `rank` coordinates of the list's index type and values of its value
    /// type.
    CoordinateCollector(CoordinateList& list, int rank, const Context& context)
        : list_(list), rank_(rank), context_(context) {}

    /// Appends entries: `coordinates[d]` points to the first coordinate in dimension d, `values` to
    /// the first value (null for `pattern`), all of the list's types.
    void append(std::span<const void* const> coordinates, const void* values, Index count);

    /// Trims the last block. Nothing may be appended afterwards.
    void finish();

    Index entries() const noexcept { return entries_; }

  private:
    void start_block(Index at_least);

    CoordinateList& list_;
    int rank_;
    Context context_;
    Index entries_ = 0;
    Index used_ = 0; ///< entries in the last block
};

} // namespace tropic
