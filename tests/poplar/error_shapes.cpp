// Tensors that do not fit: copies of different sizes, streams, initial values, scalars.
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

    const Tensor a = graph.addVariable(FLOAT, {4}, "a");
    const Tensor b = graph.addVariable(FLOAT, {5}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 0);
    check::throws<poplar_error>([&] { Engine(graph, Copy(a, b)); });
    const DataStream stream = graph.addHostToDeviceFIFO("stream", FLOAT, 3);
    check::throws<poplar_error>([&] { Engine(graph, Copy(stream, a)); });
    check::throws<poplar_error>([&] { graph.setInitialValue(a, ArrayRef<float>({1, 2, 3})); });
    ComputeSet cs = graph.addComputeSet("add one");
    check::throws<poplar_error>(
        [&] {
            graph.addVertex(cs, "AddOne", {{"in", a}, {"out", b[0]}});
            Engine(graph, Execute(cs));
        },
        {"in"});
    return check::result();
}
