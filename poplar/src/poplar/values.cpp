// Values of the host as elements.
#include <cmath>
#include <cstring>
#include <limits>

#include "core.h"
#include "machines/tile/fault.h"

namespace poplar::core {

namespace {

template <class To, class From> To number(From value) {
    if constexpr (std::is_same_v<To, bool>) {
        return value != From{0};
    } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
        // Out of range would be undefined: the nearest there is.
        if (std::isnan(value)) return To{0};
        const auto least = static_cast<From>(std::numeric_limits<To>::min());
        const auto most = static_cast<From>(std::numeric_limits<To>::max());
        if (value <= least) return std::numeric_limits<To>::min();
        if (value >= most) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

template <class To, class From> void convert_array(std::byte* to, const HostArray& values) {
    for (std::size_t i = 0; i < values.count; ++i) {
        From value;
        std::memcpy(&value, static_cast<const std::byte*>(values.data) + i * sizeof(From),
                    sizeof(From));
        const To element = number<To>(value);
        std::memcpy(to + i * sizeof(To), &element, sizeof(To));
    }
}

template <class To> void convert_to(std::byte* to, const HostArray& values) {
    switch (values.kind) {
    case HostArray::Kind::boolean:
        return convert_array<To, std::uint8_t>(to, values);
    case HostArray::Kind::signed_integer:
        switch (values.bytes) {
        case 1:
            return convert_array<To, std::int8_t>(to, values);
        case 2:
            return convert_array<To, std::int16_t>(to, values);
        case 4:
            return convert_array<To, std::int32_t>(to, values);
        default:
            return convert_array<To, std::int64_t>(to, values);
        }
    case HostArray::Kind::unsigned_integer:
        switch (values.bytes) {
        case 1:
            return convert_array<To, std::uint8_t>(to, values);
        case 2:
            return convert_array<To, std::uint16_t>(to, values);
        case 4:
            return convert_array<To, std::uint32_t>(to, values);
        default:
            return convert_array<To, std::uint64_t>(to, values);
        }
    case HostArray::Kind::floating:
        if (values.bytes == sizeof(float)) return convert_array<To, float>(to, values);
        if (values.bytes == sizeof(double)) return convert_array<To, double>(to, values);
        return convert_array<To, long double>(to, values);
    case HostArray::Kind::half:
        for (std::size_t i = 0; i < values.count; ++i) {
            const float value = half_value(static_cast<const std::uint16_t*>(values.data)[i]);
            convert_array<To, float>(to + i * sizeof(To),
                                     {&value, 1, sizeof(float), HostArray::Kind::floating});
        }
        return;
    }
}

template <class T> Number read_number(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return {HostArray::Kind::signed_integer, 0, value, 0};
    } else if constexpr (std::is_integral_v<T>) {
        return {HostArray::Kind::unsigned_integer, 0, 0, value};
    } else {
        return {HostArray::Kind::floating, static_cast<double>(value), 0, 0};
    }
}

} // namespace

std::uint16_t half_bits(float value) {
    const auto half = static_cast<_Float16>(value);
    std::uint16_t bits = 0;
    std::memcpy(&bits, &half, sizeof bits);
    return bits;
}

float half_value(std::uint16_t bits) {
    _Float16 half = 0;
    std::memcpy(&half, &bits, sizeof bits);
    return static_cast<float>(half);
}

tile::Shape to_tile(ArrayRef<std::size_t> shape) {
    tile::Shape result;
    result.reserve(shape.size());
    for (const std::size_t extent : shape) {
        if (extent > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())) {
            tile::fail(tile::Fault::shape, "a dimension is larger than any memory");
        }
        result.push_back(static_cast<std::int64_t>(extent));
    }
    return result;
}

Number number_of(const std::byte* from, tile::ElementType type) {
    using tile::ElementType;
    switch (type) {
    case ElementType::boolean:
    case ElementType::uint8:
        return read_number<std::uint8_t>(from);
    case ElementType::int8:
        return read_number<std::int8_t>(from);
    case ElementType::int16:
        return read_number<std::int16_t>(from);
    case ElementType::uint16:
        return read_number<std::uint16_t>(from);
    case ElementType::int32:
        return read_number<std::int32_t>(from);
    case ElementType::uint32:
        return read_number<std::uint32_t>(from);
    case ElementType::int64:
        return read_number<std::int64_t>(from);
    case ElementType::uint64:
        return read_number<std::uint64_t>(from);
    case ElementType::float16:
        return read_number<_Float16>(from);
    case ElementType::float32:
        return read_number<float>(from);
    }
    return {};
}

std::vector<std::byte> convert(HostArray values, tile::ElementType type) {
    std::vector<std::byte> result(values.count * tile::bytes_of(type));
    std::byte* to = result.data();
    using tile::ElementType;
    switch (type) {
    case ElementType::boolean:
        convert_to<bool>(to, values);
        break;
    case ElementType::int8:
        convert_to<std::int8_t>(to, values);
        break;
    case ElementType::uint8:
        convert_to<std::uint8_t>(to, values);
        break;
    case ElementType::int16:
        convert_to<std::int16_t>(to, values);
        break;
    case ElementType::uint16:
        convert_to<std::uint16_t>(to, values);
        break;
    case ElementType::int32:
        convert_to<std::int32_t>(to, values);
        break;
    case ElementType::uint32:
        convert_to<std::uint32_t>(to, values);
        break;
    case ElementType::int64:
        convert_to<std::int64_t>(to, values);
        break;
    case ElementType::uint64:
        convert_to<std::uint64_t>(to, values);
        break;
    case ElementType::float16:
        convert_to<_Float16>(to, values);
        break;
    case ElementType::float32:
        convert_to<float>(to, values);
        break;
    }
    return result;
}

} // namespace poplar::core
