// Values assigned by the program, and elements that hold nothing any more.
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
    const Tensor t = graph.addVariable(INT, {4}, "t");
    graph.setTileMapping(t, 2);
    graph.createHostRead("t", t);
    Engine engine(graph, Sequence({WriteUndef(t), AssignConstant(t, 3),
                                   AssignConstant(t.slice(1, 3), ArrayRef<int>({8, 9}))}));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(4);
    engine.readTensor("t", found.data(), found.data() + 4);
    check::equal(found, std::vector<int>{3, 8, 9, 3});
    return check::result();
}
