#include "graph/files/id_gaps.h"

#include <atomic>
#include <bit>

#include "support/parallel.h"

namespace tropic {

namespace {

constexpr std::uint64_t ids_per_word = 32;
constexpr std::uint64_t marks = 0xffffffff;
constexpr Index word_grain = 1 << 14;

/// Calls `action(span of ids)` for these dimensions of a block.
template <class Action>
void each_array(const CoordinateBlock& block, std::span<const int> dimensions,
                const Action& action) {
    for (const int d : dimensions) {
        const Array& array = block.coordinates[d];
        visit_index(array.type(),
                    [&](auto tag) { action(array.as<typename decltype(tag)::type>()); });
    }
}

Index coordinate_count(std::span<const CoordinateBlock> blocks, std::size_t dimensions) {
    Index entries = 0;
    for (const CoordinateBlock& block : blocks) entries += block.size();
    return entries * static_cast<Index>(dimensions);
}

} // namespace

IdMap::IdMap(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions,
             IdRange range, const Context& context) {
    if (range.largest < 0) return;
    first_ = range.smallest;
    span_ = static_cast<std::uint64_t>(range.largest - range.smallest) + 1;
    // The bitmap costs 2 bits for each id of the range; it may take as much memory as the ids.
    const Index ids = coordinate_count(blocks, dimensions.size());
    const auto affordable = std::max<std::uint64_t>(1 << 22, static_cast<std::uint64_t>(ids) * 16);
    if (span_ <= std::min(affordable, marks)) {
        mark(blocks, dimensions, context);
        rank_marks(context);
    } else {
        sort(blocks, dimensions, context);
    }
    gaps_ = static_cast<Index>(span_ - static_cast<std::uint64_t>(count_));
    if (gaps_ == 0) words_ = table_ = directory_ = Array();
}

void IdMap::mark(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions,
                 const Context& context) {
    const auto size = static_cast<Index>((span_ + ids_per_word - 1) / ids_per_word);
    words_ = Array::zeros(ElementType::uint64, size, context, "the map of ids in use");
    const auto words = words_.mutable_as<std::uint64_t>();
    const auto mark_all = [&](auto ids) {
        for (const Index id : ids) {
            const auto at = static_cast<std::uint64_t>(id - first_);
            const std::uint64_t bit = std::uint64_t{1} << (at % ids_per_word);
            const std::atomic_ref<std::uint64_t> word(words[at / ids_per_word]);
            // Looking first keeps popular words shared between the threads' caches.
            if ((word.load(std::memory_order_relaxed) & bit) == 0) {
                word.fetch_or(bit, std::memory_order_relaxed);
            }
        }
    };
    parallel_each(context, static_cast<Index>(blocks.size()),
                  [&](Index b) { each_array(blocks[b], dimensions, mark_all); });
}

void IdMap::rank_marks(const Context& context) {
    const auto words = words_.mutable_as<std::uint64_t>();
    const Index size = words_.size();
    const Index pieces = (size + word_grain - 1) / word_grain;
    std::vector<Index> before(static_cast<std::size_t>(pieces) + 1, 0);
    parallel_each(context, pieces, [&](Index piece) {
        Index used = 0;
        for (Index w = piece * word_grain; w < std::min(size, (piece + 1) * word_grain); ++w) {
            used += std::popcount(words[w]);
        }
        before[piece + 1] = used;
    });
    for (Index piece = 0; piece < pieces; ++piece) before[piece + 1] += before[piece];
    count_ = before[pieces];
    if (static_cast<std::uint64_t>(count_) == span_) return;
    const auto last = static_cast<Index>(static_cast<std::uint64_t>(first_) + span_ - 1);
    table_ = Array::allocate(index_type_for(last), count_, context, "vertex ids");
    visit_index(table_.type(), [&](auto tag) {
        using Id = typename decltype(tag)::type;
        const auto table = table_.mutable_as<Id>();
        parallel_each(context, pieces, [&](Index piece) {
            Index rank = before[piece];
            for (Index w = piece * word_grain; w < std::min(size, (piece + 1) * word_grain); ++w) {
                std::uint64_t left = words[w];
                words[w] |= static_cast<std::uint64_t>(rank) << 32;
                for (; left != 0; left &= left - 1) {
                    table[rank++] =
                        static_cast<Id>(first_ + w * Index{ids_per_word} + std::countr_zero(left));
                }
            }
        });
    });
}

void IdMap::sort(std::span<const CoordinateBlock> blocks, std::span<const int> dimensions,
                 const Context& context) {
    const auto per_entry = static_cast<Index>(dimensions.size());
    table_ = Array::allocate(ElementType::int64, coordinate_count(blocks, dimensions.size()),
                             context, "the ids in use");
    const auto table = table_.mutable_as<std::int64_t>();
    // Every block contributes its distinct ids only, which are often few.
    std::vector<Index> start(blocks.size());
    std::vector<Index> filled(blocks.size(), 0);
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        start[b] = start[b - 1] + blocks[b - 1].size() * per_entry;
    }
    parallel_each(context, static_cast<Index>(blocks.size()), [&](Index b) {
        const auto from = table.begin() + start[b];
        each_array(blocks[b], dimensions, [&](auto ids) {
            std::copy(ids.begin(), ids.end(), from + filled[b]);
            filled[b] += static_cast<Index>(ids.size());
        });
        std::sort(from, from + filled[b]);
        filled[b] = std::unique(from, from + filled[b]) - from;
    });
    auto end = table.begin();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        end = std::copy_n(table.begin() + start[b], filled[b], end);
    }
    context.check_cancelled();
    parallel_sort(context, table.data(), table.data() + (end - table.begin()));
    count_ = std::unique(table.begin(), end) - table.begin();
    table_.shrink(count_);
    make_directory(context);
}

