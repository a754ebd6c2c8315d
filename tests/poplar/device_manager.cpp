// Devices found, attached and run on.
#include <utility>
#include <vector>

#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const DeviceManager manager = DeviceManager::createDeviceManager();
    std::vector<Device> devices = manager.getDevices(TargetType::IPU, 1);
    check::that(!devices.empty(), "there is a device of one chip");
    Device device = std::move(devices.front());
    check::that(device.attach(), "it is free");
    const Target& target = device.getTarget();
    check::equal(target.getNumIPUs(), 1U);
    check::that(target.getNumTiles() > 1000, "with all its tiles");
    check::that(target.getBytesPerTile() > 200000, "and their memory");
    check::that(target.getTileClockFrequency() > 1e9, "and their clock");
    check::equal(target.getExchangeBytesPerCycle(), 4U);
    check::equal(target.getVectorWidth(FLOAT), 2U);
    check::equal(target.getVectorWidth(HALF), 4U);

    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(INT, {}, "t");
    graph.setTileMapping(t, target.getNumTiles() - 1);
    graph.setInitialValue(t, 12);
    graph.createHostRead("t", t);
    Engine engine(graph, Sequence());
    engine.load(device);
    engine.run(0);
    int found = 0;
    engine.readTensor("t", &found, &found + 1);
    check::equal(found, 12);
    device.detach();
    return check::result();
}
