// What is thrown. Everything derives from poplar_error.
#pragma once

#include <stdexcept>
#include <string>

#include <poplar/StringRef.hpp>

namespace poplar {

struct poplar_error : public std::runtime_error {
    explicit poplar_error(const std::string& s, const std::string& t = "poplar_error")
        : std::runtime_error(s), type(t) {}
    explicit poplar_error(const char* s, const std::string& t = "poplar_error")
        : std::runtime_error(s), type(t) {}
    std::string type;
};

/// Each with a constructor from text, like poplar_error's.
#define TROPIC_POPLAR_ERROR(NAME, BASE)                                                            \
    struct NAME : public BASE {                                                                    \
        explicit NAME(const std::string& s, const std::string& t = #NAME) : BASE(s, t) {}          \
        explicit NAME(const char* s, const std::string& t = #NAME) : BASE(s, t) {}                 \
    };

TROPIC_POPLAR_ERROR(logic_error, poplar_error)
TROPIC_POPLAR_ERROR(runtime_error, poplar_error)

TROPIC_POPLAR_ERROR(internal_error, logic_error)
TROPIC_POPLAR_ERROR(file_load_error, poplar_error)
TROPIC_POPLAR_ERROR(index_error, poplar_error)
TROPIC_POPLAR_ERROR(overflow_error, poplar_error)
TROPIC_POPLAR_ERROR(type_error, poplar_error)
TROPIC_POPLAR_ERROR(parse_error, poplar_error)
TROPIC_POPLAR_ERROR(invalid_option, poplar_error)
TROPIC_POPLAR_ERROR(invalid_machine_model, poplar_error)
TROPIC_POPLAR_ERROR(invalid_tile_mapping, poplar_error)
TROPIC_POPLAR_ERROR(unknown_field, poplar_error)
TROPIC_POPLAR_ERROR(unknown_vertex_type_error, poplar_error)
TROPIC_POPLAR_ERROR(symbol_error, poplar_error)
TROPIC_POPLAR_ERROR(no_environment, poplar_error)
TROPIC_POPLAR_ERROR(no_size_specified, poplar_error)
TROPIC_POPLAR_ERROR(tensor_creation_failed, poplar_error)
TROPIC_POPLAR_ERROR(tensor_io_state_error, poplar_error)
TROPIC_POPLAR_ERROR(control_program_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_connection_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_cycle_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_object_creation_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_object_load_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_program_compilation_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_recursion_error, poplar_error)
TROPIC_POPLAR_ERROR(graph_replication_error, poplar_error)
TROPIC_POPLAR_ERROR(missing_cycle_estimate, poplar_error)
TROPIC_POPLAR_ERROR(missing_perf_estimate, poplar_error)
TROPIC_POPLAR_ERROR(profiling_disabled, poplar_error)
TROPIC_POPLAR_ERROR(memory_allocation_error, poplar_error)
TROPIC_POPLAR_ERROR(stream_connection_error, poplar_error)
TROPIC_POPLAR_ERROR(stream_memory_allocation_error, poplar_error)
TROPIC_POPLAR_ERROR(memory_elem_constraints_error, poplar_error)
TROPIC_POPLAR_ERROR(application_runtime_error, runtime_error)
TROPIC_POPLAR_ERROR(system_runtime_error, runtime_error)
TROPIC_POPLAR_ERROR(recoverable_runtime_error, system_runtime_error)
TROPIC_POPLAR_ERROR(unrecoverable_runtime_error, system_runtime_error)
/// What this implementation does not offer.
TROPIC_POPLAR_ERROR(unsupported_error, poplar_error)

#undef TROPIC_POPLAR_ERROR

/// Codelets that do not compile; `output` is what the compiler said.
struct link_error : public poplar_error {
    explicit link_error(const std::string& s, const std::string& out = {})
        : poplar_error(s, "link_error"), output(out) {}
    std::string output;
};

/// A graph that does not fit into the tiles' memory; the profile can still be written.
struct graph_memory_allocation_error : public memory_allocation_error {
    explicit graph_memory_allocation_error(const std::string& s, const std::string& path = {})
        : memory_allocation_error(s, "graph_memory_allocation_error"), profilePath(path) {}
    std::string profilePath; ///< where the profile was written, if it was
};

} // namespace poplar
