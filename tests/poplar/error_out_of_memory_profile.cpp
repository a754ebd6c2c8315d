// A graph that does not fit still leaves its profile, and the error says where.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "check.hpp"

using namespace poplar;
using namespace poplar::program;

int main() {
    IPUModel model;
    model.tilesPerIPU = 1;
    model.memoryBytesPerTile = 20000;
    Graph graph(model.createDevice().getTarget());
    const Tensor large = graph.addVariable(FLOAT, {20000}, "far too large");
    graph.setTileMapping(large, 0);
    graph.createHostWrite("large", large);
    const std::string path = "out_of_memory_profile_" + std::to_string(getpid()) + ".json";
    bool refused = false;
    try {
        const Engine engine(graph, Sequence(), {{"tropic.profile", path}});
    } catch (const graph_memory_allocation_error& error) {
        refused = true;
        check::equal(error.profilePath, path);
    }
    check::that(refused, "80000 bytes do not fit into 20000");
    std::ifstream stream(path);
    const std::string profile(std::istreambuf_iterator<char>(stream), {});
    check::that(profile.find("far too large") != std::string::npos, "the profile names it");
    std::remove(path.c_str());
    // Whoever wants to see what would have run may.
    const Engine engine(graph, Sequence(), {{"debug.allowOutOfMemory", "true"}});
    return check::result();
}
