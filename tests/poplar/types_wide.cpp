// Fields of int64_t and uint64_t hold LONGLONG and UNSIGNED_LONGLONG.
#include <cstdint>
#include <tuple>
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
    graph.addCodelets("codelets/wide.cpp");
    const std::int64_t large = std::int64_t{1} << 40;
    const Tensor in = graph.addConstant<std::int64_t>(LONGLONG, {2}, {-1, large});
    const Tensor lists = graph.addConstant<std::uint64_t>(UNSIGNED_LONGLONG, {2, 2}, {0, 0, 3, 4});
    const Tensor out = graph.addVariable(UNSIGNED_LONGLONG, {2}, "out");
    const Tensor total = graph.addVariable(LONGLONG, {}, "total");
    for (const Tensor& t : {in, lists, out, total}) graph.setTileMapping(t, 1);
    graph.setInitialValue(total, 5);
    ComputeSet cs = graph.addComputeSet("wide");
    const VertexRef v = graph.addVertex(
        cs, "AddWide", {{"in", in}, {"out", out}, {"lists", lists}, {"total", total}});
    graph.setInitialValue(v["add"], large);
    graph.setInitialValue(v["factors"], ArrayRef<std::uint64_t>({1, 2}));
    graph.setTileMapping(v, 1);
    const Tensor largest = graph.addVariable(LONGLONG, {}, "largest");
    const Tensor natural = graph.addVariable(UNSIGNED_LONGLONG, {}, "natural");
    const Tensor turned = graph.addVariable(UNSIGNED_LONGLONG, {}, "turned");
    const Tensor mode = graph.addConstant<std::int64_t>(LONGLONG, {}, -1);
    for (const Tensor& t : {largest, natural, turned, mode}) graph.setTileMapping(t, 0);
    graph.setInitialValue(turned, std::uint64_t{3});
    for (const auto& [name, from, to] :
         {std::tuple{"Largest<long long>", in, largest},
          std::tuple{"Largest<unsigned long long>", lists[1], natural}}) {
        graph.setTileMapping(graph.addVertex(cs, name, {{"in", from}, {"out", to}}), 0);
    }
    graph.setTileMapping(graph.addVertex(cs, "Turn", {{"value", turned}, {"mode", mode}}), 0);
    graph.createHostRead("largest", largest);
    graph.createHostRead("natural", natural);
    graph.createHostRead("turned", turned);
    graph.createHostRead("out", out);
    graph.createHostRead("total", total);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    std::vector<std::uint64_t> found(2);
    engine.readTensor("out", found.data(), found.data() + 2);
    const auto wide = static_cast<std::uint64_t>(large);
    check::equal(found, std::vector<std::uint64_t>{wide - 1 + 3, 4 * wide + 4});
    std::int64_t sum = 0;
    engine.readTensor("total", &sum, &sum + 1);
    check::equal(sum, large + 4);
    engine.readTensor("largest", &sum, &sum + 1);
    check::equal(sum, large);
    std::uint64_t word = 0;
    engine.readTensor("natural", &word, &word + 1);
    check::equal(word, std::uint64_t{4});
    engine.readTensor("turned", &word, &word + 1);
    check::equal(word, ~std::uint64_t{3});
    return check::result();
}
