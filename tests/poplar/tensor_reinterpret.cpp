// The same bits as another type.
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
    const Tensor t = graph.addVariable(FLOAT, {3}, "t");
    graph.setTileMapping(t, 0);
    graph.setInitialValue(t, ArrayRef<float>({1.0F, -2.0F, 0.5F}));
    const Tensor bits = t.reinterpret(UNSIGNED_INT);
    check::that(bits.elementType() == UNSIGNED_INT, "the type is the one asked for");
    check::throws<poplar_error>([&] { t.reinterpret(HALF); });
    graph.createHostRead("bits", bits);
    Engine engine(graph, Sequence());
    engine.load(device);
    std::vector<unsigned> found(3);
    engine.readTensor("bits", found.data(), found.data() + 3);
    check::equal(found, std::vector<unsigned>{0x3f800000U, 0xc0000000U, 0x3f000000U});
    return check::result();
}
