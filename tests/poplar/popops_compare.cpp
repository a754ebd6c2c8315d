// Comparisons, and what is made of their answers.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor a = graph.addVariable(INT, {5}, "a");
    const Tensor b = graph.addVariable(INT, {5}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 1);
    graph.setInitialValue(a, ArrayRef<int>({1, 2, 3, 4, 5}));
    graph.setInitialValue(b, ArrayRef<int>({3, 3, 3, 3, 3}));
    Sequence sequence;
    const Tensor greater = popops::gt(graph, a, b, sequence);
    const Tensor less = popops::lt(graph, a, b, sequence);
    const Tensor same = popops::eq(graph, a, b, sequence);
    const Tensor other = popops::logicalNot(graph, same, sequence);
    const Tensor either = popops::logicalOr(graph, greater, same, sequence);
    graph.createHostRead("greater", greater);
    graph.createHostRead("less", less);
    graph.createHostRead("same", same);
    graph.createHostRead("other", other);
    graph.createHostRead("either", either);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<unsigned char> found(5);
    const auto expect = [&](const char* handle, const std::vector<unsigned char>& expected) {
        engine.readTensor(handle, found.data(), found.data() + 5);
        check::equal(found, expected);
    };
    expect("greater", {0, 0, 0, 1, 1});
    expect("less", {1, 1, 0, 0, 0});
    expect("same", {0, 0, 1, 0, 0});
    expect("other", {1, 1, 0, 1, 1});
    expect("either", {0, 0, 1, 1, 1});
    return check::result();
}
