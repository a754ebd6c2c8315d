// What can be wrong with a graph, a program or a run, as the interfaces above tell it apart.
#pragma once

#include <cstdint>
#include <string>

#include "tropic/error.h"

namespace tropic::tile {

enum class Fault : std::uint8_t {
    shape,          ///< dimensions that do not fit
    index,          ///< outside a tensor
    type,           ///< elements of another type
    tile_mapping,   ///< no such tile, or elements on none
    unknown_vertex, ///< no codelet of that name
    unknown_field,  ///< no field of that name
    connection,     ///< a field left out, connected twice, or of the wrong kind
    field_size,     ///< a vector of the vertex's own without a size
    overlap,        ///< vertices of one compute set touching one element
    memory,         ///< more than a tile has
    stream,         ///< not connected, or of another size
    option,         ///< an option with a value that means nothing
    program,        ///< a program that cannot be run
    codelet,        ///< code that does not compile
    access,         ///< out of bounds, racing or uninitialised, while running
    aborted,        ///< the program ended itself
    unsupported,    ///< not offered here
};

class TileError : public Error {
  public:
    TileError(Fault fault, Diagnostic diagnostic);
    Fault fault() const noexcept { return fault_; }

  private:
    Fault fault_;
};

/// Throws TileError.
[[noreturn]] void fail(Fault fault, std::string message, std::string accepted = {},
                       std::string hint = {});

} // namespace tropic::tile
