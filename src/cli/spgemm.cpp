// tropic spgemm: the product of two sparse matrices, library/spgemm.tropic, a program of tensors.
#include <fmt/format.h>

#include "cli/algorithm_columns.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/outputs.h"
#include "cli/same_ids.h"
#include "cli/text_output.h"
#include "graph/files/compressor.h"
#include "support/letter_case.h"
#include "tropic/algorithms/matrices.h"
#include "tropic/verify.h"

namespace tropic::cli {

namespace {

struct ProductOptions {
    std::string left;
    std::string right;
    std::string output;
    bool verify = false;
    bool time = false;
    double timeout = 0;
    ShapeOptions shape;
};

/// Numbers that belong to different ids have no product.
void check_inner_ids(const Graph& a, const Graph& b) {
    const Index k = first_other_id(a, 1, b, 0);
    if (k < 0) return;
    throw Error({.code = ErrorCode::inconsistent,
                 .message = fmt::format("the columns of {} and the rows of {} have different ids, "
                                        "the first of them {} and {}: they cannot be multiplied",
                                        a.name, b.name, a.ids[1][k], b.ids[0][k]),
                 .hint = "edge lists with --ids 0, which keeps the gaps between ids"});
}

void check_sizes(const Graph& a, const Graph& b) {
    require_matrix(a, "spgemm");
    require_matrix(b, "spgemm");
    if (a.tensor.dim(1) == b.tensor.dim(0)) return;
    throw Error({.code = ErrorCode::inconsistent,
                 .message = fmt::format("{} has {} columns and {} has {} rows: they cannot be "
                                        "multiplied",
                                        a.name, a.tensor.dim(1), b.name, b.tensor.dim(0)),
                 .hint = "--transpose, or edge lists with --ids 0"});
}

bool is_json(const std::string& file) {
    return has_suffix(without_compression(file), ".json");
}

/// In the formats of graphs, or as rows of a table.
std::vector<std::string> write_product(const Graph& product, const std::string& file,
                                       const Context& context) {
    if (!is_json(file)) return write_graph(product, file, {}, context);
    Graph by_rows = product;
    by_rows.tensor = convert(product.tensor, Format::csr(), context);
    AlgorithmVariable entries;
    entries.name = "value";
    entries.type = "edges(C)";
    const ResultColumn column(by_rows, entries, by_rows.tensor, library::Summary::values, context);
    return write_columns({&column}, file, context);
}

void run_spgemm(const ProductOptions& options, const RunOptions& run_options) {
    Run run(run_options, {.seconds = options.timeout, .what = "spgemm"});
    if (!options.output.empty() && !is_json(options.output)) {
        require_graph_form(options.output, "a product", " .json", "such as -o product.mtx");
    }
    check_outputs({{"-o", options.output}}, run_options.json, run.context());
    require_not_read({{"-o", options.output}}, {options.left, options.right});
    const Graph a = run.load(options.left, options.shape);
    const Graph b = options.right.empty() ? a : run.load(options.right, options.shape);
    check_sizes(a, b);
    check_inner_ids(a, b);
    const SpgemmResult result = spgemm(a.tensor, b.tensor, {}, run.context());
    Verdict verdict;
    if (options.verify) {
        verdict = verify::product(a.tensor, b.tensor, result.product, run.context());
    }
    Graph product;
    product.name = "C";
    product.source = "program";
    product.tensor = result.product;
    product.ids = {a.ids[0], b.ids[1]};
    std::vector<std::string> remarks;
    if (!options.output.empty()) {
        remarks = write_product(product, options.output, run.context());
    }
    run.show_files();
    run.finish_progress();
    if (run_options.json) {
        Json json = {{"algorithm", "spgemm"},
                     {"rows", product.tensor.dim(0)},
                     {"columns", product.tensor.dim(1)},
                     {"entries", product.entries()}};
        if (options.verify) {
            json["verified"] = {{"correct", verdict.correct()}, {"method", verdict.method}};
        }
        if (options.time) json["seconds"] = result.report.seconds;
        fmt::print("{}\n", dump(json));
    } else {
        run.warn(remarks);
        fmt::print(
            "{}{}",
            row("product", fmt::format("{} x {}", product.tensor.dim(0), product.tensor.dim(1))),
            row("entries", std::to_string(product.entries())));
        if (options.verify && verdict.correct()) {
            fmt::print("{}", row("verified", "correct, by " + verdict.method));
        }
        if (options.time) fmt::print(stderr, "  {:>12.6f} s\n", result.report.seconds);
    }
    if (!verdict.correct()) {
        throw Error(ErrorCode::internal,
                    fmt::format("the result of spgemm is wrong: {}", verdict.complaint),
                    "report it with the command and its input");
    }
}

} // namespace

void add_spgemm(CLI::App& program, Shared& shared) {
    auto options = std::make_shared<ProductOptions>();
    CLI::App* command = program.add_subcommand("spgemm", "Sparse matrix times sparse matrix");
    command->group("Algorithms");
    command->add_option("A", options->left, "A file, or a generator expression")->required();
    command->add_option("B", options->right, "The second matrix (default: the first again)");
    command->add_option("-o,--output", options->output,
                        "Write the product; the suffix names the format: .mtx, .json, .tg...");
    command->add_flag("--verify", options->verify, "Check the result by another method");
    TimeLimit::add_option(*command, options->timeout);
    command->add_flag("--time", options->time, "Show how long it took");
    options->shape.add_reading_to(*command);
    options->shape.add_shaping_to(*command);
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic spgemm a.mtx b.mtx -o c.mtx
  tropic spgemm kron:10 --verify             the square of a matrix)");
    command->callback([options, &shared] { run_spgemm(*options, shared.run); });
}

} // namespace tropic::cli
