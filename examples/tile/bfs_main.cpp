// tile_bfs GRAPH: distances from one vertex on a tile machine.
#include <climits>
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bfs.h"

int main(int argc, char** argv) {
    CLI::App app("Breadth-first search on a grid of tiles");
    tile_example::Options options;
    std::size_t source = 0;
    tile_example::add_options(app, options);
    app.add_option("--source", source, "the vertex to start from, the first is 0")
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        const auto matrix = tile_example::load_undirected(options.graph, options.seed);
        const auto result = tile_example::run_bfs(matrix, source, options);
        nlohmann::json json = to_json(result.timings);
        json["program"] = "bfs";
        json["graph"] = options.graph;
        json["levels"] = result.levels;
        std::size_t reached = 0;
        for (const unsigned distance : result.distance) reached += distance != UINT_MAX ? 1 : 0;
        json["reached"] = reached;
        bool right = true;
        if (options.verify) {
            right = result.distance == tile_example::plain_bfs(matrix, source);
            json["verified"] = right;
        }
        write_json(json, options);
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "tile_bfs: " << error.what() << "\n";
        return 1;
    }
}
