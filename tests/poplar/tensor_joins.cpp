// Tensors joined along a dimension, and the elements behind them.
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
    const Tensor a = graph.addVariable(INT, {2, 2}, "a");
    const Tensor b = graph.addVariable(INT, {2, 1}, "b");
    const Tensor c = graph.addVariable(INT, {2}, "c");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 1);
    graph.setTileMapping(c, 2);
    graph.setInitialValue(a, ArrayRef<int>({1, 2, 3, 4}));
    graph.setInitialValue(b, ArrayRef<int>({5, 6}));
    graph.setInitialValue(c, ArrayRef<int>({7, 8}));
    const Tensor wide = concat(a, b, 1);
    const Tensor tall = append(a, c, 0);
    check::equal(wide.shape(), std::vector<std::size_t>{2, 3});
    check::equal(tall.shape(), std::vector<std::size_t>{3, 2});
    check::equal(concat({a[0], c, a[1]}).shape(), std::vector<std::size_t>{6});
    check::throws<poplar_error>([&] { concat(a, c); });
    check::throws<poplar_error>([&] { concat(a, b, 0); });

    graph.createHostRead("wide", wide);
    graph.createHostRead("tall", tall);
    Engine engine(graph, Sequence());
    engine.load(device);
    std::vector<int> found(6);
    engine.readTensor("wide", found.data(), found.data() + 6);
    check::equal(found, std::vector<int>{1, 2, 5, 3, 4, 6});
    engine.readTensor("tall", found.data(), found.data() + 6);
    check::equal(found, std::vector<int>{1, 2, 3, 4, 7, 8});
    return check::result();
}
