// A codelet from text, not from a file.
#include <sstream>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    const Device device = check::device();
    Graph graph(device.getTarget());
    std::stringstream source(R"(
        #include <poplar/Vertex.hpp>
        class Seven : public poplar::Vertex {
          public:
            poplar::Output<int> out;
            bool compute() {
                *out = 7;
                return true;
            }
        };
    )");
    graph.addCodelets(source);
    const Tensor out = graph.addVariable(INT, {}, "out");
    graph.setTileMapping(out, 0);
    ComputeSet cs = graph.addComputeSet("seven");
    graph.setTileMapping(graph.addVertex(cs, "Seven", {{"out", out}}), 0);
    graph.createHostRead("out", out);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run(0);
    int found = 0;
    engine.readTensor("out", &found, &found + 1);
    check::equal(found, 7);
    return check::result();
}
