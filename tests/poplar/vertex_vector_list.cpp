// A compact list of vectors.
#include <numeric>
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
    graph.addCodelets("codelets/nested.cpp");
    const Tensor t = graph.addVariable(FLOAT, {3, 4}, "t");
    const Tensor sum = graph.addVariable(FLOAT, {}, "sum");
    graph.setTileMapping(t, 0);
    graph.setTileMapping(sum, 0);
    std::vector<float> values(12);
    std::iota(values.begin(), values.end(), 1.0F);
    graph.setInitialValue(t, ArrayRef<float>(values));
    ComputeSet cs = graph.addComputeSet("list");
    graph.setTileMapping(graph.addVertex(cs, "SumList", {{"lists", t}, {"sum", sum}}), 0);
    graph.createHostRead("sum", sum);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    float found = 0;
    engine.readTensor("sum", &found, &found + 1);
    check::equal(found, 78.0F);
    return check::result();
}
