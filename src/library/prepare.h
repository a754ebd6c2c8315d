// What stands between a user's graph and an algorithm of the library: the graph is brought into the
// shape the algorithm needs, with a note for everything that changes, and the type of its values
// is chosen so that no sum of them can overflow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "library/catalogue.h"

namespace tropic::library {

/// What messages call a graph: one that was made in memory may have no name.
std::string called(const Graph& graph);

/// The graph in that shape; `notes` tells what was changed and how often. Throws Error(unsupported)
/// naming `purpose` if it is no square matrix and has to be one.
Graph shaped(Graph graph, Shape shape, std::string_view purpose, std::vector<std::string>& notes,
             const Context& context);

/// The type in which lengths of paths of this graph fit: "int", "int64", "float" or "double".
/// Throws Error(range) naming `purpose` if values are below 0 and that is not allowed, or not
/// numbers.
std::string length_type(const PreparedGraph& graph, bool negative_allowed, std::string_view purpose,
                        const Context& context);

/// That type as "weight", and as "value" the one to keep edge values in: a byte or two where they
/// fit, if lengths are whole. Throws as length_type.
std::map<std::string, std::string> types_of_paths(const PreparedGraph& graph, bool negative_allowed,
                                                  std::string_view purpose, const Context& context);

/// Throws Error(range) naming `purpose` if an edge value is infinite or not a number.
void require_finite(const PreparedGraph& graph, std::string_view purpose, const Context& context);

/// Throws Error(range) naming `purpose` if a length in `result` (a vector or a table, by sources)
/// left the range of its type: it would look as if there were no path. Edges of infinite value are
/// none, which becomes a note.
void check_lengths(const PreparedGraph& graph, AlgorithmResult& result, const std::string& name,
                   std::string_view purpose, const Context& context);

/// Throws Error(unsupported) naming `purpose` if edges have no direction.
void require_directed(const Graph& graph, std::string_view purpose);

/// The type of `count` numbers, such as "float[8]". Throws Error(range) for a count that is not
/// whole, below 2 or above most_factors.
std::string lanes_type(const LanesOption& option, double count);

/// Throws Error(range) unless `source` is a vertex of the graph.
void check_source(const Graph& graph, Index source);

/// A function of the library, checked once and kept; `types` replaces types of the text.
const Algorithm& library_function(const std::string& file, const std::string& function,
                                  const std::map<std::string, std::string>& types, bool wide);

/// Whether indices of 32 bits are too narrow.
bool needs_wide(const Graph& graph);

} // namespace tropic::library
