#pragma once

namespace poplar {

enum class VectorLayout {
    NOT_VECTOR,
    ONE_PTR,
    SPAN,
    SHORT_SPAN,
    SCALED_PTR32,
    SCALED_PTR64,
    SCALED_PTR128,
    COMPACT_PTR
};
enum class VectorListLayout {
    NOT_VECTORLIST,
    DELTAN,
    ONE_PTR,
    SCALED_PTR32,
    SCALED_PTR64,
    SCALED_PTR128,
    DELTANELEMENTS,
    COMPACT_DELTAN
};

} // namespace poplar
