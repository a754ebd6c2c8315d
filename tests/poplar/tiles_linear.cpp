// Elements spread evenly over the tiles.
#include <algorithm>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device(8);
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(FLOAT, {100}, "t");
    poputil::mapTensorLinearly(graph, t, 1, 1);
    std::size_t largest = 0;
    std::size_t all = 0;
    for (const auto& intervals : graph.getTileMapping(t)) {
        std::size_t mine = 0;
        for (const Interval& interval : intervals) mine += interval.size();
        largest = std::max(largest, mine);
        all += mine;
    }
    check::equal(all, 100U);
    check::that(largest <= 13, "no tile has more than its share");

    const Tensor u = graph.addVariable(FLOAT, {100}, "u");
    poputil::mapTensorLinearly(graph, u, 40, 4);
    for (const auto& intervals : graph.getTileMapping(u)) {
        std::size_t mine = 0;
        for (const Interval& interval : intervals) mine += interval.size();
        check::that(mine == 0 || mine % 4 == 0, "grains are kept whole");
    }
    return check::result();
}
