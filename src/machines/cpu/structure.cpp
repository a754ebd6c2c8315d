// What the structure of a tensor says without a look at its values, and tensors that are nothing
// but structure.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "machines/cpu/session_loops.h"

namespace tropic::cpu {

namespace {

constexpr Index grain = 1 << 16;

/// Arrays of one element that are kept for the next who asks: programs fill the same vectors in
/// every round of a loop.
constexpr std::size_t most_kept = 4;
constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

void keep(Session& session, const std::array<std::byte, 8>& element, const Array& values) {
    auto& kept = session.uniform;
    if (values.bytes() > most_kept_bytes) return;
    if (kept.size() == most_kept) kept.erase(kept.begin());
    kept.push_back({element, values});
    std::size_t total = 0;
    for (const UniformArray& array : kept) total += array.values.bytes();
    while (total > most_kept_bytes) {
        total -= kept.front().values.bytes();
        kept.erase(kept.begin());
    }
}

} // namespace

TensorView* uniform(Session* session, std::int64_t type, const FormatView* format,
                    const std::int64_t* shape, const void* value) {
    const auto element_type = static_cast<ElementType>(type);
    const std::vector<Index> extents = to_shape(*format, shape);
    std::array<std::byte, 8> element = {};
    std::memcpy(element.data(), value, size_of(element_type));
    Index count = 1;
    bool countable = true;
    for (const Index extent : extents) {
        countable &= !__builtin_mul_overflow(count, extent, &count);
    }
    const auto known = std::ranges::find_if(session->uniform, [&](const UniformArray& array) {
        return countable && array.values.type() == element_type && array.values.size() == count &&
               array.element == element;
    });
    if (known != session->uniform.end()) {
        return adopt(*session,
                     Tensor(extents, to_format(*format), std::vector<Level>(extents.size()),
                            known->values, true, true));
    }
    TensorView* const made = dense(session, type, format, shape);
    fill(session, made, value);
    stored(made).own_values = false;
    keep(*session, element, stored(made).tensor.values());
    return made;
}

std::int64_t rows_filled(Session* session, TensorView* view) {
    StoredTensor& matrix = stored(view);
    if (!matrix.rows_filled) {
        const Array& pos = matrix.tensor.level(1).pos;
        std::atomic<bool> filled{true};
        visit_index(pos.type(), [&](auto tag) {
            const auto at = pos.as<typename decltype(tag)::type>();
            const Index rows = static_cast<Index>(at.size()) - 1;
            session_ranges(*session, std::max<Index>(rows, 0), grain, [&](Index begin, Index end) {
                bool all = true;
                for (Index row = begin; row < end; ++row) {
                    all &= at[row] != at[row + 1];
                }
                if (!all) filled.store(false, std::memory_order_relaxed);
            });
        });
        matrix.rows_filled = filled.load();
    }
    return *matrix.rows_filled ? 1 : 0;
}

} // namespace tropic::cpu
