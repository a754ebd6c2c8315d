// Barriers of a program's own cost cycles and change nothing.
#include <cstdint>

#include <poplar/CycleCount.hpp>
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

    Sequence plain({Execute(cs), Execute(cs)});
    Sequence with_sync({Execute(cs), Sync(SyncType::INTERNAL), Execute(cs), Nop()});
    graph.createHostRead("plain", cycleCount(graph, plain, 0, SyncType::INTERNAL));
    graph.createHostRead("with sync", cycleCount(graph, with_sync, 0, SyncType::INTERNAL));
    Engine engine(graph, {plain, with_sync});
    engine.load(device);
    engine.run(0);
    engine.run(1);

    int found = -1;
    engine.readTensor("value", &found, &found + 1);

    check::equal(found, 4);
    std::uint64_t few = 0;
    std::uint64_t more = 0;
    engine.readTensor("plain", &few, &few + 1);
    engine.readTensor("with sync", &more, &more + 1);
    check::that(more > few, "a barrier takes time");
    return check::result();
}
