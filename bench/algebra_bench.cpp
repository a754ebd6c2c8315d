// Products over semirings against SuiteSparse:GraphBLAS, measured in the same run on the same
// matrices, with one and with all threads.
// `algebra_bench --help` shows the options.
// Graphs get integer weights, and vectors different values: a peer that notices that all values are
// the same would measure something else.
// A ratio above 1 means that Tropic is faster: that of the medians, and that of the shortest times,
// which other work on the machine spoils less. Results are compared before times are. Counts show
// the memory they were charged beyond their operands, and what the entries of the product alone
// (kept to its mask, as the peer makes it) would take.
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
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "elapsed.h"
#include "pause.h"
#include "support/memory.h"
#include "tropic/tropic.h"

namespace {

using nlohmann::json;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
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

/// What a kernel computes: y = A x, the same with a sparse x, Y = A X, C = A A, the same where A
/// has entries, or a number.
enum class Shape : std::uint8_t { vector, front, columns, product, masked, count };

/// What a kernel is in both worlds.
struct Kernel {
    std::string name;
    std::string statement; ///< assigns y, Y, C or total
    Shape shape = Shape::vector;
    GrB_Semiring semiring = nullptr;
    bool jumbled = false; ///< rows may be left unsorted
    // Counts: which triangles of the matrix are multiplied, and which one is the mask.
    char left = 'A';
    char right = 'A';
    char mask = 'A';
};

constexpr const char* help = R"(Products over semirings against SuiteSparse:GraphBLAS.
  --graphs 'A B'    expressions or files (kron:13 urand:14 grid:500x500 delaunay:65536)
  --kernels 'A B'   those whose names contain one of the words (all): spmv front spmm spgemm jumbled
                    masked count, burkhardt cohen sandia, (+,*) (min,+) (any,pair) (+,pair)
  --threads 'A B'   how many threads (1 2)
  --runs R          of which the median counts (5; ten or three times as many of spmv and spmm)
  --json FILE       the table once more
)";

/// What to measure.
struct Options {
    std::vector<std::string> graphs;
    std::vector<std::string> kernels;
    std::vector<int> threads = {1, 2};
    int runs = 5;
    std::string json_path;

    bool wants(const std::string& kernel) const {
        return kernels.empty() || std::ranges::any_of(kernels, [&](const std::string& word) {
                   return kernel.find(word) != std::string::npos;
               });
    }
};

constexpr GrB_Index columns_of_spmm = 16;

/// Times of the statement, and the sum of what it computed.
struct Measured {
    std::vector<double> seconds;
    double sum = 0;
    std::uint64_t peak_bytes = 0;    ///< charged by the whole program
    std::uint64_t product_bytes = 0; ///< counts: of the product's entries
};

std::string sum_of(const Kernel& kernel) {
    switch (kernel.shape) {
    case Shape::vector:
    case Shape::front:
        return "var total = SUM(y[i]);";
    case Shape::columns:
        return "var total = SUM(Y[i, c]);";
    case Shape::count:
        return "";
    case Shape::product:
    case Shape::masked:
        break;
    }
    return "var total = SUM(C[i, k]);";
}

/// How the operands of a kernel come to be, as statements; triangles are read only where needed.
std::string operands_of(const Kernel& kernel) {
    std::string text =
        "A[i, j] = comet_read(0);\n    ones[j] = 1.0;\n    x[j] = A[j, k] * ones[k];\n";
    if (kernel.shape == Shape::columns) {
        text += "    bits[c] = 0.25;\n    X[j, c] = x[j] * bits[c];\n";
    }
    if (kernel.shape == Shape::front) text += "    s[j] = comet_read(1);\n";
    for (const char triangle : {'L', 'U'}) {
        if (kernel.left == triangle || kernel.right == triangle) {
            text += fmt::format("    {}[i, j] = comet_read(0, {});\n", triangle,
                                triangle == 'L' ? 2 : 4);
        }
    }
    return text;
}

/// Half of the vertices, in no pattern.
bool in_front(std::uint64_t vertex) {
    return (vertex * 0x9e3779b97f4a7c15U >> 63) != 0;
}

