#include "common/options.h"

#include <CLI/CLI.hpp>

namespace tile_example {

void add_options(CLI::App& app, Options& options) {
    app.add_option("graph", options.graph, "a graph file, or a generator expression")->required();
    app.add_option("--machine", options.machine, "gc2, gc200, bow, gc200x4, ... or a file")
        ->capture_default_str();
    app.add_option("--seed", options.seed, "of the random order of vertices")
        ->capture_default_str();
    app.add_option("--threads", options.threads, "threads of this host; 0: all")
        ->capture_default_str();
    app.add_flag("--checked", options.checked,
                 "watch for accesses out of bounds, races and reads before writes");
    app.add_flag("--verify", options.verify, "compare with a plain evaluation on this host");
    app.add_option("--json", options.json, "write timings to this file, not to standard output");
    app.add_option("--profile", options.profile, "write every superstep to this JSON file");
    app.add_option("--trace", options.trace, "write a Chrome trace to this file");
    app.add_option("--report", options.report, "write a page to look at to this file");
}

} // namespace tile_example
