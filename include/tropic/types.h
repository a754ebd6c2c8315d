// The scalar vocabulary: the index type, the element types a tensor may hold, and the bridge
// between the two worlds of run-time tags and compile-time types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tropic {

/// Vertices, positions and sizes at every interface. Stored arrays use 32 bits where they fit.
using Index = std::int64_t;

/// What one stored element is. `pattern` stands for entries that carry no value at all.
enum class ElementType : std::uint8_t {
    pattern,
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64,
};

inline constexpr int element_type_count = 12;

/// Bytes of one stored element; 0 for `pattern`.
constexpr std::size_t size_of(ElementType type) noexcept {
    switch (type) {
    case ElementType::pattern:
        return 0;
    case ElementType::boolean:
    case ElementType::int8:
    case ElementType::uint8:
        return 1;
    case ElementType::int16:
    case ElementType::uint16:
        return 2;
    case ElementType::int32:
    case ElementType::uint32:
    case ElementType::float32:
        return 4;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::float64:
        return 8;
    }
    return 0;
}

/// The name used on the command line, in reports and in files: "pattern", "bool", "int32",
/// "float64"...
std::string_view name_of(ElementType type) noexcept;

/// The type of that name; false if there is none.
bool parse_element_type(std::string_view name, ElementType& type) noexcept;

constexpr bool is_float(ElementType type) noexcept {
    return type == ElementType::float32 || type == ElementType::float64;
}
constexpr bool is_signed(ElementType type) noexcept {
    return is_float(type) || (type >= ElementType::int8 && type <= ElementType::int64);
}

/// The narrowest index type that can hold every value from 0 up to and including `largest`.
constexpr ElementType index_type_for(Index largest) noexcept {
    return largest <= std::numeric_limits<std::int32_t>::max() ? ElementType::int32
                                                               : ElementType::int64;
}

/// The tag of a C++ type.
template <class T> constexpr ElementType element_type_of() noexcept {
    if constexpr (std::is_same_v<T, bool>) return ElementType::boolean;
    else if constexpr (std::is_same_v<T, std::int8_t>) return ElementType::int8;
    else if constexpr (std::is_same_v<T, std::int16_t>) return ElementType::int16;
    else if constexpr (std::is_same_v<T, std::int32_t>) return ElementType::int32;
    else if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::int64;
    else if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::uint8;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return ElementType::uint16;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::uint32;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::uint64;
    else if constexpr (std::is_same_v<T, float>) return ElementType::float32;
    else {
        static_assert(std::is_same_v<T, double>, "not an element type");
        return ElementType::float64;
    }
}

template <class T> struct TypeTag {
    using type = T;
};

/// Calls `action(TypeTag<T>{})` with the C++ type behind `type`. `pattern` has none and must be
/// handled by the caller; it is treated as bool here so that every call returns.
template <class Action> decltype(auto) visit_type(ElementType type, Action&& action) {
    switch (type) {
    case ElementType::pattern:
    case ElementType::boolean:
        return action(TypeTag<bool>{});
    case ElementType::int8:
        return action(TypeTag<std::int8_t>{});
    case ElementType::int16:
        return action(TypeTag<std::int16_t>{});
    case ElementType::int32:
        return action(TypeTag<std::int32_t>{});
    case ElementType::int64:
        return action(TypeTag<std::int64_t>{});
    case ElementType::uint8:
        return action(TypeTag<std::uint8_t>{});
    case ElementType::uint16:
        return action(TypeTag<std::uint16_t>{});
    case ElementType::uint32:
        return action(TypeTag<std::uint32_t>{});
    case ElementType::uint64:
        return action(TypeTag<std::uint64_t>{});
    case ElementType::float32:
        return action(TypeTag<float>{});
    case ElementType::float64:
        break;
    }
    return action(TypeTag<double>{});
}

/// Calls `action(TypeTag<std::int32_t>{})` or `action(TypeTag<std::int64_t>{})`.
template <class Action> decltype(auto) visit_index(ElementType type, Action&& action) {
    if (type == ElementType::int32) return action(TypeTag<std::int32_t>{});
    return action(TypeTag<std::int64_t>{});
}

} // namespace tropic
