// Compares profiles member by member.
#pragma once

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "machines/tile/profile.h"

namespace tropic::testing {

// The bindings name every member: one more in a struct, and this no longer compiles, which is how
// the tests notice that the format has to grow too.

/// Its figures are those of machine_parameters().
inline bool same_machine(const tile::Machine& a, const tile::Machine& b) {
    const auto same = [&](const tile::MachineParameter& p) { return p.of(a) == p.of(b); };
    return a.name == b.name && std::ranges::all_of(tile::machine_parameters(), same);
}
inline auto members(const tile::ProfileScope& s) {
    const auto& [name, parent] = s;
    return std::tie(name, parent);
}
inline auto members(const tile::TileExchange& e) {
    const auto& [tile, cycles, rearrange, sent, received, local] = e;
    return std::tie(tile, cycles, rearrange, sent, received, local);
}
inline auto members(const tile::Superstep& s) {
    const auto& [step, iteration, start, before, compute, after, sync, host, tiles] = s;
    return std::tie(step, iteration, start, before, compute, after, sync, host, tiles);
}
inline auto members(const tile::MemoryPiece& p) {
    const auto& [tile, bytes] = p;
    return std::tie(tile, bytes);
}
inline auto members(const tile::TileMemory& m) {
    const auto& [always, shared, padding] = m;
    return std::tie(always, shared, padding);
}
inline auto members(const tile::Rearrangement& r) {
    const auto& [tensor, why, step, tiles, bytes, cycles] = r;
    return std::tie(tensor, why, step, tiles, bytes, cycles);
}
inline auto members(const tile::HostTime& t) {
    const auto& [what, seconds] = t;
    return std::tie(what, seconds);
}

template <class Element>
void expect_same_list(const std::vector<Element>& a, const std::vector<Element>& b,
                      const char* what);

inline void expect_same(const tile::ProfileStep& a, const tile::ProfileStep& b) {
    const auto& [name, kind, parent, vertices, sync, setup, before, after] = a;
    EXPECT_EQ(
        std::tie(name, kind, parent, vertices, sync, setup),
        std::tie(b.name, b.kind, b.parent, b.vertices, b.sync_cycles, b.exchange_setup_cycles));
    expect_same_list(before, b.before, "before");
    expect_same_list(after, b.after, "after");
}

inline void expect_same(const tile::MemoryItem& a, const tile::MemoryItem& b) {
    const auto& [name, kind, always_live, pieces] = a;
    EXPECT_EQ(std::tie(name, kind, always_live), std::tie(b.name, b.kind, b.always_live));
    expect_same_list(pieces, b.pieces, "pieces");
}

template <class Element> void expect_same(const Element& a, const Element& b) {
    EXPECT_TRUE(members(a) == members(b));
}

template <class Element>
void expect_same_list(const std::vector<Element>& a, const std::vector<Element>& b,
                      const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        SCOPED_TRACE(std::string(what) + " " + std::to_string(i));
        expect_same(a[i], b[i]);
    }
}

inline void expect_same(const tile::Profile& a, const tile::Profile& b) {
    const auto& [program, machine, scopes, steps, supersteps, cycles, dropped, memory, items,
                 rearrangements, host_times, failure] = a;
    EXPECT_EQ(std::tie(program, cycles, dropped, failure),
              std::tie(b.program, b.cycles, b.dropped_supersteps, b.failure));
    EXPECT_TRUE(same_machine(machine, b.machine));
    expect_same_list(scopes, b.scopes, "scopes");
    expect_same_list(steps, b.steps, "steps");
    expect_same_list(supersteps, b.supersteps, "supersteps");
    expect_same_list(memory, b.memory, "memory");
    expect_same_list(items, b.memory_items, "memory_items");
    expect_same_list(rearrangements, b.rearrangements, "rearrangements");
    expect_same_list(host_times, b.host_times, "host_times");
}

} // namespace tropic::testing
