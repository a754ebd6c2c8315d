// A half-open range of elements.
#pragma once

#include <cstddef>
#include <ostream>
#include <tuple>
#include <vector>

namespace poplar {

template <class T> class GenericInterval {
  public:
    GenericInterval() = default;
    GenericInterval(T begin, T end) : begin_(begin), end_(end) {}

    const T& begin() const { return begin_; }
    const T& end() const { return end_; }
    T lower() const { return begin_; }
    T upper() const { return end_; }
    T size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }

    friend bool operator==(const GenericInterval& l, const GenericInterval& r) {
        return l.begin_ == r.begin_ && l.end_ == r.end_;
    }
    friend bool operator!=(const GenericInterval& l, const GenericInterval& r) { return !(l == r); }
    friend bool operator<(const GenericInterval& l, const GenericInterval& r) {
        return std::tie(l.begin_, l.end_) < std::tie(r.begin_, r.end_);
    }
    friend std::ostream& operator<<(std::ostream& os, const GenericInterval& i) {
        return os << '[' << i.begin_ << ',' << i.end_ << ')';
    }

  private:
    T begin_{};
    T end_{};
};

using Interval = GenericInterval<std::size_t>;

/// Which elements each tile holds: one list of intervals for each tile.
using TileToTensorMapping = std::vector<std::vector<Interval>>;

} // namespace poplar
