// What vertices return: all true or not.
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
    graph.addCodelets("codelets/status.cpp");
    const Tensor values = graph.addVariable(INT, {4}, "values");
    const Tensor status = graph.addVariable(BOOL, {}, "status");
    const Tensor seven = graph.addVariable(INT, {}, "seven");
    graph.setTileMapping(status, 0);
    graph.setTileMapping(seven, 0);
    ComputeSet cs = graph.addComputeSet("positive");
    for (unsigned i = 0; i < 4; ++i) {
        graph.setTileMapping(values[i], i);
        graph.setTileMapping(graph.addVertex(cs, "IsPositive", {{"value", values[i]}}), i);
    }
    ComputeSet nothing = graph.addComputeSet("nothing returned");
    graph.setTileMapping(graph.addVertex(nothing, "Nothing", {{"value", seven}}), 0);
    graph.createHostWrite("values", values);
    graph.createHostRead("status", status);
    graph.createHostRead("seven", seven);
    Engine engine(graph, Sequence({Execute(cs, status), Execute(nothing)}));
    engine.load(device);
    for (const bool positive : {true, false}) {
        const std::vector<int> source{1, 2, positive ? 3 : -3, 4};
        engine.writeTensor("values", source.data(), source.data() + 4);
        engine.run(0);
        bool found = !positive;
        engine.readTensor("status", &found, &found + 1);
        check::equal(found, positive);
    }
    int found = 0;
    engine.readTensor("seven", &found, &found + 1);
    check::equal(found, 7);
    return check::result();
}
