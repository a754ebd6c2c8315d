// What a partition costs, in one pass over the entries of each part.
#include <atomic>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "graph/partition/methods.h"
#include "graph/partition/rows_of_parts.h"
#include "graph/statistics/symmetry.h"

namespace tropic {

namespace {

/// The largest over the mean; 1 if there is nothing to share.
template <class Number> double balance_of(const std::vector<Number>& shares) {
    double sum = 0;
    double largest = 0;
    for (const Number share : shares) {
        sum += static_cast<double>(share);
        largest = std::max(largest, static_cast<double>(share));
    }
    return sum > 0 ? largest * static_cast<double>(shares.size()) / sum : 1;
}

std::vector<Index> sizes_of(const RowsOfParts& groups) {
    std::vector<Index> sizes(groups.parts());
    for (Index p = 0; p < groups.parts(); ++p) sizes[p] = groups.begin[p + 1] - groups.begin[p];
    return sizes;
}

/// What one part contributes; integers, so that the order of adding does not matter.
struct Costs {
    Index cut = 0;
    Index volume = 0;
};

class TotalCosts {
  public:
    void add(const Costs& costs) {
        const std::scoped_lock lock(mutex_);
        total_.cut += costs.cut;
        total_.volume += costs.volume;
    }
    const Costs& total() const { return total_; }

  private:
    std::mutex mutex_;
    Costs total_;
};

template <class Pos, class Crd> class Measurement {
  public:
    Measurement(const CsrView<Pos, Crd>& view, const RowsOfParts& groups, std::size_t matrix_bytes,
                Partition& result, const Context& context)
        : view_(view), groups_(groups), matrix_bytes_(matrix_bytes), result_(result),
          context_(context), part_(result.part_of.as<std::int32_t>()) {}

    void vertices(bool symmetric) {
        Array flags =
            Array::zeros(ElementType::uint8, view_.rows, context_, "flags of boundary vertices");
        const auto boundary = flags.template mutable_as<std::uint8_t>();
        const auto mark_boundary = [&](auto v) {
            std::atomic_ref<std::uint8_t> flag(boundary[v]);
            if (flag.load(std::memory_order_relaxed) == 0) {
                flag.store(1, std::memory_order_relaxed);
            }
        };
        for_each_row([&](Index part, auto i, Marks& seen, Costs& costs) {
            const Index cut_before = costs.cut;
            for (Index e = view_.pos[i]; e < view_.pos[i + 1]; ++e) {
                const Crd j = view_.crd[e];
                if (part_[j] == part) continue;
                ++costs.cut;
                costs.volume += seen.first(j, part) ? 1 : 0;
                mark_boundary(j);
            }
            if (costs.cut > cut_before) mark_boundary(i);
        });
        PartitionQuality& quality = result_.quality;
        const Costs& total = costs_.total();
        quality.cut_entries = total.cut;
        quality.edge_cut = symmetric ? total.cut / 2 : total.cut;
        quality.boundary_vertices = parallel_combine(
            context_, view_.rows, Index{1} << 16, Index{0},
            [&](Index begin, Index end) {
                return std::count(boundary.begin() + begin, boundary.begin() + end, 1);
            },
            std::plus<>{});
    }

    void row_blocks() {
        for_each_row([&](Index part, auto i, Marks& seen, Costs& costs) {
            for (Index e = view_.pos[i]; e < view_.pos[i + 1]; ++e) {
                costs.volume += seen.first(view_.crd[e], part) ? 1 : 0;
            }
        });
    }

    void grid_blocks() {
        const auto grid_col = result_.col_part_of.as<std::int32_t>();
        const Index grid_cols = result_.options.grid_cols;
        result_.entries_of_part.assign(result_.parts, 0);
        for_each_part(
            context_, groups_.parts(), view_.cols, matrix_bytes_, [&](Index part, Marks& seen) {
                const std::span<Index> entries(result_.entries_of_part.data() + part * grid_cols,
                                               grid_cols);
                std::vector<Index> last_row(grid_cols, -1);
                Costs costs;
                rows_of(part, [&](auto i) {
                    for (Index e = view_.pos[i]; e < view_.pos[i + 1]; ++e) {
                        const Crd j = view_.crd[e];
                        const Index col = grid_col[j];
                        ++entries[col];
                        costs.volume += std::exchange(last_row[col], Index{i}) != i ? 1 : 0;
                        costs.volume += seen.first(j, part) ? 1 : 0;
                    }
                });
                costs_.add(costs);
            });
        result_.quality.communication_volume = costs_.total().volume;
    }

  private:
    template <class Body> void rows_of(Index part, const Body& body) {
        visit_index(groups_.rows.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            const auto rows = groups_.rows.as<T>();
            for (Index r = groups_.begin[part]; r < groups_.begin[part + 1]; ++r) body(rows[r]);
        });
    }

