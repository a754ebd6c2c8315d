#include "program/given_number.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tropic::program {

namespace {

template <class T> bool holds(const Constant& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value.number == 0 || value.number == 1;
    } else if (value.real) {
        // 2^digits is exact as a real, the largest integer may not be.
        const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
        return value.number >= (std::is_signed_v<T> ? -above : 0.0) && value.number < above;
    } else if (value.large) {
        return std::in_range<T>(static_cast<std::uint64_t>(value.integer));
    } else {
        return std::in_range<T>(value.integer);
    }
}

template <class T> std::string range_text() {
    if constexpr (std::is_same_v<T, bool>) return "true, false";
    else
        return fmt::format("{} to {}", +std::numeric_limits<T>::min(),
                           +std::numeric_limits<T>::max());
}

} // namespace

std::optional<Constant> number_of(const Argument& argument) {
    if (const auto* whole = std::get_if<std::int64_t>(&argument.value())) {
        return Constant{.integer = *whole, .number = static_cast<double>(*whole)};
    }
    if (const auto* large = std::get_if<std::uint64_t>(&argument.value())) {
        return Constant{.integer = static_cast<std::int64_t>(*large),
                        .number = static_cast<double>(*large),
                        .large = true};
    }
    if (const auto* real = std::get_if<double>(&argument.value())) {
        return Constant{.real = true, .number = *real};
    }
    return std::nullopt;
}

void require_fits(const std::string& name, const Constant& value, ElementType type,
                  const std::string& type_text) {
    if (is_float(type)) return;
    if (value.real && value.number != std::trunc(value.number)) {
        throw Error(
            {.code = ErrorCode::usage,
             .message = fmt::format("{} is given {}, which is no whole number", name, value.number),
             .accepted = type_text});
    }
    visit_type(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_floating_point_v<T>) {
            if (holds<T>(value)) return;
            throw Error({.code = ErrorCode::range,
                         .message = fmt::format("{} = {} does not fit {}", name, text_of(value),
                                                name_of(type)),
                         .accepted = range_text<T>()});
        }
    });
}

} // namespace tropic::program
