#include "machines/cpu/algorithm/member_list.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

#include "machines/cpu/algorithm/algorithm_runtime.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

/// Compiled code may load ahead.
constexpr std::size_t slack = list_room * sizeof(std::int64_t);
constexpr std::size_t mapped_from = 1u << 16;
constexpr std::size_t charged_at_once = 1u << 16;
constexpr std::size_t page_bytes = 4096;

PagePool::Block mapped(std::size_t bytes) {
    const std::size_t whole = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    void* const data = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return {};
    return {data, whole, data};
}

} // namespace

MemberList::MemberList(std::size_t bytes, const Context& context)
    : bytes_(bytes), budget_(context.budget()) {
    if (bytes >= mapped_from) {
        block_ = budget_->pool().take(bytes_ + slack, bytes_ + bytes_ / 4 + page_bytes);
        if (block_.mapping != nullptr) keep_if_affordable();
        if (block_.mapping == nullptr) block_ = mapped(bytes_ + slack);
        data_ = block_.data;
    } else {
        data_ = std::malloc(bytes_ + slack);
    }
    if (data_ == nullptr) {
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("the system has no {} left for a set", bytes_text(bytes)),
                    "work on a smaller graph");
    }
}

MemberList::~MemberList() {
    if (block_.mapping != nullptr) budget_->pool().give(block_);
    else std::free(data_);
    if (charged_ > 0) budget_->release(charged_);
}

MemberList::MemberList(MemberList&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
      charged_(std::exchange(other.charged_, 0)), block_(std::exchange(other.block_, {})),
      budget_(std::move(other.budget_)) {}

MemberList& MemberList::operator=(MemberList&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(charged_, other.charged_);
    std::swap(block_, other.block_);
    std::swap(budget_, other.budget_);
    return *this;
}

void MemberList::keep_if_affordable() {
    try {
        budget_->charge(bytes_, "the members of a set");
        charged_ = bytes_;
    } catch (const Error&) {
        budget_->pool().give(std::exchange(block_, {}));
    }
}

void MemberList::charge(std::size_t bytes) {
    const std::size_t wanted =
        std::min(bytes_, (bytes + charged_at_once - 1) / charged_at_once * charged_at_once);
    budget_->charge(wanted - charged_, "the members of a set");
    charged_ = wanted;
}

} // namespace tropic::cpu
