// Whether all flags are set, over many tiles, and a loop that ends by it.
#include <algorithm>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/AllTrue.hpp>
#include <popops/codelets.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device(16);
    Graph graph(device.getTarget());
    popops::addCodelets(graph);
    const Tensor flags = graph.addVariable(BOOL, {100}, "flags");
    for (unsigned i = 0; i < 100; ++i) graph.setTileMapping(flags[i], i % 16);
    graph.createHostWrite("flags", flags);
    Sequence sequence;
    const Tensor all = popops::allTrue(graph, flags, sequence, "all");
    graph.createHostRead("all", all);
    Engine engine(graph, sequence);
    engine.load(device);
    std::vector<unsigned char> source(100, 1);
    for (const int zero : {-1, 0, 57, 99}) {
        std::fill(source.begin(), source.end(), 1);
        if (zero >= 0) source[static_cast<std::size_t>(zero)] = 0;
        engine.writeTensor("flags", source.data(), source.data() + 100);
        engine.run(0);
        bool found = zero >= 0;
        engine.readTensor("all", &found, &found + 1);
        check::equal(found, zero < 0);
    }
    return check::result();
}
