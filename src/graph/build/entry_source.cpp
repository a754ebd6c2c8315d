#include "graph/build/entry_source.h"

#include <fmt/format.h>

#include "tropic/error.h"

namespace tropic::building {

namespace {

[[noreturn]] void fail_range(Index entry, int dimension, Index found, Index extent) {
    throw Error({
        .code = ErrorCode::range,
        .message = fmt::format("coordinate {} of dimension {} is outside the shape (entry {})",
                               found, dimension, entry),
        .accepted =
            extent == 0 ? "no entries: the dimension is empty" : fmt::format("0 to {}", extent - 1),
    });
}

} // namespace

template <class Word> void ListSource<Word>::check(Index piece, Index begin, Index count) const {
    visit_index(list_.index_type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using Unsigned = std::make_unsigned_t<T>;
        for (int d = 0; d < list_.rank(); ++d) {
            const T* coordinate =
                list_.blocks[piece].coordinates[d].template as<T>().data() + begin;
            const auto last = static_cast<Unsigned>(
                std::min<Index>(list_.shape[d] - 1, std::numeric_limits<T>::max()));
            // The sign bit of c is set below 0, that of last - c beyond the end.
            Unsigned bad = 0;
            for (Index i = 0; i < count; ++i) {
                const auto c = static_cast<Unsigned>(coordinate[i]);
                bad |= c | static_cast<Unsigned>(last - c);
            }
            if (static_cast<T>(bad) >= 0) continue;
            Index before = begin;
            for (Index p = 0; p < piece; ++p) before += list_.blocks[p].size();
            for (Index i = 0; i < count; ++i) {
                if (coordinate[i] < 0 || coordinate[i] >= list_.shape[d]) {
                    fail_range(before + i, d, coordinate[i], list_.shape[d]);
                }
            }
        }
    });
}

template <class Word>
void ListSource<Word>::keys(Index piece, Index begin, Index count, Word* out) const {
    visit_index(list_.index_type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto& coordinates = list_.blocks[piece].coordinates;
        if (layout_.order.size() == 2 && layout_.bits[0] > 0) {
            const T* outer = coordinates[layout_.order[0]].template as<T>().data() + begin;
            const T* inner = coordinates[layout_.order[1]].template as<T>().data() + begin;
            const int shift = layout_.shift[0];
            // Widened without sign: cheaper, and none is negative once checked.
            using Unsigned = std::make_unsigned_t<T>;
            for (Index i = 0; i < count; ++i) {
                out[i] = static_cast<Word>(static_cast<Unsigned>(outer[i])) << shift |
                         static_cast<Word>(static_cast<Unsigned>(inner[i]));
            }
            return;
        }
        for (std::size_t level = 0; level < layout_.order.size(); ++level) {
            const T* coordinate = coordinates[layout_.order[level]].template as<T>().data() + begin;
            const int shift = layout_.shift[level];
            if (level == 0) {
                // A level of no bits may have a shift of the whole width, and holds zeros only.
                const int safe = layout_.bits[level] == 0 ? 0 : shift;
                for (Index i = 0; i < count; ++i) {
                    out[i] = static_cast<Word>(coordinate[i]) << safe;
                }
            } else if (layout_.bits[level] > 0) {
                for (Index i = 0; i < count; ++i) {
                    out[i] |= static_cast<Word>(coordinate[i]) << shift;
                }
            }
        }
    });
}

template class ListSource<std::uint64_t>;
template class ListSource<Wide>;

} // namespace tropic::building
