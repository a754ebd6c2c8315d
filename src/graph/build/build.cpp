#include "graph/build/build.h"

#include <algorithm>

#include <fmt/format.h>

#include "graph/build/assemble.h"
#include "graph/build/convert.h"
#include "graph/build/emit_coordinates.h"
#include "graph/build/emit_csr.h"
#include "graph/build/for_each_bucket.h"
#include "support/counted.h"
#include "tropic/error.h"

namespace tropic {

Index CoordinateList::entries() const noexcept {
    Index total = 0;
    for (const CoordinateBlock& block : blocks) total += block.size();
    return total;
}

namespace building {

namespace {

[[noreturn]] void fail_list(std::string message) {
    throw Error({.code = ErrorCode::usage,
                 .message = std::move(message),
                 .accepted = "blocks with one array of the list's index type for each dimension, "
                             "and values of the list's value type, all of one size"});
}

void require_consistent(const CoordinateList& list) {
    for (const Index extent : list.shape) {
        if (extent < 0) fail_list(fmt::format("a dimension of the list has extent {}", extent));
    }
    if (list.index_type != ElementType::int32 && list.index_type != ElementType::int64) {
        fail_list(fmt::format("the list's index type is {}", name_of(list.index_type)));
    }
    for (const CoordinateBlock& block : list.blocks) {
        bool right =
            block.coordinates.size() == list.shape.size() && block.values.type() == list.value_type;
        for (const Array& array : block.coordinates) {
            right = right && array.type() == list.index_type && array.size() == block.size();
        }
        if (!right) fail_list("a block of the coordinate list does not fit the list");
    }
}

/// The extents that keys must tell apart: the shape, or, where its keys would be too long, what the
/// coordinates really reach.
std::vector<Index> key_extents(const CoordinateList& list, const Format& format) {
    if (KeyLayout(list.shape, format.order).total <= 64) return list.shape;
    std::vector<Index> extents(list.shape.size(), 0);
    for (const CoordinateBlock& block : list.blocks) {
        for (int d = 0; d < list.rank(); ++d) {
            visit_index(list.index_type, [&](auto tag) {
                using T = typename decltype(tag)::type;
                for (const T c : block.coordinates[d].as<T>()) {
                    // Beyond the shape is found out later and must not make the key longer.
                    const Index reach = std::clamp<Index>(c, 0, list.shape[d] - 1) + 1;
                    extents[d] = std::max(extents[d], reach);
                }
            });
        }
    }
    return extents;
}

void fill_report(BuildReport* report, Index entries, Index merged) {
    if (report != nullptr) *report = {.entries_in = entries, .merged = merged};
}

template <class Word>
Tensor build_sorted(CoordinateList& list, const KeyLayout& layout, const Format& format,
                    Duplicates duplicates, const Tuning& tuning, const Context& context,
                    BuildReport* report) {
    const Index entries = list.entries();
    ListSource<Word> source(list, layout);
    const int value_bytes = static_cast<int>(size_of(list.value_type));
    CoordinateTarget target;
    {
        const KeyRange<Word> range{0, 0, low_mask<Word>(layout.total), layout.total, 0};
        const auto parts = partition<Word>(source, range, value_bytes, tuning, context);
        list.blocks.clear();
        target.layout = &layout;
        target.rule = duplicates;
        for (const int d : layout.order) {
            const Index last = std::max<Index>(list.shape[d] - 1, 0);
            target.coordinates.push_back(
                Array::allocate(index_type_for(last), entries, context, "sorted coordinates"));
        }
        target.values = Array::allocate(list.value_type, entries, context, "sorted values");
        CoordinateEmitter<Word> emitter(target, context);
        for_each_bucket(parts, tuning, context,
                        [&](const Bucket<Word>& bucket) { emitter.emit(bucket); });
    }
    require_no_overflow(target.overflows, list.value_type);
    for (Array& array : target.coordinates) target.gaps.close(array);
    target.gaps.close(target.values);
    fill_report(report, entries, target.gaps.dropped());
    return assemble({std::move(list.shape), std::move(target.coordinates), std::move(target.values),
                     !target.repeated},
                    format, context);
}

} // namespace

Tensor build_csr(EntrySource<std::uint64_t>& source, Index rows, Index cols,
                 std::vector<Index> shape, const Format& format, ElementType value_type,
                 Duplicates duplicates, const Tuning& tuning, const Context& context,
                 BuildReport* report) {
    const Index entries = source.entries();
    const int col_bits = bits_below(cols);
    const int key_bits = bits_below(rows) + col_bits;
    CsrTarget target;
    target.rows = rows;
    target.col_bits = col_bits;
    target.rule = duplicates;
    {
        const KeyRange<std::uint64_t> range{0, 0, low_mask<std::uint64_t>(key_bits), key_bits, 0};
        const auto parts =
            partition(source, range, static_cast<int>(size_of(value_type)), tuning, context);
        target.pos = Array::allocate(index_type_for(entries), rows + 1, context, "row positions");
        target.crd = Array::allocate(index_type_for(std::max<Index>(cols - 1, 0)), entries, context,
                                     "column indices");
        target.values = Array::allocate(value_type, entries, context, "values");
        visit_index(target.pos.type(), [&](auto tag) {
            using Pos = typename decltype(tag)::type;
            target.pos.mutable_as<Pos>()[rows] = static_cast<Pos>(entries);
        });
        CsrEmitter emitter(target, context);
        for_each_bucket(parts, tuning, context,
                        [&](const Bucket<std::uint64_t>& bucket) { emitter.emit(bucket); });
    }
    require_no_overflow(target.overflows, value_type);
    target.gaps.move_positions(target.pos, context);
    target.gaps.close(target.crd);
    target.gaps.close(target.values);
    fill_report(report, entries, target.gaps.dropped());
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, std::move(target.pos), std::move(target.crd)};
    return {std::move(shape),         format,           std::move(levels),
            std::move(target.values), !target.repeated, true};
}

Tensor build_tuned(CoordinateList list, const Format& format, Duplicates duplicates,
                   const Tuning& tuning, const Context& context, BuildReport* report) {
    require_buildable(format, list.rank());
    require_consistent(list);
    require_room(list.shape, format, list.entries(), list.value_type, context);
    const KeyLayout layout(key_extents(list, format), format.order);
    if (layout.total > widest_key) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("the coordinates of an entry take {} bits, and at most {} are "
                                "supported",
                                layout.total, widest_key),
                    "close the gaps between the ids of each dimension first");
    }
    if (is_csr_like(format) && KeyLayout(list.shape, format.order).total <= 64) {
        ListSource<std::uint64_t> source(list, layout);
        return build_csr(source, list.shape[format.order[0]], list.shape[format.order[1]],
                         list.shape, format, list.value_type, duplicates, tuning, context, report);
    }
    if (layout.total <= 64) {
        return build_sorted<std::uint64_t>(list, layout, format, duplicates, tuning, context,
                                           report);
    }
    return build_sorted<Wide>(list, layout, format, duplicates, tuning, context, report);
}

} // namespace building

