#include "graph/statistics/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/is_nan.h"
#include "support/parallel.h"

namespace tropic {

namespace {

template <class T> ValueRange range_of(std::span<const T> values, const Context& context) {
    constexpr Index grain = 1 << 18;
    const auto join = [](const ValueRange& a, const ValueRange& b) {
        return ValueRange{std::min(a.least, b.least), std::max(a.largest, b.largest),
                          a.total + b.total};
    };
    const ValueRange none{std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(), 0};
    ValueRange range = parallel_combine(
        context, static_cast<Index>(values.size()), grain, none,
        [&](Index begin, Index end) {
            T least = values[begin];
            T largest = values[begin];
            double total = 0;
            for (Index e = begin; e < end; ++e) {
                least = std::min(least, values[e]);
                largest = std::max(largest, values[e]);
                total += std::abs(static_cast<double>(values[e]));
            }
            return ValueRange{static_cast<double>(least), static_cast<double>(largest), total};
        },
        join);
    // What is no number compares with nothing, and is lost but for the sum: sizes have none else.
    if (is_nan(range.total)) range.least = range.largest = range.total;
    return range;
}

} // namespace

ValueRange value_range_of(const Tensor& matrix, const Context& context) {
    if (matrix.is_pattern()) return {1, 1, static_cast<double>(matrix.entries())};
    if (matrix.entries() == 0) return {0, 0, 0};
    return visit_type(matrix.type(), [&](auto tag) {
        return range_of(matrix.values().as<typename decltype(tag)::type>(), context);
    });
}

} // namespace tropic
