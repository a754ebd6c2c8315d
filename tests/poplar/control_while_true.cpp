// A loop on the device that a vertex ends.
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
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor counter = graph.addVariable(INT, {}, "counter");
    const Tensor more = graph.addVariable(BOOL, {}, "more");
    const Tensor value = graph.addVariable(INT, {1}, "value");
    graph.setTileMapping(counter, 0);
    graph.setTileMapping(more, 0);
    graph.setTileMapping(value, 3);
    graph.setInitialValue(value[0], 0);
    ComputeSet count = graph.addComputeSet("count down");
    graph.setTileMapping(
        graph.addVertex(count, "CountDown", {{"counter", counter}, {"more", more}}), 0);
    ComputeSet increment = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(increment, "Increment", {{"values", value}}), 3);
    graph.createHostWrite("counter", counter);
    graph.createHostRead("value", value);
    // The condition runs once more than the body.
    Engine engine(graph, RepeatWhileTrue(Execute(count), more, Execute(increment)));
    engine.load(device);
    int expected = 0;
    for (const int turns : {5, 1, 20}) {
        engine.writeTensor("counter", &turns, &turns + 1);
        engine.run(0);
        expected += turns - 1;
        int found = 0;
        engine.readTensor("value", &found, &found + 1);
        check::equal(found, expected);
    }
    return check::result();
}
