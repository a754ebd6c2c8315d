// Checks the options of a partition, hands over to the method and measures what comes back.
#include "tropic/partition.h"
#include "support/counted.h"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/partition/methods.h"
#include "graph/statistics/csr_form.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr std::array<std::string_view, 4> method_names = {"1d", "2d", "metis", "scotch"};
constexpr std::array<std::string_view, 3> balance_names = {"vertices", "random", "entries"};

/// Parts are numbered in 32 bits, and marks use the number after the last.
constexpr Index most_parts = std::numeric_limits<std::int32_t>::max() - 1;

constexpr std::string_view phase = "partitioning";

template <class Enum, std::size_t N>
bool parse(const std::array<std::string_view, N>& names, std::string_view name, Enum& result) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return false;
    result = static_cast<Enum>(found - names.begin());
    return true;
}

[[noreturn]] void refuse(std::string message, std::string accepted, std::string hint = {}) {
    throw Error({.code = ErrorCode::usage,
                 .message = std::move(message),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

void check_parts(Index parts) {
    if (parts >= 1 && parts <= most_parts) return;
    refuse(fmt::format("a graph cannot be cut into {} parts", parts),
           fmt::format("1 to {}", most_parts));
}

/// Settles grid_rows, grid_cols and parts of a 2D partition.
void settle_grid(PartitionOptions& options) {
    Index& rows = options.grid_rows;
    Index& cols = options.grid_cols;
    if (rows == 0 && cols == 0) {
        check_parts(options.parts);
        rows = static_cast<Index>(std::sqrt(static_cast<double>(options.parts)));
        while (options.parts % rows != 0) --rows;
        cols = options.parts / rows;
        return;
    }
    Index blocks = 0;
    if (rows < 1 || cols < 1 || __builtin_mul_overflow(rows, cols, &blocks) ||
        blocks > most_parts) {
        refuse(fmt::format("a grid cannot have {} x {} blocks", rows, cols),
               fmt::format("at least 1 x 1 and at most {} blocks", most_parts));
    }
    if (options.parts != 0 && options.parts != blocks) {
        refuse(fmt::format("{} {} not fill a grid of {} x {}", counted(options.parts, "parts"),
                           options.parts == 1 ? "does" : "do", rows, cols),
               fmt::format("{} for this grid", counted(blocks, "parts")),
               "leave out the grid, or ask for as many parts as it has blocks");
    }
    options.parts = blocks;
}

void check_options(const Graph& graph, PartitionOptions& options) {
    require_matrix(graph, phase);
    if (static_cast<std::size_t>(options.method) >= method_names.size()) {
        refuse(fmt::format("there is no method of the number {}", static_cast<int>(options.method)),
               fmt::format("{}", fmt::join(method_names, ", ")), "");
    }
    if (options.method == PartitionMethod::block_2d) settle_grid(options);
    else check_parts(options.parts);
    if (options.method == PartitionMethod::metis || options.method == PartitionMethod::scotch) {
        require_square(graph,
                       fmt::format("partitioning with {}",
                                   options.method == PartitionMethod::metis ? "METIS" : "SCOTCH"));
        if (!(options.imbalance >= 0) || std::isinf(options.imbalance)) {
            refuse(fmt::format("the imbalance cannot be {}", options.imbalance),
                   "a share from 0 on, such as 0.03");
        }
    }
    Index weights = 0;
    if (graph.constraints < 0 ||
        __builtin_mul_overflow(graph.vertices(), Index{graph.constraints}, &weights) ||
        (!graph.vertex_weights.empty() && graph.vertex_weights.size() != weights)) {
        throw Error(ErrorCode::inconsistent,
                    fmt::format("{} for {} with {} each",
                                counted(graph.vertex_weights.size(), "vertex weights"),
                                counted(graph.vertices(), "vertices"), graph.constraints));
    }
}

/// With one part, or as many as vertices, there is nothing to search for: at the latter any two
/// vertices together would be more than a part may hold.
void partition_trivially(Index vertices, Partition& result, const Context& context) {
    result.part_of =
        Array::zeros(ElementType::int32, vertices, context, "the parts of the vertices");
    if (result.parts == 1) return;
    const auto part_of = result.part_of.mutable_as<std::int32_t>();
    for (Index v = 0; v < vertices; ++v) part_of[v] = static_cast<std::int32_t>(v);
}

void warn_of_empty_parts(Partition& result) {
    const auto& sizes = result.vertices_of_part;
    const Index empty = std::count(sizes.begin(), sizes.end(), 0);
    if (empty == 0) return;
    result.warnings.push_back(fmt::format("{} of {} {} no vertices", empty,
                                          counted(result.parts, "parts"),
                                          empty == 1 ? "has" : "have"));
}

} // namespace

std::string_view name_of(PartitionMethod method) noexcept {
    return method_names[static_cast<std::size_t>(method)];
}

bool parse_partition_method(std::string_view name, PartitionMethod& method) noexcept {
    if (name == "1d") name = method_names[0];
    if (name == "2d") name = method_names[1];
    return parse(method_names, name, method);
}

std::string_view name_of(BlockBalance balance) noexcept {
    return balance_names[static_cast<std::size_t>(balance)];
}

bool parse_block_balance(std::string_view name, BlockBalance& balance) noexcept {
    return parse(balance_names, name, balance);
}

namespace {

Partition cut(const Graph& graph, const PartitionOptions& options, const Context& context) {
    Partition result;
    result.options = options;
    check_options(graph, result.options);
    result.parts = result.options.parts;
    context.budget()->require(static_cast<std::uint64_t>(result.parts) * 4 * sizeof(Index),
                              "the sizes of the parts");
    context.report(phase, 0, 3);
    const Tensor csr = sorted_csr(graph.tensor, context);
    context.check_cancelled();
    context.report(phase, 1, 3);
    const bool blocks = result.options.method == PartitionMethod::block_1d ||
                        result.options.method == PartitionMethod::block_2d;
    if (blocks) partition_blocks(graph, csr, result, context);
    else if (result.parts == 1 || result.parts >= csr.dim(0)) {
        partition_trivially(csr.dim(0), result, context);
    } else if (result.options.method == PartitionMethod::metis) {
        partition_metis(graph, csr, result, context);
    } else {
        partition_scotch(graph, csr, result, context);
    }
    context.check_cancelled();
    context.report(phase, 2, 3);
    measure_partition(graph, csr, result, context);
    warn_of_empty_parts(result);
    context.report(phase, 3, 3);
    return result;
}

} // namespace

Partition partition(const Graph& graph, const PartitionOptions& options, const Context& context) {
    try {
        return cut(graph, options, context);
    } catch (const Error& error) {
        // What is wrong is known here, but not with which graph.
        const bool elsewhere =
            error.code() == ErrorCode::cancelled || error.code() == ErrorCode::usage;
        Diagnostic diagnostic = error.diagnostic();
        if (elsewhere || !diagnostic.file.empty()) throw;
        diagnostic.file = graph.name;
        throw Error(std::move(diagnostic));
    }
}

} // namespace tropic
