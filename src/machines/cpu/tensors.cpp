// Tensors as compiled code sees them, and the ways to make one without a kernel.
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "graph/build/assemble.h"
#include "machines/cpu/session.h"
#include "machines/cpu/session_loops.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

constexpr Index grain = 1 << 16;

/// Stands for the elements of an empty array.
alignas(64) std::byte nothing[64] = {};

void* address(const Array& array) {
    return array.empty() || array.data() == nullptr ? static_cast<void*>(nothing)
                                                    : const_cast<void*>(array.data());
}

bool all_dense(const Format& format) {
    return std::ranges::all_of(format.levels,
                               [](LevelKind kind) { return kind == LevelKind::dense; });
}

[[noreturn]] void fail_narrow(const char* what, Index count) {
    throw Error(
        ErrorCode::range,
        fmt::format("a tensor has {} {}, and this program counts with 32 bits", count, what),
        "compile it with 64-bit indices: --wide");
}

void require_narrow(const Tensor& tensor) {
    constexpr Index most = std::numeric_limits<std::int32_t>::max();
    for (const Index extent : tensor.shape()) {
        if (extent > most) fail_narrow("coordinates in a dimension", extent);
    }
    if (!all_dense(tensor.format()) && tensor.entries() > most) {
        fail_narrow("entries", tensor.entries());
    }
}

/// The same storage under other names: dimension d of the result is `permutation[d]` of `tensor`.
Tensor renamed(const Tensor& tensor, const std::int8_t* permutation) {
    const auto rank = static_cast<std::size_t>(tensor.rank());
    std::vector<Index> shape(rank);
    std::vector<int> new_of(rank);
    for (std::size_t d = 0; d < rank; ++d) {
        shape[d] = tensor.dim(permutation[d]);
        new_of[permutation[d]] = static_cast<int>(d);
    }
    Format format = tensor.format();
    for (int& d : format.order) d = new_of[d];
    return {std::move(shape), std::move(format), tensor.levels(),
            tensor.values(),  tensor.unique(),   tensor.sorted()};
}

/// From one order of dense levels to another: walks the result and gathers.
Tensor reordered_dense(const Tensor& tensor, const Format& format, const Context& context) {
    const int rank = tensor.rank();
    // How far apart neighbours in a dimension lie in the source.
    std::vector<Index> stride(rank, 1);
    for (int l = rank - 2; l >= 0; --l) {
        const int inner = tensor.format().order[l + 1];
        stride[tensor.format().order[l]] = stride[inner] * tensor.dim(inner);
    }
    Array values = Array::allocate(tensor.type(), tensor.entries(), context, "dense values");
    const int last = format.order[rank - 1];
    const Index width = tensor.dim(last);
    const Index rows = width == 0 ? 0 : tensor.entries() / width;
    visit_type(tensor.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto* from = tensor.values().as<T>().data();
        auto* to = values.mutable_as<T>().data();
        parallel_ranges(context, rows, std::max<Index>(grain / std::max<Index>(width, 1), 1),
                        [&](Index begin, Index end) {
                            for (Index row = begin; row < end; ++row) {
                                Index rest = row;
                                Index offset = 0;
                                for (int l = rank - 2; l >= 0; --l) {
                                    const int d = format.order[l];
                                    offset += rest % tensor.dim(d) * stride[d];
                                    rest /= tensor.dim(d);
                                }
                                for (Index i = 0; i < width; ++i) {
                                    to[row * width + i] = from[offset + i * stride[last]];
                                }
                            }
                        });
    });
    return {tensor.shape(), format, std::vector<Level>(rank), std::move(values), true, true};
}

/// Dense levels below sparse ones.
bool has_blocks(const Format& format) {
    return !all_dense(format) && format.levels.back() == LevelKind::dense;
}

/// A sparse vector as a dense one: zeros where it has no entry.
Tensor spread_out(const Tensor& vector, const Format& format, const Context& context) {
    Array values = Array::zeros(vector.type(), vector.dim(0), context, "a vector spread out");
    const Array& crd = vector.level(0).crd;
    visit_index(crd.type(), [&](auto index_tag) {
        const auto at = crd.as<typename decltype(index_tag)::type>();
        visit_type(vector.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            const auto from = vector.values().as<T>();
            const auto to = values.mutable_as<T>();
            parallel_ranges(context, vector.entries(), grain, [&](Index begin, Index end) {
                for (Index e = begin; e < end; ++e) to[at[e]] = from[e];
            });
        });
    });
    return {vector.shape(), format, std::vector<Level>(1), std::move(values), true, true};
}

