#include "cli/text_output.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/counted.h"
#include "support/memory.h"

namespace tropic::cli {

namespace {

constexpr int label_width = 14;
constexpr Index widest_bar = 40;

/// "int32 indices, "; nothing for dense tensors, which store none.
std::string index_text(const Tensor& tensor) {
    ElementType widest = ElementType::pattern;
    for (const Level& level : tensor.levels()) widest = std::max(widest, level.crd.type());
    if (widest == ElementType::pattern) return {};
    return fmt::format("{} indices, ", name_of(widest));
}

std::string symmetry_text(const Statistics& s) {
    if (!s.pattern_symmetric) return "no";
    if (!s.values) return "yes";
    return s.value_symmetric ? "yes (pattern and values)" : "pattern only, values differ";
}

std::string degree_text(const DegreeSummary& d) {
    return fmt::format("min {}, median {}, mean {:.4g}, max {}", d.min, d.median, d.mean, d.max);
}

std::string exact_text(const ExactValue& value) {
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.6g}", *real);
    return std::visit([](auto whole) { return fmt::format("{}", whole); }, value);
}

/// Degrees in powers of two with a bar for how many rows have them.
std::string histogram(const DegreeSummary& degrees, std::string_view what) {
    const auto& counts = degrees.log2_counts;
    const Index most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    if (most == 0) return {};
    std::string out = fmt::format("\n  {:<{}}{:>12}\n", "degree", label_width, what);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const Index low = k == 0 ? 0 : Index{1} << (k - 1);
        const Index high = k == 0 ? 0 : (Index{1} << k) - 1;
        const std::string range =
            low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
        const double share = static_cast<double>(counts[k]) / static_cast<double>(most);
        auto bar = static_cast<std::size_t>(share * widest_bar);
        if (bar == 0 && counts[k] > 0) bar = 1;
        out += fmt::format("  {:<{}}{:>12}{}\n", range, label_width, counts[k],
                           bar > 0 ? "  " + std::string(bar, '#') : "");
    }
    return out;
}

} // namespace

std::string short_number(double number) {
    constexpr double exact = 9007199254740992; // 2^53
    const bool whole = number == std::trunc(number) && std::abs(number) <= exact;
    return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.6g}", number);
}

std::string row(std::string_view label, std::string_view value) {
    return fmt::format("  {:<{}} {}\n", label, label_width - 1, value);
}

std::string counts_text(const Step& step) {
    std::vector<std::string> parts;
    parts.reserve(step.counts.size());
    for (const auto& [name, count] : step.counts)
        parts.push_back(fmt::format("{} {}", name, count));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string steps_text(const std::vector<Step>& steps) {
    std::string out;
    for (const Step& step : steps) {
        out += fmt::format("    {}{}{}\n", step.what, step.counts.empty() ? "" : ": ",
                           counts_text(step));
    }
    return out.empty() ? out : "\n  steps\n" + out;
}

std::string graph_text(const Graph& graph) {
    const Tensor& tensor = graph.tensor;
    std::string out = graph.name + "\n";
    out += row("format", graph.source);
    if (tensor.rank() != 2) {
        out += row("shape", fmt::format("{}", fmt::join(tensor.shape(), " x ")));
    } else if (graph.is_square()) {
        out += row("vertices", std::to_string(graph.vertices()));
        out += row("kind", name_of(graph.kind));
    } else {
        out += row("rows", std::to_string(tensor.dim(0)));
        out += row("columns", std::to_string(tensor.dim(1)));
        if (graph.kind == EdgeKind::bipartite) out += row("kind", name_of(graph.kind));
    }
    out += row("entries", std::to_string(tensor.entries()));
    out += row("values", name_of(tensor.type()));
    out += row("storage", fmt::format("{}, {}{}", tensor.format().name(), index_text(tensor),
                                      bytes_text(tensor.bytes())));
    if (graph.constraints > 0) {
        out += row("vertex weights", fmt::format("{} each", graph.constraints));
    }
    if (!graph.vertex_sizes.empty()) out += row("vertex sizes", "yes");
    return out;
}

std::string statistics_text(const Statistics& s, bool square) {
    std::string out;
    out += row("duplicates", std::to_string(s.duplicates));
    if (square) {
        out += row("self loops", std::to_string(s.self_loops));
        out += row("isolated", std::to_string(s.isolated));
        out += row("symmetric", symmetry_text(s));
    } else {
        out += row("empty rows", std::to_string(s.empty_rows));
        out += row("empty columns", std::to_string(s.empty_columns));
    }
    if (s.values && s.entries > 0) {
        // Infinities of both signs have no mean.
        const std::string mean =
            std::isnan(s.values->mean) ? "undefined" : fmt::format("{:.6g}", s.values->mean);
        out += row("value range", fmt::format("{} to {}, mean {}", exact_text(s.values->exact_min),
                                              exact_text(s.values->exact_max), mean));
        if (s.values->zeros > 0) out += row("stored zeros", std::to_string(s.values->zeros));
        if (s.values->negatives > 0) out += row("negative", std::to_string(s.values->negatives));
    }
    const bool same = square && s.pattern_symmetric;
    if (same) {
        out += row("degree", degree_text(s.row_degrees));
        out += histogram(s.row_degrees, "vertices");
    } else {
        out += row("out-degree", degree_text(s.row_degrees));
        out += row("in-degree", degree_text(s.column_degrees));
        out += histogram(s.row_degrees, "rows (out)");
        out += histogram(s.column_degrees, "columns (in)");
    }
    return out;
}

bool has_weight_balance(const Graph& graph, const Partition& partition) {
    return graph.constraints > 0 && !graph.vertex_weights.empty() &&
           partition.options.method != PartitionMethod::block_2d;
}

std::string partition_text(const Graph& graph, const Partition& partition) {
    const PartitionQuality& q = partition.quality;
    const bool two_dimensional = partition.options.method == PartitionMethod::block_2d;
    std::string out;
    out += row("method", name_of(partition.options.method));
    if (two_dimensional) {
        out += row("grid", fmt::format("{} x {}", partition.options.grid_rows,
                                       partition.options.grid_cols));
    }
    out += row("parts", std::to_string(partition.parts));
    if (!two_dimensional) {
        const std::string weight =
            q.cut_weight ? fmt::format(", weight {}", short_number(*q.cut_weight)) : "";
        out += row("edge cut", std::to_string(q.edge_cut) + weight);
        out += row("cut entries", std::to_string(q.cut_entries));
        out += row("boundary", counted(q.boundary_vertices, "vertices"));
    }
    out += row("volume", std::to_string(q.communication_volume));
    const std::string weights = has_weight_balance(graph, partition)
                                    ? fmt::format("weights {:.3f}, ", q.weight_balance)
                                    : "";
    out += row("balance", fmt::format("{}vertices {:.3f}, entries {:.3f} (largest over mean)",
                                      weights, q.vertex_balance, q.entry_balance));
    return out;
}

} // namespace tropic::cli
