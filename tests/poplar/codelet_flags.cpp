// Definitions and directories for headers, given when codelets are added.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/flags.cpp", CodeletFileType::Auto,
                      "-O2 -I codelets/include -DOFFSET=40 -DEXTRA=2");
    const Tensor in = graph.addVariable(INT, {}, "in");
    const Tensor out = graph.addVariable(INT, {}, "out");
    graph.setTileMapping(in, 0);
    graph.setTileMapping(out, 0);
    graph.setInitialValue(in, 100);
    ComputeSet cs = graph.addComputeSet("shift");
    graph.setTileMapping(graph.addVertex(cs, "Shift", {{"in", in}, {"out", out}}), 0);
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    int found = 0;
    engine.readTensor("out", &found, &found + 1);
    check::equal(found, 142);
    return check::result();
}