void IdMap::make_directory(const Context& context) {
    // About one bucket for each id: a lookup then searches among very few, if ids are spread
    // evenly.
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count_)));
    shift_ = std::max(0, static_cast<int>(std::bit_width(span_ - 1)) - bits);
    const auto buckets = static_cast<Index>((span_ - 1) >> shift_) + 1;
    directory_ = Array::allocate(ElementType::int64, buckets + 1, context, "the index of ids");
    const auto directory = directory_.mutable_as<std::int64_t>();
    const auto table = table_.as<std::int64_t>();
    const auto bucket_of = [&](Index i) {
        return static_cast<Index>(static_cast<std::uint64_t>(table[i] - first_) >> shift_);
    };
    parallel_ranges(context, count_, 1 << 14, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const Index bucket = bucket_of(i);
            for (Index b = i == 0 ? 0 : bucket_of(i - 1) + 1; b <= bucket; ++b) directory[b] = i;
        }
    });
    for (Index b = bucket_of(count_ - 1) + 1; b <= buckets; ++b) directory[b] = count_;
}

Index IdMap::position_by_marks(Index id) const noexcept {
    const auto at = static_cast<std::uint64_t>(id - first_);
    const std::uint64_t word = words_.as<std::uint64_t>()[at / ids_per_word];
    const std::uint64_t below = (std::uint64_t{1} << (at % ids_per_word)) - 1;
    return static_cast<Index>(word >> 32) + std::popcount(static_cast<std::uint32_t>(word & below));
}

Index IdMap::position_by_table(Index id) const noexcept {
    const auto bucket = static_cast<Index>(static_cast<std::uint64_t>(id - first_) >> shift_);
    const auto directory = directory_.as<std::int64_t>();
    const auto table = table_.as<std::int64_t>();
    return std::lower_bound(table.begin() + directory[bucket],
                            table.begin() + directory[bucket + 1], id) -
           table.begin();
}

void IdMap::renumber(std::span<CoordinateBlock> blocks, std::span<const int> dimensions,
                     ElementType index_type, const Context& context) const {
    const auto replace = [&](Array& array, const auto& position) {
        visit_index(array.type(), [&](auto from_tag) {
            using From = typename decltype(from_tag)::type;
            if (array.type() == index_type) {
                for (From& id : array.mutable_as<From>()) id = static_cast<From>(position(id));
                return;
            }
            Array out = Array::allocate(index_type, array.size(), context, "positions of ids");
            const auto to = out.mutable_as<std::int32_t>();
            const auto from = array.as<From>();
            for (std::size_t e = 0; e < from.size(); ++e) {
                to[e] = static_cast<std::int32_t>(position(from[e]));
            }
            array = std::move(out);
        });
    };
    const auto replace_all = [&](const auto& position) {
        parallel_each(context, static_cast<Index>(blocks.size()), [&](Index b) {
            for (const int d : dimensions) replace(blocks[b].coordinates[d], position);
        });
    };
    if (gaps_ > 0 && !words_.empty()) {
        replace_all([&](Index id) { return position_by_marks(id); });
    } else if (gaps_ > 0) {
        replace_all([&](Index id) { return position_by_table(id); });
    } else if (first_ > 0 || (!blocks.empty() && blocks[0].coordinates[0].type() != index_type)) {
        replace_all([&](Index id) { return id - first_; });
    }
}

} // namespace tropic
