// Vertices that are templates, named with their arguments.
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
    graph.addCodelets("codelets/templates.cpp");
    const Tensor f = graph.addVariable(FLOAT, {2, 3}, "f");
    const Tensor n = graph.addVariable(INT, {2, 3}, "n");
    const Tensor chosen = graph.addVariable(INT, {2}, "chosen");
    graph.setTileMapping(f, 0);
    graph.setTileMapping(n, 1);
    graph.setTileMapping(chosen, 2);
    graph.setInitialValue(f[0], ArrayRef<float>({1.5F, 2.5F, 3.5F}));
    graph.setInitialValue(n[0], ArrayRef<int>({1, 2, 3}));
    ComputeSet cs = graph.addComputeSet("twice");
    graph.setTileMapping(graph.addVertex(cs, "Twice<float>", {{"in", f[0]}, {"out", f[1]}}), 0);
    graph.setTileMapping(graph.addVertex(cs, "Twice<int>", {{"in", n[0]}, {"out", n[1]}}), 1);
    graph.setTileMapping(
        graph.addVertex(cs, "Choose<int,true>", {{"in", n[0][2]}, {"out", chosen[0]}}), 2);
    graph.setTileMapping(
        graph.addVertex(cs, "Choose<int,false>", {{"in", n[0][1]}, {"out", chosen[1]}}), 2);
    graph.createHostRead("f", f[1]);
    graph.createHostRead("n", n[1]);
    graph.createHostRead("chosen", chosen);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> floats(3);
    std::vector<int> ints(3);
    engine.readTensor("f", floats.data(), floats.data() + 3);
    engine.readTensor("n", ints.data(), ints.data() + 3);
    check::equal(floats, std::vector<float>{3, 5, 7});
    check::equal(ints, std::vector<int>{2, 4, 6});
    ints.resize(2);
    engine.readTensor("chosen", ints.data(), ints.data() + 2);
    check::equal(ints, std::vector<int>{-3, 2});
    return check::result();
}
