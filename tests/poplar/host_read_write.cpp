// Tensors read and written by the host between runs.
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
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor values = graph.addVariable(INT, {5}, "values");
    graph.setTileMapping(values, 3);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", values}}), 3);
    graph.createHostWrite("write", values);
    graph.createHostRead("read", values);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    const std::vector<int> source{10, 20, 30, 40, 50};
    engine.writeTensor("write", source.data(), source.data() + source.size());
    engine.run(0);
    engine.run(0);
    std::vector<int> found(5);
    engine.readTensor("read", found.data(), found.data() + found.size());
    check::equal(found, std::vector<int>{12, 22, 32, 42, 52});
    return check::result();
}
