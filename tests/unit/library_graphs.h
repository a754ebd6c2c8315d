// Graphs for tests of the library.
#pragma once

#include <string>
#include <string_view>

#include "tropic/formats.h"
#include "tropic/graph.h"

namespace tropic::test {

/// What stands behind the first words of a Matrix Market file.
inline Graph matrix(std::string_view body) {
    return read_graph_from_memory("%%MatrixMarket matrix coordinate " + std::string(body), "m.mtx");
}

} // namespace tropic::test
