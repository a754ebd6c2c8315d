// Programs that end the run with an error.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    const Tensor condition = graph.addVariable(BOOL, {}, "condition");
    graph.setTileMapping(condition, 0);
    graph.createHostWrite("condition", condition);
    Engine engine(graph, {Sequence({AbortOnCondition(condition, "the condition holds")}),
                          Sequence({Abort("never mind", {})})});
    engine.load(device);
    bool value = false;
    engine.writeTensor("condition", &value, &value + 1);
    engine.run(0);
    value = true;
    engine.writeTensor("condition", &value, &value + 1);
    check::throws<poplar_error>([&] { engine.run(0); }, {"the condition holds"});
    check::throws<poplar_error>([&] { engine.run(1); }, {"never mind"});
    return check::result();
}
