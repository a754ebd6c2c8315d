// The files a partition can be written to.
#pragma once

#include <string>

#include "tropic/graph.h"
#include "tropic/partition.h"

namespace tropic::cli {

/// A line "id part" for every vertex, in the ids of the source; "row|column id part" for 2D blocks.
void write_parts(const Graph& graph, const Partition& partition, const std::string& path,
                 const Context& context);

/// A JSON array with an object for every part: its local and foreign vertices and edges, in the ids
/// of the source.
void write_part_lists(const Graph& graph, const Partition& partition, const std::string& path,
                      const Context& context);

} // namespace tropic::cli
