// A line of cells over many tiles: each step needs one cell of both neighbours.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const unsigned tiles = 8;
    const unsigned cells = 5;
    const Device device = check::device(tiles);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/stencil.cpp");
    const Tensor a = graph.addVariable(FLOAT, {tiles * cells}, "a");
    const Tensor b = graph.addVariable(FLOAT, {tiles * cells}, "b");
    const Tensor edge = graph.addConstant(FLOAT, {}, 0.0F);
    graph.setTileMapping(edge, 0);
    const auto step = [&](const Tensor& from, const Tensor& to) {
        ComputeSet cs = graph.addComputeSet("step");
        for (unsigned tile = 0; tile < tiles; ++tile) {
            const unsigned begin = tile * cells;
            const unsigned end = begin + cells;
            const VertexRef v = graph.addVertex(cs, "Average",
                                                {{"left", tile == 0 ? edge : from[begin - 1]},
                                                 {"middle", from.slice(begin, end)},
                                                 {"right", tile + 1 == tiles ? edge : from[end]},
                                                 {"out", to.slice(begin, end)}});
            graph.setTileMapping(v, tile);
            graph.setTileMapping(to.slice(begin, end), tile);
        }
        return Execute(cs);
    };
    const Execute there = step(a, b);
    const Execute back = step(b, a);
    std::vector<float> line(tiles * cells, 0.0F);
    line[17] = 1024.0F;
    graph.setInitialValue(a, ArrayRef<float>(line));
    graph.createHostRead("a", a);
    Engine engine(graph, Repeat(6, Sequence({there, back})));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(line.size());
    engine.readTensor("a", found.data(), found.data() + found.size());
    for (int s = 0; s < 12; ++s) {
        std::vector<float> next(line.size());
        for (std::size_t i = 0; i < line.size(); ++i) {
            const float left = i == 0 ? 0.0F : line[i - 1];
            const float right = i + 1 == line.size() ? 0.0F : line[i + 1];
            next[i] = 0.5F * line[i] + 0.25F * (left + right);
        }
        line = next;
    }
    check::near(found, line, 1e-4F);
    return check::result();
}
