#pragma once

#include <cstdint>

namespace poplar {

/// Vertices that run at the same time.
class ComputeSet {
  public:
    ComputeSet() = default;
    explicit ComputeSet(std::uint32_t id) : id_(id) {}
    std::uint32_t getId() const { return id_; }
    friend bool operator==(const ComputeSet& l, const ComputeSet& r) { return l.id_ == r.id_; }
    friend bool operator!=(const ComputeSet& l, const ComputeSet& r) { return l.id_ != r.id_; }
    friend bool operator<(const ComputeSet& l, const ComputeSet& r) { return l.id_ < r.id_; }

  private:
    std::uint32_t id_ = 0xffffffff;
};

} // namespace poplar
