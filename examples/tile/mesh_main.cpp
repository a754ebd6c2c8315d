// tile_mesh GRAPH: nodes and edges of a mesh that change each other, on a tile machine. The graph
// "small" is a mesh of six nodes on three tiles.
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "mesh.h"

int main(int argc, char** argv) {
    CLI::App app("Neighbour-list update of an unstructured mesh on tiles");
    tile_example::Options options;
    tile_example::PartitionedMeshOptions cut;
    unsigned node_dim = 3;
    unsigned rounds = 1;
    unsigned parts_per_tile = 1;
    tile_example::add_options(app, options);
    app.add_option("--parts", cut.parts, "parts to cut the mesh into")->capture_default_str();
    app.add_option("--method", cut.method, "metis or scotch")->capture_default_str();
    app.add_option("--parts-per-tile", parts_per_tile, "parts that share a tile, a worker each")
        ->check(CLI::Range(1, 6))
        ->capture_default_str();
    app.add_option("--node-dim", node_dim, "values of a node")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--rounds", rounds, "rounds of two steps each")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        cut.seed = options.seed;
        const auto mesh = options.graph == "small"
                              ? tile_example::small_mesh(node_dim)
                              : tile_example::partitioned_mesh(options.graph, node_dim, cut);
        const auto start = tile_example::initial_state(mesh, options.seed);
        const auto result = tile_example::run_mesh(mesh, start, rounds, parts_per_tile, options);
        nlohmann::json json = to_json(result.timings);
        json["program"] = "mesh";
        json["graph"] = options.graph;
        json["parts"] = mesh.parts;
        json["rounds"] = rounds;
        bool right = true;
        if (options.verify) {
            // The plain evaluation adds the same terms in another order.
            const auto expected = tile_example::plain_mesh(mesh, start, rounds);
            const double error = tile_example::difference(result.state, expected);
            right = error < 1e-5;
            json["verified"] = right;
            json["error"] = error;
        }
        write_json(json, options);
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "tile_mesh: " << error.what() << "\n";
        return 1;
    }
}
