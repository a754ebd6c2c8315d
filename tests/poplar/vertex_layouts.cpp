// Vectors with and without a size, and with an alignment of their own.
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
    graph.addCodelets("codelets/layouts.cpp");
    const Tensor a = graph.addVariable(FLOAT, {5}, "a");
    const Tensor b = graph.addVariable(FLOAT, {7}, "b");
    const Tensor sum = graph.addVariable(FLOAT, {6}, "sum");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 1);
    graph.setTileMapping(sum, 0);
    graph.setInitialValue(a, ArrayRef<float>({1, 2, 3, 4, 5}));
    graph.setInitialValue(b, ArrayRef<float>({0, 10, 20, 30, 40, 50, 60}));
    ComputeSet cs = graph.addComputeSet("add");
    // Both b and sum begin in the middle of their variables.
    graph.setTileMapping(
        graph.addVertex(cs, "AddLayouts",
                        {{"a", a}, {"b", b.slice(1, 6)}, {"sum", sum.slice(1, 6)}}),
        0);
    graph.createHostRead("sum", sum.slice(1, 6));
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(5);
    engine.readTensor("sum", found.data(), found.data() + 5);
    check::equal(found, std::vector<float>{11, 22, 33, 44, 55});
    return check::result();
}
