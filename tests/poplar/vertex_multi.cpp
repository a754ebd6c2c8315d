// A vertex that all six workers of its tile run.
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
    graph.addCodelets("codelets/workers.cpp");
    const Tensor who = graph.addVariable(UNSIGNED_INT, {20}, "who");
    graph.setTileMapping(who, 3);
    ComputeSet cs = graph.addComputeSet("who");
    graph.setTileMapping(graph.addVertex(cs, "WhoAmI", {{"worker", who}}), 3);
    graph.createHostRead("who", who);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<unsigned> found(20);
    engine.readTensor("who", found.data(), found.data() + 20);
    std::vector<unsigned> expected(20);
    for (unsigned i = 0; i < 20; ++i) expected[i] = i % device.getTarget().getNumWorkerContexts();
    check::equal(found, expected);
    return check::result();
}
