// k-way partitioning with METIS.
//
// METIS finds k parts by recursive bisection of a coarse graph and prints to standard output when a
// bisection leaves nothing to cut for a side that should become several parts. That happens where
// single vertices weigh about as much as a part. Such graphs are bisected here, by METIS but one
// cut at a time, until every piece is either safe or small; every part then gets a vertex.
#include <bit>
#include <cmath>
#include <mutex>
#include <numeric>

#include <fmt/format.h>
#include <metis.h>

#include "graph/partition/adjacency.h"
#include "graph/partition/methods.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS is expected with 32-bit indices");

/// A part is safe from coming out empty if no vertex is heavier than this share of it.
constexpr Index safe_share = 20;

/// METIS keeps its random numbers and its signal handlers in the process.
std::mutex& metis_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// A graph in METIS' arrays; empty spans stand for all ones.
struct Problem {
    std::span<const idx_t> pos;
    std::span<const idx_t> adj;
    std::span<const idx_t> edge_weights;
    idx_t constraints = 1;
    std::span<const idx_t> weights;
    std::span<const idx_t> sizes;

    Index vertices() const { return static_cast<Index>(pos.size()) - 1; }
    Index weight(Index v, idx_t c) const {
        return weights.empty() ? 1 : weights[v * constraints + c];
    }
};

/// A problem with arrays of its own: some vertices of a larger one.
struct Piece {
    std::vector<idx_t> ids; ///< in the whole graph
    std::vector<idx_t> pos = {0};
    std::vector<idx_t> adj;
    std::vector<idx_t> edge_weights;
    std::vector<idx_t> weights;
    std::vector<idx_t> sizes;

    Problem problem(idx_t constraints) const {
        return {pos, adj, edge_weights, constraints, weights, sizes};
    }
};

[[noreturn]] void fail(int code) {
    if (code == METIS_ERROR_MEMORY) {
        throw Error(ErrorCode::out_of_memory, "METIS found no more memory",
                    "partition with scotch or into blocks");
    }
    throw Error(ErrorCode::internal, fmt::format("METIS failed with code {}", code),
                "partition with scotch or into blocks");
}

/// One call of METIS. `shares`: the share of the weight for every part and constraint, empty for
/// equal ones.
void call_metis(const Problem& problem, Index parts, std::span<const real_t> shares,
                double tolerance, std::uint64_t seed, std::span<idx_t> part_of) {
    auto vertices = static_cast<idx_t>(problem.vertices());
    idx_t constraints = problem.constraints;
    auto count = static_cast<idx_t>(parts);
    std::vector<real_t> tolerances(constraints, static_cast<real_t>(tolerance));
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_DBGLVL] = 0;
    options[METIS_OPTION_SEED] = static_cast<idx_t>((seed ^ (seed >> 31)) & 0x7fffffff);
    options[METIS_OPTION_OBJTYPE] = problem.sizes.empty() ? METIS_OBJTYPE_CUT : METIS_OBJTYPE_VOL;
    // METIS takes pointers to non-const and leaves these arrays as they are.
    const auto pointer = [](std::span<const idx_t> span) {
        return span.empty() ? nullptr : const_cast<idx_t*>(span.data());
    };
    idx_t no_neighbour = 0;
    idx_t objective = 0;
    const std::scoped_lock lock(metis_mutex());
    const int code = METIS_PartGraphKway(
        &vertices, &constraints, pointer(problem.pos),
        problem.adj.empty() ? &no_neighbour : pointer(problem.adj), pointer(problem.weights),
        pointer(problem.sizes), problem.sizes.empty() ? pointer(problem.edge_weights) : nullptr,
        &count, shares.empty() ? nullptr : const_cast<real_t*>(shares.data()), tolerances.data(),
        options.data(), &objective, part_of.data());
    if (code != METIS_OK) fail(code);
}

