// NaN among values of any element type, most of which have none.
#pragma once

#include <cmath>
#include <type_traits>

namespace tropic {

template <class T> constexpr bool is_nan(T value) noexcept {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    else return false;
}

} // namespace tropic
