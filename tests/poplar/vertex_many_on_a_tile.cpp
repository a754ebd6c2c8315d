// More vertices on one tile than it has workers: they wait their turn, and cost more.
#include <cstdint>
#include <vector>

#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    std::vector<std::uint64_t> cycles;
    for (const unsigned vertices : {1U, 6U, 7U, 24U}) {
        const Device device = check::device();
        Graph graph(device.getTarget());
        graph.addCodelets("codelets/arithmetic.cpp");
        const Tensor in = graph.addVariable(FLOAT, {vertices, 50}, "in");
        const Tensor out = graph.addVariable(FLOAT, {vertices, 50}, "out");
        graph.setTileMapping(in, 0);
        graph.setTileMapping(out, 0);
        std::vector<float> source(vertices * 50);
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
        graph.setInitialValue(in, ArrayRef<float>(source));
        ComputeSet cs = graph.addComputeSet("scale");
        for (unsigned i = 0; i < vertices; ++i) {
            const VertexRef v = graph.addVertex(cs, "Scale", {{"in", in[i]}, {"out", out[i]}});
            graph.setInitialValue(v["factor"], 2.0F);
            graph.setTileMapping(v, 0);
        }
        Sequence sequence({Execute(cs)});
        const Tensor timer = cycleCount(graph, sequence, 0, SyncType::INTERNAL);
        graph.createHostRead("timer", timer);
        graph.createHostRead("out", out);
        Engine engine(graph, sequence);
        engine.load(device);
        engine.run(0);
        std::vector<float> found(source.size());
        engine.readTensor("out", found.data(), found.data() + found.size());
        for (float& value : source) value *= 2.0F;
        check::equal(found, source);
        std::uint64_t counted = 0;
        engine.readTensor("timer", &counted, &counted + 1);
        cycles.push_back(counted);
    }
    check::equal(cycles[1], cycles[0]);
    check::that(cycles[2] > cycles[1] + 250, "the seventh waits for a worker");
    check::that(cycles[3] > cycles[2] + 500, "and 24 take four turns");
    return check::result();
}
