// Memory for a result whose size is not known before it is computed. Small buffers live on the
// heap; large ones reserve many times their size as address space, so that growing further moves
// nothing and only charges the budget.
#pragma once

#include <memory>

#include "tropic/array.h"

namespace tropic::cpu {

class GrowingBuffer {
  public:
    GrowingBuffer() = default;
    ~GrowingBuffer();
    GrowingBuffer(GrowingBuffer&& other) noexcept;
    GrowingBuffer& operator=(GrowingBuffer&& other) noexcept;

    void* data() const noexcept { return data_; }
    std::size_t capacity() const noexcept { return capacity_; }

    /// Makes room for `bytes`, keeping the first `used`; it may well grow to `expected` bytes.
    /// Throws Error(out_of_memory).
    void reserve(std::size_t used, std::size_t bytes, std::size_t expected,
                 const std::shared_ptr<MemoryBudget>& budget);

    /// The first `size` elements as an array that owns the memory; the rest is given back.
    Array release(ElementType type, Index size) &&;

  private:
    void shrink(std::size_t bytes) noexcept;
    void shrink_mapping(std::size_t bytes) noexcept;
    bool reuse(std::size_t bytes, std::size_t expected, MemoryBudget& budget);
    bool map(std::size_t bytes, std::size_t reserved) noexcept;
    bool move_pages(GrowingBuffer& to) noexcept;
    void free() noexcept;
    std::size_t offset() const noexcept {
        return static_cast<std::size_t>(static_cast<char*>(data_) - static_cast<char*>(mapping_));
    }

    void* data_ = nullptr;
    std::size_t capacity_ = 0; ///< what is charged
    void* mapping_ = nullptr;  ///< null: on the heap
    std::size_t mapped_ = 0;
    std::shared_ptr<MemoryBudget> budget_;
};

} // namespace tropic::cpu
