// Numbers that parameters are given, and the types that hold them.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "program/signature.h"
#include "tropic/algorithm.h"
#include "tropic/error.h"

namespace tropic::program {

/// The number that an argument is; nothing if it is none.
std::optional<Constant> number_of(const Argument& argument);

/// Throws Error(range), saying what the type holds, if it does not hold the value; Error(usage)
/// where whole numbers are wanted, and `type_text` names them, for one that is not.
void require_fits(const std::string& name, const Constant& value, ElementType type,
                  const std::string& type_text);

/// The value in a type that holds it.
template <class T> T converted(const Constant& value) {
    if (std::is_floating_point_v<T> || value.real) return static_cast<T>(value.number);
    return static_cast<T>(value.integer);
}

} // namespace tropic::program
