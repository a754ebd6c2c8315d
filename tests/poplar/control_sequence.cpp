// Sequences built piece by piece; a copy of a sequence is its own.
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
    const Tensor value = graph.addVariable(INT, {1}, "value");
    graph.setTileMapping(value, 1);
    graph.setInitialValue(value[0], 0);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 1);
    graph.createHostRead("value", value);

    Sequence a;
    a.add(Execute(cs));
    Sequence b = a;
    b.add(Execute(cs));
    b.add(a);
    Engine engine(graph, {a, b, Sequence({a, b})});
    engine.load(device);
    const std::vector<int> expected{1, 4, 8};
    for (unsigned program = 0; program < 3; ++program) {
        engine.run(program);
        int found = -1;
        engine.readTensor("value", &found, &found + 1);
        check::equal(found, expected[program]);
    }
    return check::result();
}
