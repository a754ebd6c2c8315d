// Verification of a tensor's arrays, for files and callers that cannot be trusted. Levels are
// checked from the outside in, so that each may rely on the sizes of those above it.
#include <fmt/format.h>

#include "support/parallel.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"
#include "tropic/tensor.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 16;

[[noreturn]] void fail(std::string message) {
    throw Error(ErrorCode::corrupt, std::move(message),
                "the tensor was not made by Tropic, or its "
                "memory or file was damaged");
}

void require_index_array(const Array& array, int level, std::string_view name) {
    if (array.type() == ElementType::int32 || array.type() == ElementType::int64) return;
    fail(fmt::format("level {}: {} holds {}, not int32 or int64", level, name,
                     name_of(array.type())));
}

/// The first i in [0, count) for which `wrong(i)`, or -1.
template <class Wrong> Index first_wrong(Index count, const Context& context, const Wrong& wrong) {
    return parallel_combine(
        context, count, grain, Index{-1},
        [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                if (wrong(i)) return i;
            }
            return Index{-1};
        },
        [](Index a, Index b) { return a >= 0 ? a : b; });
}

void check_positions(const Level& level, int l, Index parents, const Context& context) {
    require_index_array(level.pos, l, "pos");
    if (level.pos.size() != parents + 1) {
        fail(fmt::format("level {}: {} positions for {} parents", l, level.pos.size(), parents));
    }
    visit_index(level.pos.type(), [&](auto tag) {
        const auto pos = level.pos.as<typename decltype(tag)::type>();
        if (pos[0] != 0) fail(fmt::format("level {}: the first position is {}, not 0", l, pos[0]));
        const Index wrong =
            first_wrong(parents, context, [&](Index i) { return pos[i] > pos[i + 1]; });
        if (wrong >= 0) {
            fail(fmt::format("level {}: position {} is {}, less than the {} before it", l,
                             wrong + 1, pos[wrong + 1], pos[wrong]));
        }
        if (pos[parents] != level.crd.size()) {
            fail(fmt::format("level {}: positions end at {}, and there are {} coordinates", l,
                             pos[parents], level.crd.size()));
        }
    });
}

void check_coordinates(const Array& crd, int l, Index extent, const Context& context) {
    visit_index(crd.type(), [&](auto tag) {
        const auto coordinates = crd.as<typename decltype(tag)::type>();
        const Index wrong = first_wrong(crd.size(), context, [&](Index i) {
            return coordinates[i] < 0 || coordinates[i] >= extent;
        });
        if (wrong >= 0) {
            fail(fmt::format("level {}: coordinate {} at {} is outside 0 to {}", l,
                             coordinates[wrong], wrong, extent - 1));
        }
    });
}

/// Coordinates of levels `l` to `last` (a compressed level and the singletons below it) ascend
/// within each parent; strictly unless `repeats` are allowed.
void check_order(const Tensor& tensor, int l, int last, bool repeats, const Context& context) {
    const Array& pos = tensor.level(l).pos;
    visit_index(pos.type(), [&](auto pos_tag) {
        const auto positions = pos.as<typename decltype(pos_tag)::type>();
        visit_index(tensor.level(l).crd.type(), [&](auto crd_tag) {
            const auto crd = tensor.level(l).crd.as<typename decltype(crd_tag)::type>();
            const auto wrong_pair = [&](Index i) {
                if (crd[i - 1] != crd[i]) return crd[i - 1] > crd[i];
                for (int s = l + 1; s <= last; ++s) {
                    const Array& single = tensor.level(s).crd;
                    const Index before = single.index_at(i - 1);
                    const Index after = single.index_at(i);
                    if (before != after) return before > after;
                }
                return !repeats;
            };
            // Looked at by child, not by parent: one parent may own nearly all of them.
            const Index children = tensor.level(l).crd.size();
            const Index pieces = (children + grain - 1) / grain;
            std::vector<Index> wrong(pieces, -1);
            parallel_each(context, pieces, [&](Index piece) {
                const Index begin = piece * grain;
                const Index end = std::min(children, begin + grain);
                Index parent =
                    std::upper_bound(positions.begin(), positions.end(), begin) - positions.begin();
                for (Index i = begin; i < end && wrong[piece] < 0; ++i) {
                    bool first_of_parent = i == 0 || positions[parent - 1] == i;
                    while (static_cast<Index>(positions[parent]) <= i) {
                        ++parent;
                        first_of_parent = true;
                    }
                    if (!first_of_parent && wrong_pair(i)) wrong[piece] = i;
                }
            });
            for (const Index i : wrong) {
                if (i < 0) continue;
                fail(fmt::format("level {}: coordinate {} at {} follows {}, which is not ascending",
                                 l, crd[i], i, crd[i - 1]));
            }
        });
    });
}

Index dense_positions(int l, Index parents, Index extent) {
    Index positions = 0;
    if (__builtin_mul_overflow(parents, extent, &positions)) {
        fail(fmt::format("level {}: a dense level of {} times {} elements", l, parents, extent));
    }
    return positions;
}

void check_shape(const Tensor& tensor) {
    const auto rank = static_cast<std::size_t>(tensor.rank());
    if (tensor.levels().size() != rank || tensor.format().levels.size() != rank ||
        tensor.format().order.size() != rank) {
        fail(fmt::format("rank {} with {} levels", rank, tensor.levels().size()));
    }
    std::vector<bool> seen(rank);
    for (const int d : tensor.format().order) {
        if (d < 0 || d >= tensor.rank() || seen[d]) fail("the levels do not cover the dimensions");
        seen[d] = true;
    }
    for (const Index extent : tensor.shape()) {
        if (extent < 0) fail(fmt::format("a dimension has extent {}", extent));
    }
}

} // namespace

void Tensor::check(const Context& context) const {
    check_shape(*this);
    Index positions = rank() == 0 ? 0 : 1;
    for (int l = 0; l < rank(); ++l) {
        context.check_cancelled();
        const Level& current = level(l);
        const Index extent = dim(format_.order[l]);
        if (current.kind != format_.levels[l]) fail(fmt::format("level {}: another kind", l));
        if (current.kind == LevelKind::dense) {
            positions = dense_positions(l, positions, extent);
            continue;
        }
        require_index_array(current.crd, l, "crd");
        if (current.kind == LevelKind::compressed) {
            check_positions(current, l, positions, context);
            positions = current.crd.size();
        } else if (current.crd.size() != positions) {
            fail(fmt::format("level {}: {} coordinates for {} parents", l, current.crd.size(),
                             positions));
        }
        check_coordinates(current.crd, l, extent, context);
    }
    if (values_.size() != positions) {
        fail(fmt::format("{} values for {} entries", values_.size(), positions));
    }
    for (int l = 0; sorted_ && l < rank(); ++l) {
        if (level(l).kind != LevelKind::compressed) continue;
        int last = l;
        while (last + 1 < rank() && level(last + 1).kind == LevelKind::singleton) ++last;
        check_order(*this, l, last, last + 1 == rank() && !unique_, context);
    }
    if (!sorted_ && unique_ && rank() > 0) {
        const Tensor in_order =
            build(coordinates_of(*this, context), Format::coo(rank()), Duplicates::keep, context);
        if (!in_order.unique()) fail("some coordinates are stored twice");
    }
}

} // namespace tropic
