// Names that are not there: vertices, fields, codelet files, streams, tensors.
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

    const Tensor t = graph.addVariable(FLOAT, {}, "t");
    graph.setTileMapping(t, 0);
    ComputeSet cs = graph.addComputeSet("cs");
    check::throws<poplar_error>([&] { graph.addVertex(cs, "NoSuchVertex"); }, {"NoSuchVertex"});
    check::throws<poplar_error>([&] { graph.addVertex(cs, "AddOne", {{"no_such_field", t}}); },
                                {"no_such_field"});
    check::throws<poplar_error>([&] { graph.addCodelets("codelets/no_such_file.cpp"); },
                                {"no_such_file"});
    graph.createHostRead("t", t);
    Graph other(device.getTarget());
    const Tensor u = other.addVariable(FLOAT, {}, "u");
    other.setTileMapping(u, 0);
    other.createHostRead("u", u);
    Engine engine(other, Sequence());
    engine.load(device);
    float value = 0;
    check::throws<poplar_error>([&] { engine.readTensor("t", &value, &value + 1); });
    check::throws<poplar_error>([&] { engine.connectStream("no such stream", &value); },
                                {"no such stream"});
    return check::result();
}
