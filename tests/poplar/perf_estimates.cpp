// Estimates that a program sets are accepted, and trusted by an option.
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
    std::vector<std::uint64_t> cycles;
    for (const bool trusted : {false, true}) {
        const Device device = check::device();
        Graph graph(device.getTarget());
        graph.addCodelets("codelets/arithmetic.cpp");
        const Tensor value = graph.addVariable(INT, {1}, "value");
        graph.setTileMapping(value, 0);
        graph.setInitialValue(value[0], 0);
        ComputeSet cs = graph.addComputeSet("increment");
        const VertexRef v = graph.addVertex(cs, "Increment", {{"values", value}});
        graph.setPerfEstimate(v, 1000000);
        graph.setTileMapping(v, 0);
        Sequence sequence({Execute(cs)});
        graph.createHostRead("timer", cycleCount(graph, sequence, 0, SyncType::INTERNAL));
        Engine engine(graph, sequence, {{"tropic.trustPerfEstimates", trusted ? "true" : "false"}});
        engine.load(device);
        engine.run(0);
        std::uint64_t counted = 0;
        engine.readTensor("timer", &counted, &counted + 1);
        cycles.push_back(counted);
    }
    check::that(cycles[0] < 10000, "counted from the code");
    check::that(cycles[1] >= 1000000, "as the program estimates");
    return check::result();
}
