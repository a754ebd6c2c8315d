// A stream that is used but connected to nothing.
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
    const Tensor t = graph.addVariable(FLOAT, {2}, "t");
    graph.setTileMapping(t, 0);
    const DataStream stream = graph.addHostToDeviceFIFO("lonely", FLOAT, 2);
    Engine engine(graph, Copy(stream, t));
    engine.load(device);
    check::throws<stream_connection_error>([&] { engine.run(0); }, {"lonely"});
    const std::vector<float> values{1, 2};
    engine.connectStream("lonely", values.data());
    engine.run(0);
    return check::result();
}
