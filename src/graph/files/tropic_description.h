// The part of Tropic's binary format that is not arrays: what the tensor looks like, and the story
// of the graph.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tropic/graph.h"

namespace tropic::binary {

/// Which table section each of the graph's id spaces uses; -1: none, an offset says it all.
/// Id spaces on the same array share one table.
std::vector<int> tables_of_ids(const Graph& graph);

std::string encode_description(const Graph& graph);

struct Description {
    Graph graph; ///< without arrays
    std::vector<Index> shape;
    Format format;
    bool unique = false;
    bool sorted = false;
    ElementType value_type = ElementType::pattern;
    Index entries = 0;
    std::vector<int> id_tables; ///< as `tables_of_ids` gives them
};

/// `open_ended`: bytes behind the last known field are allowed, a newer version's.
/// Throws Error(corrupt) naming `file`. The memory it takes is bounded by a multiple of the bytes.
Description decode_description(std::string_view bytes, bool open_ended, const std::string& file);

/// What is wrong with the sizes and types of a graph's arrays, in one sentence; empty if nothing.
/// Looks at sizes and at the ends of arrays only, so it takes no time whatever the size.
std::string misfit_of(const Graph& graph);

} // namespace tropic::binary
