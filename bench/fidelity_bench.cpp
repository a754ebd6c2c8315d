// How near the model of the tile machine comes to what was measured on the machine: the thesis'
// three programs on its graphs, row by row.
// `fidelity_bench --help` shows the options. TROPIC_DATA is the directory of graph files
// (../shared/data); rows whose file is missing are left out, and said to be. Results are checked
// against this host's own before times are compared.
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tropic/tropic.h>

#include "arguments.h"
#include "bfs.h"
#include "fidelity/published.h"
#include "fidelity/stand_in.h"
#include "prim.h"
#include "spmv.h"

namespace {

using fidelity::Instance;
using fidelity::Origin;
using nlohmann::json;

constexpr const char* help =
    R"(The model of the tile machine against what was measured on the machine.
  --programs 'A B'    spmv bfs prim (all)
  --instances 'A B'   rows of these names, such as G43 (all)
  --only-fitted       only the rows by which the model was fitted
  --machine NAME      a machine's name or file (gc200)
  --json FILE         the tables once more
TROPIC_DATA is the directory of graph files (../shared/data); without its file a row is left out.
)";

struct Row {
    std::string name;
    Origin origin = Origin::file;
    bool fitted = false;
    std::size_t n = 0;
    double published = 0; ///< microseconds
    double model = 0;
    std::string note;

    double error() const { return model / published - 1; }
};

struct Settings {
    std::vector<std::string> programs{"spmv", "bfs", "prim"};
    std::vector<std::string> names;
    bool only_fitted = false;
    std::string machine = "gc200";
    std::string json_path;
};

std::string_view name_of(Origin origin) {
    switch (origin) {
    case Origin::file:
        return "same graph";
    case Origin::generated:
        return "another draw";
    case Origin::stand_in:
        break;
    }
    return "stand-in";
}

std::optional<tropic::Graph> load(const Instance& instance) {
    const std::string source(instance.source);
    if (instance.origin == Origin::stand_in) return fidelity::make_stand_in(source);
    if (instance.origin == Origin::generated) return tropic::read_graph(source);
    const char* directory = std::getenv("TROPIC_DATA");
    const auto path = std::filesystem::path(directory != nullptr ? directory : "../shared/data");
    if (!std::filesystem::exists(path / source)) return std::nullopt;
    tropic::ReadOptions options;
    if (source.find(".gset") != std::string::npos) options.format = tropic::FileFormat::gset;
    return tropic::read_graph((path / source).string(), options);
}

/// Vertex 0, or the first that has a neighbour: a search from nowhere would end at once.
std::size_t first_source(const tile_example::Matrix& matrix) {
    for (std::size_t v = 0; v < matrix.n; ++v) {
        const auto row = static_cast<std::size_t>(matrix.new_of[v]);
        if (matrix.pos[row + 1] > matrix.pos[row]) return v;
    }
    return 0;
}

double microseconds(const tile_example::Timings& timings) {
    return 1e6 * static_cast<double>(timings.cycles) / fidelity::thesis_clock_hz;
}

/// Runs one program; throws if its result is wrong.
void run(const std::string& program, const tile_example::Matrix& matrix,
         const tile_example::Options& options, Row& row) {
    const auto require = [&](bool right) {
        if (!right) throw std::runtime_error(program + " on " + row.name + " went wrong");
    };
    if (program == "spmv") {
        const auto result = tile_example::run_spmv(matrix, {}, options);
        require(tile_example::spmv_error(matrix, 1, result.vector) < 1e-4);
        row.model = microseconds(result.timings);
    } else if (program == "bfs") {
        const std::size_t source = first_source(matrix);
        const auto result = tile_example::run_bfs(matrix, source, options);
        require(result.distance == tile_example::plain_bfs(matrix, source));
        row.model = microseconds(result.timings);
        row.note = fmt::format("{} levels", result.levels);
    } else {
        const auto result = tile_example::run_prim(matrix, options);
        require(check_tree(matrix, result.connection).empty());
        row.model = microseconds(result.timings);
        row.note = fmt::format(
            "{:.0f} cycles a vertex, published {:.0f}",
            static_cast<double>(result.timings.cycles) / static_cast<double>(matrix.n),
            row.published * 1e-6 * fidelity::thesis_clock_hz / static_cast<double>(matrix.n));
    }
}

