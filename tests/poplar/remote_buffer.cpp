// Memory beside the device: rows written and read by the program and by the host.
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
    const Tensor data = graph.addVariable(FLOAT, {4}, "data");
    const Tensor row = graph.addVariable(UNSIGNED_INT, {1}, "row");
    graph.setTileMapping(data, 0);
    graph.setTileMapping(row, 1);
    const RemoteBuffer buffer = graph.addRemoteBuffer("buffer", FLOAT, 4, 3);
    graph.createHostWrite("data", data);
    graph.createHostRead("data back", data);
    graph.createHostWrite("row", row);
    Engine engine(graph, {Copy(data, buffer, row), Copy(buffer, data, row)});
    engine.load(device);
    std::vector<float> values(4);
    for (unsigned r = 0; r < 3; ++r) {
        for (unsigned i = 0; i < 4; ++i) values[i] = static_cast<float>(10 * r + i);
        engine.writeTensor("data", values.data(), values.data() + 4);
        engine.writeTensor("row", &r, &r + 1);
        engine.run(0);
    }
    for (const unsigned r : {1U, 2U, 0U}) {
        engine.writeTensor("row", &r, &r + 1);
        engine.run(1);
        engine.readTensor("data back", values.data(), values.data() + 4);
        check::equal(values[3], static_cast<float>(10 * r + 3));
        engine.copyFromRemoteBuffer("buffer", values.data(), static_cast<int>(r));
        check::equal(values[1], static_cast<float>(10 * r + 1));
    }
    std::vector<float> other{7, 7, 7, 7};
    engine.copyToRemoteBuffer(other.data(), "buffer", 2);
    const unsigned last = 2;
    engine.writeTensor("row", &last, &last + 1);
    engine.run(1);
    engine.readTensor("data back", values.data(), values.data() + 4);
    check::equal(values, other);
    return check::result();
}
