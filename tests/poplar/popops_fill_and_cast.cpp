// Zero, fill and cast.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Cast.hpp>
#include <popops/Fill.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor a = graph.addVariable(FLOAT, {10}, "a");
    const Tensor b = graph.addVariable(INT, {10}, "b");
    const Tensor source = graph.addVariable(FLOAT, {4}, "source");
    for (const Tensor& t : {a, b, source}) poputil::mapTensorLinearly(graph, t);
    graph.setInitialValue(source, ArrayRef<float>({1.9F, -1.9F, 0.0F, 300.0F}));
    Sequence sequence;
    popops::fill(graph, a, sequence, 2.5F);
    popops::zero(graph, a.slice(0, 5), sequence);
    popops::fill(graph, b, sequence, -7);
    const Tensor ints = popops::cast(graph, source, INT, sequence);
    const Tensor flags = popops::cast(graph, source, BOOL, sequence);
    graph.createHostRead("a", a);
    graph.createHostRead("b", b);
    graph.createHostRead("ints", ints);
    graph.createHostRead("flags", flags);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> floats(10);
    engine.readTensor("a", floats.data(), floats.data() + 10);
    check::equal(floats, std::vector<float>{0, 0, 0, 0, 0, 2.5F, 2.5F, 2.5F, 2.5F, 2.5F});
    std::vector<int> found(10);
    engine.readTensor("b", found.data(), found.data() + 10);
    check::equal(found, std::vector<int>(10, -7));
    found.resize(4);
    engine.readTensor("ints", found.data(), found.data() + 4);
    check::equal(found, std::vector<int>{1, -1, 0, 300});
    std::vector<unsigned char> bools(4);
    engine.readTensor("flags", bools.data(), bools.data() + 4);
    check::equal(bools, std::vector<unsigned char>{1, 1, 0, 1});
    return check::result();
}
