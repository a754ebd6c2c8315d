// How families write their edges. A family is a number of items (an edge of a random list, a vertex
// of a grid...) and a function that gives the edges of a range of items; this turns it into blocks
// of coordinates, in parallel, in item order, the same for every number of threads.
#pragma once

#include <atomic>
#include <vector>

#include "graph/generators/request.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic::generators {

/// What a family says about its edges.
struct EdgeSource {
    Index vertices = 0;
    Index items = 0;
    Index edges_per_item = 1; ///< at most; about so many if `counted`
    bool counted = false;     ///< the number of edges is found by a first pass
    Index edges_at_least = 0; ///< if counted: so many are sure, or next to; refused before counting
    bool random = false;      ///< the edges depend on the seed
    bool loops = false;       ///< self loops may come
    bool repeats = false;     ///< an edge may come twice
    bool lengths = false;     ///< edges come with a length, the weight unless another is asked for
};

/// The edges of an expression and what is to be made of them.
struct GeneratedEdges {
    CoordinateList list;
    EdgeKind kind = EdgeKind::undirected;
    Duplicates duplicates = Duplicates::keep; ///< the rule to build with
    Index generated = 0;                      ///< edges as they came from the family
    Index loops = 0;                          ///< self loops among them
    bool loops_dropped = false;
    std::uint64_t seed = 0;
    bool seed_used = false; ///< by edges or weights
};

/// Only counts edges.
struct EdgeCounter {
    Index count = 0;

    void operator()(Index, Index, std::int32_t = 0) noexcept { ++count; }
};

/// Writes edges to a block: both directions or one, self loops or not.
template <class T> struct EdgeWriter {
    T* from;
    T* to;
    std::int32_t* lengths; ///< nullptr without
    bool both;
    bool keep_loops;
    Index size = 0;
    Index generated = 0;

    void operator()(Index u, Index v, std::int32_t length = 0) noexcept {
        const bool keep = keep_loops || u != v;
        ++generated;
        if (lengths != nullptr) {
            lengths[size] = length;
            lengths[size + both] = length;
        }
        // Written before it is known whether they stay: no branch for the rare self loop.
        from[size] = static_cast<T>(u);
        to[size] = static_cast<T>(v);
        if (both) {
            from[size + 1] = static_cast<T>(v);
            to[size + 1] = static_cast<T>(u);
        }
        size += keep ? 1 + both : 0;
    }
};

/// Throws Error(out_of_memory) unless a list of that many edges and the positions of its rows fit.
/// For families with much work before their first edge; writing checks it in any case.
void require_room(const EdgeSource& source, const Request& request, const Context& context,
                  Index edges);

/// Lays out, allocates and finishes the blocks: all that does not depend on the family.
class EdgeListMaker {
  public:
    EdgeListMaker(const EdgeSource& source, const Request& request, const Context& context);

    Index blocks() const noexcept { return blocks_; }
    Index begin_of(Index block) const noexcept { return block * items_per_block_; }
    Index end_of(Index block) const noexcept {
        return std::min(source_.items, begin_of(block) + items_per_block_);
    }
    ElementType index_type() const noexcept { return list_.index_type; }

    /// With the exact number of edges of each block, if the source is counted. Throws
    /// Error(out_of_memory) before anything is allocated.
    void set_counts(std::vector<Index> counts);

    /// Allocates a block and gives the writer for it.
    template <class T> EdgeWriter<T> open(Index block) {
        CoordinateBlock& target = allocate(block);
        return {.from = target.coordinates[0].mutable_as<T>().data(),
                .to = target.coordinates[1].mutable_as<T>().data(),
                .lengths =
                    writes_lengths_ ? target.values.mutable_as<std::int32_t>().data() : nullptr,
                .both = both_,
                .keep_loops = keep_loops_};
    }
    void close(Index block, Index size, Index generated);

    GeneratedEdges finish();

  private:
    CoordinateBlock& allocate(Index block);

    EdgeSource source_;
    const Request& request_;
    const Context& context_;
    bool both_;
    bool keep_loops_;
    bool writes_lengths_;
    Index items_per_block_;
    Index blocks_;
    CoordinateList list_;
    std::vector<Index> counts_;
    std::vector<Index> generated_;
    std::atomic<Index> done_ = 0;
};

/// The edges of a family: `produce(begin, end, emit)` calls `emit(u, v)` or `emit(u, v, length)`
/// for every edge of the items from `begin` to `end`. It is called from several threads.
template <class Produce>
GeneratedEdges write_edges(const EdgeSource& source, const Request& request, const Context& context,
                           const Produce& produce) {
    EdgeListMaker maker(source, request, context);
    if (source.counted) {
        std::vector<Index> counts(maker.blocks());
        parallel_each(context, maker.blocks(), [&](Index block) {
            context.check_cancelled();
            EdgeCounter counter;
            produce(maker.begin_of(block), maker.end_of(block), counter);
            counts[block] = counter.count;
        });
        maker.set_counts(std::move(counts));
    }
    visit_index(maker.index_type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        parallel_each(context, maker.blocks(), [&](Index block) {
            EdgeWriter<T> writer = maker.open<T>(block);
            produce(maker.begin_of(block), maker.end_of(block), writer);
            maker.close(block, writer.size, writer.generated);
        });
    });
    return maker.finish();
}

} // namespace tropic::generators
