// What a program cost, in text: switched on and off.
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
    ComputeSet cs = graph.addComputeSet("a step with a name");
    graph.setTileMapping(graph.addVertex(cs, "Increment", {{"values", value}}), 0);
    Engine engine(graph, Execute(cs), {{"debug.instrument", "true"}});
    engine.load(device);
    engine.enableExecutionProfiling();
    engine.run(0);
    std::ostringstream text;
    engine.printProfileSummary(text, {{"showExecutionSteps", "true"}});
    check::that(text.str().find("a step with a name") != std::string::npos, text.str());
    engine.resetExecutionProfile();
    engine.disableExecutionProfiling();
    engine.run(0);
    engine.enableExecutionProfiling();
    engine.run(0);
    std::ostringstream again;
    engine.printProfileSummary(again);
    check::that(again.str().size() > 100, "the summary says something: " + again.str());
    std::ostringstream report;
    report << engine.getReport();
    check::that(report.str().find("a step with a name") != std::string::npos,
                "the report names the step");
    return check::result();
}
