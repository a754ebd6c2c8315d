// A function of the host, called by the program with tensors in and out.
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
    const Tensor in = graph.addVariable(INT, {3}, "in");
    const Tensor out = graph.addVariable(FLOAT, {2}, "out");
    graph.setTileMapping(in, 1);
    graph.setTileMapping(out, 2);
    graph.setInitialValue(in, ArrayRef<int>({4, 5, 6}));
    const HostFunction function = graph.addHostFunction("sum and mean", {{INT, 3}}, {{FLOAT, 2}});
    graph.createHostRead("out", out);
    Engine engine(graph, Call(function, {in}, {out}));
    int calls = 0;
    engine.connectHostFunction(
        "sum and mean", 0, [&](ArrayRef<const void*> inputs, ArrayRef<void*> outputs) {
            const auto* values = static_cast<const int*>(inputs[0]);
            auto* results = static_cast<float*>(outputs[0]);
            results[0] = static_cast<float>(values[0] + values[1] + values[2]);
            results[1] = results[0] / 3.0F;
            ++calls;
        });
    engine.load(device);
    engine.run(0);
    std::vector<float> found(2);
    engine.readTensor("out", found.data(), found.data() + 2);
    check::equal(found, std::vector<float>{15, 5});
    check::equal(calls, 1);
    return check::result();
}
