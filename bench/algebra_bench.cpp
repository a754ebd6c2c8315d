// Products over semirings against SuiteSparse:GraphBLAS, measured in the same run on the same
// matrices, with one and with all threads.
//   algebra_bench [--graphs 'kron:14 grid:500x500'] [--runs R] [--json FILE]
// Graphs get integer weights, and vectors different values: a peer that notices that all values are
// the same would measure something else.
// A ratio above 1 means that Tropic is faster. Results are compared before times are.
// Debian's header does not say itself that it is C.
extern "C" {
#include <GraphBLAS.h>
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tropic/tropic.h"

namespace {

using nlohmann::json;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void check(GrB_Info info) {
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) {
        throw std::runtime_error(fmt::format("GraphBLAS failed with {}", static_cast<int>(info)));
    }
}

/// What a kernel is in both worlds.
struct Kernel {
    std::string name;
    std::string statement; ///< assigns C, or y
    bool vector = false;
    bool masked = false;
    GrB_Semiring semiring = nullptr;
};

/// Times of the statement, and the sum of what it computed.
struct Measured {
    std::vector<double> seconds;
    double sum = 0;
};

Measured run_tropic(const Kernel& kernel, const tropic::Graph& graph, int runs, int threads) {
    const std::string text =
        fmt::format(R"(def main() {{
    IndexLabel [i, j, k] = [?];
    Tensor<double> A([i, j], {{CSR}});
    Tensor<double> x([j], {{Dense}});
    Tensor<double> y([i], {{Dense}});
    Tensor<double> C([i, k], {{CSR}});
    Tensor<double> ones([j], {{Dense}});
    A[i, j] = comet_read(0);
    ones[j] = 1.0;
    x[j] = A[j, k] * ones[k];
    for run in range(0, {}, 1):
        var begin = getTime();
        {}
        var done = getTime();
        printElapsedTime(begin, done);
    end
    var total = {};
}})",
                    runs, kernel.statement, kernel.vector ? "SUM(y[i])" : "SUM(C[i, k])");
    tropic::ProgramOptions options;
    options.outputs = {"total"};
    tropic::Program program = tropic::Program::from_text(text, options, kernel.name);
    program.bind("0", graph);
    tropic::ContextOptions context;
    context.threads = threads;
    const tropic::RunResult result = program.run(tropic::Context(context));
    Measured measured;
    measured.sum = result.number("total");
    const std::string mark = "ELAPSED_TIME = ";
    for (std::size_t at = result.printed.find(mark); at != std::string::npos;
         at = result.printed.find(mark, at + 1)) {
        measured.seconds.push_back(std::strtod(result.printed.c_str() + at + mark.size(), nullptr));
    }
    return measured;
}

GrB_Matrix to_graphblas(const tropic::Tensor& matrix) {
    const tropic::Index entries = matrix.entries();
    std::vector<GrB_Index> rows(static_cast<std::size_t>(entries));
    std::vector<GrB_Index> cols(static_cast<std::size_t>(entries));
    std::vector<double> values(static_cast<std::size_t>(entries));
    const tropic::Level& level = matrix.level(1);
    for (tropic::Index i = 0; i < matrix.dim(0); ++i) {
        for (tropic::Index e = level.pos.index_at(i); e < level.pos.index_at(i + 1); ++e) {
            rows[e] = static_cast<GrB_Index>(i);
            cols[e] = static_cast<GrB_Index>(level.crd.index_at(e));
            values[e] = matrix.values().value_at(e);
        }
    }
    GrB_Matrix made = nullptr;
    check(GrB_Matrix_new(&made, GrB_FP64, static_cast<GrB_Index>(matrix.dim(0)),
                         static_cast<GrB_Index>(matrix.dim(1))));
    check(GrB_Matrix_build_FP64(made, rows.data(), cols.data(), values.data(),
                                static_cast<GrB_Index>(entries), GrB_PLUS_FP64));
    check(GrB_Matrix_wait(made, GrB_MATERIALIZE));
    return made;
}

