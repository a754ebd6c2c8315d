// Flags, a byte each.
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
    graph.addCodelets("codelets/types.cpp");
    const Tensor flags = graph.addVariable(BOOL, {6}, "flags");
    for (unsigned i = 0; i < 6; ++i) graph.setTileMapping(flags[i], i % 3);
    ComputeSet cs = graph.addComputeSet("flip");
    graph.setTileMapping(graph.addVertex(cs, "Flip", {{"flags", flags}}), 3);
    const DataStream to = graph.addHostToDeviceFIFO("to", BOOL, 6);
    const DataStream from = graph.addDeviceToHostFIFO("from", BOOL, 6);
    Engine engine(graph, Sequence({Copy(to, flags), Execute(cs), Copy(flags, from)}));
    const std::vector<unsigned char> in{1, 0, 0, 1, 1, 0};
    std::vector<unsigned char> out(6);
    engine.connectStream("to", in.data());
    engine.connectStream("from", out.data());
    engine.load(device);
    engine.run(0);
    check::equal(out, std::vector<unsigned char>{0, 1, 1, 0, 0, 1});
    return check::result();
}
