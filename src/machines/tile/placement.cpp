#include "machines/tile/placement.h"

#include <fmt/format.h>

#include "machines/tile/fault.h"

namespace tropic::tile {

Placement::Placement(const Graph& graph) : graph_(&graph) {
    maps_.reserve(graph.variables().size());
    for (const Variable& variable : graph.variables()) maps_.emplace_back(variable.map);
}

void Placement::refuse_unmapped(VariableId variable, const Segment& segment,
                                std::string_view user) const {
    const Variable& v = graph_->variable(variable);
    std::int64_t unmapped = 0;
    std::int64_t first = -1;
    for (const Segment& s : maps_[variable].segments()) {
        if (s.tile != no_tile) continue;
        unmapped += s.end - s.begin;
        if (first < 0) first = s.begin;
    }
    fail(Fault::tile_mapping,
         fmt::format("element {} of {} is on no tile, and {} uses it ({} of its {} elements are on "
                     "none, the first is {})",
                     segment.begin, graph_->describe_variable(variable), user, unmapped, v.elements,
                     first),
         "a tile for every element that is used",
         "setTileMapping, or poputil::mapTensorLinearly, for the whole variable");
}

} // namespace tropic::tile
