// A field of a vertex that nothing is connected to.
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

    const Tensor in = graph.addVariable(FLOAT, {}, "in");
    graph.setTileMapping(in, 0);
    ComputeSet cs = graph.addComputeSet("add one");
    const VertexRef v = graph.addVertex(cs, "AddOne");
    graph.connect(v["in"], in);
    graph.setTileMapping(v, 0);
    check::throws<poplar_error>([&] { Engine(graph, Execute(cs)); }, {"AddOne", "out"});
    return check::result();
}