Tensor build(CoordinateList list, const Format& format, Duplicates duplicates,
             const Context& context, BuildReport* report) {
    return building::build_tuned(std::move(list), format, duplicates, {}, context, report);
}

Tensor matrix_from_edges(Index rows, Index cols, const Array& from, const Array& to,
                         const Array& weights, const Format& format, Duplicates duplicates,
                         const Context& context, BuildReport* report) {
    const auto is_index = [](const Array& array) {
        return array.type() == ElementType::int32 || array.type() == ElementType::int64;
    };
    const bool weighted = weights.type() != ElementType::pattern;
    if (!is_index(from) || !is_index(to)) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("edges are given as {} and {}", name_of(from.type()),
                                            name_of(to.type())),
                     .accepted = "int32 or int64"});
    }
    if (from.size() != to.size() || (weighted && weights.size() != from.size())) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format(
                         "{}, {} and {} are given", counted(from.size(), "sources"),
                         counted(to.size(), "targets"), counted(weights.size(), "weights")),
                     .accepted = "as many of each (weights may be left out)"});
    }
    CoordinateList list;
    list.shape = {rows, cols};
    list.index_type = from.type() == to.type() ? from.type() : ElementType::int64;
    list.value_type = weights.type();
    list.blocks.push_back(
        {{cast(from, list.index_type, context), cast(to, list.index_type, context)},
         weighted ? weights
                  : Array::allocate(ElementType::pattern, from.size(), context, "no weights")});
    return build(std::move(list), format, duplicates, context, report);
}

} // namespace tropic
