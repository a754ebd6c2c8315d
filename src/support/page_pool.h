// Large blocks of memory that were freed and may be wanted again soon. The first touch of a page
// costs more than most computations on it, so a program that makes a result of the same size in
// every round should not get it from the system each time. Nothing is kept unless somebody has
// asked for it.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace tropic {

class PagePool {
  public:
    /// A mapping, and where in it the data begins.
    struct Block {
        void* mapping = nullptr;
        std::size_t mapped = 0;
        void* data = nullptr;

        std::size_t bytes() const noexcept {
            return mapped -
                   static_cast<std::size_t>(static_cast<char*>(data) - static_cast<char*>(mapping));
        }
    };

    explicit PagePool(std::size_t most) : most_(most) {}
    ~PagePool() { drain(); }
    PagePool(const PagePool&) = delete;
    PagePool& operator=(const PagePool&) = delete;

    /// The smallest block with `least` to `most` bytes, which are as they were left; none: a null
    /// mapping.
    Block take(std::size_t least, std::size_t most);

    /// The largest block, if it has at least `least` bytes.
    Block take_largest(std::size_t least);

    /// Keeps the block, or gives it back to the system.
    void give(const Block& block);

    /// Gives all blocks back to the system.
    void drain();

    /// Bytes kept.
    std::size_t kept() const;

    /// Blocks are kept for as long as a Use lives.
    class Use {
      public:
        explicit Use(PagePool& pool);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        PagePool& pool_;
    };

  private:
    Block remove(std::vector<Block>::iterator found);

    mutable std::mutex mutex_;
    std::size_t most_;
    std::size_t kept_ = 0;
    int uses_ = 0;
    std::vector<Block> blocks_; ///< smallest first
};

} // namespace tropic