template <class T> void fill_with(Session& session, void* values, Index count, const void* value) {
    T element;
    std::memcpy(&element, value, sizeof(T));
    T* const to = static_cast<T*>(values);
    session_ranges(session, count, grain,
                   [&](Index begin, Index end) { std::fill(to + begin, to + end, element); });
}

} // namespace

Format to_format(const FormatView& view) {
    Format format;
    for (std::int64_t l = 0; l < view.rank; ++l) {
        format.levels.push_back(static_cast<LevelKind>(view.kinds[l]));
        format.order.push_back(view.order[l]);
    }
    return format;
}

std::vector<Index> to_shape(const FormatView& format, const std::int64_t* shape) {
    return {shape, shape + format.rank};
}

Tensor with_width(const Session& session, const Tensor& tensor) {
    if (!session.options.wide) require_narrow(tensor);
    const ElementType type = session.index_type();
    std::vector<Level> levels = tensor.levels();
    bool changed = false;
    for (Level& level : levels) {
        for (Array* array : {&level.pos, &level.crd}) {
            if (array->type() == ElementType::pattern || array->type() == type) continue;
            *array = cast(*array, type, session.context());
            changed = true;
        }
    }
    if (!changed) return tensor;
    return {tensor.shape(),  tensor.format(), std::move(levels),
            tensor.values(), tensor.unique(), tensor.sorted()};
}

StoredTensor* adopt(Session& session, Tensor tensor) {
    auto made = std::make_unique<StoredTensor>();
    made->tensor = with_width(session, tensor);
    tensor = {};
    const Tensor& own = made->tensor;
    for (int l = 0; l < own.rank(); ++l) {
        const Level& level = own.level(l);
        const bool compressed = level.kind == LevelKind::compressed;
        const bool sparse = level.kind != LevelKind::dense;
        made->level_views.push_back({own.dim(own.format().order[l]),
                                     compressed ? address(level.pos) : nullptr,
                                     sparse ? address(level.crd) : nullptr});
    }
    made->values = address(own.values());
    made->entries = own.entries();
    made->levels = made->level_views.data();
    made->rank = own.rank();
    made->index = session.tensors.size();
    session.tensors.push_back(std::move(made));
    return session.tensors.back().get();
}

void retain(Session*, TensorView* view) {
    ++stored(view).references;
}

void release(Session* session, TensorView* view) {
    StoredTensor& tensor = stored(view);
    if (--tensor.references > 0) return;
    auto& all = session->tensors;
    const std::size_t index = tensor.index;
    std::swap(all[index], all.back());
    all[index]->index = index;
    all.pop_back();
}

Array dense_values(const Session& session, ElementType type, const std::vector<Index>& shape) {
    Index count = 1;
    for (const Index extent : shape) {
        if (__builtin_mul_overflow(count, extent, &count)) {
            throw Error(ErrorCode::out_of_memory,
                        "a dense tensor has more elements than an index can count",
                        "store it sparse, such as in CSR or COO");
        }
    }
    return Array::allocate(type, count, session.context(), "a dense tensor");
}

TensorView* dense(Session* session, std::int64_t type, const FormatView* format,
                  const std::int64_t* shape) {
    const std::vector<Index> extents = to_shape(*format, shape);
    Array values = dense_values(*session, static_cast<ElementType>(type), extents);
    StoredTensor* const made =
        adopt(*session, Tensor(extents, to_format(*format), std::vector<Level>(extents.size()),
                               std::move(values), true, true));
    made->own_values = true;
    return made;
}

void fill(Session* session, TensorView* tensor, const void* value) {
    switch (size_of(stored(tensor).tensor.type())) {
    case 1:
        return fill_with<std::uint8_t>(*session, tensor->values, tensor->entries, value);
    case 2:
        return fill_with<std::uint16_t>(*session, tensor->values, tensor->entries, value);
    case 4:
        return fill_with<std::uint32_t>(*session, tensor->values, tensor->entries, value);
    case 8:
        return fill_with<std::uint64_t>(*session, tensor->values, tensor->entries, value);
    default:
        return;
    }
}

TensorView* empty(Session* session, std::int64_t type, const FormatView* view,
                  const std::int64_t* shape) {
    const Format format = to_format(*view);
    const auto element = static_cast<ElementType>(type);
    const std::vector<Index> extents = to_shape(*view, shape);
    if (all_dense(format)) {
        TensorView* const made = dense(session, type, view, shape);
        const std::uint64_t zero = 0;
        fill(session, made, &zero);
        return made;
    }
    building::require_buildable(format, static_cast<int>(extents.size()));
    building::require_room(extents, format, 0, element, session->context());
    building::SortedEntries none;
    none.shape = extents;
    for (std::size_t l = 0; l < extents.size(); ++l) {
        none.coordinates.push_back(
            Array::allocate(session->index_type(), 0, session->context(), "no entries"));
    }
    none.values = Array::allocate(element, 0, session->context(), "no entries");
    return adopt(*session, building::assemble(std::move(none), format, session->context()));
}

