// One program or the other, by a tensor the host wrote.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor choice = graph.addVariable(BOOL, {}, "choice");
    const Tensor result = graph.addVariable(INT, {}, "result");
    const Tensor yes = graph.addConstant(INT, {}, 1);
    const Tensor no = graph.addConstant(INT, {}, 2);
    for (const Tensor& t : {choice, result, yes, no}) graph.setTileMapping(t, 0);
    graph.createHostWrite("choice", choice);
    graph.createHostRead("result", result);
    Engine engine(graph, If(choice, Copy(yes, result), Copy(no, result)));
    engine.load(device);
    for (const bool chosen : {true, false, true}) {
        engine.writeTensor("choice", &chosen, &chosen + 1);
        engine.run(0);
        int found = 0;
        engine.readTensor("result", &found, &found + 1);
        check::equal(found, chosen ? 1 : 2);
    }
    return check::result();
}
