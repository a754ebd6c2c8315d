// Values that variables have before anything runs.
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
    const Tensor t = graph.addVariable(INT, {2, 3}, "t");
    for (unsigned i = 0; i < 6; ++i) graph.setTileMapping(t.flatten()[i], i % 4);
    graph.setInitialValue(t, ArrayRef<int>({1, 2, 3, 4, 5, 6}));
    graph.setInitialValue(t[1][1], 50);
    graph.setInitialValue(t.transpose()[0], ArrayRef<int>({10, 40}));
    const Tensor same = graph.addVariable(FLOAT, {3}, "same");
    graph.setTileMapping(same, 0);
    graph.setInitialValue(same, 1.25F);
    graph.createHostRead("t", t);
    graph.createHostRead("same", same);
    Engine engine(graph, Sequence());
    engine.load(device);
    std::vector<int> found(6);
    engine.readTensor("t", found.data(), found.data() + 6);
    check::equal(found, std::vector<int>{10, 2, 3, 40, 50, 6});
    std::vector<float> floats(3);
    engine.readTensor("same", floats.data(), floats.data() + 3);
    check::equal(floats, std::vector<float>(3, 1.25F));
    return check::result();
}
