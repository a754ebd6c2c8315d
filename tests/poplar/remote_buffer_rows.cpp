// Several rows of a remote buffer in one copy, in any order.
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
    const Tensor data = graph.addVariable(INT, {2, 3}, "data");
    const Tensor rows = graph.addConstant(UNSIGNED_INT, {2}, std::vector<unsigned>{4, 1}.data());
    graph.setTileMapping(data, 0);
    graph.setTileMapping(rows, 0);
    const RemoteBuffer buffer = graph.addRemoteBuffer("buffer", INT, 3, 5);
    graph.createHostRead("data", data);
    Engine engine(graph, Copy(buffer, data, rows));
    engine.load(device);
    for (int r = 0; r < 5; ++r) {
        std::vector<int> row{r, 10 + r, 20 + r};
        engine.copyToRemoteBuffer(row.data(), "buffer", r);
    }
    engine.run(0);
    std::vector<int> found(6);
    engine.readTensor("data", found.data(), found.data() + 6);
    check::equal(found, std::vector<int>{4, 14, 24, 1, 11, 21});
    return check::result();
}
