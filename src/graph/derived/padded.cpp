#include "graph/derived/padded.h"

#include <cstdint>
#include <cstring>

namespace tropic::derived {

namespace {

constexpr std::uintptr_t margin = 64;
constexpr std::uintptr_t page = 4096;

} // namespace

bool is_padded(const Array& array) {
    if (array.bytes() == 0 || !array.is_borrowed()) return true;
    // What lies on the page of the last element can be read as long as it can. Of the page behind
    // it nobody knows whose it is, nor for how long.
    const auto end = reinterpret_cast<std::uintptr_t>(array.data()) + array.bytes();
    return end % page != 0 && end % page <= page - margin;
}

Array padded(const Array& array, const Context& context) {
    if (is_padded(array)) return array;
    Array copy = Array::allocate(array.type(), array.size(), context, "a graph's arrays");
    std::memcpy(copy.mutable_data(), array.data(), array.bytes());
    return copy;
}

} // namespace tropic::derived