TensorView* like(Session* session, TensorView* tensor, std::int64_t type) {
    const Tensor& structure = stored(tensor).tensor;
    return adopt(*session, structure.with_values(
                               Array::allocate(static_cast<ElementType>(type), structure.entries(),
                                               session->context(), "values of a result")));
}

TensorView* take_over(Session* session, TensorView* view) {
    StoredTensor& old = stored(view);
    if (old.references == 1 && old.own_values) {
        ++old.references;
        return view;
    }
    const Array& from = old.tensor.values();
    Array copy = Array::allocate(from.type(), from.size(), session->context(), "copied values");
    auto* const to = static_cast<std::byte*>(copy.bytes() > 0 ? copy.mutable_data() : nullptr);
    session_ranges(*session, static_cast<Index>(copy.bytes()), grain * 8,
                   [&](Index begin, Index end) {
                       std::memcpy(to + begin, static_cast<const std::byte*>(from.data()) + begin,
                                   static_cast<std::size_t>(end - begin));
                   });
    StoredTensor* const made = adopt(*session, old.tensor.with_values(std::move(copy)));
    made->own_values = true;
    return made;
}

TensorView* convert(Session* session, TensorView* view, const std::int8_t* permutation,
                    std::int64_t type, const FormatView* format) {
    const Context& context = session->context();
    const Format wanted = to_format(*format);
    StoredTensor& source = stored(view);
    if (!source.repeated_order.empty()) {
        TensorView* const whole = adopt(*session, every_place(*session, source));
        TensorView* const made = convert(session, whole, permutation, type, format);
        release(session, whole);
        return made;
    }
    const Tensor tensor = renamed(source.tensor, permutation);
    const auto element = static_cast<ElementType>(type);
    const bool same_names =
        tensor.format() == source.tensor.format() && tensor.shape() == source.tensor.shape();
    if (same_names && tensor.format() == wanted && tensor.type() == element && tensor.sorted()) {
        ++source.references;
        return view;
    }
    Tensor result;
    if (tensor.format() == wanted) {
        result = in_order(tensor, context);
    } else if (all_dense(tensor.format()) && all_dense(wanted)) {
        result = reordered_dense(tensor, wanted, context);
    } else if (tensor.format() == Format::sparse_vector() && all_dense(wanted) && tensor.unique() &&
               !tensor.is_pattern()) {
        result = spread_out(tensor, wanted, context);
    } else if (has_blocks(tensor.format()) && !has_blocks(wanted)) {
        // Every place of a block is an entry here, zeros among them.
        result = build(coordinates_of(tensor, context), wanted, Duplicates::keep, context);
    } else {
        result = tropic::convert(tensor, wanted, context);
    }
    if (result.type() != element) {
        result = result.with_values(cast(result.values(), element, context));
    } else if (result.values().data() == source.tensor.values().data()) {
        // A transpose by name alone: whoever writes to one must not change the other.
        Array copy = Array::allocate(element, result.entries(), context, "copied values");
        const auto* from = static_cast<const std::byte*>(result.values().data());
        auto* to = static_cast<std::byte*>(copy.mutable_data());
        parallel_ranges(
            context, static_cast<Index>(copy.bytes()), grain * 8, [&](Index begin, Index end) {
                std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
            });
        result = result.with_values(std::move(copy));
    }
    return adopt(*session, std::move(result));
}

TensorView* presence(Session* session, TensorView* view) {
    const Context& context = session->context();
    const Tensor& vector = stored(view).tensor;
    Array flags =
        Array::zeros(ElementType::boolean, vector.dim(0), context, "where a vector has entries");
    auto* const there = static_cast<std::uint8_t*>(flags.mutable_data());
    const Array& crd = vector.level(0).crd;
    visit_index(crd.type(), [&](auto tag) {
        const auto coordinates = crd.as<typename decltype(tag)::type>();
        session_ranges(*session, vector.entries(), grain, [&](Index begin, Index end) {
            for (Index e = begin; e < end; ++e) there[coordinates[e]] = 1;
        });
    });
    return adopt(*session, {vector.shape(), Format::dense_vector(), std::vector<Level>(1),
                            std::move(flags), true, true});
}

} // namespace tropic::cpu
