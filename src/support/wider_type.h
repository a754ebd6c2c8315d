// Which element types give sums more room.
#pragma once

#include "tropic/types.h"

namespace tropic {

/// Whether `wide` reaches as far as `narrow`, so that what is added up there overflows no sooner.
/// Entries without values count as ones; the sum of booleans is their "or", which no other type
/// gives.
constexpr bool reaches_as_far(ElementType wide, ElementType narrow) noexcept {
    if (wide == narrow || narrow == ElementType::pattern) return true;
    if (wide <= ElementType::boolean || narrow == ElementType::boolean) return false;
    if (is_float(wide) != is_float(narrow)) return is_float(wide);
    if (is_signed(wide) == is_signed(narrow)) return size_of(wide) >= size_of(narrow);
    return is_signed(wide) && size_of(wide) > size_of(narrow);
}

/// Whether `wide` reaches further up, and holds all of `narrow` but what is below zero.
constexpr bool reaches_further_up(ElementType wide, ElementType narrow) noexcept {
    return wide > ElementType::boolean && narrow > ElementType::boolean && !is_float(wide) &&
           !is_float(narrow) && !is_signed(wide) && is_signed(narrow) &&
           size_of(wide) >= size_of(narrow);
}

} // namespace tropic
