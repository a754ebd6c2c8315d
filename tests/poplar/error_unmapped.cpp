// Tensors and vertices that are on no tile.
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

    const Tensor in = graph.addVariable(FLOAT, {}, "nowhere");
    const Tensor out = graph.addVariable(FLOAT, {}, "out");
    graph.setTileMapping(out, 0);
    ComputeSet cs = graph.addComputeSet("add one");
    const VertexRef v = graph.addVertex(cs, "AddOne", {{"in", in}, {"out", out}});
    graph.setTileMapping(v, 0);
    check::throws<poplar_error>([&] { Engine(graph, Execute(cs)); }, {"nowhere"});
    graph.setTileMapping(in, 1);
    graph.setInitialValue(in, 1.0F);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);

    ComputeSet other = graph.addComputeSet("unmapped vertex");
    graph.addVertex(other, "AddOne", {{"in", in}, {"out", out}});
    check::throws<poplar_error>([&] { Engine(graph, Execute(other)); }, {"AddOne"});
    check::throws<poplar_error>([&] { graph.setTileMapping(in, 4); });
    return check::result();
}
