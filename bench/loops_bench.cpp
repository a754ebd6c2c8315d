// Compiled statements against the same loops written by hand in C++ and compiled with -O3
// -march=native, on the same arrays, with one thread.
// `loops_bench --help` shows the options.
// A ratio above 1 means that the compiled statement is faster: that of the medians, and that of the
// shortest times, which other work on the machine spoils less. Results are compared before times.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "elapsed.h"
#include "hand_written_loops.h"
#include "tropic/tropic.h"

namespace {

using hand_written::Csr;
using nlohmann::json;

constexpr const char* help = R"(Compiled statements against the same loops written by hand.
  --graphs 'A B'   expressions or files (kron:16 urand:16 grid:1000x1000 delaunay:2^18)
  --kernels WORD   those whose names contain it (all): spmv spmm vectors x'Ay triangles A + L A * A
  --runs R         of which the median counts (9)
  --json FILE      the table once more
)";

constexpr std::int32_t columns = 16;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

struct Measured {
    std::vector<double> seconds;
    double sum = 0;
};

/// The operands as the hand-written loops see them, and room for what they compute.
struct Operands {
    Csr whole, lower;
    std::vector<double> x, y, many, many_out;
    std::vector<std::int32_t> marks;
    hand_written::OwnedCsr product;
};

struct Kernel {
    std::string name;
    std::string statement; ///< assigns y, Y, C or total
    std::string sum;       ///< an expression
    std::function<void(Operands&)> loop;
    std::function<double(const Operands&)> sum_by_hand;
};

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

std::vector<Kernel> all_kernels() {
    static double total = 0;
    const auto of_y = [](const Operands& o) { return sum_of(o.y); };
    const auto of_many = [](const Operands& o) { return sum_of(o.many_out); };
    const auto of_product = [](const Operands& o) { return sum_of(o.product.values); };
    const auto of_total = [](const Operands&) { return total; };
    return {
        {"spmv (+,*)", "y[i] = A[i, j] * x[j];", "SUM(y[i])",
         [](Operands& o) { hand_written::spmv(o.whole, o.x.data(), o.y.data()); }, of_y},
        {"spmv (min,+)", "y[i] = A[i, j] @(min,+) x[j];", "SUM(y[i])",
         [](Operands& o) { hand_written::spmv_min_plus(o.whole, o.x.data(), o.y.data()); }, of_y},
        {"spmm (+,*)", "Y[i, c] = A[i, j] * X[j, c];", "SUM(Y[i, c])",
         [](Operands& o) {
             hand_written::spmm(o.whole, o.many.data(), o.many_out.data(), columns);
         },
         of_many},
        {"vectors", "y[j] = x[j] + x[j];", "SUM(y[i])",
         [](Operands& o) {
             hand_written::add_vectors(o.whole.rows, o.x.data(), o.x.data(), o.y.data());
         },
         of_y},
        {"x'Ay", "var total = SUM(x[i] .* (A[i, j] * x[j]));", "",
         [](Operands& o) {
             total = hand_written::sum_of_products(o.whole, o.x.data(), o.x.data());
         },
         of_total},
        {"triangles", "var total = SUM((L[i, k] @(+,pair) L[k, j]) .* (L[i, j] @(pair) L[i, j]));",
         "", [](Operands& o) { total = hand_written::count_triangles(o.lower, o.marks); },
         of_total},
        {"A + L", "C[i, j] = A[i, j] + L[i, j];", "SUM(C[i, j])",
         [](Operands& o) { hand_written::add(o.whole, o.lower, o.product); }, of_product},
        {"A * A", "C[i, k] = A[i, j] * A[j, k];", "SUM(C[i, j])",
         [](Operands& o) { hand_written::multiply(o.whole, o.whole, o.whole.rows, o.product); },
         of_product},
    };
}

Measured run_tropic(const Kernel& kernel, const tropic::Graph& graph, int runs) {
    const std::string text = fmt::format(
        R"(def main() {{
    IndexLabel [i, j, k] = [?];
    IndexLabel [c] = [{}];
    Tensor<double> A([i, j], {{CSR}});
    Tensor<double> L([i, j], {{CSR}});
    Tensor<double> C([i, j], {{CSR}});
    Tensor<double> ones([j], {{Dense}});
    Tensor<double> x([j], {{Dense}});
    Tensor<double> y([i], {{Dense}});
    Tensor<double> b([c], {{Dense}});
    Tensor<double> X([j, c], {{Dense}});
    Tensor<double> Y([i, c], {{Dense}});
    A[i, j] = comet_read(0);
    L[i, j] = comet_read(0, 2);
    ones[j] = 1.0;
    b[c] = 0.25;
    x[j] = A[j, k] * ones[k];
    X[j, c] = x[j] * b[c];
    for run in range(0, {}, 1):
        var begin = getTime();
        {}
        var done = getTime();
        printElapsedTime(begin, done);
    end
    {}
}})",
        columns, runs, kernel.statement,
        kernel.sum.empty() ? "" : fmt::format("var total = {};", kernel.sum));
    tropic::ProgramOptions options;
    options.outputs = {"total"};
    if (kernel.sum.find("C[") != std::string::npos) options.outputs.emplace_back("C"); // in order
    tropic::Program program = tropic::Program::from_text(text, options, kernel.name);
    program.bind("0", graph);
    tropic::ContextOptions context;
    context.threads = 1;
    const tropic::RunResult result = program.run(tropic::Context(context));
    Measured measured;
    measured.sum = result.number("total");
    measured.seconds = tropic::bench::elapsed_times(result.printed);
    return measured;
}

