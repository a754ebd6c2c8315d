// A supervisor that does the work itself.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/workers.cpp");
    const Tensor values = graph.addVariable(INT, {7}, "values");
    const Tensor count = graph.addVariable(INT, {}, "count");
    graph.setTileMapping(values, 0);
    graph.setTileMapping(count, 1);
    graph.setInitialValue(values, ArrayRef<int>({-1, 2, 0, 4, -5, 6, 7}));
    ComputeSet cs = graph.addComputeSet("count");
    graph.setTileMapping(
        graph.addVertex(cs, "CountSupervisor", {{"values", values}, {"positive", count}}), 0);
    graph.createHostRead("count", count);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    int found = 0;
    engine.readTensor("count", &found, &found + 1);
    check::equal(found, 4);
    return check::result();
}
