// Cycles counted around a program: always the same, and more for more work.
#include <cstdint>
#include <string>
#include <vector>

#include <poplar/CycleCount.hpp>
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
    const Tensor in = graph.addVariable(FLOAT, {2, 1000}, "in");
    const Tensor out = graph.addVariable(FLOAT, {2}, "out");
    graph.setTileMapping(in, 0);
    graph.setTileMapping(out, 0);
    graph.setInitialValue(in, std::vector<float>(2000, 1.0F));
    std::vector<Sequence> programs;
    for (unsigned i = 0; i < 2; ++i) {
        ComputeSet cs = graph.addComputeSet("sum");
        const Tensor part = i == 0 ? in[0].slice(0, 10) : in[0];
        graph.setTileMapping(graph.addVertex(cs, "Sum", {{"in", part}, {"out", out[i]}}), 0);
        programs.push_back(Sequence({Execute(cs)}));
        const Tensor timer =
            cycleCount(graph, programs.back(), 0, SyncType::INTERNAL, "timer" + std::to_string(i));
        graph.createHostRead("timer" + std::to_string(i), timer);
    }
    Engine engine(graph, {programs[0], programs[1]});
    engine.load(device);
    std::uint64_t few = 0;
    std::uint64_t many = 0;
    for (int turn = 0; turn < 2; ++turn) {
        const std::uint64_t few_before = few;
        const std::uint64_t many_before = many;
        engine.run(0);
        engine.run(1);
        engine.readTensor("timer0", &few, &few + 1);
        engine.readTensor("timer1", &many, &many + 1);
        if (turn == 0) continue;
        check::equal(few, few_before);
        check::equal(many, many_before);
    }
    check::that(few > 0, "something was counted");
    // 990 more turns of a loop with at least two instructions, each of which takes six cycles.
    check::that(many >= few + 990 * 12, "more work takes more cycles");
    return check::result();
}
