#include "tropic/types.h"

#include <array>

namespace tropic {

namespace {

constexpr std::array<std::string_view, element_type_count> names = {
    "pattern", "bool",   "int8",   "int16",  "int32",   "int64",
    "uint8",   "uint16", "uint32", "uint64", "float32", "float64",
};

} // namespace

std::string_view name_of(ElementType type) noexcept {
    return names[static_cast<std::size_t>(type)];
}

bool parse_element_type(std::string_view name, ElementType& type) noexcept {
    if (name == "float") name = "float32";
    if (name == "double") name = "float64";
    if (name == "int") name = "int32";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            type = static_cast<ElementType>(i);
            return true;
        }
    }
    return false;
}

} // namespace tropic
