// Workers that write into the same word: bytes are written by reading a whole word.
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
    graph.addCodelets("codelets/faulty.cpp");

    const Tensor flags = graph.addVariable(BOOL, {16}, "flags");
    graph.setTileMapping(flags, 1);
    ComputeSet racing = graph.addComputeSet("racing");
    graph.setTileMapping(graph.addVertex(racing, "RacingFlags", {{"flags", flags}}), 1);
    ComputeSet peaceful = graph.addComputeSet("peaceful");
    graph.setTileMapping(graph.addVertex(peaceful, "PeacefulFlags", {{"flags", flags}}), 1);
    Engine engine(graph, {Execute(racing), Execute(peaceful)}, {{"tropic.checked", "true"}});
    engine.load(device);
    check::throws<poplar_error>([&] { engine.run(0); }, {"RacingFlags", "flags", "tile 1"});

    Graph again(device.getTarget());
    again.addCodelets("codelets/faulty.cpp");
    const Tensor other = again.addVariable(BOOL, {16}, "flags");
    again.setTileMapping(other, 1);
    ComputeSet alone = again.addComputeSet("peaceful");
    again.setTileMapping(again.addVertex(alone, "PeacefulFlags", {{"flags", other}}), 1);
    again.createHostRead("flags", other);
    Engine quiet(again, Execute(alone), {{"tropic.checked", "true"}});
    quiet.load(device);
    quiet.run(0);
    std::vector<unsigned char> found(16);
    quiet.readTensor("flags", found.data(), found.data() + 16);
    check::equal(found, std::vector<unsigned char>(16, 1));
    return check::result();
}
