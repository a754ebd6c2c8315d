// Degrees and the numbers that describe a graph.
#pragma once

#include <optional>
#include <variant>

#include "tropic/graph.h"

namespace tropic {

/// Stored entries of every row (int32 or int64), and of every column.
Array row_degrees(const Tensor& matrix, const Context& context = {});
Array column_degrees(const Tensor& matrix, const Context& context = {});

struct DegreeSummary {
    Index min = 0;
    Index max = 0;
    Index median = 0;
    double mean = 0;
    Index zeros = 0;                ///< rows (columns) without entries
    std::vector<Index> log2_counts; ///< [0]: degree 0; [k]: degrees 2^(k-1) to 2^k - 1
};

/// A value with all its digits.
using ExactValue = std::variant<double, std::int64_t, std::uint64_t>;

struct ValueSummary {
    double min = 0;
    double max = 0;
    double mean = 0;
    ExactValue exact_min = 0.0; ///< a double where values are, else an integer
    ExactValue exact_max = 0.0;
    Index zeros = 0; ///< stored entries with value 0
    Index negatives = 0;
};

struct Statistics {
    Index rows = 0;
    Index cols = 0;
    Index entries = 0;
    Index self_loops = 0; ///< entries with i = j (square only)
    Index duplicates = 0; ///< entries beyond the first at their coordinates
    Index isolated = 0;   ///< vertices with neither row nor column entries (square only)
    Index empty_rows = 0;
    Index empty_columns = 0;
    bool pattern_symmetric = false; ///< square only: (j, i) is there as often as (i, j)
    bool value_symmetric = false;   ///< and with the same value
    DegreeSummary row_degrees;
    DegreeSummary column_degrees;
    std::optional<ValueSummary> values = {}; ///< absent for pattern
};

Statistics statistics_of(const Tensor& matrix, const Context& context = {});

} // namespace tropic
