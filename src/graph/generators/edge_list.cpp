#include "graph/generators/edge_list.h"

#include <numeric>

#include <fmt/format.h>

#include "graph/generators/registry.h"
#include "support/memory.h"

namespace tropic::generators {

namespace {

bool weights_use_seed(const WeightRule& rule) {
    return rule.kind == WeightKind::integers || rule.kind == WeightKind::reals;
}

bool stores_both(const Request& request) {
    return !request.directed() && !request.raw();
}

bool writes_lengths(const EdgeSource& source, const Request& request) {
    return source.lengths && request.weights().kind == WeightKind::own;
}

ElementType index_type_of(const EdgeSource& source, const Request& request) {
    return request.layout().wide_indices ? ElementType::int64 : index_type_for(source.vertices);
}

ElementType value_type_of(const EdgeSource& source, const Request& request) {
    return writes_lengths(source, request) ? ElementType::int32 : request.weights().type();
}

} // namespace

void require_room(const EdgeSource& source, const Request& request, const Context& context,
                  Index edges) {
    const std::size_t index = size_of(index_type_of(source, request));
    const std::size_t entry = 2 * index + size_of(value_type_of(source, request));
    const Wide bytes =
        static_cast<Wide>(std::max<Index>(0, edges)) * (stores_both(request) ? 2 : 1) * entry +
        static_cast<Wide>(source.vertices) * index;
    const auto most = std::numeric_limits<std::uint64_t>::max();
    context.budget()->require(bytes > most ? most : static_cast<std::uint64_t>(bytes),
                              request.text());
}

EdgeListMaker::EdgeListMaker(const EdgeSource& source, const Request& request,
                             const Context& context)
    : source_(source), request_(request), context_(context), both_(stores_both(request)),
      keep_loops_(request.raw() || request.generator().direction == Direction::directed),
      writes_lengths_(writes_lengths(source, request)),
      items_per_block_(std::max<Index>(1, request.layout().edges_per_block /
                                              std::max<Index>(1, source.edges_per_item))),
      blocks_(source.items / items_per_block_ + (source.items % items_per_block_ != 0 ? 1 : 0)) {
    list_.shape = {source.vertices, source.vertices};
    list_.index_type = index_type_of(source, request);
    list_.value_type = value_type_of(source, request);
    require_room(source, request, context,
                 source.counted ? source.edges_at_least
                                : request.product(source.items, source.edges_per_item, "edges"));
    list_.blocks.resize(blocks_);
    generated_.resize(blocks_);
}

void EdgeListMaker::set_counts(std::vector<Index> counts) {
    counts_ = std::move(counts);
    require_room(source_, request_, context_,
                 std::accumulate(counts_.begin(), counts_.end(), Index{0}));
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
    result.seed_used = source_.random || weights_use_seed(request_.weights());
    std::erase_if(list_.blocks, [](const CoordinateBlock& block) { return block.size() == 0; });
    result.list = std::move(list_);
    return result;
}

} // namespace tropic::generators