bool is_safe(const Problem& problem, Index parts) {
    for (idx_t c = 0; c < problem.constraints; ++c) {
        Index sum = 0;
        Index largest = 0;
        for (Index v = 0; v < problem.vertices(); ++v) {
            sum += problem.weight(v, c);
            largest = std::max(largest, problem.weight(v, c));
        }
        if (largest * safe_share * parts > sum) return false;
    }
    return problem.vertices() >= safe_share * parts;
}

/// Bisections on the way to the smallest of so many parts.
int levels_of(Index parts) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts - 1)));
}

/// The vertices of a problem with that label.
Piece extract(const Problem& whole, std::span<const idx_t> ids, std::span<const idx_t> labels,
              idx_t label) {
    Piece piece;
    std::vector<idx_t> place(labels.size());
    for (Index v = 0; v < whole.vertices(); ++v) {
        if (labels[v] != label) continue;
        place[v] = static_cast<idx_t>(piece.ids.size());
        piece.ids.push_back(ids[v]);
        for (idx_t c = 0; c < whole.constraints && !whole.weights.empty(); ++c) {
            piece.weights.push_back(whole.weights[v * whole.constraints + c]);
        }
        if (!whole.sizes.empty()) piece.sizes.push_back(whole.sizes[v]);
    }
    for (Index v = 0; v < whole.vertices(); ++v) {
        if (labels[v] != label) continue;
        for (idx_t e = whole.pos[v]; e < whole.pos[v + 1]; ++e) {
            if (labels[whole.adj[e]] != label) continue;
            piece.adj.push_back(place[whole.adj[e]]);
            if (!whole.edge_weights.empty()) piece.edge_weights.push_back(whole.edge_weights[e]);
        }
        piece.pos.push_back(static_cast<idx_t>(piece.adj.size()));
    }
    return piece;
}

/// Moves the lightest vertices over until `label` has at least `wanted`.
void top_up(const Problem& problem, std::span<idx_t> labels, idx_t label, Index wanted) {
    Index missing = wanted - std::count(labels.begin(), labels.end(), label);
    if (missing <= 0) return;
    std::vector<idx_t> others;
    for (std::size_t v = 0; v < labels.size(); ++v) {
        if (labels[v] != label) others.push_back(static_cast<idx_t>(v));
    }
    std::sort(others.begin(), others.end(), [&](idx_t a, idx_t b) {
        const Index left = problem.weight(a, 0);
        const Index right = problem.weight(b, 0);
        return left != right ? left < right : a < b;
    });
    for (Index i = 0; i < missing; ++i) labels[others[i]] = label;
}

class Bisection {
  public:
    Bisection(std::uint64_t seed, double level_tolerance, std::span<std::int32_t> part_of,
              const Context& context)
        : seed_(seed), level_tolerance_(level_tolerance), part_of_(part_of), context_(context) {}

    /// Needs at least as many vertices as parts.
    void solve(const Problem& problem, std::span<const idx_t> ids, Index parts, idx_t first) {
        context_.check_cancelled();
        const Index vertices = problem.vertices();
        if (parts == 1 || parts == vertices) {
            for (Index v = 0; v < vertices; ++v) {
                part_of_[ids[v]] = first + (parts == 1 ? 0 : static_cast<idx_t>(v));
            }
            return;
        }
        std::vector<idx_t> labels(vertices);
        if (is_safe(problem, parts)) {
            const int levels = levels_of(parts);
            call_metis(problem, parts, {}, std::pow(level_tolerance_, levels), seed_, labels);
            for (Index v = 0; v < vertices; ++v) part_of_[ids[v]] = first + labels[v];
            return;
        }
        const Index left = parts / 2;
        const Index right = parts - left;
        std::vector<real_t> shares;
        for (const Index side : {left, right}) {
            shares.insert(shares.end(), problem.constraints,
                          static_cast<real_t>(side) / static_cast<real_t>(parts));
        }
        call_metis(problem, 2, shares, level_tolerance_, seed_, labels);
        top_up(problem, labels, 0, left);
        top_up(problem, labels, 1, right);
        for (const idx_t label : {0, 1}) {
            const Piece piece = extract(problem, ids, labels, label);
            solve(piece.problem(problem.constraints), piece.ids, label == 0 ? left : right,
                  label == 0 ? first : first + static_cast<idx_t>(left));
        }
    }

