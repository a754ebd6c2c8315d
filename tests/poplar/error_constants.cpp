// Constants cannot be written, nor can an element that a view shows twice.
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

    const Tensor c = graph.addConstant(FLOAT, {4}, 1.0F);
    const Tensor v = graph.addVariable(FLOAT, {4}, "v");
    const Tensor one = graph.addVariable(FLOAT, {1}, "one");
    for (const Tensor& t : {c, v, one}) graph.setTileMapping(t, 0);
    check::throws<poplar_error>([&] { Engine(graph, Copy(v, c)); });
    check::throws<poplar_error>([&] { Engine(graph, Copy(v, one.broadcast(4, 0))); });
    return check::result();
}
