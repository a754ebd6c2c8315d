#include "machines/cpu/algorithm/storage.h"

#include <algorithm>

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

/// Stands for the elements of an empty array.
alignas(64) std::byte nothing[largest_element + 64] = {};

ElementType number_type(const la::Type& type, bool wide) {
    if (type.vertex) return wide ? ElementType::int64 : ElementType::int32;
    return type.element == ElementType::pattern ? ElementType::boolean : type.element;
}

} // namespace

ElementLayout layout_of(const la::Type& type, const std::vector<la::Record>& records, bool wide) {
    if (type.record < 0) {
        const std::size_t one = size_of(number_type(type, wide));
        return {one * static_cast<std::size_t>(type.lanes), one};
    }
    ElementLayout whole{0, 1};
    for (const auto& field : records[static_cast<std::size_t>(type.record)].fields) {
        const ElementLayout part = layout_of(field.type, records, wide);
        whole.bytes = (whole.bytes + part.alignment - 1) / part.alignment * part.alignment;
        whole.bytes += part.bytes;
        whole.alignment = std::max(whole.alignment, part.alignment);
    }
    whole.bytes = (whole.bytes + whole.alignment - 1) / whole.alignment * whole.alignment;
    return whole;
}

ElementType stored_type(const la::Type& type, bool wide) {
    return type.record >= 0 ? ElementType::uint8 : number_type(type, wide);
}

void* address_of(const Array& array) {
    return array.empty() || array.data() == nullptr ? static_cast<void*>(nothing)
                                                    : const_cast<void*>(array.data());
}

} // namespace tropic::cpu
