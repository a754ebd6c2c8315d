// Where everything is, once the graph no longer changes: the map of every variable, frozen.
#pragma once

#include <vector>

#include "machines/tile/graph.h"
#include "machines/tile/tile_map.h"

namespace tropic::tile {

class Placement {
  public:
    explicit Placement(const Graph& graph);

    const Graph& graph() const { return *graph_; }
    const FrozenMap& map(VariableId variable) const { return maps_[variable]; }

    /// Calls `visit(variable, segment)` for the parts of runs on one tile each, in order. Throws
    /// TileError naming `user` for elements on no tile.
    template <class Visit>
    void for_each(std::span<const Run> runs, std::string_view user, const Visit& visit) const {
        for (const Run& run : runs) {
            maps_[run.variable].for_each(run, [&](const Segment& segment) {
                if (segment.tile == no_tile) refuse_unmapped(run.variable, segment, user);
                visit(run.variable, segment);
            });
        }
    }

  private:
    [[noreturn]] void refuse_unmapped(VariableId variable, const Segment& segment,
                                      std::string_view user) const;

    const Graph* graph_;
    std::vector<FrozenMap> maps_;
};

} // namespace tropic::tile
