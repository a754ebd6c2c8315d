#include "graph/generators/edge_list.h"

#include <numeric>

#include <fmt/format.h>

#include "graph/generators/registry.h"
#include "support/memory.h"

namespace tropic::generators {

namespace {

/// 0 weights: nothing the seed could change.
bool weights_use_seed(const WeightRule& rule) {
    return rule.kind == WeightKind::integers || rule.kind == WeightKind::reals;
}

} // namespace

EdgeListMaker::EdgeListMaker(const EdgeSource& source, const Request& request,
                             const Context& context)
    : source_(source), request_(request), context_(context),
      both_(!request.directed() && !request.raw()),
      keep_loops_(request.raw() || request.generator().direction == Direction::directed),
      writes_lengths_(source.lengths && request.weights().kind == WeightKind::own),
      items_per_block_(std::max<Index>(1, request.layout().edges_per_block /
                                              std::max<Index>(1, source.edges_per_item))),
      blocks_(source.items / items_per_block_ + (source.items % items_per_block_ != 0 ? 1 : 0)) {
    list_.shape = {source.vertices, source.vertices};
    list_.index_type =
        request.layout().wide_indices ? ElementType::int64 : index_type_for(source.vertices);
    list_.value_type = writes_lengths_ ? ElementType::int32 : request.weights().type();
    require_room(source.counted ? source.items
                                : request.product(source.items, source.edges_per_item, "edges"));
    list_.blocks.resize(blocks_);
    generated_.resize(blocks_);
}

/// The list and the row positions of the graph must fit; the graph itself takes the list's place.
void EdgeListMaker::require_room(Index edges) const {
    const std::size_t entry = 2 * size_of(list_.index_type) + size_of(list_.value_type);
    const Wide bytes = static_cast<Wide>(edges) * (both_ ? 2 : 1) * entry +
                       static_cast<Wide>(source_.vertices) * size_of(list_.index_type);
    const auto most = std::numeric_limits<std::uint64_t>::max();
    context_.budget()->require(bytes > most ? most : static_cast<std::uint64_t>(bytes),
                               request_.text());
}

void EdgeListMaker::set_counts(std::vector<Index> counts) {
    counts_ = std::move(counts);
    require_room(std::accumulate(counts_.begin(), counts_.end(), Index{0}));
}

CoordinateBlock& EdgeListMaker::allocate(Index block) {
    context_.check_cancelled();
    const Index edges = source_.counted
                            ? counts_[block]
                            : (end_of(block) - begin_of(block)) * source_.edges_per_item;
    const Index size = both_ ? 2 * edges : edges;
    CoordinateBlock& target = list_.blocks[block];
    target.coordinates.resize(2);
    for (Array& coordinates : target.coordinates) {
        coordinates = Array::allocate(list_.index_type, size, context_, "generated edges");
    }
    target.values = Array::allocate(list_.value_type, size, context_, "generated weights");
    return target;
}

void EdgeListMaker::close(Index block, Index size, Index generated) {
    CoordinateBlock& target = list_.blocks[block];
    if (size < target.size()) {
        for (Array& coordinates : target.coordinates) coordinates.shrink(size);
        target.values.shrink(size);
    }
    generated_[block] = generated;
    if (weights_use_seed(request_.weights())) {
        fill_weights(request_.weights(), request_.random(Stream::weights), !request_.directed(),
                     target);
    }
    const Index items = end_of(block) - begin_of(block);
    context_.report("generating", static_cast<std::uint64_t>(done_ += items),
                    static_cast<std::uint64_t>(source_.items));
}

GeneratedEdges EdgeListMaker::finish() {
    GeneratedEdges result;
    result.generated = std::accumulate(generated_.begin(), generated_.end(), Index{0});
    Index stored = 0;
    for (const CoordinateBlock& block : list_.blocks) stored += block.size();
    result.loops_dropped = source_.loops && !keep_loops_;
    result.loops = result.loops_dropped ? result.generated - stored / (both_ ? 2 : 1) : 0;
    result.kind = request_.directed() ? EdgeKind::directed
                  : request_.raw()    ? EdgeKind::undirected_once
                                      : EdgeKind::undirected;
    // Equal entries have equal weights, so it does not matter which one stays.
    result.duplicates = source_.repeats && !request_.raw() ? Duplicates::first : Duplicates::keep;
    result.seed = request_.seed();
    result.seed_used = request_.generator().random || weights_use_seed(request_.weights());
    std::erase_if(list_.blocks, [](const CoordinateBlock& block) { return block.size() == 0; });
    result.list = std::move(list_);
    return result;
}

} // namespace tropic::generators
