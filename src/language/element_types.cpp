#include "language/element_types.h"

#include <cmath>
#include <limits>

namespace tropic::language {

namespace {

bool is_unsigned(ElementType type) {
    return type >= ElementType::uint8 && type <= ElementType::uint64;
}

} // namespace

std::optional<ElementType> parse_type_word(std::string_view word) noexcept {
    if (word == "double") return ElementType::float64;
    if (word == "float") return ElementType::float32;
    if (word == "int") return ElementType::int32;
    ElementType type{};
    if (!parse_element_type(word, type) || type == ElementType::pattern) return std::nullopt;
    return type;
}

ElementType signed_type(ElementType type) noexcept {
    switch (type) {
    case ElementType::pattern:
    case ElementType::boolean:
        return ElementType::int8;
    case ElementType::uint8:
        return ElementType::int16;
    case ElementType::uint16:
        return ElementType::int32;
    case ElementType::uint32:
    case ElementType::uint64:
        return ElementType::int64;
    default:
        return type;
    }
}

ElementType common_type(ElementType a, ElementType b) noexcept {
    if (a == b) return a;
    if (a == ElementType::boolean || a == ElementType::pattern) return b;
    if (b == ElementType::boolean || b == ElementType::pattern) return a;
    if (is_float(a) || is_float(b)) {
        if (a == ElementType::float64 || b == ElementType::float64) return ElementType::float64;
        const ElementType integer = is_float(a) ? b : a;
        return size_of(integer) <= 2 ? ElementType::float32 : ElementType::float64;
    }
    if (is_unsigned(a) == is_unsigned(b)) return size_of(a) > size_of(b) ? a : b;
    const ElementType left = signed_type(a);
    const ElementType right = signed_type(b);
    return size_of(left) > size_of(right) ? left : right;
}

ElementType scalar_type(ElementType type) noexcept {
    return is_float(type) ? ElementType::float64 : ElementType::int64;
}

bool holds_integer(ElementType type, std::int64_t value) noexcept {
    return visit_type(type, [&]<class T>(TypeTag<T>) {
        if constexpr (std::is_same_v<T, bool>) {
            return value == 0 || value == 1;
        } else if constexpr (std::is_floating_point_v<T>) {
            constexpr std::int64_t exact = std::int64_t{1} << std::numeric_limits<T>::digits;
            return value >= -exact && value <= exact;
        } else {
            return std::in_range<T>(value);
        }
    });
}

} // namespace tropic::language
