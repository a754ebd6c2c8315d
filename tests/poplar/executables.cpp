// Compiled once, loaded into two engines.
#include <utility>

#include <poplar/Engine.hpp>
#include <poplar/Executable.hpp>
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
    graph.setTileMapping(value, 0);
    graph.setInitialValue(value[0], 0);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 0);
    graph.createHostRead("value", value);
    int last = 0;
    int parts = 0;
    Executable executable =
        compileGraph(graph, {Execute(cs), Repeat(2, Execute(cs))}, {}, [&](int step, int steps) {
            check::equal(step, last + 1);
            last = step;
            parts = steps;
        });
    check::that(parts > 0 && last == parts, "progress is told to its end");
    Engine engine(std::move(executable));
    engine.load(device);
    engine.run(0);
    engine.run(1);
    int found = 0;
    engine.readTensor("value", &found, &found + 1);
    check::equal(found, 3);
    check::throws<poplar_error>([&] { engine.run(2); });
    return check::result();
}
