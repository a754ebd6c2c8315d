// A vector of the vertex's own that was given no size.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/state.cpp");
    const Tensor values = graph.addVariable(INT, {5}, "values");
    graph.setTileMapping(values, 1);
    ComputeSet cs = graph.addComputeSet("reverse");
    graph.setTileMapping(graph.addVertex(cs, "ReverseThroughScratch", {{"values", values}}), 1);
    check::throws<no_size_specified>([&] { Engine(graph, Execute(cs)); },
                                     {"ReverseThroughScratch", "'scratch'", "setFieldSize"});
    return check::result();
}
