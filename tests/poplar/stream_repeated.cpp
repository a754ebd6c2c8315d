// A stream with more data than one copy takes goes on where it stopped, and begins again at its
// end.
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
    const Tensor data = graph.addVariable(INT, {2}, "data");
    graph.setTileMapping(data, 1);
    const DataStream in = graph.addHostToDeviceFIFO("in", INT, 2);
    const DataStream out = graph.addDeviceToHostFIFO("out", INT, 2);
    Engine engine(graph, Repeat(5, Sequence({Copy(in, data), Copy(data, out)})));

    std::vector<int> source{1, 2, 3, 4, 5, 6};
    std::vector<int> target(10, 0);
    engine.connectStream("in", source.data(), source.data() + source.size());
    engine.connectStream("out", target.data(), target.data() + target.size());
    engine.load(device);
    engine.run(0);
    check::equal(target, std::vector<int>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4});
    return check::result();
}
