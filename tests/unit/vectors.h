// Vectors to hand to algorithms.
#pragma once

#include <cstdint>
#include <vector>

#include "tropic/tensor.h"

namespace tropic {

inline Tensor vector_of(const std::vector<std::int32_t>& values) {
    return {{static_cast<Index>(values.size())},
            Format::dense(1),
            std::vector<Level>(1),
            Array::copy_of<std::int32_t>(values, {}, "values"),
            true,
            true};
}

} // namespace tropic
