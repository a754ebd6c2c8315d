// Values of the host on their way into the graph, whatever their type.
#pragma once

#include <cstddef>
#include <type_traits>

namespace poplar::core {

struct HostArray {
    enum class Kind : unsigned char { boolean, signed_integer, unsigned_integer, floating, half };
    const void* data = nullptr;
    std::size_t count = 0;
    std::size_t bytes = 0; ///< of one value
    Kind kind = Kind::floating;

    template <class T> static HostArray of(const T* values, std::size_t count) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>,
                      "a graph's values are numbers: use setInitialValueHalf for halves");
        Kind kind = Kind::signed_integer;
        if constexpr (std::is_same_v<T, bool>) {
            kind = Kind::boolean;
        } else if constexpr (std::is_floating_point_v<T>) {
            kind = Kind::floating;
        } else if constexpr (std::is_enum_v<T>) {
            kind = std::is_unsigned_v<std::underlying_type_t<T>> ? Kind::unsigned_integer
                                                                 : Kind::signed_integer;
        } else if constexpr (std::is_unsigned_v<T>) {
            kind = Kind::unsigned_integer;
        }
        return {values, count, sizeof(T), kind};
    }
};

/// An element on its way out of the graph, whatever its type.
struct Number {
    HostArray::Kind kind = HostArray::Kind::floating;
    double real = 0;
    long long integer = 0;
    unsigned long long natural = 0;

    template <class T> T as() const {
        if (kind == HostArray::Kind::floating) return static_cast<T>(real);
        return kind == HostArray::Kind::signed_integer ? static_cast<T>(integer)
                                                       : static_cast<T>(natural);
    }
};

} // namespace poplar::core
