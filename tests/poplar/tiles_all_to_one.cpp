// Every tile sends one element to one vertex, and gets all of them back.
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const unsigned tiles = 64;
    const Device device = check::device(tiles);
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor each = graph.addVariable(FLOAT, {tiles}, "each");
    const Tensor gathered = graph.addVariable(FLOAT, {tiles}, "gathered");
    const Tensor sums = graph.addVariable(FLOAT, {tiles}, "sums");
    std::vector<float> source(tiles);
    ComputeSet scale = graph.addComputeSet("scale");
    ComputeSet sum = graph.addComputeSet("sum");
    const VertexRef one = graph.addVertex(scale, "Scale", {{"in", each}, {"out", gathered}});
    graph.setInitialValue(one["factor"], 0.5F);
    graph.setTileMapping(one, 31);
    graph.setTileMapping(gathered, 31);
    for (unsigned tile = 0; tile < tiles; ++tile) {
        source[tile] = static_cast<float>(tile);
        graph.setTileMapping(each[tile], tile);
        graph.setTileMapping(sums[tile], tile);
        graph.setTileMapping(graph.addVertex(sum, "Sum", {{"in", gathered}, {"out", sums[tile]}}),
                             tile);
    }
    graph.setInitialValue(each, ArrayRef<float>(source));
    graph.createHostRead("sums", sums);
    Engine engine(graph, Sequence({Execute(scale), Execute(sum)}));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(tiles);
    engine.readTensor("sums", found.data(), found.data() + tiles);
    check::equal(found, std::vector<float>(tiles, 1008.0F));
    return check::result();
}
