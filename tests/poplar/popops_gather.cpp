// Rows picked by a list of numbers.
#include <numeric>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Gather.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor t = graph.addVariable(FLOAT, {6, 2}, "t");
    const Tensor rows = graph.addVariable(UNSIGNED_INT, {3}, "rows");
    poputil::mapTensorLinearly(graph, t, 1, 2);
    graph.setTileMapping(rows, 1);
    std::vector<float> values(12);
    std::iota(values.begin(), values.end(), 0.0F);
    graph.setInitialValue(t, ArrayRef<float>(values));
    graph.setInitialValue(rows, ArrayRef<unsigned>({5, 0, 5}));
    Sequence sequence;
    const Tensor picked = popops::gather(graph, t, rows, 0, sequence);
    graph.createHostRead("picked", picked);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> found(6);
    engine.readTensor("picked", found.data(), found.data() + 6);
    check::equal(found, std::vector<float>{10, 11, 0, 1, 10, 11});
    return check::result();
}
