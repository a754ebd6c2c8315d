// Arithmetic on whole tensors, into new ones and in place.
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

    const Tensor a = graph.addVariable(FLOAT, {6}, "a");
    const Tensor b = graph.addVariable(FLOAT, {6}, "b");
    for (unsigned i = 0; i < 6; ++i) {
        graph.setTileMapping(a[i], i % 4);
        graph.setTileMapping(b[i], (i + 1) % 4); // the operands do not live together
    }
    graph.setInitialValue(a, ArrayRef<float>({1, 2, 3, 4, 5, 6}));
    graph.setInitialValue(b, ArrayRef<float>({6, 5, 4, 3, 2, 1}));
    Sequence sequence;
    const Tensor sum = popops::add(graph, a, b, sequence);
    const Tensor difference = popops::sub(graph, a, b, sequence);
    const Tensor product = popops::mul(graph, a, b, sequence);
    const Tensor quotient = popops::div(graph, a, b, sequence);
    popops::addInPlace(graph, a, b, sequence);
    popops::mulInPlace(graph, b, a, sequence);
    graph.createHostRead("sum", sum);
    graph.createHostRead("difference", difference);
    graph.createHostRead("product", product);
    graph.createHostRead("quotient", quotient);
    graph.createHostRead("a", a);
    graph.createHostRead("b", b);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> found(6);
    const auto expect = [&](const char* handle, const std::vector<float>& expected) {
        engine.readTensor(handle, found.data(), found.data() + 6);
        check::near(found, expected, 1e-6F);
    };
    expect("sum", {7, 7, 7, 7, 7, 7});
    expect("difference", {-5, -3, -1, 1, 3, 5});
    expect("product", {6, 10, 12, 12, 10, 6});
    expect("quotient", {1.0F / 6, 0.4F, 0.75F, 4.0F / 3, 2.5F, 6});
    expect("a", {7, 7, 7, 7, 7, 7});
    expect("b", {42, 35, 28, 21, 14, 7});
    return check::result();
}