    template <class Body> void for_each_row(const Body& body) {
        result_.entries_of_part.assign(result_.parts, 0);
        for_each_part(context_, result_.parts, view_.cols, matrix_bytes_,
                      [&](Index part, Marks& seen) {
                          Index entries = 0;
                          Costs costs;
                          rows_of(part, [&](auto i) {
                              entries += view_.pos[i + 1] - view_.pos[i];
                              body(part, i, seen, costs);
                          });
                          result_.entries_of_part[part] = entries;
                          costs_.add(costs);
                      });
        result_.quality.communication_volume = costs_.total().volume;
    }

    const CsrView<Pos, Crd>& view_;
    const RowsOfParts& groups_;
    std::size_t matrix_bytes_;
    Partition& result_;
    const Context& context_;
    std::span<const std::int32_t> part_;
    TotalCosts costs_;
};

/// Whether a balance is worse than was asked for though vertices could be shared out better:
/// the heaviest part has at least the heaviest vertex, and whole weights have no fractions.
bool is_missed(double balance, double heaviest, double sum, bool whole, const Partition& result) {
    const double mean = sum / static_cast<double>(result.parts);
    const double best = std::max(heaviest, whole ? std::ceil(mean) : mean);
    constexpr double rounding = 1e-6;
    return balance > std::max(1 + result.options.imbalance, best / mean) + rounding;
}

void warn_of_imbalance(std::string_view what, double balance, Partition& result) {
    result.warnings.push_back(
        fmt::format("the largest part has {:.3f} times the mean {}: no better balance was found, "
                    "and {:.3f} were asked for",
                    balance, what, 1 + result.options.imbalance));
}

bool asked_for_balance(const Partition& result) {
    return result.options.method == PartitionMethod::metis ||
           result.options.method == PartitionMethod::scotch;
}

void measure_vertex_balance(Partition& result) {
    const auto vertices = static_cast<double>(result.part_of.size());
    const double balance = result.quality.vertex_balance;
    result.quality.weight_balance = balance;
    if (asked_for_balance(result) && is_missed(balance, 1, vertices, true, result)) {
        warn_of_imbalance("number of vertices", balance, result);
    }
}

/// The worst balance over the constraints of the vertex weights.
void measure_weight_balance(const Graph& graph, Partition& result) {
    const auto part = result.part_of.as<std::int32_t>();
    const bool whole = !is_float(graph.vertex_weights.type());
    double worst = 1;
    double missed = 0;
    bool asked = asked_for_balance(result);
    for (int c = 0; c < graph.constraints; ++c) {
        std::vector<double> shares(result.parts, 0);
        double heaviest = 0;
        double sum = 0;
        for (Index v = 0; v < result.part_of.size(); ++v) {
            const double weight = graph.vertex_weights.value_at(v * graph.constraints + c);
            shares[part[v]] += weight;
            heaviest = std::max(heaviest, weight);
            sum += weight;
        }
        const double balance = balance_of(shares);
        worst = std::max(worst, balance);
        if (!asked || sum == 0) continue;
        if (is_missed(balance, heaviest, sum, whole, result)) missed = std::max(missed, balance);
        asked = result.options.method == PartitionMethod::metis; // SCOTCH knows the first alone
    }
    result.quality.weight_balance = worst;
    if (missed > 0) warn_of_imbalance("vertex weight", missed, result);
}

} // namespace

void measure_partition(const Graph& graph, const Tensor& csr, Partition& result,
                       const Context& context) {
    const bool grid = result.options.method == PartitionMethod::block_2d;
    const Index groups_count = grid ? result.options.grid_rows : result.parts;
    const RowsOfParts groups = group_rows(result.part_of, groups_count, context);
    PartitionQuality& quality = result.quality;
    const std::vector<Index> sizes = sizes_of(groups);
    quality.vertex_balance = balance_of(sizes);
    visit_csr(csr, [&]<class Pos, class Crd>(const CsrView<Pos, Crd>& view) {
        Measurement<Pos, Crd> measurement(view, groups, csr.bytes() * 2, result, context);
        if (grid) {
            measurement.grid_blocks();
        } else if (!is_vertex_partition(graph, result)) {
            measurement.row_blocks();
        } else {
            // A list that says so is taken at its word; the others are looked at.
            const bool symmetric =
                graph.kind == EdgeKind::undirected ||
                (graph.kind == EdgeKind::directed && pattern_symmetric(csr, context));
            measurement.vertices(symmetric);
        }
    });
    quality.entry_balance = balance_of(result.entries_of_part);
    if (grid) {
        const RowsOfParts columns =
            group_rows(result.col_part_of, result.options.grid_cols, context);
        quality.vertex_balance = std::max(quality.vertex_balance, balance_of(sizes_of(columns)));
        quality.weight_balance = quality.vertex_balance;
        return;
    }
    result.vertices_of_part = sizes;
    const bool weighted = graph.constraints > 0 && !graph.vertex_weights.empty();
    if (weighted) measure_weight_balance(graph, result);
    else measure_vertex_balance(result);
}

} // namespace tropic
