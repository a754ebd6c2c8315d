// Element-wise expressions over tensors, constants among them.
#include <algorithm>
#include <cmath>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor a = graph.addVariable(FLOAT, {20}, "a");
    const Tensor b = graph.addVariable(FLOAT, {20}, "b");
    const Tensor n = graph.addVariable(INT, {20}, "n");
    for (const Tensor& t : {a, b, n}) poputil::mapTensorLinearly(graph, t);
    std::vector<float> x(20);
    std::vector<float> y(20);
    std::vector<int> k(20);
    for (int i = 0; i < 20; ++i) {
        x[i] = 0.5F * static_cast<float>(i) - 3.0F;
        y[i] = 1.0F + static_cast<float>(i * i % 7);
        k[i] = 3 * i - 20;
    }
    graph.setInitialValue(a, ArrayRef<float>(x));
    graph.setInitialValue(b, ArrayRef<float>(y));
    graph.setInitialValue(n, ArrayRef<int>(k));
    using namespace popops::expr;
    Sequence sequence;
    const Tensor mixed = popops::map(graph, (_1 + Const(2.0F)) * _2 - _1 / _2, {a, b}, sequence);
    const Tensor larger = popops::map(graph, Max(_1, _2), {a, b}, sequence);
    const Tensor chosen = popops::map(graph, Select(_1, _2, Gt(_1, Const(0.0F))), {a, b}, sequence);
    const Tensor roots = popops::map(graph, Sqrt(Abs(_1)), {a}, sequence);
    popops::mapInPlace(graph, Neg(_1) + Const(1), {n}, sequence);
    graph.createHostRead("mixed", mixed);
    graph.createHostRead("larger", larger);
    graph.createHostRead("chosen", chosen);
    graph.createHostRead("roots", roots);
    graph.createHostRead("n", n);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> found(20);
    const auto expect = [&](const char* handle, auto&& function) {
        std::vector<float> expected(20);
        for (int i = 0; i < 20; ++i) expected[i] = function(x[i], y[i]);
        engine.readTensor(handle, found.data(), found.data() + 20);
        check::near(found, expected, 1e-5F);
    };
    expect("mixed", [](float p, float q) { return (p + 2.0F) * q - p / q; });
    expect("larger", [](float p, float q) { return std::max(p, q); });
    expect("chosen", [](float p, float q) { return p > 0 ? p : q; });
    expect("roots", [](float p, float) { return std::sqrt(std::abs(p)); });
    std::vector<int> numbers(20);
    engine.readTensor("n", numbers.data(), numbers.data() + 20);
    for (int& value : k) value = 1 - value;
    check::equal(numbers, k);
    return check::result();
}
