// A function compiled once and called from several places.
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

    const Function twice = graph.addFunction(Sequence({Execute(cs), Execute(cs)}));
    Engine engine(graph, Sequence({Call(twice), Repeat(3, Call(twice))}));
    engine.load(device);
    engine.run(0);

    int found = -1;
    engine.readTensor("value", &found, &found + 1);

    check::equal(found, 8);
    return check::result();
}
