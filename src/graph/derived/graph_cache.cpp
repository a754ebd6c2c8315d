#include "graph/derived/graph_cache.h"

#include <numeric>

#include <fmt/format.h>

#include "graph/build/convert.h"
#include "graph/build/entry_text.h"
#include "graph/derived/padded.h"
#include "graph/statistics/csr_form.h"
#include "graph/statistics/symmetry.h"
#include "graph/storage/named_cast.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic::derived {

namespace {

ElementType index_type(bool wide) {
    return wide ? ElementType::int64 : ElementType::int32;
}

Array numbers_up_to(Index count, ElementType type, const Context& context) {
    Array numbers = Array::allocate(type, count, context, "edge numbers");
    visit_index(type, [&](auto tag) {
        using I = typename decltype(tag)::type;
        const auto out = numbers.mutable_as<I>();
        parallel_ranges(context, count, 1 << 16, [&](Index begin, Index end) {
            std::iota(out.begin() + begin, out.begin() + end, static_cast<I>(begin));
        });
    });
    return numbers;
}

void require_narrow(const Graph& graph) {
    constexpr Index most = std::numeric_limits<std::int32_t>::max();
    const Tensor& tensor = graph.tensor;
    if (tensor.entries() < most && tensor.dim(0) < most && tensor.dim(1) < most) return;
    throw Error({.code = ErrorCode::range,
                 .message = fmt::format("the graph has {} vertices and {} entries, and this "
                                        "algorithm counts with 32 bits",
                                        std::max(tensor.dim(0), tensor.dim(1)), tensor.entries()),
                 .file = graph.name,
                 .hint = "compile it with 64-bit indices: --wide"});
}

} // namespace

GraphCache::Pages::Pages(std::shared_ptr<MemoryBudget> of)
    : budget(std::move(of)), use(budget->pool()) {}

template <class Make> Array GraphCache::remembered(const std::string& what, const Make& make_it) {
    if (const auto found = arrays_.find(what); found != arrays_.end()) return found->second;
    return arrays_.emplace(what, make_it()).first->second;
}

GraphCache::GraphCache(Graph graph) : graph_(std::move(graph)) {}

const Tensor& GraphCache::rows(const Context& context) {
    if (!rows_) {
        require_matrix(graph_, "an algorithm");
        rows_ = sorted_csr(graph_.tensor, context);
    }
    return *rows_;
}

const Tensor& GraphCache::columns(bool with_values, const Context& context) {
    if (columns_ && (!with_values || !columns_->is_pattern())) return *columns_;
    const Tensor& csr = rows(context);
    if (symmetric(with_values, context)) {
        columns_ = building::relabelled_transpose(csr);
    } else if (graph_.tensor.format() == Format::csc() && graph_.tensor.sorted()) {
        columns_ = graph_.tensor;
    } else {
        const Tensor from = with_values ? csr
                                        : csr.with_values(Array::allocate(
                                              ElementType::pattern, csr.entries(), context, ""));
        columns_ = building::with_sides_exchanged(from, context);
    }
    return *columns_;
}

bool GraphCache::symmetric(bool values, const Context& context) {
    const std::scoped_lock lock(mutex_);
    const bool pattern_only = !values || graph_.tensor.is_pattern();
    std::optional<bool>& known = pattern_only ? symmetric_pattern_ : symmetric_values_;
    if (!known) {
        const Tensor& tensor = graph_.tensor;
        if (tensor.dim(0) != tensor.dim(1) || graph_.kind == EdgeKind::bipartite) known = false;
        else if (pattern_only && graph_.kind == EdgeKind::undirected) known = true;
        else if (pattern_only) known = pattern_symmetric(rows(context), context);
        else known = symmetric(false, context) && symmetry_of(rows(context), context).values;
    }
    return *known;
}

bool GraphCache::mirrored_by_now(const Context& context) {
    const std::scoped_lock lock(mutex_);
    const bool pattern = graph_.tensor.is_pattern();
    const bool known = pattern ? symmetric_pattern_ || graph_.kind == EdgeKind::undirected
                               : symmetric_values_.has_value();
    if (!known && !std::exchange(asked_for_mirror_, true)) return false;
    return symmetric(true, context);
}

GraphCache::Side GraphCache::side(bool inward, bool wide, const Context& context) {
    const std::scoped_lock lock(mutex_);
    require_matrix(graph_, "an algorithm");
    if (!wide) require_narrow(graph_);
    // A graph that equals its transpose has one side.
    const bool mirrored = inward && symmetric(false, context);
    const Tensor& tensor = inward && !mirrored ? columns(false, context) : rows(context);
    const char* const which = inward && !mirrored ? "in" : "out";
    const auto in_width = [&](const Array& array, const char* what) {
        if (array.type() == index_type(wide) && is_padded(array)) return array;
        return remembered(fmt::format("{} {} {}", which, what, wide ? 64 : 32),
                          [&] { return padded(cast(array, index_type(wide), context), context); });
    };
    Side side{in_width(tensor.level(1).pos, "pos"), in_width(tensor.level(1).crd, "crd")};
    stay_small(context);
    return side;
}

Array GraphCache::values(bool inward, ElementType type, const Context& context) {
    const std::scoped_lock lock(mutex_);
    const bool mirrored = inward && (graph_.tensor.is_pattern() || symmetric(true, context));
    const Tensor& tensor = inward && !mirrored ? columns(true, context) : rows(context);
    if (tensor.type() == type && is_padded(tensor.values())) return tensor.values();
    const auto name = [&](Index entry) { return entry_text(tensor, graph_.ids, entry); };
    Array values =
        remembered(fmt::format("{} {}", inward && !mirrored ? "in" : "out", name_of(type)),
                   [&] { return padded(cast(tensor.values(), type, context, name), context); });
    stay_small(context);
    return values;
}

