// The way back from a written file, which may number vertices anew, to the ids of the source.
#pragma once

#include <string>

#include "tropic/formats.h"
#include "tropic/graph.h"

namespace tropic::cli {

/// A line "number id" for every vertex: its number in the file that was written, its id in the
/// source; "row|column number id" where rows and columns are two kinds of things.
void write_id_map(const Graph& graph, FileFormat written, const std::string& path,
                  const Context& context);

} // namespace tropic::cli