tropic::Tensor make_front(tropic::Index vertices) {
    tropic::CoordinateList list;
    list.shape = {vertices};
    list.value_type = tropic::ElementType::float64;
    std::vector<std::int32_t> there;
    for (tropic::Index v = 0; v < vertices; ++v) {
        if (in_front(static_cast<std::uint64_t>(v))) there.push_back(static_cast<std::int32_t>(v));
    }
    const auto count = static_cast<tropic::Index>(there.size());
    tropic::CoordinateBlock block;
    block.coordinates.push_back(
        tropic::Array::allocate(tropic::ElementType::int32, count, {}, "front"));
    std::copy(there.begin(), there.end(), block.coordinates[0].mutable_as<std::int32_t>().begin());
    block.values = tropic::Array::allocate(tropic::ElementType::float64, count, {}, "front");
    std::ranges::fill(block.values.mutable_as<double>(), 1.0);
    list.blocks.push_back(std::move(block));
    return tropic::build(std::move(list), tropic::Format::sparse_vector(),
                         tropic::Duplicates::keep);
}

Measured run_tropic(const Kernel& kernel, const tropic::Graph& graph, int runs, int threads) {
    const std::string text =
        fmt::format(R"(def main() {{
    IndexLabel [i, j, k] = [?];
    IndexLabel [c] = [{}];
    Tensor<double> A([i, j], {{CSR}});
    Tensor<double> L([i, j], {{CSR}});
    Tensor<double> U([i, j], {{CSR}});
    Tensor<double> x([j], {{Dense}});
    Tensor<double> s([j], {{CU}});
    Tensor<double> y([i], {{Dense}});
    Tensor<double> X([j, c], {{Dense}});
    Tensor<double> Y([i, c], {{Dense}});
    Tensor<double> C([i, k], {{CSR}});
    Tensor<double> ones([j], {{Dense}});
    Tensor<double> bits([c], {{Dense}});
    {}
    for run in range(0, {}, 1):
        var begin = getTime();
        {}
        var done = getTime();
        printElapsedTime(begin, done);
    end
    {}
}})",
                    columns_of_spmm, operands_of(kernel), runs, kernel.statement, sum_of(kernel));
    tropic::ProgramOptions options;
    options.outputs = {"total"};
    // A matrix that somebody outside will read has its rows in order.
    if (kernel.shape == Shape::product && !kernel.jumbled) options.outputs.emplace_back("C");
    tropic::Program program = tropic::Program::from_text(text, options, kernel.name);
    program.bind("0", graph);
    if (kernel.shape == Shape::front) program.bind("1", make_front(graph.tensor.dim(1)));
    tropic::ContextOptions context;
    context.threads = threads;
    const tropic::Context own(context);
    const tropic::RunResult result = program.run(own);
    Measured measured;
    measured.peak_bytes = own.budget()->peak();
    measured.sum = result.number("total");
    measured.seconds = tropic::bench::elapsed_times(result.printed);
    return measured;
}

/// The matrix and its strict triangles, as the peer holds them.
struct PeerMatrices {
    GrB_Matrix whole = nullptr;
    GrB_Matrix lower = nullptr;
    GrB_Matrix upper = nullptr;

    GrB_Matrix of(char name) const { return name == 'A' ? whole : name == 'L' ? lower : upper; }
};

GrB_Matrix triangle_of(GrB_Matrix matrix, GrB_IndexUnaryOp which, std::int64_t diagonal) {
    GrB_Index rows = 0;
    check(GrB_Matrix_nrows(&rows, matrix));
    GrB_Matrix part = nullptr;
    check(GrB_Matrix_new(&part, GrB_FP64, rows, rows));
    check(GrB_Matrix_select_INT64(part, nullptr, nullptr, which, matrix, diagonal, nullptr));
    check(GrB_Matrix_wait(part, GrB_MATERIALIZE));
    return part;
}

PeerMatrices to_graphblas(const tropic::Tensor& matrix) {
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
    PeerMatrices made;
    check(GrB_Matrix_new(&made.whole, GrB_FP64, static_cast<GrB_Index>(matrix.dim(0)),
                         static_cast<GrB_Index>(matrix.dim(1))));
    check(GrB_Matrix_build_FP64(made.whole, rows.data(), cols.data(), values.data(),
                                static_cast<GrB_Index>(entries), GrB_PLUS_FP64));
    check(GrB_Matrix_wait(made.whole, GrB_MATERIALIZE));
    made.lower = triangle_of(made.whole, GrB_TRIL, -1);
    made.upper = triangle_of(made.whole, GrB_TRIU, 1);
    return made;
}

void free_matrices(PeerMatrices& matrices) {
    check(GrB_Matrix_free(&matrices.whole));
    check(GrB_Matrix_free(&matrices.lower));
    check(GrB_Matrix_free(&matrices.upper));
}

