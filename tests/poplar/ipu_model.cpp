// A machine as the program describes it.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    IPUModel model;
    model.numIPUs = 2;
    model.tilesPerIPU = 10;
    model.memoryBytesPerTile = 100000;
    model.tileClockFrequency = 1e9;
    const Device device = model.createDevice();
    const Target& target = device.getTarget();
    check::equal(target.getNumTiles(), 20U);
    check::equal(target.getNumIPUs(), 2U);
    check::equal(target.getTilesPerIPU(), 10U);
    check::equal(target.getBytesPerTile(), 100000U);
    check::equal(target.getTileClockFrequency(), 1e9);
    check::equal(target.getNumWorkerContexts(), 6U);
    check::that(target.getTargetType() == TargetType::IPU_MODEL, "a model");

    // Work on the second chip, with data of the first.
    Graph graph(target);
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor in = graph.addVariable(FLOAT, {4}, "in");
    const Tensor out = graph.addVariable(FLOAT, {4}, "out");
    graph.setTileMapping(in, 3);
    graph.setTileMapping(out, 19);
    graph.setInitialValue(in, ArrayRef<float>({1, 2, 3, 4}));
    ComputeSet cs = graph.addComputeSet("scale");
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", in}, {"out", out}});
    graph.setInitialValue(v["factor"], -1.0F);
    graph.setTileMapping(v, 15);
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(4);
    engine.readTensor("out", found.data(), found.data() + 4);
    check::equal(found, std::vector<float>{-1, -2, -3, -4});
    return check::result();
}
