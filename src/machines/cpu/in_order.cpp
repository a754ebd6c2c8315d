// Rows of a result that were left as they came, put in order.
#include <algorithm>
#include <cstring>

#include "graph/build/csr_tools.h"
#include "machines/cpu/session.h"
#include "support/per_thread.h"
#include "tropic/coordinates.h"

namespace tropic::cpu {

namespace {

constexpr Index short_row = 24;

template <class Crd, class Value> struct Pair {
    Crd crd;
    Value value;
};

template <class Crd, class Value> void sort_short(Crd* crd, Value* values, Index count) {
    for (Index i = 1; i < count; ++i) {
        const Crd key = crd[i];
        const Value value = values[i];
        Index at = i;
        for (; at > 0 && crd[at - 1] > key; --at) {
            crd[at] = crd[at - 1];
            values[at] = values[at - 1];
        }
        crd[at] = key;
        values[at] = value;
    }
}

template <class Crd, class Value>
void sort_row(Crd* crd, Value* values, Index count, std::vector<Pair<Crd, Value>>& scratch) {
    if (std::is_sorted(crd, crd + count)) return;
    if (count <= short_row) return sort_short(crd, values, count);
    scratch.resize(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) scratch[i] = {crd[i], values[i]};
    std::sort(scratch.begin(), scratch.end(),
              [](const auto& a, const auto& b) { return a.crd < b.crd; });
    for (Index i = 0; i < count; ++i) {
        crd[i] = scratch[i].crd;
        values[i] = scratch[i].value;
    }
}

template <class Value, class View>
void sort_rows(const View& view, void* crd_data, void* value_data, const Context& context) {
    using Crd = std::remove_cvref_t<decltype(view.crd[0])>;
    auto* const crd = static_cast<Crd*>(crd_data);
    auto* const values = static_cast<Value*>(value_data);
    PerThread<std::vector<Pair<Crd, Value>>> scratch;
    building::for_row_ranges(context, view.pos, [&](Index begin, Index end) {
        auto& own = scratch.local();
        for (Index row = begin; row < end; ++row) {
            const Index first = view.pos[row];
            sort_row(crd + first, values + first, view.pos[row + 1] - first, own);
        }
    });
}

Array copied(const Array& array, const Context& context) {
    Array copy = Array::allocate(array.type(), array.size(), context, "sorted rows");
    if (copy.bytes() > 0) std::memcpy(copy.mutable_data(), array.data(), copy.bytes());
    return copy;
}

} // namespace

Tensor in_order(const Tensor& tensor, const Context& context) {
    if (tensor.sorted()) return tensor;
    const bool rows = tensor.format() == Format::csr() || tensor.format() == Format::csc();
    if (!rows || !tensor.unique() || tensor.is_pattern()) {
        return build(coordinates_of(tensor, context), tensor.format(), Duplicates::keep, context);
    }
    Array crd = copied(tensor.level(1).crd, context);
    Array values = copied(tensor.values(), context);
    visit_csr(tensor, [&](const auto& view) {
        void* const c = crd.mutable_data();
        void* const v = values.mutable_data();
        switch (size_of(tensor.type())) {
        case 1:
            return sort_rows<std::uint8_t>(view, c, v, context);
        case 2:
            return sort_rows<std::uint16_t>(view, c, v, context);
        case 4:
            return sort_rows<std::uint32_t>(view, c, v, context);
        default:
            return sort_rows<std::uint64_t>(view, c, v, context);
        }
    });
    std::vector<Level> levels = tensor.levels();
    levels[1].crd = std::move(crd);
    return {tensor.shape(), tensor.format(), std::move(levels), std::move(values), true, true};
}

} // namespace tropic::cpu
