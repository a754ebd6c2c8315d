// A sum over all tiles in two stages: each tile its part, one tile the parts.
#include <numeric>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const unsigned tiles = 32;
    const Device device = check::device(tiles);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor data = graph.addVariable(FLOAT, {1000}, "data");
    const Tensor parts = graph.addVariable(FLOAT, {tiles}, "parts");
    const Tensor total = graph.addVariable(FLOAT, {}, "total");
    poputil::mapTensorLinearly(graph, data);
    std::vector<float> source(1000);
    for (unsigned i = 0; i < 1000; ++i) source[i] = static_cast<float>(i % 17);
    graph.setInitialValue(data, ArrayRef<float>(source));
    ComputeSet each = graph.addComputeSet("each tile");
    ComputeSet all = graph.addComputeSet("all tiles");
    const auto mapping = graph.getTileMapping(data);
    for (unsigned tile = 0; tile < tiles; ++tile) {
        const Tensor mine = concat(data.slices(mapping[tile]));
        graph.setTileMapping(graph.addVertex(each, "Sum", {{"in", mine}, {"out", parts[tile]}}),
                             tile);
        graph.setTileMapping(parts[tile], tile);
    }
    graph.setTileMapping(graph.addVertex(all, "Sum", {{"in", parts}, {"out", total}}), 7);
    graph.setTileMapping(total, 7);
    graph.createHostRead("total", total);
    Engine engine(graph, Sequence({Execute(each), Execute(all)}));
    engine.load(device);
    engine.run(0);
    float found = 0;
    engine.readTensor("total", &found, &found + 1);
    check::equal(found, std::accumulate(source.begin(), source.end(), 0.0F));
    return check::result();
}
