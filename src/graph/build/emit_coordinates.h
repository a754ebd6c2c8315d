// From buckets into sorted coordinates: one array for each level, the way coo stores them and every
// other format of any rank can be assembled from.
#pragma once

#include <atomic>

#include "graph/build/combine.h"
#include "graph/build/sort_bucket.h"
#include "support/per_thread.h"

namespace tropic::building {

struct CoordinateTarget {
    const KeyLayout* layout = nullptr;
    Duplicates rule = Duplicates::keep;
    std::vector<Array> coordinates; ///< one for each level
    Array values;
    Gaps gaps;
    std::atomic<bool> repeated{false}; ///< with `keep`: some coordinates are stored twice
    std::atomic<Index> overflows{0};   ///< with `sum`: additions that did not fit the type
};

template <class Stored> class CoordinateEmitter {
  public:
    CoordinateEmitter(CoordinateTarget& target, const Context& context)
        : target_(target), context_(context) {}

    /// Safe to call for several buckets at once.
    void emit(const Bucket<Stored>& bucket);

  private:
    template <class Sorted> void emit_sorted(const Bucket<Stored>& bucket, Sorted sorted);

    CoordinateTarget& target_;
    const Context& context_;
    PerThread<SortScratch<std::uint64_t>> narrow_;
    PerThread<SortScratch<Wide>> wide_;
    PerThread<SortScratch<KeyAndPlace>> pairs_;
};

extern template class CoordinateEmitter<std::uint64_t>;
extern template class CoordinateEmitter<Wide>;

} // namespace tropic::building
