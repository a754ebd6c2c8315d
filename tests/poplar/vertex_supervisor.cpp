// A supervisor that starts the six workers and picks the best of their answers.
#include <algorithm>
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
    graph.addCodelets("codelets/workers.cpp");
    const Tensor values = graph.addVariable(INT, {2, 100}, "values");
    const Tensor maximum = graph.addVariable(INT, {2}, "maximum");
    std::vector<int> source(200);
    for (int i = 0; i < 200; ++i) source[i] = (37 * i) % 211 - 50;
    graph.setInitialValue(values, ArrayRef<int>(source));
    ComputeSet cs = graph.addComputeSet("maximum");
    for (unsigned i = 0; i < 2; ++i) {
        const VertexRef v = graph.addVertex(cs, "MaximumSupervisor",
                                            {{"values", values[i]}, {"maximum", maximum[i]}});
        graph.setFieldSize(v["best"], 6);
        graph.setTileMapping(v, i + 1);
        graph.setTileMapping(values[i], i + 1);
        graph.setTileMapping(maximum[i], i + 1);
    }
    graph.createHostRead("maximum", maximum);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<int> found(2);
    engine.readTensor("maximum", found.data(), found.data() + 2);
    check::equal(found, std::vector<int>{*std::max_element(source.begin(), source.begin() + 100),
                                         *std::max_element(source.begin() + 100, source.end())});
    return check::result();
}
