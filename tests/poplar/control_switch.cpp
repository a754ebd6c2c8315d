// One of several programs by a number, or the one for all others.
#include <utility>
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
    const Tensor control = graph.addVariable(INT, {}, "control");
    const Tensor result = graph.addVariable(INT, {}, "result");
    graph.setTileMapping(control, 1);
    graph.setTileMapping(result, 0);
    const auto assign = [&](int number) {
        const Tensor constant = graph.addConstant(INT, {}, number);
        graph.setTileMapping(constant, 0);
        return Copy(constant, result);
    };
    graph.createHostWrite("control", control);
    graph.createHostRead("result", result);
    Switch by_number(control, {{0, assign(10)}, {5, assign(15)}}, assign(99));
    by_number.add(-3, assign(7));
    Engine engine(graph, by_number);
    engine.load(device);
    const std::vector<std::pair<int, int>> table{{0, 10}, {5, 15}, {-3, 7}, {1, 99}, {1000, 99}};
    for (const auto& [number, expected] : table) {
        engine.writeTensor("control", &number, &number + 1);
        engine.run(0);
        int found = 0;
        engine.readTensor("result", &found, &found + 1);
        check::equal(found, expected);
    }
    return check::result();
}
