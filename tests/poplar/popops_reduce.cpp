// Reductions by every operation, along rows, columns and all.
#include <algorithm>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    popops::addCodelets(graph);

    const Tensor t = graph.addVariable(FLOAT, {7, 9}, "t");
    for (unsigned i = 0; i < 63; ++i) graph.setTileMapping(t.flatten()[i], (i * 5) % 4);
    std::vector<float> values(63);
    for (int i = 0; i < 63; ++i) values[i] = static_cast<float>((i * 29) % 31) - 11.0F;
    graph.setInitialValue(t, ArrayRef<float>(values));
    Sequence sequence;
    const Tensor columns = popops::reduce(graph, t, {0}, popops::Operation::ADD, sequence);
    const Tensor rows = popops::reduce(graph, t, {1}, popops::Operation::MAX, sequence);
    const Tensor least = popops::reduce(graph, t, {0, 1}, popops::Operation::MIN, sequence);
    const Tensor squares = popops::reduce(graph, t, {1}, popops::Operation::SQUARE_ADD, sequence);
    check::equal(columns.shape(), std::vector<std::size_t>{9});
    check::equal(least.numElements(), 1U);
    graph.createHostRead("columns", columns);
    graph.createHostRead("rows", rows);
    graph.createHostRead("least", least);
    graph.createHostRead("squares", squares);
    Engine engine(graph, sequence);
    engine.load(device);
    engine.run(0);
    std::vector<float> sums(9, 0.0F);
    std::vector<float> largest(7, -1000.0F);
    std::vector<float> square_sums(7, 0.0F);
    for (int i = 0; i < 63; ++i) {
        sums[i % 9] += values[i];
        largest[i / 9] = std::max(largest[i / 9], values[i]);
        square_sums[i / 9] += values[i] * values[i];
    }
    std::vector<float> found(9);
    engine.readTensor("columns", found.data(), found.data() + 9);
    check::near(found, sums, 1e-4F);
    found.resize(7);
    engine.readTensor("rows", found.data(), found.data() + 7);
    check::equal(found, largest);
    engine.readTensor("squares", found.data(), found.data() + 7);
    check::near(found, square_sums, 1e-3F);
    float one = 0;
    engine.readTensor("least", &one, &one + 1);
    check::equal(one, *std::min_element(values.begin(), values.end()));
    return check::result();
}
