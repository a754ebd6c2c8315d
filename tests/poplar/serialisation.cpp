// Graphs written out: the same graph gives the same bytes, another graph others.
#include <sstream>
#include <string>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

std::string serialised(const Device& device, float factor) {
    Graph graph(device.getTarget());
    graph.addCodelets("codelets/arithmetic.cpp");
    const Tensor in = graph.addVariable(FLOAT, {4}, "in");
    const Tensor out = graph.addVariable(FLOAT, {4}, "out");
    graph.setTileMapping(in, 0);
    graph.setTileMapping(out, 1);
    ComputeSet cs = graph.addComputeSet("scale");
    const VertexRef v = graph.addVertex(cs, "Scale", {{"in", in}, {"out", out}});
    graph.setInitialValue(v["factor"], factor);
    graph.setTileMapping(v, 0);
    std::ostringstream stored;
    graph.serialize(stored, {Execute(cs)}, Graph::SerializationFormat::Binary);
    return stored.str();
}

} // namespace

int main() {
    const Device device = check::device();
    const std::string first = serialised(device, 4.0F);
    check::that(!first.empty(), "something was written");
    check::that(first == serialised(device, 4.0F), "the same graph, the same bytes");
    check::that(first != serialised(device, 5.0F), "another graph, other bytes");
    return check::result();
}
