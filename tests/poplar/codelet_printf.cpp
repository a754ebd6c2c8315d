// What codelets print, with the tile it came from.
#include <string>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/print.cpp");
    const Tensor number = graph.addVariable(INT, {}, "number");
    graph.setTileMapping(number, 2);
    graph.setInitialValue(number, 41);
    ComputeSet cs = graph.addComputeSet("talk");
    graph.setTileMapping(graph.addVertex(cs, "Talk", {{"number", number}}), 2);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    check::Captured captured(STDERR_FILENO);
    engine.run(0);
    const std::string text = captured.text();
    check::that(text.find("the number is 41") != std::string::npos, "printed: " + text);
    check::that(text.find('2') != std::string::npos, "the tile is named: " + text);
    return check::result();
}
