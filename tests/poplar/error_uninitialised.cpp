// An element read before anything was written to it.
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
    graph.addCodelets("codelets/faulty.cpp");

    const Tensor in = graph.addVariable(INT, {3}, "never written");
    const Tensor out = graph.addVariable(INT, {}, "out");
    graph.setTileMapping(in, 3);
    graph.setTileMapping(out, 3);
    ComputeSet cs = graph.addComputeSet("copy first");
    graph.setTileMapping(graph.addVertex(cs, "CopyFirst", {{"in", in}, {"out", out}}), 3);
    graph.createHostWrite("in", in);
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs), {{"tropic.checked", "true"}});
    engine.load(device);
    check::throws<poplar_error>([&] { engine.run(0); }, {"CopyFirst", "in", "tile 3"});
    const std::vector<int> values{4, 5, 6};
    engine.writeTensor("in", values.data(), values.data() + 3);
    engine.run(0);
    int found = 0;
    engine.readTensor("out", &found, &found + 1);
    check::equal(found, 4);
    return check::result();
}
