// Sets and sparse vectors: from bits to a list and back, emptied, copied, combined.
#pragma once

#include "machines/cpu/algorithm/storage.h"
#include "machines/cpu/team.h"

namespace tropic::cpu {

/// What the functions below work with.
struct SetTools {
    Team& team;
    const Context& context;
    bool wide;

    std::size_t index_bytes() const noexcept { return wide ? 8 : 4; }
};

/// A new empty set over `size` members; with `element_bytes`, a sparse vector whose elements are
/// `reset`. Memory that the set has is used again where it fits.
void make_set(const SetTools& tools, StoredSet& set, std::int64_t size, ElementType element,
              std::size_t element_bytes, const void* reset);

/// Makes the list of a set that has only bits.
void list_members(const SetTools& tools, StoredSet& set);

/// Sets the bits of a set that has only a list.
void mark_members(const SetTools& tools, StoredSet& set);

/// Puts the list in order, making it first if need be.
void order_members(const SetTools& tools, StoredSet& set);
/// Lists the members in an order that does not depend on the number of threads.
void settle_members(const SetTools& tools, StoredSet& set);

/// Puts what a loop over the members may look at behind the list of a set that has some.
void lengthen_list(const SetTools& tools, StoredSet& set);

void clear_set(const SetTools& tools, StoredSet& set);

/// Both over the same space, both sets or both sparse with the same elements.
void copy_set(const SetTools& tools, StoredSet& to, StoredSet& from);

enum class SetOperation : std::uint8_t { both, common, without };
void combine_sets(const SetTools& tools, StoredSet& set, StoredSet& other, SetOperation operation);

/// Adds a member; whether it was none.
bool insert_member(const SetTools& tools, StoredSet& set, std::int64_t item);

/// The members of an empty set become those of a list, which holds none twice.
void set_members(const SetTools& tools, StoredSet& set, const void* list, std::int64_t count,
                 ListOrder order);

/// Of a set that is marked.
inline bool has_member(const StoredSet& set, std::int64_t item) noexcept {
    return (set.bits[item / 64] >> (item % 64) & 1) != 0;
}

/// Puts `count` copies of the `bytes` at `value` at `data`.
void fill_elements(Team& team, void* data, std::int64_t count, std::size_t bytes,
                   const void* value);

void copy_bytes(Team& team, void* to, const void* from, std::size_t bytes);

} // namespace tropic::cpu