  private:
    std::uint64_t seed_;
    double level_tolerance_;
    std::span<std::int32_t> part_of_;
    const Context& context_;
};

/// In volume mode METIS weighs an edge by the sizes of both its ends; these sums must fit.
void fit_sizes(const Adjacency& adjacency, Array& sizes, const Context& context) {
    const auto old = sizes.as<std::int32_t>();
    const auto pos = adjacency.pos();
    double sum = 0;
    for (Index v = 0; v < adjacency.vertices(); ++v) {
        sum += 2.0 * old[v] * (pos[v + 1] - pos[v]);
    }
    const auto limit = static_cast<double>(largest_weight_sum);
    if (sum <= limit) return;
    Array fitted = Array::copy_of<std::int32_t>(old, context, "vertex sizes to partition by");
    for (std::int32_t& size : fitted.mutable_as<std::int32_t>()) {
        size = static_cast<std::int32_t>(size * (limit / sum));
    }
    sizes = std::move(fitted);
}

/// What METIS takes for its coarser graphs and its refinement, by measurement: 25 bytes for each
/// neighbour in a grid, up to 66 in random and power-law graphs, which hardly become smaller.
std::uint64_t memory_of_metis(const Adjacency& adjacency, int constraints, Index parts) {
    const auto vertices = static_cast<std::uint64_t>(adjacency.vertices());
    const auto neighbours = static_cast<std::uint64_t>(adjacency.neighbours.size());
    return neighbours * 64 + vertices * (32 + 16 * static_cast<std::uint64_t>(constraints)) +
           static_cast<std::uint64_t>(parts) * 64;
}

} // namespace

void partition_metis(const Graph& graph, const Tensor& csr, Partition& result,
                     const Context& context) {
    const Adjacency adjacency = adjacency_for("METIS", csr, result, context);
    VertexWeights weights = vertex_weights_for("METIS", graph, result, context);
    if (!weights.sizes.empty()) {
        fit_sizes(adjacency, weights.sizes, context);
        result.steps.push_back({"minimised communication by vertex sizes with METIS",
                                {{"vertices", adjacency.vertices()}}});
    }
    constexpr std::string_view purpose = "partitioning with METIS";
    const std::uint64_t memory = memory_of_metis(adjacency, weights.constraints, result.parts);
    const MemoryCharge charge(context.budget(), memory, purpose);
    require_of_limits(memory, purpose);
    const auto ints = [](const Array& array) {
        return array.empty() ? std::span<const idx_t>() : array.as<std::int32_t>();
    };
    const Problem problem = {adjacency.pos(),
                             adjacency.adj(),
                             ints(adjacency.edge_weights),
                             std::max(weights.constraints, 1),
                             ints(weights.weights),
                             ints(weights.sizes)};
    result.part_of = Array::allocate(ElementType::int32, adjacency.vertices(), context,
                                     "the parts of the vertices");
    const auto part_of = result.part_of.mutable_as<std::int32_t>();
    const double tolerance = 1 + result.options.imbalance;
    if (is_safe(problem, result.parts)) {
        call_metis(problem, result.parts, {}, tolerance, result.options.seed, part_of);
    } else {
        const int levels = levels_of(result.parts);
        std::vector<idx_t> ids(adjacency.vertices());
        std::iota(ids.begin(), ids.end(), 0);
        Bisection(result.options.seed, std::pow(tolerance, 1.0 / levels), part_of, context)
            .solve(problem, ids, result.parts, 0);
    }
    // With vertex sizes METIS looks at no edge weights.
    if (!problem.edge_weights.empty() && problem.sizes.empty()) {
        result.quality.cut_weight = weight_of_cut(csr, adjacency, result.part_of, context);
    }
}

} // namespace tropic
