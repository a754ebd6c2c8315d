// tile_prim GRAPH: a minimum spanning tree on a tile machine.
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "prim.h"

int main(int argc, char** argv) {
    CLI::App app("Prim's minimum spanning tree on tiles");
    tile_example::Options options;
    tile_example::add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        const auto matrix = tile_example::load_undirected(options.graph, options.seed);
        const auto result = tile_example::run_prim(matrix, options);
        nlohmann::json json = to_json(result.timings);
        json["program"] = "prim";
        json["graph"] = options.graph;
        bool right = true;
        if (options.verify) {
            const std::string wrong = check_tree(matrix, result.connection);
            right = wrong.empty();
            json["verified"] = right;
            if (!right) json["wrong"] = wrong;
        }
        write_json(json, options);
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "tile_prim: " << error.what() << "\n";
        return 1;
    }
}
