// A codelet that reads or writes beyond its field, found while it runs.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    for (const bool reads : {true, false}) {
        const Device device = check::device();
        Graph graph(device.getTarget());
        graph.addCodelets("codelets/faulty.cpp");
        const Tensor t = graph.addVariable(INT, {10}, "t");
        const Tensor out = graph.addVariable(INT, {}, "out");
        graph.setTileMapping(t, 2);
        graph.setTileMapping(out, 2);
        graph.setInitialValue(t, std::vector<int>(10, 1));
        ComputeSet cs = graph.addComputeSet("beyond");
        const VertexRef v =
            reads ? graph.addVertex(cs, "ReadBeyond", {{"in", t.slice(0, 5)}, {"out", out}})
                  : graph.addVertex(cs, "WriteBeyond", {{"out", t.slice(0, 5)}});
        graph.setTileMapping(v, 2);
        Engine engine(graph, Execute(cs), {{"tropic.checked", "true"}});
        engine.load(device);
        check::throws<poplar_error>([&] { engine.run(0); },
                                    {reads ? "ReadBeyond" : "WriteBeyond", "tile 2", "5"});
    }
    // Of a list, a vector that is not there.
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/faulty.cpp");
    const Tensor rows = graph.addVariable(INT, {1, 10}, "rows");
    const Tensor out = graph.addVariable(INT, {}, "out");
    graph.setTileMapping(rows, 3);
    graph.setTileMapping(out, 3);
    graph.setInitialValue(rows, 7);
    ComputeSet cs = graph.addComputeSet("second");
    graph.setTileMapping(graph.addVertex(cs, "SecondVector", {{"in", rows}, {"out", out}}), 3);
    Engine engine(graph, Execute(cs), {{"tropic.checked", "true"}});
    engine.load(device);
    check::throws<poplar_error>([&] { engine.run(0); },
                                {"SecondVector", "tile 3", "vector 1 of field 'in' (which has 1)"});
    return check::result();
}
