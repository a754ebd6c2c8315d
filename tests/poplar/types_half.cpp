// Half precision: rounded as IEEE 754 says, converted on the host.
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
    graph.addCodelets("codelets/types.cpp");
    const Tensor in = graph.addVariable(HALF, {4}, "in");
    const Tensor plus = graph.addVariable(HALF, {4}, "plus");
    const Tensor twice = graph.addVariable(FLOAT, {4}, "twice");
    for (const Tensor& t : {in, plus, twice}) graph.setTileMapping(t, 0);
    ComputeSet cs = graph.addComputeSet("half");
    graph.setTileMapping(graph.addVertex(cs, "PlusThree<half>", {{"in", in}, {"out", plus}}), 0);
    graph.setTileMapping(graph.addVertex(cs, "HalfToFloat", {{"in", in}, {"out", twice}}), 0);
    graph.createHostWrite("in", in);
    graph.createHostRead("plus", plus);
    graph.createHostRead("twice", twice);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    const std::vector<float> values{0.5F, -2.0F, 2049.0F, 0.1F};
    std::vector<std::uint16_t> halves(4);
    copyFloatToDeviceHalf(target, values.data(), halves.data(), 4);
    engine.writeTensor("in", halves.data(), halves.data() + 4);
    engine.run(0);
    std::vector<float> found(4);
    engine.readTensor("plus", halves.data(), halves.data() + 4);
    copyDeviceHalfToFloat(target, halves.data(), found.data(), 4);
    // 2049 becomes 2048, and 2051 is between 2050 and 2052: to even. 3.1 has 10 bits behind 1.55.
    check::equal(found, std::vector<float>{3.5F, 1.0F, 2052.0F, 3.099609375F});
    engine.readTensor("twice", found.data(), found.data() + 4);
    check::equal(found, std::vector<float>{1.0F, -4.0F, 4096.0F, 0.199951171875F});
    return check::result();
}
