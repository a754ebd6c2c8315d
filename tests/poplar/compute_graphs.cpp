// The graph written in the language of graphviz.
#include <sstream>

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
    const Tensor value = graph.addVariable(INT, {1}, "value");
    graph.setTileMapping(value, 0);
    graph.setInitialValue(value[0], 0);
    ComputeSet cs = graph.addComputeSet("increment");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 0);
    std::ostringstream computes;
    std::ostringstream vertices;
    graph.outputComputeGraph(computes, {Execute(cs)});
    graph.outputVertexGraph(vertices, {Execute(cs)});
    check::that(computes.str().find("digraph") != std::string::npos, computes.str());
    check::that(computes.str().find("increment") != std::string::npos, computes.str());
    check::that(vertices.str().find("Increment") != std::string::npos, vertices.str());
    return check::result();
}
