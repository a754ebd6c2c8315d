// An executable written and read again runs as the first did: results, cycles, streams, handles.
#include <sstream>
#include <string>
#include <vector>

#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/TropicProfile.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

struct Found {
    std::vector<float> out = std::vector<float>(6);
    std::vector<int> rows = std::vector<int>(4);
    std::vector<int> kept = std::vector<int>(4);
    std::uint64_t cycles = 0;
    std::uint64_t all_cycles = 0;
};

Executable compiled(const Device& device) {
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/arithmetic.cpp");
    graph.addCodelets("codelets/state.cpp");
    popops::addCodelets(graph);
    const Tensor in = graph.addVariable(FLOAT, {2, 3}, "in");
    const Tensor out = graph.addVariable(FLOAT, {2, 3}, VariableMappingMethod::LINEAR, "out");
    graph.setTileMapping(in, 1);
    const Tensor table = graph.addConstant<float>(FLOAT, {3}, {10, 20, 30});
    graph.setTileMapping(table, 2);
    ComputeSet scale = graph.addComputeSet("scale");
    for (unsigned row = 0; row < 2; ++row) {
        // Columns of a transposed matrix: fields that are gathered.
        const VertexRef v = graph.addVertex(
            scale, "Scale", {{"in", in.transpose().reshape({2, 3})[row]}, {"out", out[row]}});
        graph.setInitialValue(v["factor"], 2.0F + static_cast<float>(row));
        graph.setTileMapping(v, row);
    }
    const Tensor values = graph.addVariable(INT, {4}, "values");
    graph.setTileMapping(values, 3);
    graph.setInitialValue(values, ArrayRef<int>({4, 5, 6, 7}));
    ComputeSet turn = graph.addComputeSet("turn");
    const VertexRef v = graph.addVertex(turn, "ReverseThroughScratch", {{"values", values}});
    graph.setFieldSize(v["scratch"], 4);
    graph.setTileMapping(v, 3);

    const DataStream from_host = graph.addHostToDeviceFIFO("in", FLOAT, 6);
    const DataStream to_host = graph.addDeviceToHostFIFO("out", FLOAT, 6);
    const RemoteBuffer remote = graph.addRemoteBuffer("rows", INT, 4, 2);
    const HostFunction host = graph.addHostFunction("host", {{INT, 4}}, {{INT, 4}});
    const Tensor row = graph.addVariable(UNSIGNED_INT, {1}, "row");
    graph.setTileMapping(row, 0);
    graph.setInitialValue(row, 1);
    Sequence work{Copy(from_host, in), Execute(scale)};
    popops::addInPlace(graph, out, table, work);
    const Function turned = graph.addFunction(Execute(turn));
    work.add(Repeat(3, Sequence{Call(turned), Copy(values, remote, row)}));
    work.add(Call(host, {values}, {values}));
    const Tensor flag = graph.addVariable(BOOL, {}, "flag");
    graph.setTileMapping(flag, 0);
    graph.setInitialValue(flag, true);
    work.add(If(flag, Copy(out, to_host), Abort("the wrong way")));
    const Tensor cycles = cycleCount(graph, work, 0, SyncType::INTERNAL);
    graph.createHostRead("cycles", cycles);
    graph.createHostRead("values", values);
    return compileGraph(graph, {Sequence{}, work}, {{"tropic.checked", "true"}});
}

Found run(const Device& device, const Executable& executable) {
    Engine engine(executable);
    const std::vector<float> in{1, 2, 3, 4, 5, 6};
    Found found;
    engine.connectStream("in", in.data());
    engine.connectStream("out", found.out.data());
    engine.connectHostFunction("host", 0, [](ArrayRef<const void*> i, ArrayRef<void*> o) {
        for (int k = 0; k < 4; ++k) {
            static_cast<int*>(o[0])[k] = 10 * static_cast<const int*>(i[0])[k];
        }
    });
    engine.load(device);
    engine.run(1);
    engine.copyFromRemoteBuffer("rows", found.rows.data(), 1);
    engine.readTensor("values", found.kept.data(), found.kept.data() + 4);
    engine.readTensor("cycles", &found.cycles, &found.cycles + 1);
    found.all_cycles = tropicCycles(engine);
    return found;
}

} // namespace

int main() {
    const Device device = check::device();
    const Executable first = compiled(device);
    std::stringstream file;
    first.serialize(file);
    const std::string bytes = file.str();
    const Executable second = Executable::deserialize(file);
    const Found a = run(device, first);
    const Found b = run(device, second);
    check::equal(a.out, std::vector<float>{12, 28, 34, 25, 29, 48});
    check::equal(a.rows, std::vector<int>{7, 6, 5, 4});
    check::equal(a.kept, std::vector<int>{70, 60, 50, 40});
    check::equal(b.out, a.out);
    check::equal(b.rows, a.rows);
    check::equal(b.kept, a.kept);
    check::that(a.cycles > 0, "it takes time");
    check::equal(b.cycles, a.cycles);
    check::equal(b.all_cycles, a.all_cycles);

    // Read again, it is written as before.
    std::stringstream again;
    second.serialize(again);
    check::that(again.str() == bytes, "the same executable, the same bytes");

    // Cut off or changed anywhere, it is refused.
    const auto load = [](const std::string& text) {
        std::istringstream damaged(text);
        Executable::deserialize(damaged);
    };
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{9}, std::size_t{60}, bytes.size() / 2, bytes.size() - 1}) {
        check::throws<graph_object_load_error>([&] { load(bytes.substr(0, length)); });
    }
    for (std::size_t at = 100; at < bytes.size(); at += bytes.size() / 20) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] + 1);
        check::throws<graph_object_load_error>([&] { load(changed); });
    }
    return check::result();
}
