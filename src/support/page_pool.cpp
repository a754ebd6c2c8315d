#include "support/page_pool.h"

#include <algorithm>

#include <sys/mman.h>

namespace tropic {

namespace {

bool smaller(const PagePool::Block& block, std::size_t bytes) {
    return block.bytes() < bytes;
}

} // namespace

PagePool::Block PagePool::take(std::size_t least, std::size_t most) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), least, smaller);
    if (found == blocks_.end() || found->bytes() > most) return {};
    return remove(found);
}

PagePool::Block PagePool::take_largest(std::size_t least) {
    const std::scoped_lock lock(mutex_);
    if (blocks_.empty() || blocks_.back().bytes() < least) return {};
    return remove(blocks_.end() - 1);
}

PagePool::Block PagePool::remove(std::vector<Block>::iterator found) {
    const Block block = *found;
    blocks_.erase(found);
    kept_ -= block.bytes();
    return block;
}

void PagePool::give(const Block& block) {
    {
        const std::scoped_lock lock(mutex_);
        if (uses_ > 0 && block.bytes() <= most_ && kept_ <= most_ - block.bytes()) {
            blocks_.insert(std::lower_bound(blocks_.begin(), blocks_.end(), block.bytes(), smaller),
                           block);
            kept_ += block.bytes();
            return;
        }
    }
    munmap(block.mapping, block.mapped);
}

void PagePool::drain() {
    const std::scoped_lock lock(mutex_);
    for (const Block& block : blocks_) munmap(block.mapping, block.mapped);
    blocks_.clear();
    kept_ = 0;
}

std::size_t PagePool::kept() const {
    const std::scoped_lock lock(mutex_);
    return kept_;
}

PagePool::Use::Use(PagePool& pool) : pool_(pool) {
    const std::scoped_lock lock(pool_.mutex_);
    ++pool_.uses_;
}

PagePool::Use::~Use() {
    bool last = false;
    {
        const std::scoped_lock lock(pool_.mutex_);
        last = --pool_.uses_ == 0;
    }
    if (last) pool_.drain();
}

} // namespace tropic
