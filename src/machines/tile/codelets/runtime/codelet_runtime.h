// What compiled codelets call. Linked into every codelet library, so that a library needs nothing
// of the process that loads it; the plugin adds the calls.
#pragma once

#include <cstdint>

#include "machines/tile/codelet.h"

namespace tropic::tile::runtime {

/// Of one vertex type, as the plugin lays it out.
struct VertexDescription {
    std::uint64_t state_bytes;
    std::uint64_t entry_slots; ///< for getting started
    std::uint64_t supervisor_instruction_cycles;
    std::uint64_t returns_truth;   ///< compute() returns bool
    std::uint64_t several_workers; ///< share the state
    std::uint64_t lists;
    /// Offset of the list in the state, and bytes of one of its descriptors.
    struct List {
        std::uint64_t offset;
        std::uint64_t descriptor_bytes;
    };
    const List* first_list() const { return reinterpret_cast<const List*>(this + 1); }
};

/// Why a codelet cannot go on.
enum class StopReason : std::uint32_t { endless, division, trap, assertion, start };

/// Throws; given to the library when it is loaded.
using StopFunction = void (*)(StopReason reason, std::uint32_t line, const char* text);

constexpr unsigned worker_count = 6;

/// What a thread is doing. Compiled code knows the first two members.
struct Thread {
    std::uint64_t slots;
    std::uint64_t limit;
    const Invocation* invocation;
    const VertexDescription* description;
    const char* stack_end; ///< the stack below it belongs to the codelet
    std::uint32_t worker;
    std::uint64_t waited; ///< cycles of the supervisor that its slots do not cover
    std::uint64_t finished[worker_count];
    std::uint64_t random_state;
};

} // namespace tropic::tile::runtime
