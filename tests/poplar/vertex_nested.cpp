// A field of several vectors of different lengths, read and written.
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
    graph.addCodelets("codelets/nested.cpp");
    const Tensor t = graph.addVariable(FLOAT, {9}, "t");
    const Tensor sums = graph.addVariable(FLOAT, {3}, "sums");
    const Tensor grid = graph.addVariable(INT, {2, 4}, "grid");
    for (unsigned i = 0; i < 9; ++i) graph.setTileMapping(t[i], i % 4);
    graph.setTileMapping(sums, 0);
    graph.setTileMapping(grid, 3);
    graph.setInitialValue(t, ArrayRef<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
    ComputeSet cs = graph.addComputeSet("rows");
    const VertexRef sum = graph.addVertex(cs, "SumRows", {{"sums", sums}});
    graph.setFieldSize(sum["rows"], 3);
    graph.connect(sum["rows"][0], t.slice(0, 2));
    graph.connect(sum["rows"][1], t.slice(2, 6));
    graph.connect(sum["rows"][2], t.slice(6, 9));
    graph.setTileMapping(sum, 2);
    const VertexRef fill = graph.addVertex(cs, "FillRows", {{"rows", grid}});
    graph.setTileMapping(fill, 1);
    graph.createHostRead("sums", sums);
    graph.createHostRead("grid", grid);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(3);
    engine.readTensor("sums", found.data(), found.data() + 3);
    check::equal(found, std::vector<float>{3, 18, 24});
    std::vector<int> filled(8);
    engine.readTensor("grid", filled.data(), filled.data() + 8);
    check::equal(filled, std::vector<int>{0, 1, 2, 3, 10, 11, 12, 13});
    return check::result();
}
