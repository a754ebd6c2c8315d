// A tile with more on it than it has room for: the error names tile and variable.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    IPUModel model;
    model.tilesPerIPU = 2;
    model.memoryBytesPerTile = 50000;
    const Device device = model.createDevice();
    Graph graph(device.getTarget());
    const Tensor small = graph.addVariable(FLOAT, {100}, "small");
    const Tensor large = graph.addVariable(FLOAT, {20000}, "the large one");
    graph.setTileMapping(small, 0);
    graph.setTileMapping(large, 1);
    graph.createHostWrite("small", small);
    graph.createHostWrite("large", large);
    check::throws<graph_memory_allocation_error>([&] { Engine(graph, Sequence()); },
                                                 {"tile 1", "the large one"});
    graph.setTileMapping(large.slice(0, 10000), 0);
    graph.setInitialValue(large, std::vector<float>(20000, 1.0F));
    check::throws<graph_memory_allocation_error>([&] {
        graph.setTileMapping(graph.addVariable(FLOAT, {5000}, "too much"), 0);
        const Tensor last = graph.addVariable(FLOAT, {5000}, "last");
        graph.setTileMapping(last, 0);
        graph.createHostWrite("last", last);
        Engine(graph, Sequence());
    });
    return check::result();
}
