// Digits to numbers without a branch for each digit: eight bytes are looked at at once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace tropic {

/// The eight bytes at `p`, the first one lowest.
inline std::uint64_t load_eight(const char* p) noexcept {
    std::uint64_t bytes = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&bytes, p, 8);
    } else {
        for (int i = 7; i >= 0; --i) bytes = bytes << 8 | static_cast<unsigned char>(p[i]);
    }
    return bytes;
}

inline bool is_digit(char c) noexcept {
    return static_cast<unsigned char>(c - '0') < 10;
}

/// The number whose decimal digits, most significant first, are the bytes of `digits`.
inline std::uint64_t eight_digits(std::uint64_t digits) noexcept {
    constexpr std::uint64_t pairs = 0x000000ff000000ff;
    digits = digits * 10 + (digits >> 8);
    return ((digits & pairs) * 0x000f424000000064 +
            ((digits >> 16) & pairs) * 0x0000271000000001) >>
           32;
}

/// Moves `p` over the digits at it and appends them to `value`, which wraps if they are too many.
/// Returns how many there were. The digits end before `end`, or a byte that is no digit stands
/// there.
inline std::int64_t scan_digits(const char*& p, const char* end, std::uint64_t& value) noexcept {
    static constexpr std::array<std::uint64_t, 9> tens = {
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    const char* start = p;
    while (end - p >= 8) {
        // A byte is flagged if it is no digit; a carry can only come out of a flagged byte, so the
        // lowest flag is right.
        const std::uint64_t digits = load_eight(p) ^ 0x3030303030303030;
        const std::uint64_t flags = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
        if (flags != 0) {
            const int count = std::countr_zero(flags) / 8;
            value = value * tens[count] + eight_digits((digits << 8) << (56 - 8 * count));
            p += count;
            return p - start;
        }
        value = value * tens[8] + eight_digits(digits);
        p += 8;
    }
    for (; is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
    return p - start;
}

/// numerator * 2^63 / divisor and whether something remains; the divisor's highest bit is set.
struct Quotient {
    std::uint64_t value;
    bool remainder;
};
inline Quotient divide(std::uint64_t numerator, std::uint64_t divisor) noexcept {
    std::uint64_t high = numerator >> 1;
    std::uint64_t low = numerator << 63;
#if defined(__x86_64__)
    // The quotient fits, since high < 2^63 <= divisor; compilers would call a function for this.
    asm("divq %2" : "+a"(low), "+d"(high) : "r"(divisor) : "cc");
    return {low, high != 0};
#else
    __extension__ using Wide = unsigned __int128;
    const Wide whole = static_cast<Wide>(high) << 64 | low;
    return {static_cast<std::uint64_t>(whole / divisor), whole % divisor != 0};
#endif
}

/// The powers of five that fit 64 bits, shifted so that their highest bit is set.
struct FivePower {
    std::uint64_t shifted;
    int shift;
};
inline constexpr std::array<FivePower, 28> five_powers = [] {
    std::array<FivePower, 28> result{};
    std::uint64_t power = 1;
    for (FivePower& entry : result) {
        entry.shift = std::countl_zero(power);
        entry.shifted = power << entry.shift;
        power *= 5;
    }
    return result;
}();

/// The double nearest to mantissa / 10^digits, for a mantissa other than 0 and at most 27 digits:
/// the exact quotient has at least 62 bits and a remainder, so it can be rounded once.
inline double divided_by_ten_to(std::uint64_t mantissa, std::int64_t digits) noexcept {
    const FivePower& five = five_powers[digits];
    const int shift = std::countl_zero(mantissa);
    const auto [quotient, remainder] = divide(mantissa << shift, five.shifted);
    const int drop = 11 - std::countl_zero(quotient);
    if (drop < 1) __builtin_unreachable();
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    const std::uint64_t rest = quotient & (2 * half - 1);
    std::uint64_t rounded = quotient >> drop;
    rounded += rest > half || (rest == half && (remainder || (rounded & 1) != 0));
    const std::int64_t power = drop - 63 + five.shift - shift - digits;
    return static_cast<double>(rounded) *
           std::bit_cast<double>(static_cast<std::uint64_t>(1023 + power) << 52);
}

/// Reads a decimal number whose nearest double (or float) can be told with few exact operations:
/// at most 19 digits, a small exponent. False, with `p` as it was, for every other text.
template <class T> inline bool scan_short_real(const char*& p, const char* end, T& value) noexcept {
    constexpr bool wide = sizeof(T) == 8;
    constexpr std::uint64_t exact_mantissa = wide ? std::uint64_t{1} << 53 : 1 << 24;
    constexpr std::int64_t exact_power = wide ? 22 : 10;
    static constexpr std::array<T, 23> powers = [] {
        std::array<T, 23> result{};
        T power = 1;
        for (std::int64_t i = 0; i <= exact_power; ++i, power *= 10) result[i] = power;
        return result;
    }();
    const char* q = p;
    const bool negative = *q == '-';
    if (negative) ++q;
    std::uint64_t mantissa = 0;
    std::int64_t digits = scan_digits(q, end, mantissa);
    std::int64_t exponent = 0;
    if (*q == '.') {
        ++q;
        const std::int64_t fraction = scan_digits(q, end, mantissa);
        digits += fraction;
        exponent = -fraction;
    }
    if (digits == 0 || digits > 19) return false;
    if ((*q | 0x20) == 'e') {
        ++q;
        const bool shrinks = *q == '-';
        if (shrinks || *q == '+') ++q;
        std::uint64_t written = 0;
        const std::int64_t count = scan_digits(q, end, written);
        if (count == 0 || count > 4) return false;
        exponent +=
            shrinks ? -static_cast<std::int64_t>(written) : static_cast<std::int64_t>(written);
    }
    T result{};
    if (mantissa <= exact_mantissa && exponent >= -exact_power && exponent <= exact_power) {
        result = static_cast<T>(mantissa);
        result = exponent < 0 ? result / powers[-exponent] : result * powers[exponent];
    } else if (wide && mantissa != 0 && exponent <= 0 &&
               exponent > -static_cast<std::int64_t>(five_powers.size())) {
        result = static_cast<T>(divided_by_ten_to(mantissa, -exponent));
    } else {
        return false;
    }
    value = negative ? -result : result;
    p = q;
    return true;
}

} // namespace tropic
