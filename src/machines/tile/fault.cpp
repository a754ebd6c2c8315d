// Faults as Tropic's errors.
#include "machines/tile/fault.h"

namespace tropic::tile {

namespace {

ErrorCode code_of(Fault fault) {
    switch (fault) {
    case Fault::memory:
        return ErrorCode::out_of_memory;
    case Fault::unknown_vertex:
    case Fault::unknown_field:
        return ErrorCode::not_found;
    case Fault::option:
        return ErrorCode::usage;
    case Fault::codelet:
        return ErrorCode::syntax;
    case Fault::aborted:
        return ErrorCode::cancelled;
    case Fault::unsupported:
        return ErrorCode::unsupported;
    case Fault::index:
    case Fault::access:
        return ErrorCode::range;
    default:
        return ErrorCode::inconsistent;
    }
}

Diagnostic with_code(Fault fault, Diagnostic diagnostic) {
    diagnostic.code = code_of(fault);
    return diagnostic;
}

} // namespace

TileError::TileError(Fault fault, Diagnostic diagnostic)
    : Error(with_code(fault, std::move(diagnostic))), fault_(fault) {}

void fail(Fault fault, std::string message, std::string accepted, std::string hint) {
    throw TileError(
        fault,
        {.message = std::move(message), .accepted = std::move(accepted), .hint = std::move(hint)});
}

} // namespace tropic::tile
