// Broadcast, upsampled, reversed and sampled views.
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
    const Tensor t = graph.addVariable(INT, {2, 2}, "t");
    graph.setTileMapping(t, 1);
    graph.setInitialValue(t, ArrayRef<int>({1, 2, 3, 4}));
    check::equal(t.broadcast(3, 0).shape(), std::vector<std::size_t>{6, 2});
    check::equal(t.expand({1}).shape(), std::vector<std::size_t>{2, 1, 2});
    check::equal(t.expand({0, 2}).squeeze({0, 3}).shape(), std::vector<std::size_t>{2, 2});
    check::that(t.broadcast(2, 0).containsAliases(), "a broadcast shows an element twice");
    check::that(!t.containsAliases(), "a variable does not");

    graph.createHostRead("broadcast", t.broadcast(2, 1));
    graph.createHostRead("upsampled", t.upsample(2, 1, UpsampleMethod::REPEAT));
    graph.createHostRead("reversed", t.reverse(0));
    Engine engine(graph, Sequence());
    engine.load(device);
    std::vector<int> found(8);
    engine.readTensor("broadcast", found.data(), found.data() + 8);
    check::equal(found, std::vector<int>{1, 2, 1, 2, 3, 4, 3, 4});
    engine.readTensor("upsampled", found.data(), found.data() + 8);
    check::equal(found, std::vector<int>{1, 1, 2, 2, 3, 3, 4, 4});
    found.resize(4);
    engine.readTensor("reversed", found.data(), found.data() + 4);
    check::equal(found, std::vector<int>{3, 4, 1, 2});
    return check::result();
}
