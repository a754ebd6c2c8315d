// A vertex that changes a tensor where it is.
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
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor values = graph.addVariable(INT, {8}, "values");
    ComputeSet cs = graph.addComputeSet("increment");
    for (unsigned i = 0; i < 4; ++i) {
        const Tensor part = values.slice(2 * i, 2 * i + 2);
        graph.setTileMapping(part, i);
        // The vertex is elsewhere: the data comes to it and goes back.
        graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", part}}), (i + 1) % 4);
    }
    graph.setInitialValue(values, ArrayRef<int>({0, 1, 2, 3, 4, 5, 6, 7}));
    graph.createHostRead("values", values);
    Engine engine(graph, Repeat(3, Execute(cs)));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(8);
    engine.readTensor("values", found.data(), found.data() + 8);
    check::equal(found, std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10});
    return check::result();
}