/// x = A * 1, as a vector.
GrB_Vector row_sums(GrB_Matrix matrix, GrB_Index cols) {
    GrB_Vector x = nullptr;
    check(GrB_Vector_new(&x, GrB_FP64, cols));
    check(GrB_Vector_assign_FP64(x, nullptr, nullptr, 1.0, GrB_ALL, cols, nullptr));
    check(GrB_mxv(x, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, matrix, x, nullptr));
    check(GrB_Vector_assign_FP64(x, x, nullptr, 0.0, GrB_ALL, cols, GrB_DESC_SC));
    check(GrB_Vector_wait(x, GrB_MATERIALIZE));
    return x;
}

/// X[j, c] = x[j] / 4, with every place filled, stored by row as the peer likes it for products.
GrB_Matrix make_columns(GrB_Matrix matrix, GrB_Index cols) {
    GrB_Vector x = row_sums(matrix, cols);
    GrB_Matrix made = nullptr;
    check(GrB_Matrix_new(&made, GrB_FP64, cols, columns_of_spmm));
    check(GxB_Matrix_Option_set(made, GxB_SPARSITY_CONTROL, GxB_FULL));
    check(GrB_Matrix_assign_FP64(made, nullptr, nullptr, 0.0, GrB_ALL, cols, GrB_ALL,
                                 columns_of_spmm, nullptr));
    check(GrB_Vector_apply_BinaryOp2nd_FP64(x, nullptr, nullptr, GrB_TIMES_FP64, x, 0.25, nullptr));
    for (GrB_Index c = 0; c < columns_of_spmm; ++c) {
        check(GrB_Col_assign(made, nullptr, nullptr, x, GrB_ALL, cols, c, nullptr));
    }
    check(GrB_Matrix_wait(made, GrB_MATERIALIZE));
    check(GrB_Vector_free(&x));
    return made;
}

GrB_Vector make_peer_front(GrB_Index cols) {
    GrB_Vector front = nullptr;
    check(GrB_Vector_new(&front, GrB_FP64, cols));
    for (GrB_Index v = 0; v < cols; ++v) {
        if (in_front(v)) check(GrB_Vector_setElement_FP64(front, 1.0, v));
    }
    check(GrB_Vector_wait(front, GrB_MATERIALIZE));
    return front;
}

Measured run_graphblas(const Kernel& kernel, const PeerMatrices& matrices, int runs, int threads) {
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
    GrB_Matrix matrix = matrices.whole;
    GrB_Index rows = 0;
    GrB_Index cols = 0;
    check(GrB_Matrix_nrows(&rows, matrix));
    check(GrB_Matrix_ncols(&cols, matrix));
    Measured measured;
    GrB_Vector x = nullptr;
    if (kernel.shape == Shape::vector) x = row_sums(matrix, cols);
    if (kernel.shape == Shape::front) x = make_peer_front(cols);
    GrB_Matrix many = kernel.shape == Shape::columns ? make_columns(matrix, cols) : nullptr;
    GrB_Descriptor descriptor = nullptr;
    check(GrB_Descriptor_new(&descriptor));
    // Without this the peer leaves rows unsorted until something needs them in order.
    const bool product = kernel.shape == Shape::product || kernel.shape == Shape::masked;
    if (product && !kernel.jumbled) check(GxB_Desc_set(descriptor, GxB_SORT, 1));
    if (kernel.shape == Shape::masked || kernel.shape == Shape::count) {
        check(GrB_Descriptor_set(descriptor, GrB_MASK, GrB_STRUCTURE));
    }
    for (int run = 0; run < runs; ++run) {
        if (x != nullptr) {
            GrB_Vector y = nullptr;
            const double begin = now();
            check(GrB_Vector_new(&y, GrB_FP64, rows));
            check(GrB_mxv(y, nullptr, nullptr, kernel.semiring, matrix, x, nullptr));
            check(GrB_Vector_wait(y, GrB_COMPLETE));
            measured.seconds.push_back(now() - begin);
            check(GrB_Vector_reduce_FP64(&measured.sum, nullptr, GrB_PLUS_MONOID_FP64, y, nullptr));
            check(GrB_Vector_free(&y));
            continue;
        }
        const GrB_Index width = kernel.shape == Shape::columns ? columns_of_spmm : cols;
        GrB_Matrix made = nullptr;
        const double begin = now();
        check(GrB_Matrix_new(&made, GrB_FP64, rows, width));
        if (kernel.shape == Shape::columns) {
            check(GrB_mxm(made, nullptr, nullptr, kernel.semiring, matrix, many, descriptor));
        } else if (kernel.shape == Shape::count) {
            check(GrB_mxm(made, matrices.of(kernel.mask), nullptr, kernel.semiring,
                          matrices.of(kernel.left), matrices.of(kernel.right), descriptor));
            check(GrB_Matrix_reduce_FP64(&measured.sum, nullptr, GrB_PLUS_MONOID_FP64, made,
                                         nullptr));
            GrB_Index entries = 0;
            check(GrB_Matrix_nvals(&entries, made));
            measured.product_bytes = entries * (sizeof(std::int32_t) + sizeof(double));
        } else {
            GrB_Matrix mask = kernel.shape == Shape::masked ? matrix : nullptr;
            check(GrB_mxm(made, mask, nullptr, kernel.semiring, matrix, matrix, descriptor));
        }
        check(GrB_Matrix_wait(made, GrB_COMPLETE));
        measured.seconds.push_back(now() - begin);
        if (kernel.shape != Shape::count) {
            check(GrB_Matrix_reduce_FP64(&measured.sum, nullptr, GrB_PLUS_MONOID_FP64, made,
                                         nullptr));
        }
        check(GrB_Matrix_free(&made));
    }
    check(GrB_Descriptor_free(&descriptor));
    if (x != nullptr) check(GrB_Vector_free(&x));
    if (many != nullptr) check(GrB_Matrix_free(&many));
    return measured;
}

