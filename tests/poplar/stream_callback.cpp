// Functions of the host that give and take the data of streams.
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
    const Tensor data = graph.addVariable(UNSIGNED_INT, {3}, "data");
    graph.setTileMapping(data, 2);
    const DataStream in = graph.addHostToDeviceFIFO("in", UNSIGNED_INT, 3);
    const DataStream out = graph.addDeviceToHostFIFO("out", UNSIGNED_INT, 3);
    Engine engine(graph, Repeat(4, Sequence({Copy(in, data), Copy(data, out)})));

    unsigned asked = 0;
    std::vector<unsigned> taken;
    engine.connectStreamToCallback("in", [&](void* p) {
        auto* values = static_cast<unsigned*>(p);
        for (unsigned i = 0; i < 3; ++i) values[i] = 10 * asked + i;
        ++asked;
    });
    engine.connectStreamToCallback("out", [&](void* p) {
        const auto* values = static_cast<const unsigned*>(p);
        taken.insert(taken.end(), values, values + 3);
    });
    engine.load(device);
    engine.run(0);
    check::equal(asked, 4U);
    check::equal(taken, std::vector<unsigned>{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32});
    return check::result();
}
