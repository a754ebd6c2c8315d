// What programs connect and set in passing: single elements as vectors, sizes as numbers, flags as
// numbers, several codelet files at once, programs kept by name, and reports that are written by
// themselves.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using ::poplar::BOOL;
using ::poplar::FLOAT;
using ::poplar::INT;
using std::map;
using std::string;
using std::vector;

int main() {
    const auto device = check::device(8);
    auto graph = poplar::Graph(device.getTarget());
    graph.addCodelets({"codelets/arithmetic.cpp", "codelets/state.cpp", "codelets/loop.cpp"},
                      "-O3 -I codelets");
    auto tensors = map<string, poplar::Tensor>{};
    auto programs = map<string, poplar::program::Program>{};

    // One element where a vector is wanted.
    tensors["one"] = graph.addVariable(FLOAT, {}, "one");
    tensors["sum"] = graph.addVariable(FLOAT, {}, "sum");
    graph.setTileMapping(tensors["one"], 7);
    graph.setTileMapping(tensors["sum"], 7);
    graph.setInitialValue(tensors["one"], 2.5F);
    auto sum_cs = graph.addComputeSet("sum");
    auto sum = graph.addVertex(sum_cs, "Sum", {{"in", tensors["one"]}, {"out", tensors["sum"]}});
    graph.setPerfEstimate(sum, 100);
    graph.setTileMapping(sum, 7);
    programs["sum"] = poplar::program::Execute(sum_cs);

    // A size for a member that is an int, a number for a flag.
    tensors["value"] = graph.addVariable(INT, {1}, "value");
    tensors["below"] = graph.addVariable(BOOL, {1}, "below");
    graph.setTileMapping(tensors["value"][0], 0);
    graph.setTileMapping(tensors["below"][0], 0);
    graph.setInitialValue(tensors["value"].slice(0, 1), poplar::ArrayRef(vector<int>(1, 5)));
    graph.setInitialValue(tensors["below"][0], 1);
    auto below_cs = graph.addComputeSet("below");
    auto below = graph.addVertex(below_cs, "Below",
                                 {{"value", tensors["value"][0]}, {"result", tensors["below"][0]}});
    graph.setInitialValue(below["limit"], tensors.size()); // four tensors: five is not below
    graph.setTileMapping(below, 0);
    auto increment_cs = graph.addComputeSet("increment");
    auto increment = graph.addVertex(increment_cs, "Increment", {{"values", tensors["value"]}});
    graph.setTileMapping(increment, 0);
    programs["loop"] = poplar::program::Sequence{poplar::program::RepeatWhileTrue(
        poplar::program::Sequence{}, tensors["below"][0],
        poplar::program::Sequence{poplar::program::Execute(increment_cs),
                                  poplar::program::Execute(below_cs)})};

    auto ids = map<string, int>();
    auto list = vector<poplar::program::Program>(programs.size());
    int index = 0;
    for (auto& [name, program] : programs) {
        ids[name] = index;
        list[index] = program;
        index++;
    }
    graph.createHostRead("sum", tensors["sum"], true);
    graph.createHostRead("value", tensors["value"], true);
    const auto directory =
        std::filesystem::temp_directory_path() / ("tropic-poplar-" + std::to_string(getpid()));
    std::filesystem::create_directory(directory);
    {
        const auto options = poplar::OptionFlags{{"autoReport.all", "true"},
                                                 {"autoReport.directory", directory.string()}};
        auto engine = poplar::Engine(graph, list, options);
        engine.load(device);
        engine.run(ids["sum"], "sum");
        engine.run(ids["loop"], "loop");
        vector<float> found(1);
        engine.readTensor("sum", found.data(), &*found.end());
        check::equal(found[0], 2.5F);
        vector<int> value(1);
        engine.readTensor("value", value.data(), &*value.end());
        check::equal(value[0], 6);
    }
    check::that(std::filesystem::exists(directory / "profile.json"), "a profile was written");
    check::that(std::filesystem::exists(directory / "report.html"), "and a page");
    std::filesystem::remove_all(directory);
    return check::result();
}
