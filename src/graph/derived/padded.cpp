#include "graph/derived/padded.h"

#include <cstdint>
#include <cstring>

#include <sys/mman.h>

namespace tropic::derived {

namespace {

constexpr std::uintptr_t margin = 64;
constexpr std::uintptr_t page = 4096;

} // namespace

bool is_padded(const Array& array) {
    if (array.bytes() == 0) return true;
    // What lies on the page of the last element can be read; so can the page behind it if there is
    // one, as there is behind memory that Array allocated.
    const auto end = reinterpret_cast<std::uintptr_t>(array.data()) + array.bytes();
    if (end % page != 0 && end % page <= page - margin) return true;
    unsigned char resident = 0;
    const std::uintptr_t next = (end + page - 1) / page * page;
    return mincore(reinterpret_cast<void*>(next), page, &resident) == 0;
}

Array padded(const Array& array, const Context& context) {
    if (is_padded(array)) return array;
    Array copy = Array::allocate(array.type(), array.size(), context, "a graph's arrays");
    std::memcpy(copy.mutable_data(), array.data(), array.bytes());
    return copy;
}

} // namespace tropic::derived