namespace {

template <class T> T extreme_of(std::span<const T> values, bool largest, const Context& context) {
    using Limits = std::numeric_limits<T>;
    constexpr T top = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr T bottom = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    const auto better = [largest](T a, T b) { return largest ? (b > a ? b : a) : (b < a ? b : a); };
    return parallel_combine(
        context, static_cast<Index>(values.size()), Index{1} << 18, largest ? bottom : top,
        [&](Index begin, Index end) {
            T found = largest ? bottom : top;
            for (Index at = begin; at < end; ++at) found = better(found, values[at]);
            return found;
        },
        better);
}

} // namespace

Array GraphCache::extreme(bool largest, ElementType type, const Context& context) {
    const std::scoped_lock lock(mutex_);
    return remembered(fmt::format("{} {}", largest ? "largest" : "least", name_of(type)), [&] {
        const Array all = values(false, type, context);
        Array found = Array::allocate(type, 1, context, "an extreme value");
        visit_type(type, [&](auto tag) {
            using T = typename decltype(tag)::type;
            const auto of_graph =
                all.as<T>().first(static_cast<std::size_t>(graph_.tensor.entries()));
            found.mutable_as<T>()[0] = extreme_of<T>(of_graph, largest, context);
        });
        return found;
    });
}

ValueRange GraphCache::value_range(const Context& context) {
    const std::scoped_lock lock(mutex_);
    if (!value_range_) value_range_ = value_range_of(graph_.tensor, context);
    return *value_range_;
}

Index GraphCache::longest(bool inward, const Context& context) {
    const std::scoped_lock lock(mutex_);
    const bool columns_too = inward && !symmetric(false, context);
    std::optional<Index>& known = columns_too ? longest_in_ : longest_out_;
    if (!known) {
        known =
            visit_csr(columns_too ? columns(false, context) : rows(context), [&](const auto& view) {
                return parallel_combine(
                    context, view.rows, Index{1} << 16, Index{0},
                    [&](Index begin, Index end) {
                        Index most = 0;
                        for (Index row = begin; row < end; ++row) {
                            most = std::max<Index>(most, view.pos[row + 1] - view.pos[row]);
                        }
                        return most;
                    },
                    [](Index a, Index b) { return std::max(a, b); });
            });
    }
    return *known;
}

bool GraphCache::numbered_closely(const Context& context) {
    constexpr Index looked_at = 512; // rows
    constexpr Index most_of_row = 16;
    constexpr Index close = 16;
    constexpr Index share = 8; // of all neighbours, one in so many
    const std::scoped_lock lock(mutex_);
    if (!numbered_closely_) {
        numbered_closely_ = visit_csr(rows(context), [&](const auto& view) {
            if (graph_.tensor.dim(0) != graph_.tensor.dim(1)) return false;
            const Index step = std::max<Index>(1, view.rows / looked_at);
            Index all = 0;
            Index found = 0;
            for (Index row = 0; row < view.rows; row += step) {
                const Index begin = view.pos[row];
                const Index end = std::min<Index>(view.pos[row + 1], begin + most_of_row);
                for (Index k = begin; k < end; ++k) {
                    const Index apart = static_cast<Index>(view.crd[k]) - row;
                    found += apart <= close && -apart <= close ? 1 : 0;
                }
                all += end - begin;
            }
            return found > 0 && found >= all / share;
        });
    }
    return *numbered_closely_;
}

Array GraphCache::edge_numbers(bool wide, const Context& context) {
    const std::scoped_lock lock(mutex_);
    return remembered(wide ? "edges 64" : "edges 32", [&] {
        const Tensor& csr = rows(context);
        const Tensor numbered =
            csr.with_values(numbers_up_to(csr.entries(), index_type(wide), context));
        return padded(building::with_sides_exchanged(numbered, context).values(), context);
    });
}

std::shared_ptr<GraphCache> GraphCache::derived(std::string_view name, const Context& context) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = graphs_.find(name); found != graphs_.end()) return found->second;
    auto graph = make(name, context);
    // A graph that holds itself would never be freed.
    if (graph.get() != this) graphs_.emplace(name, graph);
    stay_small(context);
    return graph;
}

std::size_t GraphCache::derived_bytes() const {
    const std::scoped_lock lock(mutex_);
    std::size_t bytes = 0;
    const auto add = [&](const std::optional<Tensor>& tensor) {
        if (!tensor) return;
        const Level& level = tensor->level(1);
        const auto add_array = [&](const Array& array) {
            for (const Level& own : graph_.tensor.levels()) {
                if (array.data() == own.crd.data() || array.data() == own.pos.data()) return;
            }
            if (array.data() != graph_.tensor.values().data()) bytes += array.bytes();
        };
        add_array(level.pos);
        add_array(level.crd);
        add_array(tensor->values());
    };
    add(rows_);
    if (!(symmetric_pattern_ && *symmetric_pattern_)) add(columns_);
    for (const auto& [name, array] : arrays_) bytes += array.bytes();
    for (const auto& [name, graph] : graphs_) {
        bytes += graph->graph().tensor.bytes() + graph->derived_bytes();
    }
    return bytes;
}

void GraphCache::forget() {
    const std::scoped_lock lock(mutex_);
    rows_.reset();
    columns_.reset();
    arrays_.clear();
    graphs_.clear();
}

void GraphCache::stay_small(const Context& context) {
    // What is in use lives on with its users.
    if (derived_bytes() > context.budget()->limit() / 2) forget();
}

void GraphCache::keep_pages(const Context& context) {
    const std::scoped_lock lock(mutex_);
    if (!pages_ || pages_->budget != context.budget()) {
        pages_ = std::make_unique<Pages>(context.budget());
    }
}

} // namespace tropic::derived
