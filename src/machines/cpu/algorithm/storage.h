// What is behind the variables of a running algorithm. Compiled code sees the views that these
// structures begin with and swaps two variables by swapping their slots, so that everything which
// belongs to a value travels with its view.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "language/algorithm/algorithm.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"
#include "machines/cpu/algorithm/member_list.h"
#include "support/memory.h"
#include "tropic/array.h"

namespace tropic::derived {
class GraphCache;
}

namespace tropic::cpu {

/// Bytes that no element is larger than; memory for one stands in where there are none.
inline constexpr std::size_t largest_element = 256;

/// How an element of a type lies in memory.
struct ElementLayout {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
};
ElementLayout layout_of(const language::algorithm::Type& type,
                        const std::vector<language::algorithm::Record>& records, bool wide);

/// The type of the numbers that an element is made of; uint8 for records, which are bytes.
ElementType stored_type(const language::algorithm::Type& type, bool wide);

struct StoredScalar {
    alignas(64) std::byte bytes[largest_element] = {};
};

struct StoredVector : VectorView {
    bool own = false;  ///< nobody else sees the memory
    Array memory = {}; ///< of the stored type, `lanes` (records: bytes) in a row for each element
};

/// What is known of the order of a list, the least first.
enum class ListOrder : std::uint8_t {
    raced,  ///< as threads came: another run may have another one
    steady, ///< the same however many threads there are
    ascending,
};

struct StoredSet : SetView {
    Array bit_words = {};
    MemberList members = {};
    Array elements = {};               ///< sparse only
    std::size_t element_bytes = 0;     ///< 0: a set
    std::vector<std::byte> reset = {}; ///< sparse only: an element of no member
    ListOrder order = ListOrder::ascending;

    std::int64_t words() const noexcept { return (size + 63) / 64; }
};

/// Sets on a stack: only their members.
struct StoredStack : StackView {
    struct Level {
        Array list; ///< of the program's width
        ListOrder order = ListOrder::ascending;
        std::int64_t size = 0; ///< of the space
    };
    std::vector<Level> levels = {};
    std::vector<MemoryCharge> charges = {}; ///< of what levels take beside their members
};

struct StoredGraph : GraphView {
    std::shared_ptr<derived::GraphCache> cache = {};
    std::vector<Array> arrays = {}; ///< keeps what the view shows alive
    std::int64_t longest_out = -1;  ///< the largest degree; -1: not known
    std::int64_t longest_in = -1;
};

inline StoredVector& vector_at(const Frame& frame, std::int64_t variable) {
    return *static_cast<StoredVector*>(static_cast<VectorView*>(frame.slots[variable]));
}
inline StoredSet& set_at(const Frame& frame, std::int64_t variable) {
    return *static_cast<StoredSet*>(static_cast<SetView*>(frame.slots[variable]));
}
inline StoredStack& stack_at(const Frame& frame, std::int64_t variable) {
    return *static_cast<StoredStack*>(static_cast<StackView*>(frame.slots[variable]));
}
inline StoredGraph& graph_at(const Frame& frame, std::int64_t variable) {
    return *static_cast<StoredGraph*>(static_cast<GraphView*>(frame.slots[variable]));
}

/// Where an array's elements are; some memory where there are none.
void* address_of(const Array& array);

} // namespace tropic::cpu
