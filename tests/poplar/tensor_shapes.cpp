// Reshaping, shuffling and transposing move no data: the elements are the same.
#include <numeric>
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
    const Tensor t = graph.addVariable(INT, {2, 3, 4}, "t");
    for (unsigned i = 0; i < 24; ++i) graph.setTileMapping(t.flatten()[i], i % 4);
    std::vector<int> numbers(24);
    std::iota(numbers.begin(), numbers.end(), 0);
    graph.setInitialValue(t, ArrayRef<int>(numbers));

    check::equal(t.flatten().shape(), std::vector<std::size_t>{24});
    check::equal(t.flatten(1, 3).shape(), std::vector<std::size_t>{2, 12});
    check::equal(t.reshape({6, 4}).shape(), std::vector<std::size_t>{6, 4});
    check::equal(t.dimShuffle({2, 0, 1}).shape(), std::vector<std::size_t>{4, 2, 3});
    check::equal(t[0].transpose().shape(), std::vector<std::size_t>{4, 3});
    check::throws<poplar_error>([&] { t.reshape({5, 5}); });
    check::throws<poplar_error>([&] { t.dimShuffle({0, 0, 1}); });

    graph.createHostRead("shuffled", t.dimShuffle({2, 0, 1}));
    graph.createHostRead("transposed", t[1].transpose());
    Engine engine(graph, Sequence());
    engine.load(device);
    std::vector<int> found(24);
    engine.readTensor("shuffled", found.data(), found.data() + 24);
    std::vector<int> expected;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 6; ++r) expected.push_back(4 * r + c);
    }
    check::equal(found, expected);
    found.resize(12);
    engine.readTensor("transposed", found.data(), found.data() + 12);
    check::equal(found, std::vector<int>{12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23});
    return check::result();
}