std::vector<Kernel> all_kernels() {
    GrB_Semiring plus_times = GrB_PLUS_TIMES_SEMIRING_FP64;
    GrB_Semiring min_plus = GrB_MIN_PLUS_SEMIRING_FP64;
    GrB_Semiring any_pair = GxB_ANY_PAIR_FP64;
    GrB_Semiring plus_pair = GxB_PLUS_PAIR_FP64;
    const auto count = [&](const char* name, char left, char right, char mask) {
        Kernel kernel{fmt::format("count {}", name), "", Shape::count, plus_pair};
        kernel.statement = fmt::format("var total = SUM(({}[i, k] @(+,pair) {}[k, j]) .* ({}[i, j] "
                                       "@(pair) {}[i, j]));",
                                       left, right, mask, mask);
        kernel.left = left;
        kernel.right = right;
        kernel.mask = mask;
        return kernel;
    };
    return {
        {"spmv (+,*)", "y[i] = A[i, j] * x[j];", Shape::vector, plus_times},
        {"spmv (min,+)", "y[i] = A[i, j] @(min,+) x[j];", Shape::vector, min_plus},
        {"spmv (any,pair)", "y[i] = A[i, j] @(any,pair) x[j];", Shape::vector, any_pair},
        {"front (any,pair)", "y[i] = A[i, j] @(any,pair) s[j];", Shape::front, any_pair},
        {"spmm (+,*)", "Y[i, c] = A[i, j] * X[j, c];", Shape::columns, plus_times},
        {"spmm (min,+)", "Y[i, c] = A[i, j] @(min,+) X[j, c];", Shape::columns, min_plus},
        {"spmm (any,pair)", "Y[i, c] = A[i, j] @(any,pair) X[j, c];", Shape::columns, any_pair},
        {"spgemm (+,*)", "C[i, k] = A[i, j] * A[j, k];", Shape::product, plus_times},
        {"spgemm (min,+)", "C[i, k] = A[i, j] @(min,+) A[j, k];", Shape::product, min_plus},
        {"spgemm (+,pair)", "C[i, k] = A[i, j] @(+,pair) A[j, k];", Shape::product, plus_pair},
        {"jumbled (+,*)", "C[i, k] = A[i, j] * A[j, k];", Shape::product, plus_times, true},
        {"jumbled (min,+)", "C[i, k] = A[i, j] @(min,+) A[j, k];", Shape::product, min_plus, true},
        {"jumbled (+,pair)", "C[i, k] = A[i, j] @(+,pair) A[j, k];", Shape::product, plus_pair,
         true},
        {"masked (+,*)", "C[i, k]<A> = A[i, j] * A[j, k];", Shape::masked, plus_times},
        count("burkhardt", 'A', 'A', 'A'),
        count("cohen", 'L', 'U', 'A'),
        count("sandia ll", 'L', 'L', 'L'),
        count("sandia uu", 'U', 'U', 'U'),
    };
}

