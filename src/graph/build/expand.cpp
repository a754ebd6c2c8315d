#include "graph/build/expand.h"

#include <algorithm>

#include "graph/build/list_block.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"

namespace tropic {

namespace building {

template <class T>
void expand(const Tensor& tensor, Index begin, Index end, const std::vector<T*>& out) {
    const Index size = end - begin;
    if (size <= 0) return;
    // Walking outwards, at[i] is the position of entry i in the level at hand.
    std::vector<Index> at(size);
    for (Index i = 0; i < size; ++i) at[i] = begin + i;
    for (int l = tensor.rank() - 1; l >= 0; --l) {
        const Level& level = tensor.level(l);
        T* coordinates = out[l];
        if (level.kind == LevelKind::dense) {
            const Index extent = tensor.dim(tensor.format().order[l]);
            for (Index i = 0; i < size; ++i) {
                coordinates[i] = static_cast<T>(at[i] % extent);
                at[i] /= extent;
            }
            continue;
        }
        visit_index(level.crd.type(), [&](auto tag) {
            const auto crd = level.crd.as<typename decltype(tag)::type>();
            for (Index i = 0; i < size; ++i) coordinates[i] = static_cast<T>(crd[at[i]]);
        });
        if (level.kind == LevelKind::singleton) continue;
        visit_index(level.pos.type(), [&](auto tag) {
            const auto pos = level.pos.as<typename decltype(tag)::type>();
            // Positions never descend from one entry to the next, so neither do their parents.
            Index parent = std::upper_bound(pos.begin(), pos.end(), at[0]) - pos.begin() - 1;
            for (Index i = 0; i < size; ++i) {
                while (static_cast<Index>(pos[parent + 1]) <= at[i]) ++parent;
                at[i] = parent;
            }
        });
    }
}

template void expand(const Tensor&, Index, Index, const std::vector<std::int32_t*>&);
template void expand(const Tensor&, Index, Index, const std::vector<std::int64_t*>&);

namespace {

ElementType widest_index(const Tensor& tensor) {
    Index largest = 0;
    for (const Index extent : tensor.shape()) largest = std::max(largest, extent - 1);
    return index_type_for(largest);
}

/// Calls action(begin, end) for pieces of the entries, in parallel.
template <class Action>
void for_each_piece(const Tensor& tensor, const Context& context, const Action& action) {
    const Index pieces = (tensor.entries() + list_block - 1) / list_block;
    parallel_each(context, pieces, [&](Index piece) {
        context.check_cancelled();
        const Index begin = piece * list_block;
        action(piece, begin, std::min(tensor.entries(), begin + list_block));
    });
}

} // namespace

SortedEntries expanded(const Tensor& tensor, const Context& context) {
    SortedEntries result;
    result.shape = tensor.shape();
    result.values = tensor.values();
    result.unique = tensor.unique();
    const ElementType type = widest_index(tensor);
    for (int l = 0; l < tensor.rank(); ++l) {
        result.coordinates.push_back(
            Array::allocate(type, tensor.entries(), context, "sorted coordinates"));
    }
    visit_index(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        for_each_piece(tensor, context, [&](Index, Index begin, Index end) {
            std::vector<T*> out;
            out.reserve(result.coordinates.size());
            for (Array& array : result.coordinates) {
                out.push_back(array.template mutable_as<T>().data() + begin);
            }
            expand<T>(tensor, begin, end, out);
        });
    });
    // Each level in the type of its own extent, so that formats look the same however they were
    // made.
    for (int l = 0; l < tensor.rank(); ++l) {
        const Index extent = tensor.dim(tensor.format().order[l]);
        result.coordinates[l] =
            cast(result.coordinates[l], index_type_for(std::max<Index>(extent - 1, 0)), context);
    }
    return result;
}

} // namespace building

CoordinateList coordinates_of(const Tensor& tensor, const Context& context) {
    using namespace building;
    CoordinateList list;
    list.shape = tensor.shape();
    list.value_type = tensor.type();
    list.index_type = widest_index(tensor);
    list.blocks.resize((tensor.entries() + list_block - 1) / list_block);
    for_each_piece(tensor, context, [&](Index piece, Index begin, Index end) {
        CoordinateBlock& block = list.blocks[piece];
        block.coordinates.resize(tensor.rank());
        visit_index(list.index_type, [&](auto tag) {
            using T = typename decltype(tag)::type;
            std::vector<T*> out;
            for (const int d : tensor.format().order) {
                block.coordinates[d] =
                    Array::allocate(list.index_type, end - begin, context, "a coordinate list");
                out.push_back(block.coordinates[d].template mutable_as<T>().data());
            }
            expand<T>(tensor, begin, end, out);
        });
        // A part of the tensor's own values, kept alive with it.
        const auto* values = static_cast<const std::byte*>(tensor.values().data());
        block.values = tensor.is_pattern()
                           ? Array::allocate(ElementType::pattern, end - begin, context, "")
                           : Array::borrow(tensor.type(), values + begin * size_of(tensor.type()),
                                           end - begin, std::make_shared<Array>(tensor.values()));
    });
    return list;
}

} // namespace tropic
