// New variables like others.
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
    const Tensor t = graph.addVariable(FLOAT, {3, 2}, "t");
    for (unsigned i = 0; i < 3; ++i) graph.setTileMapping(t[i], i);
    graph.setInitialValue(t, ArrayRef<float>({1, 2, 3, 4, 5, 6}));
    const Tensor u = graph.clone(t, "u");
    const Tensor w = graph.clone(INT, t.transpose(), "w");
    check::equal(u.shape(), t.shape());
    check::equal(w.shape(), std::vector<std::size_t>{2, 3});
    check::that(w.elementType() == INT, "another type");
    check::that(!u.intersectsWith(t), "elements of its own");
    graph.createHostRead("u", u);
    Engine engine(graph, Copy(t, u));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(6);
    engine.readTensor("u", found.data(), found.data() + 6);
    check::equal(found, std::vector<float>{1, 2, 3, 4, 5, 6});
    return check::result();
}
