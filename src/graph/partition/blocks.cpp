// Blocks of consecutive rows, or of rows and columns, possibly after a random permutation.
#include <fmt/format.h>

#include "graph/partition/methods.h"
#include "graph/partition/shuffle.h"
#include "graph/statistics/degrees.h"
#include "support/parallel.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 14;

/// The blocks of n things in k blocks that differ by one at most, the larger ones first.
class EvenBlocks {
  public:
    EvenBlocks(Index n, Index k) : small_(n / k), large_count_(n % k) {}

    Index block_of(Index position) const {
        const Index in_large = large_count_ * (small_ + 1);
        if (position < in_large) return position / (small_ + 1);
        return large_count_ + (position - in_large) / small_;
    }

  private:
    Index small_;
    Index large_count_;
};

template <class BlockOf> Array blocks_by(Index n, const Context& context, const BlockOf& block_of) {
    Array result = Array::allocate(ElementType::int32, n, context, "the parts of the vertices");
    const auto parts = result.mutable_as<std::int32_t>();
    parallel_ranges(context, n, grain, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) parts[v] = static_cast<std::int32_t>(block_of(v));
    });
    return result;
}

Array even_blocks(Index n, Index k, const Context& context) {
    const EvenBlocks blocks(n, k);
    return blocks_by(n, context, [&](Index v) { return blocks.block_of(v); });
}

Array random_blocks(Index n, Index k, std::uint64_t seed, const Context& context) {
    const EvenBlocks blocks(n, k);
    const Shuffle shuffle(n, seed);
    return blocks_by(n, context, [&](Index v) { return blocks.block_of(shuffle(v)); });
}

/// Cuts where the entries before a row come nearest to equal shares. `before(v)`: entries of rows
/// 0 to v - 1.
template <class Before>
Array weighted_blocks(Index n, Index k, const Before& before, const Context& context) {
    const Index total = before(n);
    if (total == 0) return even_blocks(n, k, context);
    std::vector<Index> cuts(k + 1, 0);
    cuts[k] = n;
    for (Index b = 1; b < k; ++b) {
        const auto target = static_cast<Index>(static_cast<long double>(total) * b / k);
        Index low = cuts[b - 1];
        Index high = n;
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (before(middle) < target) low = middle + 1;
            else high = middle;
        }
        const bool previous_is_nearer =
            low > cuts[b - 1] && target - before(low - 1) < before(low) - target;
        cuts[b] = previous_is_nearer ? low - 1 : low;
    }
    Array result = Array::allocate(ElementType::int32, n, context, "the parts of the vertices");
    const auto parts = result.mutable_as<std::int32_t>();
    parallel_ranges(context, k, 16, [&](Index begin, Index end) {
        for (Index b = begin; b < end; ++b) {
            std::fill(parts.begin() + cuts[b], parts.begin() + cuts[b + 1],
                      static_cast<std::int32_t>(b));
        }
    });
    return result;
}

Array blocks_of_rows(const Tensor& csr, Index k, const PartitionOptions& options,
                     const Context& context) {
    const Index n = csr.dim(0);
    switch (options.balance) {
    case BlockBalance::random:
        return random_blocks(n, k, options.seed, context);
    case BlockBalance::entries:
        return visit_csr(csr, [&](const auto& view) {
            return weighted_blocks(n, k, [&](Index v) { return Index{view.pos[v]}; }, context);
        });
    case BlockBalance::vertices:
        break;
    }
    return even_blocks(n, k, context);
}

Array blocks_of_columns(const Tensor& csr, bool square, Index k, const PartitionOptions& options,
                        const Context& context) {
    const Index n = csr.dim(1);
    switch (options.balance) {
    case BlockBalance::random: {
        // The columns of a square matrix are its rows' vertices and move with them.
        return random_blocks(n, k, square ? options.seed : options.seed + 1, context);
    }
    case BlockBalance::entries: {
        const Array degrees = inner_degrees(csr, context);
        Array sums = Array::allocate(ElementType::int64, n + 1, context, "entries before columns");
        const auto before = sums.mutable_as<Index>();
        before[0] = 0;
        for (Index j = 0; j < n; ++j) before[j + 1] = before[j] + degrees.index_at(j);
        return weighted_blocks(n, k, [&](Index v) { return before[v]; }, context);
    }
    case BlockBalance::vertices:
        break;
    }
    return even_blocks(n, k, context);
}

} // namespace

void partition_blocks(const Graph& graph, const Tensor& csr, Partition& result,
                      const Context& context) {
    const PartitionOptions& options = result.options;
    if (options.method == PartitionMethod::block_1d) {
        result.part_of = blocks_of_rows(csr, result.parts, options, context);
        return;
    }
    result.part_of = blocks_of_rows(csr, options.grid_rows, options, context);
    result.col_part_of =
        blocks_of_columns(csr, graph.is_square(), options.grid_cols, options, context);
}

} // namespace tropic
