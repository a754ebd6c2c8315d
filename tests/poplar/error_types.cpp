// Tensors of another type than the field, the stream or the copy has.
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

    const Tensor f = graph.addVariable(FLOAT, {4}, "f");
    const Tensor n = graph.addVariable(INT, {4}, "n");
    graph.setTileMapping(f, 0);
    graph.setTileMapping(n, 0);
    check::throws<poplar_error>([&] { Engine(graph, Copy(f, n)); });
    const DataStream stream = graph.addHostToDeviceFIFO("stream", INT, 4);
    check::throws<poplar_error>([&] { Engine(graph, Copy(stream, f)); });
    ComputeSet cs = graph.addComputeSet("increment");
    check::throws<poplar_error>(
        [&] {
            graph.addVertex(cs, "Increment", {{"values", f}});
            Engine(graph, Execute(cs));
        },
        {"values"});
    check::throws<poplar_error>([&] { concat(f, n); });
    return check::result();
}
