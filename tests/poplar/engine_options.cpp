// Options of engines: those of the SDK are accepted, wrong values are not.
#include <stdexcept>
#include <string>
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
    const Tensor t = graph.addVariable(INT, {2}, "t");
    graph.setTileMapping(t, 0);
    graph.setInitialValue(t, ArrayRef<int>({1, 2}));
    graph.createHostRead("t", t);
    const OptionFlags options{{"debug.instrument", "true"},
                              {"target.workerStackSizeInBytes", "512"}};
    Engine engine(graph, Sequence(), options);
    engine.load(device);
    engine.run(0);
    std::vector<int> found(2);
    engine.readTensor("t", found.data(), found.data() + 2);
    check::equal(found, std::vector<int>{1, 2});
    check::throws<invalid_option>(
        [&] { const Engine wrong(graph, Sequence(), {{"no.such.option", "true"}}); },
        {"no.such.option"});

    OptionFlags flags{{"a", "1"}};
    flags.set("b", "2");
    flags.set({{"a", "3"}});
    check::equal(flags.at("a").cloneAsString(), std::string("3"));
    check::equal(flags.at("b").cloneAsString(), std::string("2"));
    check::throws<std::out_of_range>([&] { flags.at("c"); });
    return check::result();
}
