// From buckets straight into the arrays of a CSR matrix. A bucket knows where its rows and entries
// go without asking any other: it answers for the rows that begin in its key range.
#pragma once

#include <atomic>

#include "graph/build/combine.h"
#include "graph/build/sort_bucket.h"
#include "support/per_thread.h"

namespace tropic::building {

/// The arrays being filled. Keys are row above `col_bits` bits of column.
struct CsrTarget {
    Index rows = 0;
    int col_bits = 0;
    Duplicates rule = Duplicates::keep;
    Array pos;
    Array crd;
    Array values;
    Gaps gaps;
    std::atomic<bool> repeated{false}; ///< with `keep`: some coordinates are stored twice
    std::atomic<Index> overflows{0};   ///< with `sum`: additions that did not fit the type
};

class CsrEmitter {
  public:
    CsrEmitter(CsrTarget& target, const Context& context) : target_(target), context_(context) {}

    /// Writes the bucket's part of the arrays. Safe to call for several buckets at once.
    void emit(const Bucket<std::uint64_t>& bucket);

  private:
    template <class Word> struct Scratch {
        SortScratch<Word> words;
        std::vector<std::uint32_t> starts;
    };

    CsrTarget& target_;
    const Context& context_;
    PerThread<Scratch<std::uint64_t>> narrow_;
    PerThread<Scratch<Wide>> wide_;

    template <class Word, class Pos, class Crd> friend class BucketEmission;
};

} // namespace tropic::building
