// Workers of one vertex that touch the same word: elements, plain members, and what is no race.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned tile = 2;

Tensor variable(Graph& graph, const Type& type, std::size_t elements, const char* name) {
    const Tensor t = graph.addVariable(type, {elements}, name);
    graph.setTileMapping(t, tile);
    return t;
}

void run(const Device& device, Graph& graph, ComputeSet cs) {
    Engine engine(graph, Execute(cs), {{"tropic.checked", "true"}});
    engine.load(device);
    engine.run(0);
}

} // namespace

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/faulty.cpp");
    const Tensor in = variable(graph, INT, 12, "in");
    graph.setInitialValue(in, 3);

    const Tensor sum = variable(graph, INT, 1, "sum");
    graph.setInitialValue(sum, 0);
    ComputeSet sums = graph.addComputeSet("sums");
    graph.setTileMapping(graph.addVertex(sums, "RacingSum", {{"in", in}, {"sum", sum[0]}}), tile);
    check::throws<poplar_error>([&] { run(device, graph, sums); },
                                {"race", "RacingSum", "element 0 of field 'sum'", "tile 2",
                                 "worker 1", "worker 0", "line"});

    ComputeSet members = graph.addComputeSet("members");
    const VertexRef member = graph.addVertex(members, "RacingMember",
                                             {{"in", in}, {"out", variable(graph, INT, 6, "out")}});
    graph.setInitialValue(member["found"], 0);
    graph.setTileMapping(member, tile);
    check::throws<poplar_error>([&] { run(device, graph, members); },
                                {"race", "RacingMember", "plain member 'found'", "worker 1"});

    const Tensor ring = variable(graph, INT, 6, "ring");
    graph.setInitialValue(ring, 1);
    ComputeSet neighbours = graph.addComputeSet("neighbours");
    graph.setTileMapping(graph.addVertex(neighbours, "RacingNeighbours", {{"values", ring}}), tile);
    check::throws<poplar_error>([&] { run(device, graph, neighbours); },
                                {"race", "field 'values'", "reads"});

    // What is written before the workers start, and read when they have ended, is no race.
    const Tensor parts = variable(graph, SHORT, 12, "parts");
    graph.setInitialValue(parts, 0);
    ComputeSet peace = graph.addComputeSet("peace");
    const VertexRef supervisor =
        graph.addVertex(peace, "PeacefulSupervisor", {{"in", in}, {"parts", parts}});
    graph.setInitialValue(supervisor["total"], 0);
    graph.setTileMapping(supervisor, tile);
    graph.createHostRead("parts", parts);
    Engine engine(graph, Execute(peace), {{"tropic.checked", "true"}});
    engine.load(device);
    engine.run(0);
    std::vector<short> found(12);
    engine.readTensor("parts", found.data(), found.data() + 12);
    check::equal(found, std::vector<short>{3, 3, 3, 0, 3, 0, 3, 0, 3, 0, 3, 0});
    return check::result();
}
