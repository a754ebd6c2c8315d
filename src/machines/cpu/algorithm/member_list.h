// Room for the members of a set, all of its space if need be. Only what is written to takes memory:
// frontiers are mostly far smaller than their space. What was touched is charged to the budget
// after the fact, because the loop that appends cannot know before. Pages that were touched stay
// with the pool of the budget, if it keeps any.
#pragma once

#include <cstddef>
#include <memory>

#include "support/page_pool.h"
#include "tropic/context.h"

namespace tropic::cpu {

class MemberList {
  public:
    MemberList() = default;
    /// Throws Error(out_of_memory) if the system has no address space left.
    MemberList(std::size_t bytes, const Context& context);
    ~MemberList();
    MemberList(MemberList&& other) noexcept;
    MemberList& operator=(MemberList&& other) noexcept;

    void* data() const noexcept { return data_; }
    /// Without the room behind them that compiled code may touch.
    std::size_t bytes() const noexcept { return bytes_; }

    /// The first `bytes` have been written to. Throws Error(out_of_memory) over the limit.
    void touched(std::size_t bytes) {
        if (bytes > charged_) charge(bytes);
    }

  private:
    void charge(std::size_t bytes);
    /// Pages from the pool are there, touched or not.
    void keep_if_affordable();

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t charged_ = 0;
    PagePool::Block block_ = {}; ///< null mapping: from the heap
    std::shared_ptr<MemoryBudget> budget_;
};

} // namespace tropic::cpu
