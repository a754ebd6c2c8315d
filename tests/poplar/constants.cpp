// Constants of one value, of many, and of every element the same.
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
    const std::vector<float> table{1, 4, 9, 16};
    const Tensor squares = graph.addConstant(FLOAT, {4}, table.data(), "squares");
    const Tensor ones = graph.addConstant(FLOAT, {2, 2}, 1.0F, "ones");
    const Tensor out = graph.addVariable(FLOAT, {2, 4}, "out");
    graph.setTileMapping(squares, 0);
    graph.setTileMapping(ones, 1);
    graph.setTileMapping(out, 2);
    ComputeSet cs = graph.addComputeSet("scale");
    for (unsigned i = 0; i < 2; ++i) {
        const VertexRef v = graph.addVertex(
            cs, "Scale", {{"in", i == 0 ? squares : ones.flatten()}, {"out", out[i]}});
        graph.setInitialValue(v["factor"], 10.0F);
        graph.setTileMapping(v, 2);
    }
    int nine = 0;
    check::that(graph.getConstantValue(squares[2], &nine), "a constant's value is known");
    check::equal(nine, 9);
    double one = 0;
    check::that(graph.getConstantValue(ones[1][0], &one), "so is one of the same for all");
    check::equal(one, 1.0);
    const Tensor wide = graph.addConstant(UNSIGNED_LONGLONG, {}, (1ULL << 63) + 1);
    unsigned long long whole = 0;
    check::that(graph.getConstantValue(wide, &whole), "of any type");
    check::equal(whole, (1ULL << 63) + 1);
    check::that(!graph.getConstantValue(out[0][0], &nine), "a variable's is not");
    check::equal(nine, 9);
    check::throws<poplar_error>([&] { graph.getConstantValue(squares, &nine); }, {"4 elements"});
    check::that(squares.containsConstant(), "a constant is one");
    check::that(!out.containsConstant(), "a variable is not");
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<float> found(8);
    engine.readTensor("out", found.data(), found.data() + 8);
    check::equal(found, std::vector<float>{10, 40, 90, 160, 10, 10, 10, 10});
    return check::result();
}
