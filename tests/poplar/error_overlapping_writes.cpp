// Two vertices of one compute set that write the same element.
#include <cstddef>
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

    const Tensor in = graph.addVariable(FLOAT, {4}, "in");
    const Tensor out = graph.addVariable(FLOAT, {6}, "shared");
    graph.setTileMapping(in, 0);
    graph.setTileMapping(out, 0);
    graph.setInitialValue(in, std::vector<float>(4, 1.0F));
    const auto build = [&](std::size_t begin) {
        ComputeSet cs = graph.addComputeSet("clash");
        for (const std::size_t at : {std::size_t{0}, begin}) {
            const VertexRef v =
                graph.addVertex(cs, "Scale", {{"in", in}, {"out", out.slice(at, at + 4)}});
            graph.setInitialValue(v["factor"], 1.0F);
            graph.setTileMapping(v, static_cast<unsigned>(at % 4));
        }
        return Execute(cs);
    };
    check::throws<poplar_error>([&] { Engine(graph, build(2)); }, {"shared"});

    // A copy in between makes two compute sets of it: no clash.
    ComputeSet first = graph.addComputeSet("first");
    ComputeSet second = graph.addComputeSet("second");
    for (ComputeSet cs : {first, second}) {
        const VertexRef v = graph.addVertex(cs, "Scale", {{"in", in}, {"out", out.slice(0, 4)}});
        graph.setInitialValue(v["factor"], 1.0F);
        graph.setTileMapping(v, 0);
    }
    Engine engine(graph, Sequence({Execute(first), Execute(second)}));
    engine.load(device);
    engine.run(0);
    check::that(true, "it runs");
    return check::result();
}
