// A loop until something is so: the steps of the Collatz sequence.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/loop.cpp");
    const Tensor value = graph.addVariable(UNSIGNED_INT, {}, "value");
    const Tensor steps = graph.addVariable(UNSIGNED_INT, {}, "steps");
    const Tensor done = graph.addVariable(BOOL, {}, "done");
    graph.setTileMapping(value, 0);
    graph.setTileMapping(steps, 1);
    graph.setTileMapping(done, 2);
    graph.setInitialValue(value, 27U);
    graph.setInitialValue(steps, 0U);
    ComputeSet cs = graph.addComputeSet("step");
    graph.setTileMapping(
        graph.addVertex(cs, "Collatz", {{"value", value}, {"steps", steps}, {"done", done}}), 0);
    graph.createHostRead("steps", steps);
    Engine engine(graph, RepeatWhileFalse(Execute(cs), done, Sequence()));
    engine.load(device);
    engine.run(0);
    unsigned found = 0;
    engine.readTensor("steps", &found, &found + 1);
    check::equal(found, 111U);
    return check::result();
}
