// Two floats and four halves at a time.
#include <cstdint>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    const Target& target = device.getTarget();
    Graph graph(target);
    graph.addCodelets("codelets/vectors.cpp");
    const Tensor a = graph.addVariable(FLOAT, {6}, "a");
    const Tensor b = graph.addVariable(FLOAT, {6}, "b");
    const Tensor sum = graph.addVariable(FLOAT, {6}, "sum");
    const Tensor h = graph.addVariable(HALF, {8}, "h");
    const Tensor twice = graph.addVariable(HALF, {8}, "twice");
    for (const Tensor& t : {a, b, sum, h, twice}) graph.setTileMapping(t, 0);
    graph.setInitialValue(a, ArrayRef<float>({1, 2, 3, 4, 5, 6}));
    graph.setInitialValue(b, ArrayRef<float>({10, 20, 30, 40, 50, 60}));
    ComputeSet cs = graph.addComputeSet("vectors");
    graph.setTileMapping(graph.addVertex(cs, "AddPairs", {{"a", a}, {"b", b}, {"sum", sum}}), 0);
    graph.setTileMapping(graph.addVertex(cs, "AddQuads", {{"a", h}, {"twice", twice}}), 0);
    graph.createHostRead("sum", sum);
    graph.createHostWrite("h", h);
    graph.createHostRead("twice", twice);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<std::uint16_t> halves(8);
    copyFloatToDeviceHalf(target, values.data(), halves.data(), 8);
    engine.writeTensor("h", halves.data(), halves.data() + 8);
    engine.run(0);
    std::vector<float> found(6);
    engine.readTensor("sum", found.data(), found.data() + 6);
    check::equal(found, std::vector<float>{11, 22, 33, 44, 55, 66});
    engine.readTensor("twice", halves.data(), halves.data() + 8);
    copyDeviceHalfToFloat(target, halves.data(), values.data(), 8);
    check::equal(values, std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16});
    return check::result();
}