Measured run_graphblas(const Kernel& kernel, GrB_Matrix matrix, int runs, int threads) {
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
    GrB_Index rows = 0;
    GrB_Index cols = 0;
    check(GrB_Matrix_nrows(&rows, matrix));
    check(GrB_Matrix_ncols(&cols, matrix));
    Measured measured;
    for (int run = 0; run < runs; ++run) {
        if (kernel.vector) {
            GrB_Vector x = nullptr;
            GrB_Vector y = nullptr;
            check(GrB_Vector_new(&x, GrB_FP64, cols));
            check(GrB_Vector_assign_FP64(x, nullptr, nullptr, 1.0, GrB_ALL, cols, nullptr));
            check(GrB_mxv(x, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, matrix, x, nullptr));
            check(GrB_Vector_wait(x, GrB_MATERIALIZE));
            check(GrB_Vector_new(&y, GrB_FP64, rows));
            const double begin = now();
            check(GrB_mxv(y, nullptr, nullptr, kernel.semiring, matrix, x, nullptr));
            check(GrB_Vector_wait(y, GrB_MATERIALIZE));
            measured.seconds.push_back(now() - begin);
            check(GrB_Vector_reduce_FP64(&measured.sum, nullptr, GrB_PLUS_MONOID_FP64, y, nullptr));
            check(GrB_Vector_free(&x));
            check(GrB_Vector_free(&y));
        } else {
            GrB_Matrix product = nullptr;
            check(GrB_Matrix_new(&product, GrB_FP64, rows, cols));
            const double begin = now();
            check(GrB_mxm(product, kernel.masked ? matrix : nullptr, nullptr, kernel.semiring,
                          matrix, matrix, kernel.masked ? GrB_DESC_S : nullptr));
            check(GrB_Matrix_wait(product, GrB_MATERIALIZE));
            measured.seconds.push_back(now() - begin);
            check(GrB_Matrix_reduce_FP64(&measured.sum, nullptr, GrB_PLUS_MONOID_FP64, product,
                                         nullptr));
            check(GrB_Matrix_free(&product));
        }
    }
    return measured;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

int bench(const std::vector<std::string>& graphs, int runs, const std::string& json_path) {
    const std::vector<Kernel> kernels = {
        {"spmv (+,*)", "y[i] = A[i, j] * x[j];", true, false, GrB_PLUS_TIMES_SEMIRING_FP64},
        {"spmv (min,+)", "y[i] = A[i, j] @(min,+) x[j];", true, false, GrB_MIN_PLUS_SEMIRING_FP64},
        {"spmv (any,pair)", "y[i] = A[i, j] @(any,pair) x[j];", true, false, GxB_ANY_PAIR_FP64},
        {"spgemm (+,*)", "C[i, k] = A[i, j] * A[j, k];", false, false,
         GrB_PLUS_TIMES_SEMIRING_FP64},
        {"spgemm (+,pair)", "C[i, k] = A[i, j] @(+,pair) A[j, k];", false, false,
         GxB_PLUS_PAIR_FP64},
        {"masked (+,*)", "C[i, k]<A> = A[i, j] * A[j, k];", false, true,
         GrB_PLUS_TIMES_SEMIRING_FP64},
    };
    json rows = json::array();
    fmt::print("{:<16} {:<16} {:>7} {:>12} {:>12} {:>7}\n", "graph", "kernel", "threads",
               "graphblas s", "tropic s", "ratio");
    bool agree = true;
    for (const std::string& name : graphs) {
        const tropic::Graph graph = tropic::read_graph(name + ",weights=1..255");
        GrB_Matrix matrix = to_graphblas(graph.tensor);
        for (const Kernel& kernel : kernels) {
            for (const int threads : {1, 2}) {
                const Measured peer = run_graphblas(kernel, matrix, runs, threads);
                const Measured ours = run_tropic(kernel, graph, runs, threads);
                const double ratio = median(peer.seconds) / median(ours.seconds);
                const bool same = std::abs(peer.sum - ours.sum) <= 1e-9 * (1 + std::abs(peer.sum));
                agree &= same;
                fmt::print("{:<16} {:<16} {:>7} {:>12.6f} {:>12.6f} {:>7.2f}{}\n", name,
                           kernel.name, threads, median(peer.seconds), median(ours.seconds), ratio,
                           same ? "" : fmt::format("  DIFFERENT: {} and {}", peer.sum, ours.sum));
                std::fflush(stdout);
                rows.push_back({{"graph", name},
                                {"kernel", kernel.name},
                                {"threads", threads},
                                {"graphblas_seconds", median(peer.seconds)},
                                {"tropic_seconds", median(ours.seconds)},
                                {"ratio", ratio}});
            }
        }
        check(GrB_Matrix_free(&matrix));
    }
    if (!json_path.empty()) std::ofstream(json_path) << rows.dump(2) << "\n";
    return agree ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    std::string graphs = "kron:13 urand:14 grid:500x500 delaunay:65536";
    std::string json_path;
    int runs = 5;
    for (int a = 1; a + 1 < argc; a += 2) {
        const std::string option = argv[a];
        if (option == "--graphs") graphs = argv[a + 1];
        else if (option == "--runs") runs = std::atoi(argv[a + 1]);
        else if (option == "--json") json_path = argv[a + 1];
        else {
            std::fprintf(stderr, "algebra_bench: there is no option %s\n", argv[a]);
            return 2;
        }
    }
    try {
        check(GrB_init(GrB_NONBLOCKING));
        const int status = bench(split(graphs), runs, json_path);
        check(GrB_finalize());
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "algebra_bench: %s\n", error.what());
        return 1;
    }
}
