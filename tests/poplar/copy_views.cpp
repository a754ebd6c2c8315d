// Views as source and as target of copies: transposed, reversed, interleaved.
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
    const Tensor a = graph.addVariable(INT, {2, 3}, "a");
    const Tensor b = graph.addVariable(INT, {3, 2}, "b");
    const Tensor c = graph.addVariable(INT, {6}, "c");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 1);
    graph.setTileMapping(c, 2);
    graph.setInitialValue(a, ArrayRef<int>({1, 2, 3, 4, 5, 6}));
    graph.createHostRead("b", b);
    graph.createHostRead("c", c);
    Engine engine(graph, Sequence({Copy(a.transpose(), b), Copy(a.flatten().reverse(0), c),
                                   Copy(a[1].slice(0, 2), c.subSample(3, 0))}));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(6);
    engine.readTensor("b", found.data(), found.data() + found.size());
    check::equal(found, std::vector<int>{1, 4, 2, 5, 3, 6});
    engine.readTensor("c", found.data(), found.data() + found.size());
    check::equal(found, std::vector<int>{4, 5, 4, 5, 2, 1});
    return check::result();
}
