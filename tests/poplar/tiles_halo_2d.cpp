// A grid of cells in blocks of two dimensions: rows and columns of four neighbours.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const std::size_t n = 12; // cells a side, one more around them that stay as they are
    const std::size_t block = 4;
    const Device device = check::device(9);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/stencil.cpp");
    const Tensor a = graph.addVariable(FLOAT, {n + 2, n + 2}, "a");
    const Tensor b = graph.addVariable(FLOAT, {n + 2, n + 2}, "b");
    graph.setTileMapping(a, 0);
    graph.setTileMapping(b, 0);
    ComputeSet cs = graph.addComputeSet("step");
    for (std::size_t y = 0; y < 3; ++y) {
        for (std::size_t x = 0; x < 3; ++x) {
            const std::size_t r = 1 + y * block;
            const std::size_t c = 1 + x * block;
            const Tensor around = a.slice({r - 1, c - 1}, {r + block + 1, c + block + 1});
            const Tensor inside = b.slice({r, c}, {r + block, c + block});
            const unsigned tile = static_cast<unsigned>(3 * y + x);
            graph.setTileMapping(a.slice({r, c}, {r + block, c + block}), tile);
            graph.setTileMapping(inside, tile);
            graph.setTileMapping(
                graph.addVertex(cs, "FivePoint", {{"in", around}, {"out", inside}}), tile);
        }
    }
    std::vector<float> field((n + 2) * (n + 2));
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<float>((7 * i) % 13);
    graph.setInitialValue(a, ArrayRef<float>(field));
    graph.setInitialValue(b, ArrayRef<float>(field));
    graph.createHostRead("a", a);
    Engine engine(graph, Repeat(4, Sequence({Execute(cs), Copy(b, a)})));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(field.size());
    engine.readTensor("a", found.data(), found.data() + found.size());
    const std::size_t w = n + 2;
    for (int s = 0; s < 4; ++s) {
        std::vector<float> next = field;
        for (std::size_t r = 1; r <= n; ++r) {
            for (std::size_t c = 1; c <= n; ++c) {
                const std::size_t i = r * w + c;
                next[i] =
                    0.2F * (field[i] + field[i - w] + field[i + w] + field[i - 1] + field[i + 1]);
            }
        }
        field = next;
    }
    check::near(found, field, 1e-4F);
    return check::result();
}
