// A vertex with one element in and one out, for each element of a tensor.
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
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor in = graph.addVariable(FLOAT, {10}, "in");
    const Tensor out = graph.addVariable(FLOAT, {10}, "out");
    std::vector<float> source(10);
    ComputeSet cs = graph.addComputeSet("add one");
    for (unsigned i = 0; i < 10; ++i) {
        source[i] = 1.5F * static_cast<float>(i);
        const VertexRef v = graph.addVertex(cs, "AddOne");
        graph.connect(v["in"], in[i]);
        graph.connect(v["out"], out[i]);
        graph.setTileMapping(v, i % 4);
        graph.setTileMapping(in[i], i % 4);
        graph.setTileMapping(out[i], (i + 2) % 4);
    }
    graph.setInitialValue(in, ArrayRef<float>(source));
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(10);
    engine.readTensor("out", found.data(), found.data() + 10);
    for (float& value : source) value += 1.0F;
    check::equal(found, source);
    return check::result();
}
