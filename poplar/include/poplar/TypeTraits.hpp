// What is known of a type by name.
#pragma once

#include <poplar/Type.hpp>

namespace poplar {

struct TypeTraits {
    std::size_t size = 0;
    std::size_t align = 0;
    bool isSimpleType = true;
    bool isIntegral = false;
    bool isFloat = false;
    bool isSigned = false;

    template <class T> static TypeTraits make() {
        return {sizeof(T),
                alignof(T),
                true,
                std::is_integral_v<T>,
                std::is_floating_point_v<T>,
                std::is_signed_v<T>};
    }
};

} // namespace poplar
