// Loops of a fixed number of turns, within each other, and of none.
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
    const Tensor value = graph.addVariable(INT, {1}, "value");
    graph.setTileMapping(value, 1);
    graph.setInitialValue(value[0], 0);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 1);
    graph.createHostRead("value", value);

    const Sequence program({Repeat(3, Repeat(4, Execute(cs))), Repeat(0, Execute(cs))});
    Engine engine(graph, program);
    engine.load(device);
    engine.run(0);

    int found = -1;
    engine.readTensor("value", &found, &found + 1);

    check::equal(found, 12);
    return check::result();
}
