// A slice whose place is a tensor: read, and written back elsewhere; along one dimension and more.
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

    // A block of a cube, of which two dimensions wrap around.
    const Tensor cube = graph.addVariable(INT, {3, 4, 2}, VariableMappingMethod::LINEAR, "cube");
    const Tensor corner = graph.addVariable(UNSIGNED_INT, {3}, "corner");
    const Tensor block = graph.addVariable(INT, {2, 2, 1}, VariableMappingMethod::LINEAR, "block");
    graph.setTileMapping(corner, 1);
    graph.setInitialValue(cube, 0);
    graph.setInitialValue(block, ArrayRef<int>({1, 2, 3, 4}));
    graph.createHostWrite("corner", corner);
    graph.createHostRead("cube", cube);
    Sequence update;
    popops::dynamicUpdate(graph, cube, block, corner, {0, 1, 2}, {2, 2, 1}, update);
    const Tensor again =
        popops::dynamicSlice(graph, cube, corner, {0, 1, 2}, {2, 2, 1}, update, "again");
    graph.createHostRead("again", again);
    Engine engine(graph, {sequence, update});
    engine.load(device);
    for (const unsigned row : {0U, 3U, 1U}) {
        engine.writeTensor("at", &row, &row + 1);
        engine.run(0);
        std::vector<int> found(6);
        engine.readTensor("slice", found.data(), found.data() + 6);
        check::equal(found,
                     std::vector<int>(values.begin() + 3 * row, values.begin() + 3 * row + 6));
    }
    std::vector<int> expected(24, 0);
    for (const std::vector<unsigned>& at_corner :
         {std::vector<unsigned>{0, 1, 1}, {2, 3, 0}, {1, 2, 1}}) {
        engine.writeTensor("corner", at_corner.data(), at_corner.data() + 3);
        engine.run(1);
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned row = (at_corner[0] + i / 2) % 3;
            const unsigned column = (at_corner[1] + i % 2) % 4;
            expected[(row * 4 + column) * 2 + at_corner[2]] = static_cast<int>(i) + 1;
        }
        std::vector<int> found(24);
        engine.readTensor("cube", found.data(), found.data() + 24);
        check::equal(found, expected);
        std::vector<int> part(4);
        engine.readTensor("again", part.data(), part.data() + 4);
        check::equal(part, std::vector<int>{1, 2, 3, 4});
    }
    return check::result();
}
