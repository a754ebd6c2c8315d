// Tensors printed by the program, with and without a title.
#include <sstream>
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
    const Tensor t = graph.addVariable(INT, {2, 2}, "numbers");
    const Tensor f = graph.addVariable(FLOAT, {2}, "floats");
    graph.setTileMapping(t, 0);
    graph.setTileMapping(f, 1);
    graph.setInitialValue(t, ArrayRef<int>({1, 2, 3, 4}));
    graph.setInitialValue(f, ArrayRef<float>({0.5F, -2.25F}));
    Engine engine(graph, Sequence({PrintTensor("matrix", t), PrintTensor(f)}));
    std::ostringstream printed;
    engine.setPrintTensorStream(printed);
    engine.load(device);
    engine.run(0);
    const std::string text = printed.str();
    for (const char* part : {"matrix", "1", "2", "3", "4", "0.5", "-2.25"}) {
        check::that(text.find(part) != std::string::npos, std::string(part) + " in " + text);
    }
    return check::result();
}
