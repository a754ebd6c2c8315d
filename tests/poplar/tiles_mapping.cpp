// The last mapping of an element counts; mappings of whole tensors are read back as set.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(INT, {10}, "t");
    graph.setTileMapping(t, 0);
    graph.setTileMapping(t.slice(3, 7), 2);
    graph.setTileMapping(t[5], 1);
    auto mapping = graph.getTileMapping(t);
    check::equal(mapping.size(), 4U);
    check::that(mapping[0] == std::vector<Interval>({Interval(0, 3), Interval(7, 10)}), "tile 0");
    check::that(mapping[1] == std::vector<Interval>({Interval(5, 6)}), "tile 1");
    check::that(mapping[2] == std::vector<Interval>({Interval(3, 5), Interval(6, 7)}), "tile 2");
    check::that(mapping[3].empty(), "tile 3");

    Graph::TileToTensorMapping other(4);
    other[3] = {Interval(0, 10)};
    graph.setTileMapping(t, other);
    mapping = graph.getTileMapping(t.slice(2, 5));
    check::that(mapping[3] == std::vector<Interval>({Interval(0, 3)}), "a slice's own elements");

    const Tensor u = graph.addVariable(INT, {4}, VariableMappingMethod::LINEAR, "u");
    std::size_t mapped = 0;
    for (const auto& intervals : graph.getTileMapping(u)) {
        for (const Interval& interval : intervals) mapped += interval.size();
    }
    check::equal(mapped, 4U);
    const Tensor c = graph.clone(t, "copy");
    check::that(graph.getTileMapping(c) == graph.getTileMapping(t),
                "a clone is where its model is");
    return check::result();
}