Csr view_of(const tropic::Tensor& matrix, const tropic::Array& values) {
    const tropic::Level& level = matrix.level(1);
    return {static_cast<std::int32_t>(matrix.dim(0)), level.pos.as<std::int32_t>().data(),
            level.crd.as<std::int32_t>().data(), values.as<double>().data()};
}

int bench(const std::string& graphs, const std::string& wanted, int runs,
          const std::string& json_path) {
    json rows = json::array();
    bool agree = true;
    fmt::print("{:<16} {:<14} {:>12} {:>12} {:>7} {:>9}\n", "graph", "kernel", "by hand s",
               "tropic s", "ratio", "of least");
    std::istringstream names(graphs);
    for (std::string name; names >> name;) {
        const tropic::Graph graph = tropic::read_graph(name + ",weights=1..255");
        const tropic::Graph lower = tropic::triangle(graph, tropic::Triangle::strictly_lower);
        const tropic::Array values =
            tropic::cast(graph.tensor.values(), tropic::ElementType::float64, {});
        const tropic::Array lower_values =
            tropic::cast(lower.tensor.values(), tropic::ElementType::float64, {});
        Operands operands;
        operands.whole = view_of(graph.tensor, values);
        operands.lower = view_of(lower.tensor, lower_values);
        const auto n = static_cast<std::size_t>(operands.whole.rows);
        operands.x.resize(n);
        operands.y.resize(n);
        operands.many.resize(n * columns);
        operands.many_out.resize(n * columns);
        operands.marks.resize(n);
        const std::vector<double> ones(n, 1.0);
        hand_written::spmv(operands.whole, ones.data(), operands.x.data());
        for (std::size_t i = 0; i < operands.many.size(); ++i) {
            operands.many[i] = operands.x[i / columns] * 0.25;
        }
        for (const Kernel& kernel : all_kernels()) {
            if (kernel.name.find(wanted) == std::string::npos) continue;
            Measured peer;
            for (int run = 0; run < runs; ++run) {
                std::fill(operands.marks.begin(), operands.marks.end(), 0);
                const double begin = now();
                kernel.loop(operands);
                peer.seconds.push_back(now() - begin);
            }
            peer.sum = kernel.sum_by_hand(operands);
            const Measured ours = run_tropic(kernel, graph, runs);
            const double ratio = median(peer.seconds) / median(ours.seconds);
            const double of_least = least(peer.seconds) / least(ours.seconds);
            const bool same = std::abs(peer.sum - ours.sum) <= 1e-9 * (1 + std::abs(peer.sum));
            agree &= same;
            fmt::print("{:<16} {:<14} {:>12.6f} {:>12.6f} {:>7.2f} {:>9.2f}{}\n", name, kernel.name,
                       median(peer.seconds), median(ours.seconds), ratio, of_least,
                       same ? "" : fmt::format("  DIFFERENT: {} and {}", peer.sum, ours.sum));
            std::fflush(stdout);
            rows.push_back({{"graph", name},
                            {"kernel", kernel.name},
                            {"hand_written_seconds", median(peer.seconds)},
                            {"tropic_seconds", median(ours.seconds)},
                            {"ratio", ratio},
                            {"ratio_of_least", of_least}});
        }
    }
    if (!json_path.empty()) std::ofstream(json_path) << rows.dump(2) << "\n";
    return agree ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (tropic::bench::showed_help(argc, argv, help)) return 0;
    std::string graphs = "kron:16 urand:16 grid:1000x1000 delaunay:2^18";
    std::string kernels;
    std::string json_path;
    int runs = 9;
    for (int a = 1; a < argc; a += 2) {
        const std::string option = argv[a];
        const std::string value = a + 1 < argc ? argv[a + 1] : "";
        if (option == "--graphs") graphs = value;
        else if (option == "--kernels") kernels = value;
        else if (option == "--runs") runs = tropic::bench::number_of(option, value);
        else if (option == "--json") json_path = value;
        else {
            std::fprintf(stderr, "loops_bench: there is no option %s\n", argv[a]);
            return 2;
        }
    }
    try {
        return bench(graphs, kernels, runs, json_path);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "loops_bench: %s\n", error.what());
        return 1;
    }
}
