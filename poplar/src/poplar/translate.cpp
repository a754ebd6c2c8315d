#include "translate.h"

#include <poplar/exceptions.hpp>

#include "machines/tile/fault.h"

namespace poplar::core {

namespace {

using tropic::tile::Fault;

[[noreturn]] void rethrow_fault(const tropic::tile::TileError& error) {
    const std::string text = error.what();
    switch (error.fault()) {
    case Fault::shape:
        throw tensor_creation_failed(text);
    case Fault::index:
        throw index_error(text);
    case Fault::type:
        throw type_error(text);
    case Fault::tile_mapping:
        throw invalid_tile_mapping(text);
    case Fault::unknown_vertex:
        throw unknown_vertex_type_error(text);
    case Fault::unknown_field:
        throw unknown_field(text);
    case Fault::field_size:
        throw no_size_specified(text);
    case Fault::connection:
    case Fault::overlap:
        throw graph_connection_error(text);
    case Fault::memory:
        throw graph_memory_allocation_error(text);
    case Fault::stream:
        throw stream_connection_error(text);
    case Fault::option:
        throw invalid_option(text);
    case Fault::program:
        throw control_program_error(text);
    case Fault::codelet:
        throw link_error(text, error.diagnostic().message);
    case Fault::access:
    case Fault::aborted:
        throw application_runtime_error(text);
    case Fault::unsupported:
        throw unsupported_error(text);
    }
    throw poplar_error(text);
}

} // namespace

void rethrow() {
    try {
        throw;
    } catch (const tropic::tile::TileError& error) {
        rethrow_fault(error);
    } catch (const tropic::Error& error) {
        throw poplar_error(std::string(error.what()));
    }
}

} // namespace poplar::core
