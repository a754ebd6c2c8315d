// Graphs and engines are moved, not copied.
#include <utility>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

Engine make(const Device& device, unsigned turns) {
    Graph first(device.getTarget());
    first.addCodelets("codelets/arithmetic.cpp");
    Graph graph = std::move(first);
    const Tensor value = graph.addVariable(INT, {1}, "value");
    graph.setTileMapping(value, 0);
    graph.setInitialValue(value[0], 0);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 0);
    graph.createHostRead("value", value);
    return Engine(graph, Repeat(turns, Execute(cs)));
}

} // namespace

int main() {
    const Device device = check::device();
    std::vector<Engine> engines;
    engines.push_back(make(device, 3));
    engines.push_back(make(device, 5));
    Engine last = std::move(engines[0]);
    last.load(device);
    last.run(0);
    engines[1].load(device);
    engines[1].run(0);
    int found = 0;
    last.readTensor("value", &found, &found + 1);
    check::equal(found, 3);
    engines[1].readTensor("value", &found, &found + 1);
    check::equal(found, 5);
    return check::result();
}
