// Data goes in by one stream and comes out by another.
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
    const Tensor data = graph.addVariable(FLOAT, {8}, "data");
    for (unsigned i = 0; i < 8; ++i) graph.setTileMapping(data[i], i % 4);
    const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 8);
    const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 8);
    Engine engine(graph, Sequence({Copy(in, data), Copy(data, out)}));

    const std::vector<float> source{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<float> target(8, 0.0F);
    engine.connectStream("in", source.data());
    engine.connectStream("out", target.data());
    engine.load(device);
    engine.run(0);
    check::equal(target, source);
    return check::result();
}
