// One element copied to many, on many tiles.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device(8);
    Graph graph(device.getTarget());
    const Tensor one = graph.addVariable(FLOAT, {1}, "one");
    const Tensor many = graph.addVariable(FLOAT, {8, 3}, "many");
    graph.setTileMapping(one, 5);
    for (unsigned i = 0; i < 8; ++i) graph.setTileMapping(many[i], i);
    graph.setInitialValue(one[0], 2.5F);
    graph.createHostRead("many", many);
    Engine engine(graph, Copy(one.broadcast(24, 0).reshape({8, 3}), many));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(24);
    engine.readTensor("many", found.data(), found.data() + found.size());
    check::equal(found, std::vector<float>(24, 2.5F));
    return check::result();
}