/// Kernels of a few milliseconds run more often: threads that were asleep may take as long to get
/// a core, and both sides keep theirs awake from one run to the next.
int runs_for(const Kernel& kernel, int runs) {
    switch (kernel.shape) {
    case Shape::vector:
    case Shape::front:
        return 10 * runs;
    case Shape::columns:
        return 3 * runs;
    default:
        return runs;
    }
}

/// What a count took beyond the same program without its statement.
std::string memory_text(const Kernel& kernel, const tropic::Graph& graph, int threads,
                        const Measured& ours, const Measured& peer) {
    if (kernel.shape != Shape::count) return "";
    Kernel nothing = kernel;
    // The operands are all there at the same time, as in the count.
    nothing.statement = fmt::format("var total = SUM({}[i, j]) + SUM({}[i, j]) + SUM({}[i, j]);",
                                    kernel.left, kernel.right, kernel.mask);
    const Measured operands = run_tropic(nothing, graph, 1, threads);
    constexpr double megabyte = 1e6;
    return fmt::format(
        "  {:.1f} MB beyond operands, product {:.1f} MB",
        (static_cast<double>(ours.peak_bytes) - static_cast<double>(operands.peak_bytes)) /
            megabyte,
        static_cast<double>(peer.product_bytes) / megabyte);
}

int bench(const Options& options) {
    const std::vector<Kernel> kernels = all_kernels();
    json rows = json::array();
    fmt::print("{:<16} {:<16} {:>7} {:>12} {:>12} {:>7} {:>7}\n", "graph", "kernel", "threads",
               "graphblas s", "tropic s", "ratio", "least");
    bool agree = true;
    for (const std::string& name : options.graphs) {
        const tropic::Graph graph = tropic::read_graph(name + ",weights=1..255");
        PeerMatrices matrices = to_graphblas(graph.tensor);
        for (const Kernel& kernel : kernels) {
            if (!options.wants(kernel.name)) continue;
            const int runs = runs_for(kernel, options.runs);
            for (const int threads : options.threads) {
                const Measured peer = run_graphblas(kernel, matrices, runs, threads);
                tropic::bench::let_threads_sleep();
                const Measured ours = run_tropic(kernel, graph, runs, threads);
                const double ratio = median(peer.seconds) / median(ours.seconds);
                const bool same = std::abs(peer.sum - ours.sum) <= 1e-9 * (1 + std::abs(peer.sum));
                agree &= same;
                const double of_least = least(peer.seconds) / least(ours.seconds);
                fmt::print("{:<16} {:<16} {:>7} {:>12.6f} {:>12.6f} {:>7.2f} {:>7.2f}{}{}\n", name,
                           kernel.name, threads, median(peer.seconds), median(ours.seconds), ratio,
                           of_least, memory_text(kernel, graph, threads, ours, peer),
                           same ? "" : fmt::format("  DIFFERENT: {} and {}", peer.sum, ours.sum));
                std::fflush(stdout);
                rows.push_back({{"graph", name},
                                {"kernel", kernel.name},
                                {"threads", threads},
                                {"graphblas_seconds", median(peer.seconds)},
                                {"tropic_seconds", median(ours.seconds)},
                                {"ratio", ratio},
                                {"ratio_of_least", of_least}});
            }
        }
        free_matrices(matrices);
    }
    if (!options.json_path.empty()) std::ofstream(options.json_path) << rows.dump(2) << "\n";
    return agree ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (tropic::bench::showed_help(argc, argv, help)) return 0;
    Options options;
    options.graphs = tropic::bench::words_of("kron:13 urand:14 grid:500x500 delaunay:65536");
    for (int a = 1; a < argc; a += 2) {
        const std::string option = argv[a];
        const std::string value = a + 1 < argc ? argv[a + 1] : "";
        if (option == "--graphs") options.graphs = tropic::bench::words_of(value);
        else if (option == "--kernels") options.kernels = tropic::bench::words_of(value);
        else if (option == "--runs") options.runs = tropic::bench::number_of(option, value);
        else if (option == "--json") options.json_path = value;
        else if (option == "--threads") {
            options.threads.clear();
            for (const std::string& number : tropic::bench::words_of(value)) {
                options.threads.push_back(tropic::bench::number_of(option, number));
            }
        } else {
            std::fprintf(stderr, "algebra_bench: there is no option %s\n", argv[a]);
            return 2;
        }
    }
    try {
        check(GrB_init(GrB_NONBLOCKING));
        const int status = bench(options);
        check(GrB_finalize());
        return status;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "algebra_bench: %s\n", error.what());
        return 1;
    }
}
