// What a codelet includes: the vertex base classes and the field types. Fields look as they do on a
// tile; in memory each is what the engine fills in: a pointer, or a pointer and a size.
#pragma once

#include <poplar/Fields.hpp>
#include <poplar/Loops.hpp>
#include <poplar/VectorTypes.hpp>

namespace poplar {

/// One worker runs compute().
class Vertex {};

/// Each of the six workers of a tile runs compute(worker).
class MultiVertex : public Vertex {
  public:
    static constexpr unsigned numWorkers() { return 6; }
};

/// The supervisor runs compute(), and may start workers.
class SupervisorVertex : public Vertex {};

/// For vertices with an implementation in assembly, which is not used here.
#ifndef IS_EXTERNAL_CODELET
#define IS_EXTERNAL_CODELET(value) static const bool isExternalCodelet = value
#endif

} // namespace poplar
