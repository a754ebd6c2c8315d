// tile_spmv GRAPH: y = A x on a tile machine.
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "spmv.h"

int main(int argc, char** argv) {
    CLI::App app("Sparse matrix times vector on a grid of tiles");
    tile_example::Options options;
    tile_example::SpmvOptions spmv;
    tile_example::add_options(app, options);
    app.add_option("--rounds", spmv.rounds, "products, each of the one before")
        ->capture_default_str();
    app.add_flag("--own-reducer", spmv.own_reducer, "add up with a codelet, not with the library");
    CLI11_PARSE(app, argc, argv);
    try {
        const auto matrix = tile_example::load_matrix(options.graph, options.seed);
        const auto result = tile_example::run_spmv(matrix, spmv, options);
        nlohmann::json json = to_json(result.timings);
        json["program"] = "spmv";
        json["graph"] = options.graph;
        json["rounds"] = spmv.rounds;
        bool right = true;
        if (options.verify) {
            // Sums of up to thousands of terms in single precision, round upon round.
            const double error = tile_example::spmv_error(matrix, spmv.rounds, result.vector);
            right = error < 1e-4;
            json["verified"] = right;
            json["error"] = error;
        }
        write_json(json, options);
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "tile_spmv: " << error.what() << "\n";
        return 1;
    }
}
