// Every type of number through streams, exchange and codelets, its limits among the values.
#include <climits>
#include <string>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

template <class T> void check_type(const Type& type, const std::string& name, std::vector<T> in) {
    const Device device = check::device();
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/types.cpp");
    const Tensor source = graph.addVariable(type, {in.size()}, "source");
    const Tensor target = graph.addVariable(type, {in.size()}, "target");
    graph.setTileMapping(source, 0);
    for (std::size_t i = 0; i < in.size(); ++i) {
        graph.setTileMapping(target[i], static_cast<unsigned>(i % 4));
    }
    ComputeSet cs = graph.addComputeSet("plus three");
    graph.setTileMapping(
        graph.addVertex(cs, "PlusThree<" + name + ">", {{"in", source}, {"out", target}}), 1);
    const DataStream to = graph.addHostToDeviceFIFO("to", type, in.size());
    const DataStream from = graph.addDeviceToHostFIFO("from", type, in.size());
    Engine engine(graph, Sequence({Copy(to, source), Execute(cs), Copy(target, from)}));
    std::vector<T> out(in.size());
    engine.connectStream("to", in.data());
    engine.connectStream("from", out.data());
    engine.load(device);
    engine.run(0);
    for (T& value : in) value = static_cast<T>(value + T(3));
    check::equal(out, in);
}

} // namespace

int main() {
    check_type<signed char>(CHAR, "signed char", {-128, -1, 0, 5, 124});
    check_type<unsigned char>(UNSIGNED_CHAR, "unsigned char", {0, 7, 200, 252, 255});
    check_type<short>(SHORT, "short", {-32768, -3, 0, 12, 32764});
    check_type<unsigned short>(UNSIGNED_SHORT, "unsigned short", {0, 9, 40000, 65535});
    check_type<int>(INT, "int", {INT_MIN, -3, 0, 100000, INT_MAX - 3});
    check_type<unsigned>(UNSIGNED_INT, "unsigned int", {0, 3000000000U, UINT_MAX});
    check_type<long long>(LONGLONG, "long long", {LLONG_MIN, -3, 0, 1LL << 40});
    check_type<unsigned long long>(UNSIGNED_LONGLONG, "unsigned long long", {0, 1ULL << 63U});
    check_type<float>(FLOAT, "float", {-1.5F, 0.0F, 1e6F, 0.25F});
    const Target& target = check::device().getTarget();
    check::equal(target.getTypeSize(BOOL), 1U);
    check::equal(target.getTypeSize(HALF), 2U);
    check::equal(target.getTypeSize(INT), 4U);
    check::equal(target.getTypeSize(LONGLONG), 8U);
    return check::result();
}