struct Summary {
    double median = 0;
    double worst = 0; ///< of rows of 10 us and more
    std::string worst_name;
    double held_out_median = 0;
    std::size_t rows = 0;
    std::size_t held_out = 0;
};

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Summary summarise(const std::vector<Row>& rows) {
    Summary summary;
    std::vector<double> all;
    std::vector<double> held_out;
    for (const Row& row : rows) {
        const double error = std::abs(row.error());
        all.push_back(error);
        if (!row.fitted) held_out.push_back(error);
        if (row.published >= 10 && error > summary.worst) {
            summary.worst = error;
            summary.worst_name = row.name;
        }
    }
    summary.median = median(all);
    summary.held_out_median = median(held_out);
    summary.rows = all.size();
    summary.held_out = held_out.size();
    return summary;
}

json to_json(const std::vector<Row>& rows, const Summary& summary) {
    json list = json::array();
    for (const Row& row : rows) {
        list.push_back({{"instance", row.name},
                        {"graph", name_of(row.origin)},
                        {"fitted", row.fitted},
                        {"vertices", row.n},
                        {"published_us", row.published},
                        {"model_us", row.model},
                        {"error", row.error()},
                        {"note", row.note}});
    }
    return {{"rows", list},
            {"median_error", summary.median},
            {"median_error_held_out", summary.held_out_median},
            {"worst_error_from_10_us", summary.worst},
            {"worst_instance", summary.worst_name}};
}

std::vector<Row> run_program(const std::string& program, const Settings& settings) {
    tile_example::Options options;
    options.machine = settings.machine;
    fmt::print("\n{}\n{:<17} {:<12} {:<7} {:>8} {:>12} {:>12} {:>8}\n", program, "instance",
               "graph", "fitted", "vertices", "published us", "model us", "error");
    std::vector<Row> rows;
    for (const Instance& instance : fidelity::instances()) {
        const bool fitted = program == "spmv"  ? instance.spmv_fitted
                            : program == "bfs" ? instance.bfs_fitted
                                               : instance.prim_fitted;
        const double published = program == "spmv"  ? instance.spmv_us
                                 : program == "bfs" ? instance.bfs_us
                                                    : instance.prim_us;
        const bool wanted =
            settings.names.empty() || std::find(settings.names.begin(), settings.names.end(),
                                                instance.name) != settings.names.end();
        if (published == 0 || !wanted || (settings.only_fitted && !fitted)) continue;
        auto graph = load(instance);
        if (!graph) {
            fmt::print("{:<17} left out: there is no file {}\n", instance.name, instance.source);
            continue;
        }
        const auto matrix = tile_example::shuffle(std::move(*graph), 1);
        Row row{std::string(instance.name), instance.origin, fitted, matrix.n, published, 0, {}};
        run(program, matrix, options, row);
        fmt::print("{:<17} {:<12} {:<7} {:>8} {:>12.0f} {:>12.1f} {:>+7.1f}%  {}\n", row.name,
                   name_of(row.origin), fitted ? "yes" : "", row.n, published, row.model,
                   100 * row.error(), row.note);
        std::fflush(stdout);
        rows.push_back(std::move(row));
    }
    return rows;
}

int bench(const Settings& settings) {
    json all = json::object();
    for (const std::string& program : settings.programs) {
        const std::vector<Row> rows = run_program(program, settings);
        const Summary summary = summarise(rows);
        fmt::print(
            "{}: median error {:.1f} % of {} rows ({:.1f} % of the {} not fitted); worst from "
            "10 us on: {:.1f} % ({})\n",
            program, 100 * summary.median, summary.rows, 100 * summary.held_out_median,
            summary.held_out, 100 * summary.worst, summary.worst_name);
        all[program] = to_json(rows, summary);
    }
    if (!settings.json_path.empty()) std::ofstream(settings.json_path) << all.dump(2) << "\n";
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (tropic::bench::showed_help(argc, argv, help)) return 0;
    Settings settings;
    for (int a = 1; a < argc; ++a) {
        const std::string option = argv[a];
        if (option == "--only-fitted") settings.only_fitted = true;
        else if (a + 1 < argc && option == "--programs")
            settings.programs = tropic::bench::words_of(argv[++a]);
        else if (a + 1 < argc && option == "--instances")
            settings.names = tropic::bench::words_of(argv[++a]);
        else if (a + 1 < argc && option == "--machine") settings.machine = argv[++a];
        else if (a + 1 < argc && option == "--json") settings.json_path = argv[++a];
        else {
            std::fprintf(stderr, "fidelity_bench: there is no option %s\n", argv[a]);
            return 2;
        }
    }
    try {
        return bench(settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fidelity_bench: %s\n", error.what());
        return 1;
    }
}
