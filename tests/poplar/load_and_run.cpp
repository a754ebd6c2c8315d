// A program run by `loadAndRun`, twice: loading again starts from the initial values.
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
    const Tensor values = graph.addVariable(INT, {2}, "values");
    graph.setTileMapping(values, 0);
    graph.setInitialValue(values, ArrayRef<int>({5, 6}));
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", values}}), 0);
    graph.createHostRead("read", values);
    Engine engine(graph, Execute(cs));
    std::vector<int> found(2);
    for (int turn = 0; turn < 2; ++turn) {
        engine.loadAndRun(device);
        engine.readTensor("read", found.data(), found.data() + found.size());
        check::equal(found, std::vector<int>{6, 7});
    }
    return check::result();
}
