// The types of elements by size and name.
#include "machines/tile/codelet.h"

#include <array>

namespace tropic::tile {

namespace {

struct TypeFacts {
    std::size_t bytes;
    std::string_view name;
};

/// In the order of ElementType.
constexpr std::array<TypeFacts, 11> type_facts{{{1, "bool"},
                                                {1, "char"},
                                                {1, "unsigned char"},
                                                {2, "short"},
                                                {2, "unsigned short"},
                                                {4, "int"},
                                                {4, "unsigned int"},
                                                {8, "long long"},
                                                {8, "unsigned long long"},
                                                {2, "half"},
                                                {4, "float"}}};

} // namespace

std::size_t bytes_of(ElementType type) {
    return type_facts.at(static_cast<std::size_t>(type)).bytes;
}

std::string_view name_of(ElementType type) {
    return type_facts.at(static_cast<std::size_t>(type)).name;
}

} // namespace tropic::tile
