// Two stamps, and the cycles between them.
#include <cstdint>
#include <vector>

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
    const Tensor value = graph.addVariable(INT, {100}, "value");
    graph.setTileMapping(value, 0);
    graph.setInitialValue(value, std::vector<int>(100, 0));
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 0);
    Sequence sequence;
    const Tensor before = cycleStamp(graph, sequence, 0, SyncType::INTERNAL);
    sequence.add(Execute(cs));
    const Tensor after = cycleStamp(graph, sequence, 0, SyncType::INTERNAL);
    graph.createHostRead("before", before);
    graph.createHostRead("after", after);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    engine.readTensor("before", &first, &first + 1);
    engine.readTensor("after", &second, &second + 1);
    check::that(second >= first + 1200, "a hundred turns of a loop lie between them");
    return check::result();
}
