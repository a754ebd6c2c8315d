// Loops, branches and calls within each other.
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
    graph.addCodelets("codelets/loop.cpp");
    const Tensor value = graph.addVariable(INT, {1}, "value");
    const Tensor other = graph.addVariable(INT, {1}, "other");
    const Tensor below = graph.addVariable(BOOL, {}, "below");
    for (const Tensor& t : {value, other, below}) graph.setTileMapping(t, 0);
    graph.setInitialValue(value[0], 0);
    graph.setInitialValue(other[0], 0);
    const auto increment = [&](const Tensor& t) {
        ComputeSet cs = graph.addComputeSet("increment");
        graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", t}}), 0);
        return Execute(cs);
    };
    const auto is_below = [&](int limit) {
        ComputeSet cs = graph.addComputeSet("below");
        const VertexRef v = graph.addVertex(cs, "Below", {{"value", value[0]}, {"result", below}});
        graph.setInitialValue(v["limit"], limit);
        graph.setTileMapping(v, 0);
        return Execute(cs);
    };
    // Counts `value` to 10; each turn from 4 on also counts `other`, twice.
    const Function body = graph.addFunction(Sequence(
        {is_below(4), If(below, Sequence(), Repeat(2, increment(other))), increment(value)}));
    graph.createHostRead("value", value);
    graph.createHostRead("other", other);
    Engine engine(graph, RepeatWhileTrue(is_below(10), below, Call(body)));
    engine.load(device);
    engine.run(0);
    int found = 0;
    engine.readTensor("value", &found, &found + 1);
    check::equal(found, 10);
    engine.readTensor("other", &found, &found + 1);
    check::equal(found, 12);
    return check::result();
}
