// A vector that only the vertex sees, sized when the graph is built.
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
    graph.addCodelets("codelets/state.cpp");
    const Tensor values = graph.addVariable(INT, {5}, "values");
    graph.setTileMapping(values, 1);
    graph.setInitialValue(values, ArrayRef<int>({1, 2, 3, 4, 5}));
    ComputeSet cs = graph.addComputeSet("reverse");
    const VertexRef v = graph.addVertex(cs, "ReverseThroughScratch", {{"values", values}});
    graph.setFieldSize(v["scratch"], 5);
    graph.setTileMapping(v, 1);
    graph.createHostRead("values", values);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(5);
    engine.readTensor("values", found.data(), found.data() + 5);
    check::equal(found, std::vector<int>{5, 4, 3, 2, 1});
    return check::result();
}
