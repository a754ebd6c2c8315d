// A slice whose place is a tensor: read, and written back elsewhere.
#include <numeric>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor t = graph.addVariable(INT, {5, 3}, "t");
    const Tensor at = graph.addVariable(UNSIGNED_INT, {1}, "at");
    poputil::mapTensorLinearly(graph, t, 1, 3);
    graph.setTileMapping(at, 0);
    std::vector<int> values(15);
    std::iota(values.begin(), values.end(), 0);
    graph.setInitialValue(t, ArrayRef<int>(values));
    graph.createHostWrite("at", at);
    Sequence sequence;
    const Tensor slice = popops::dynamicSlice(graph, t, at, {0}, {2}, sequence);
    check::equal(slice.shape(), std::vector<std::size_t>{2, 3});
    graph.createHostRead("slice", slice);
    Engine engine(graph, sequence);
    engine.load(device);
    for (const unsigned row : {0U, 3U, 1U}) {
        engine.writeTensor("at", &row, &row + 1);
        engine.run(0);
        std::vector<int> found(6);
        engine.readTensor("slice", found.data(), found.data() + 6);
        check::equal(found,
                     std::vector<int>(values.begin() + 3 * row, values.begin() + 3 * row + 6));
    }
    return check::result();
}
