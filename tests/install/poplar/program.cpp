// Doubles numbers on four tiles, adds them up with the library, and says what it cost.
#include <iostream>
#include <vector>

#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

using namespace poplar;
using namespace poplar::program;

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1);
    const Device& device = devices.front();
    if (!device.attach()) return 1;
    Graph graph(device.getTarget());
    graph.addCodelets(argv[1]);
    popops::addCodelets(graph);

    const Tensor in = graph.addVariable(FLOAT, {64}, "in");
    const Tensor out = graph.addVariable(FLOAT, {64}, "out");
    poputil::mapTensorLinearly(graph, in, 16, 1);
    poputil::mapTensorLinearly(graph, out, 16, 1);
    const ComputeSet cs = graph.addComputeSet("double");
    for (unsigned tile = 0; tile < 4; ++tile) {
        const VertexRef v = graph.addVertex(cs, "Double",
                                            {{"in", in.slice(tile * 16, tile * 16 + 16)},
                                             {"out", out.slice(tile * 16, tile * 16 + 16)}});
        graph.setTileMapping(v, tile);
    }
    const DataStream to = graph.addHostToDeviceFIFO("to", FLOAT, 64);
    const DataStream from = graph.addDeviceToHostFIFO("from", FLOAT, 1);
    Sequence program{Copy(to, in), Execute(cs)};
    const Tensor sum = popops::reduce(graph, out, {0}, {popops::Operation::ADD}, program);
    program.add(Copy(sum, from));

    Engine engine(graph, program);
    engine.load(device);
    std::vector<float> numbers(64);
    for (unsigned i = 0; i < 64; ++i) numbers[i] = static_cast<float>(i);
    float result = 0;
    engine.connectStream("to", numbers.data(), numbers.data() + 64);
    engine.connectStream("from", &result, &result + 1);
    engine.run(0);
    std::cout << "sum " << result << '\n';
    return 0;
}
