// A graph with what was made from it: both ways round, in other widths and types, and the graphs
// that algorithms derive. Everything is made when first asked for and shared from then on. Safe to
// use from several threads: whoever comes second waits for what the first one makes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "graph/statistics/value_range.h"
#include "support/memory.h"
#include "tropic/graph.h"

namespace tropic::derived {

class GraphCache : public std::enable_shared_from_this<GraphCache> {
  public:
    explicit GraphCache(Graph graph);

    const Graph& graph() const noexcept { return graph_; }

    /// The neighbours of every row (inward: of every column), ascending.
    struct Side {
        Array pos;
        Array crd;
    };
    /// Throws Error(range) if 32 bits are not enough.
    Side side(bool inward, bool wide, const Context& context);

    /// The values in the order of a side; where the graph has none, ones.
    Array values(bool inward, ElementType type, const Context& context);

    /// The least (or largest) of the values as `type`, one element; NaN counts for nothing. Of no
    /// values, the largest (or least) of the type.
    Array extreme(bool largest, ElementType type, const Context& context);

    ValueRange value_range(const Context& context);

    /// How many neighbours the row (inward: the column) with the most has.
    Index longest(bool inward, const Context& context);

    /// Whether many neighbours have numbers close to each other, as in meshes and road networks
    /// whose numbers follow the map; found out by looking at some of them.
    bool numbered_closely(const Context& context);

    /// For every entry of the inward side, its number in the order of the rows.
    Array edge_numbers(bool wide, const Context& context);

    /// Whether the pattern (with `values`, the values too) equals its transpose.
    bool symmetric(bool values, const Context& context);
    /// Whether it is known to equal its transpose, values included. To find out takes longer than
    /// many an algorithm: whoever asks for the first time is told no, unless somebody knows.
    bool mirrored_by_now(const Context& context);

    /// "transpose", "symmetrised", "simple", "lower", "upper", "strict_lower", "strict_upper",
    /// "by_degree" (out-degree plus in-degree, the largest first, equal ones in their order),
    /// "oriented" or "pattern" of the graph; itself where that changes nothing.
    std::shared_ptr<GraphCache> derived(std::string_view name, const Context& context);

    /// Entries between two members; vertices keep their numbers. `bits` as in sets.
    std::shared_ptr<GraphCache> subgraph(const std::uint64_t* bits, const Context& context);
    /// Entries whose truth, in the order of the rows, is not 0.
    std::shared_ptr<GraphCache> filter(const std::uint8_t* kept, const Context& context);

    /// Of a graph that was renumbered: the old number of every vertex; empty: none was.
    const Array& old_of() const noexcept { return old_of_; }

    std::size_t derived_bytes() const;
    void forget();

    /// Keeps freed memory of the context for as long as this lives: runs on one graph want the same
    /// again.
    void keep_pages(const Context& context);

  private:
    std::shared_ptr<GraphCache> make(std::string_view name, const Context& context);
    std::shared_ptr<GraphCache> made(Tensor csr, std::string_view name) const;
    const Tensor& rows(const Context& context);
    const Tensor& columns(bool with_values, const Context& context);
    template <class Make> Array remembered(const std::string& what, const Make& make_it);
    bool has_loops(const Context& context);
    void stay_small(const Context& context);

    struct Pages {
        explicit Pages(std::shared_ptr<MemoryBudget> of);
        std::shared_ptr<MemoryBudget> budget;
        PagePool::Use use;
    };

    mutable std::recursive_mutex mutex_;
    Graph graph_;
    Array old_of_;
    std::optional<Tensor> rows_;    ///< csr, sorted
    std::optional<Tensor> columns_; ///< csc, sorted
    std::optional<bool> symmetric_pattern_;
    std::optional<bool> symmetric_values_;
    bool asked_for_mirror_ = false;
    std::optional<bool> loops_;
    std::optional<ValueRange> value_range_;
    std::optional<Index> longest_out_;
    std::optional<Index> longest_in_;
    std::optional<bool> numbered_closely_;
    std::map<std::string, Array, std::less<>> arrays_; ///< other widths and types, by what they are
    std::map<std::string, std::shared_ptr<GraphCache>, std::less<>> graphs_;
    std::unique_ptr<Pages> pages_;
};

} // namespace tropic::derived
