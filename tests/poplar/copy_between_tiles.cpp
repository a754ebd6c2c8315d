// Copies between tensors that live on different tiles, and within one.
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
    const Tensor a = graph.addVariable(INT, {6}, "a");
    const Tensor b = graph.addVariable(INT, {6}, "b");
    const Tensor c = graph.addVariable(INT, {6}, "c");
    for (unsigned i = 0; i < 6; ++i) {
        graph.setTileMapping(a[i], i % 4);
        graph.setTileMapping(b[i], (i + 1) % 4);
        graph.setTileMapping(c[i], (i + 1) % 4);
    }
    graph.setInitialValue(a, ArrayRef<int>({1, 2, 3, 4, 5, 6}));
    graph.createHostRead("c", c);
    Engine engine(graph, Sequence({Copy(a, b), Copy(b, c)}));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(6);
    engine.readTensor("c", found.data(), found.data() + found.size());
    check::equal(found, std::vector<int>{1, 2, 3, 4, 5, 6});
    return check::result();
}
