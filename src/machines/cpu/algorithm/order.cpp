// The order of a vector's elements, and their running sums.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <ranges>

#include "machines/cpu/algorithm/algorithm_session.h"
#include "machines/cpu/team_loops.h"
#include "support/parallel.h"

namespace tropic::cpu {

namespace {

constexpr std::int64_t grain = 1 << 15;

/// A number whose order among unsigned ones is that of the value; NaN comes last.
template <class T> std::uint64_t sort_key(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(value)) return std::numeric_limits<std::uint64_t>::max();
        const double wide = static_cast<double>(value) + 0.0; // -0 equals 0
        const auto bits = std::bit_cast<std::uint64_t>(wide);
        return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
    } else if constexpr (std::is_signed_v<T>) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ std::uint64_t{1}
                                                                                  << 63;
    } else {
        return static_cast<std::uint64_t>(value);
    }
}

struct Keys {
    Array words; ///< uint64
    std::uint64_t least = 0;
    std::uint64_t range = 0;
};

Keys keys_of(AlgorithmSession& session, const StoredVector& vector) {
    const std::int64_t count = vector.size;
    Keys keys{Array::allocate(ElementType::uint64, count, session.context(), "sorting")};
    auto* const words = keys.words.mutable_as<std::uint64_t>().data();
    const std::int64_t pieces = (count + grain - 1) / grain;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> bounds(
        static_cast<std::size_t>(std::max<std::int64_t>(pieces, 1)),
        {std::numeric_limits<std::uint64_t>::max(), 0});
    visit_type(vector.memory.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* const from = static_cast<const T*>(vector.data);
        team_ranges(*session.team, count, grain, [&](std::int64_t begin, std::int64_t end) {
            auto& [low, high] = bounds[begin / grain];
            for (std::int64_t i = begin; i < end; ++i) {
                words[i] = sort_key(from[i]);
                low = std::min(low, words[i]);
                high = std::max(high, words[i]);
            }
        });
    });
    keys.least = std::ranges::min(bounds | std::views::keys);
    keys.range = std::ranges::max(bounds | std::views::values) - keys.least;
    return keys;
}

template <class I> void sort_packed(AlgorithmSession& session, Keys& keys, int index_bits, I* out) {
    const auto words = keys.words.mutable_as<std::uint64_t>();
    const auto count = static_cast<std::int64_t>(words.size());
    team_ranges(*session.team, count, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            words[i] = (words[i] - keys.least) << index_bits | static_cast<std::uint64_t>(i);
        }
    });
    auto* const begin = reinterpret_cast<std::int64_t*>(words.data());
    parallel_sort(session.context(), begin, begin + count);
    const std::uint64_t mask = (std::uint64_t{1} << index_bits) - 1;
    team_ranges(*session.team, count, grain, [&](std::int64_t from, std::int64_t end) {
        for (std::int64_t i = from; i < end; ++i) out[i] = static_cast<I>(words[i] & mask);
    });
}

/// By digits, the lowest first; every pass is stable.
template <class I> void sort_by_digits(AlgorithmSession& session, const Keys& keys, I* out) {
    constexpr int digit_bits = 11;
    constexpr std::uint64_t digits = 1 << digit_bits;
    const auto words = keys.words.as<std::uint64_t>();
    Array other =
        Array::allocate(element_type_of<I>(), keys.words.size(), session.context(), "sorting");
    I* from = out;
    I* to = other.mutable_as<I>().data();
    std::iota(out, out + words.size(), I{0});
    for (int shift = 0; shift < 64 && keys.range >> shift != 0; shift += digit_bits) {
        session.check_cancelled();
        const auto digit = [&](I i) { return (words[i] - keys.least) >> shift & (digits - 1); };
        std::vector<std::int64_t> places(digits);
        for (std::size_t i = 0; i < words.size(); ++i) ++places[digit(from[i])];
        std::int64_t sum = 0;
        for (std::int64_t& place : places) sum += std::exchange(place, sum);
        for (std::size_t i = 0; i < words.size(); ++i) to[places[digit(from[i])]++] = from[i];
        std::swap(from, to);
    }
    if (from != out) std::copy(from, from + words.size(), out);
}

} // namespace

void sort(Frame* frame, std::int64_t variable, std::int64_t other) {
    AlgorithmSession& session = *frame->session;
    const StoredVector& from = vector_at(*frame, other);
    StoredVector& to = vector_at(*frame, variable);
    Keys keys = keys_of(session, from);
    make_vector(session, to, session.type_of(variable), from.size, 1);
    const auto index_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(from.size)));
    const bool packed = static_cast<int>(std::bit_width(keys.range)) + index_bits <= 63;
    visit_index(session.options.wide ? ElementType::int64 : ElementType::int32, [&](auto tag) {
        using I = typename decltype(tag)::type;
        I* const out = static_cast<I*>(to.data);
        if (from.size == 0) return;
        if (packed) sort_packed(session, keys, index_bits, out);
        else sort_by_digits(session, keys, out);
    });
}

void scan(Frame* frame, std::int64_t variable, std::int64_t other) {
    AlgorithmSession& session = *frame->session;
    const StoredVector& from = vector_at(*frame, other);
    StoredVector& to = vector_at(*frame, variable);
    const auto& type = session.type_of(variable);
    const Array source =
        cast(from.memory, stored_type(type, session.options.wide), session.context());
    make_vector(session, to, type, from.size, 1);
    const std::int64_t count = from.size;
    visit_type(source.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        using Sum = std::conditional_t<std::is_floating_point_v<T>, T, std::uint64_t>;
        const T* const in = static_cast<const T*>(address_of(source));
        T* const out = static_cast<T*>(to.data);
        std::vector<Sum> sums(static_cast<std::size_t>((count + grain - 1) / grain) + 1);
        team_ranges(*session.team, count, grain, [&](std::int64_t begin, std::int64_t end) {
            Sum sum = 0;
            for (std::int64_t i = begin; i < end; ++i) sum += static_cast<Sum>(in[i]);
            sums[begin / grain + 1] = sum;
        });
        std::partial_sum(sums.begin(), sums.end(), sums.begin());
        team_ranges(*session.team, count, grain, [&](std::int64_t begin, std::int64_t end) {
            Sum sum = sums[begin / grain];
            for (std::int64_t i = begin; i < end; ++i) {
                const auto next = static_cast<Sum>(in[i]);
                out[i] = static_cast<T>(sum);
                sum += next;
            }
        });
    });
}

} // namespace tropic::cpu
