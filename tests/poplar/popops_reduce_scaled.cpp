// A reduction with a scale, and one that adds to what is there.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor t = graph.addVariable(FLOAT, {4, 3}, "t");
    const Tensor out = graph.addVariable(FLOAT, {3}, "out");
    const Tensor scale = graph.addConstant(FLOAT, {}, 0.5F);
    poputil::mapTensorLinearly(graph, t);
    graph.setTileMapping(out, 0);
    graph.setTileMapping(scale, 0);
    graph.setInitialValue(t, ArrayRef<float>({1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}));
    graph.setInitialValue(out, ArrayRef<float>({100, 200, 300}));
    Sequence sequence;
    popops::reduceWithOutput(graph, t, out, {0}, {popops::Operation::ADD, true, scale}, sequence);
    graph.createHostRead("out", out);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> found(3);
    engine.readTensor("out", found.data(), found.data() + 3);
    check::equal(found, std::vector<float>{102, 204, 306});
    return check::result();
}
