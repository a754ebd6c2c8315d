#include "graph/statistics/value_summary.h"

#include <array>
#include <limits>

#include "support/is_nan.h"
#include "support/parallel.h"

namespace tropic {

namespace {

/// Independent sums of one piece: with a single one every addition would wait for the last.
constexpr Index lanes = 8;

using std::numeric_limits;

template <class T> struct Piece {
    T min = std::is_floating_point_v<T> ? numeric_limits<T>::infinity() : numeric_limits<T>::max();
    T max = std::is_floating_point_v<T> ? -numeric_limits<T>::infinity() : numeric_limits<T>::min();
    double sum = 0;
    Index numbers = 0; ///< values other than NaN
    Index zeros = 0;
    Index negatives = 0;
};

/// Sums of narrow integers are exact within a piece; the rest adds up in double.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T> && sizeof(T) <= 4, std::int64_t, double>;

template <class T> void add(Piece<T>& piece, T value) {
    piece.numbers += is_nan(value) ? 0 : 1;
    piece.min = value < piece.min ? value : piece.min;
    piece.max = value > piece.max ? value : piece.max;
    piece.zeros += value == T{0} ? 1 : 0;
    if constexpr (std::is_signed_v<T>) piece.negatives += value < T{0} ? 1 : 0;
}

template <class T> Piece<T> summarise(std::span<const T> values) {
    Piece<T> piece;
    std::array<Sum<T>, lanes> sums{};
    const auto size = static_cast<Index>(values.size());
    Index i = 0;
    for (; i + lanes <= size; i += lanes) {
        for (Index lane = 0; lane < lanes; ++lane)
            sums[lane] += static_cast<Sum<T>>(values[i + lane]);
    }
    for (; i < size; ++i) sums[0] += static_cast<Sum<T>>(values[i]);
    for (const auto sum : sums) piece.sum += static_cast<double>(sum);
    for (const T value : values) add(piece, value);
    return piece;
}

template <class T> Piece<T> join(Piece<T> a, const Piece<T>& b) {
    a.min = std::min(a.min, b.min);
    a.max = std::max(a.max, b.max);
    a.sum += b.sum;
    a.numbers += b.numbers;
    a.zeros += b.zeros;
    a.negatives += b.negatives;
    return a;
}

template <class T> ExactValue exact(T value) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<double>(value);
    else if constexpr (std::is_signed_v<T>) return static_cast<std::int64_t>(value);
    else return static_cast<std::uint64_t>(value);
}

} // namespace

ValueSummary summarise_values(const Array& values, const Context& context) {
    if (values.empty()) return {};
    return visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto all = values.as<T>();
        const auto total = parallel_combine(
            context, values.size(), Index{1} << 14, Piece<T>{},
            [&](Index begin, Index end) { return summarise<T>(all.subspan(begin, end - begin)); },
            join<T>);
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        return ValueSummary{
            .min = total.numbers > 0 ? static_cast<double>(total.min) : none,
            .max = total.numbers > 0 ? static_cast<double>(total.max) : none,
            .mean = total.sum / static_cast<double>(values.size()),
            .exact_min = total.numbers > 0 ? exact(total.min) : ExactValue(none),
            .exact_max = total.numbers > 0 ? exact(total.max) : ExactValue(none),
            .zeros = total.zeros,
            .negatives = total.negatives,
        };
    });
}

} // namespace tropic
