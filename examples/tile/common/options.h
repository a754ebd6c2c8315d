// What all examples are told on the command line.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace tile_example {

struct Options {
    std::string graph;
    std::string machine = "gc200"; ///< by name or file, as `tropic machines` lists them
    std::uint64_t seed = 1;        ///< of the random order of vertices
    unsigned threads = 0;          ///< of this host; 0: all
    bool checked = false;          ///< bounds, races and uninitialised reads, while it runs
    bool verify = false;           ///< compare with a plain evaluation on this host
    std::string json;              ///< timings; "-" or empty: standard output
    std::string profile;
    std::string trace;
    std::string report;
};

/// Adds the options above to those of a program.
void add_options(CLI::App& app, Options& options);

} // namespace tile_example
