// Reads every element that a graph read with verification promises to have, as a kernel would.
#pragma once

#include <cstdint>

#include "graph/files/reader.h"

namespace tropic::fuzz {

/// Something that depends on every element, so that no read is left out.
inline double walk(const FileContent& content) {
    double sum = 0;
    const auto walk_array = [&](const Array& array) {
        for (Index i = 0; i < array.size(); ++i) sum += array.value_at(i);
    };
    for (const Array* array : {&content.vertex_weights, &content.vertex_sizes}) {
        if (array->type() != ElementType::pattern) walk_array(*array);
    }
    for (const VertexIds& ids : content.ids) {
        if (!ids.is_offset()) walk_array(ids.table());
    }
    if (!content.tensor) return sum;
    const Tensor& tensor = *content.tensor;
    Index positions = 1;
    for (int l = 0; l < tensor.rank(); ++l) {
        const Level& level = tensor.level(l);
        const Index extent = tensor.dim(tensor.format().order[l]);
        if (level.kind == LevelKind::dense) {
            positions *= extent;
            continue;
        }
        if (level.kind == LevelKind::compressed) {
            // Children are reached through positions, as a kernel reaches them.
            Index children = 0;
            for (Index parent = 0; parent < positions; ++parent) {
                for (Index c = level.pos.index_at(parent); c < level.pos.index_at(parent + 1);
                     ++c) {
                    const Index coordinate = level.crd.index_at(c);
                    if (coordinate < 0 || coordinate >= extent) __builtin_trap();
                    ++children;
                }
            }
            positions = children;
        } else {
            for (Index c = 0; c < positions; ++c) {
                const Index coordinate = level.crd.index_at(c);
                if (coordinate < 0 || coordinate >= extent) __builtin_trap();
            }
        }
    }
    if (tensor.rank() > 0 && positions != tensor.entries()) __builtin_trap();
    if (!tensor.is_pattern()) walk_array(tensor.values());
    return sum;
}

} // namespace tropic::fuzz
