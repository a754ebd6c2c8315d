// Plain members of every kind, set when the graph is built.
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
    const Tensor x = graph.addVariable(FLOAT, {3}, "x");
    const Tensor y = graph.addVariable(FLOAT, {2, 3}, "y");
    graph.setTileMapping(x, 0);
    graph.setTileMapping(y, 0);
    graph.setInitialValue(x, ArrayRef<float>({1, 2, 3}));
    ComputeSet cs = graph.addComputeSet("polynomials");
    for (unsigned i = 0; i < 2; ++i) {
        const VertexRef v = graph.addVertex(cs, "Polynomial", {{"x", x}, {"y", y[i]}});
        graph.setInitialValue(v["a"], 0.5F);
        graph.setInitialValue(v["b"], -2);
        graph.setInitialValue(v["c"], 10);
        graph.setInitialValue(v["negate"], i == 1);
        graph.setTileMapping(v, 0);
    }
    graph.createHostRead("y", y);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(6);
    engine.readTensor("y", found.data(), found.data() + 6);
    check::equal(found, std::vector<float>{8.5F, 8, 8.5F, -8.5F, -8, -8.5F});
    return check::result();
}
