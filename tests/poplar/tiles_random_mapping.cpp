// Elements and vertices on tiles drawn at random: results do not depend on where things are.
#include <algorithm>
#include <random>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    std::mt19937 random(20);
    for (int attempt = 0; attempt < 3; ++attempt) {
        const unsigned tiles = 16;
        const Device device = check::device(tiles);
        Graph graph(device.getTarget());
        graph.addCodelets("codelets/arithmetic.cpp");
        const Tensor in = graph.addVariable(FLOAT, {300}, "in");
        const Tensor out = graph.addVariable(FLOAT, {300}, "out");
        std::vector<float> source(300);
        for (unsigned i = 0; i < 300; ++i) {
            source[i] = static_cast<float>(random() % 1000);
            graph.setTileMapping(in[i], random() % tiles);
            graph.setTileMapping(out[i], random() % tiles);
        }
        graph.setInitialValue(in, ArrayRef<float>(source));
        ComputeSet cs = graph.addComputeSet("scale");
        std::size_t begin = 0;
        while (begin < 300) {
            const std::size_t end = std::min<std::size_t>(300, begin + 1 + random() % 30);
            const VertexRef v = graph.addVertex(
                cs, "Scale", {{"in", in.slice(begin, end)}, {"out", out.slice(begin, end)}});
            graph.setInitialValue(v["factor"], 3.0F);
            graph.setTileMapping(v, random() % tiles);
            begin = end;
        }
        graph.createHostRead("out", out);
        Engine engine(graph, Execute(cs));
        engine.load(device);
        engine.run(0);
        std::vector<float> found(300);
        engine.readTensor("out", found.data(), found.data() + 300);
        for (float& value : source) value *= 3.0F;
        check::equal(found, source);
    }
    return check::result();
}
