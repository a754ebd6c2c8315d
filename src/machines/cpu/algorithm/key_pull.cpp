#include "machines/cpu/algorithm/key_pull.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "graph/derived/graph_cache.h"
#include "support/memory.h"

namespace tropic::cpu {

namespace {

/// Members pulled at a time in parallel.
constexpr std::int64_t piece = 1 << 12;

/// A sample of the members: so many stretches of so many.
constexpr std::int64_t stretches = 32;
constexpr std::int64_t stretch = 64;

/// Items whose rows are measured.
constexpr std::int64_t measured = 1024;

// Nanoseconds, on a machine of 2024; what matters is how they compare.
constexpr double pushed_item = 20;
constexpr double pushed_edge = 4;
constexpr double limited_edge = 2; ///< where most keys are not offered
constexpr double pulled_key = 2;
constexpr double pulled_row = 12;
constexpr double pulled_edge = 0.35;
constexpr double pulled_end = 13;

/// A sample of rows, the first edges of each, and how many of these have to be within reach for
/// most of the rows: who has several light edges seldom ends up with a key that lies farther behind
/// those of all others than these edges reach.
constexpr std::int64_t sampled_rows = 256;
constexpr std::int64_t sampled_edges = 64;
constexpr std::int64_t reached_edges = 5;
constexpr double reached_rows = 0.8;

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

/// Whoever begins to pull spares the buckets behind this one most of their edges, too.
constexpr double spared_later = 1.5;

} // namespace

KeyPull::KeyPull(AlgorithmSession& session, const BucketsView& view)
    : session_(session), view_(view) {
    set_limit(none, 0);
}

void KeyPull::set_limit(std::int64_t limit, std::int64_t offered) {
    limit_ = limit;
    for (auto& worker : session_.workers) {
        worker->limit = limit;
        worker->offered = offered;
    }
}

std::optional<std::int64_t> KeyPull::reach() const {
    const StoredGraph& graph = graph_at(session_.frame, view_.graph);
    const std::int64_t n = set_at(session_.frame, view_.start).size;
    const void* const pos = view_.inward != 0 ? graph.in_pos : graph.out_pos;
    const void* const values = view_.inward != 0 ? graph.in_values : graph.out_values;
    const auto begin_of = [&](std::int64_t row) {
        return session_.options.wide ? static_cast<const std::int64_t*>(pos)[row]
                                     : static_cast<const std::int32_t*>(pos)[row];
    };
    std::vector<std::int64_t> all;    // values of the sample
    std::vector<std::int64_t> enough; // of each row, the value that reaches some of its edges
    visit_type(session_.type_of(view_.graph).element, [&](auto tag) {
        using Value = typename decltype(tag)::type;
        std::vector<std::int64_t> row;
        for (std::int64_t number = 0; number < sampled_rows; ++number) {
            const std::int64_t item = number * n / sampled_rows;
            const std::int64_t begin = begin_of(item);
            const std::int64_t count = std::min(begin_of(item + 1) - begin, sampled_edges);
            if (count <= 0) continue;
            const Value* const first = static_cast<const Value*>(values) + begin;
            row.assign(first, first + count);
            all.insert(all.end(), row.begin(), row.end());
            if (count < reached_edges) {
                enough.push_back(none);
                continue;
            }
            std::nth_element(row.begin(), row.begin() + (reached_edges - 1), row.end());
            enough.push_back(row[reached_edges - 1]);
        }
    });
    if (enough.empty()) return {};
    const auto most = enough.begin() + static_cast<std::ptrdiff_t>(
                                           static_cast<double>(enough.size()) * reached_rows);
    std::nth_element(enough.begin(), most, enough.end());
    const auto within =
        std::ranges::count_if(all, [&](std::int64_t value) { return value <= *most; });
    if (2 * static_cast<std::size_t>(within) > all.size()) return {};
    return *most;
}

void KeyPull::limit_offers(std::int64_t first, std::int64_t width) {
    if (width <= 0 || !possible()) return;
    const std::optional<std::int64_t> ahead = reach();
    // Not even from the last key of the first bucket is what lies within reach held back.
    if (ahead && *ahead < none - width) {
        const std::int64_t buckets = (*ahead + width - 1) / width + 1;
        if (first < none - buckets) set_limit(first + buckets, first);
    }
}

bool KeyPull::possible() {
    if (possible_) return *possible_;
    possible_ = false;
    if (view_.pull == nullptr) return false;
    // Nobody runs out of memory for the sake of speed.
    const std::int64_t n = set_at(session_.frame, view_.start).size;
    const auto lists = static_cast<std::uint64_t>(n) * session_.set_tools().index_bytes() *
                       session_.workers.size();
    const MemoryBudget& budget = *session_.context().budget();
    if (budget.used() > budget.limit() || lists > (budget.limit() - budget.used()) / 2) {
        return false;
    }
    derived::GraphCache& graph = *graph_at(session_.frame, view_.graph).cache;
    if (!graph.mirrored_by_now(session_.context())) return false;
    const auto extreme = [&](bool largest) {
        const ElementType type = session_.type_of(view_.graph).element;
        const Array found = graph.extreme(largest, type, session_.context());
        return visit_type(type, [&](auto tag) {
            return static_cast<std::int64_t>(found.as<typename decltype(tag)::type>()[0]);
        });
    };
    least_ = extreme(false);
    // Sums that are too large for a key are not what pushing makes of them.
    const std::int64_t most = session_.type_of(view_.key).element == ElementType::int32
                                  ? std::numeric_limits<std::int32_t>::max()
                                  : std::numeric_limits<std::int64_t>::max();
    possible_ = least_ >= 0 && extreme(true) <= most / std::max<std::int64_t>(n, 1);
    return *possible_;
}

std::int64_t KeyPull::row_length(std::int64_t item) const {
    const StoredGraph& graph = graph_at(session_.frame, view_.graph);
    const void* const pos = view_.inward != 0 ? graph.in_pos : graph.out_pos;
    const auto length = [&](const auto* begin) {
        return static_cast<std::int64_t>(begin[item + 1] - begin[item]);
    };
    return session_.options.wide ? length(static_cast<const std::int64_t*>(pos))
                                 : length(static_cast<const std::int32_t*>(pos));
}

double KeyPull::push_cost(std::span<const ItemList> waiting) const {
    std::int64_t total = 0;
    for (const ItemList& list : waiting) total += list.count;
    const std::int64_t step = std::max<std::int64_t>(total / measured, 1);
    double edges = 0;
    for (const ItemList& list : waiting) {
        for (std::int64_t at = 0; at < list.count; at += step) {
            const std::int64_t item = session_.options.wide
                                          ? static_cast<const std::int64_t*>(list.items)[at]
                                          : static_cast<const std::int32_t*>(list.items)[at];
            // What came too late is marked by its sign.
            edges += static_cast<double>(step * row_length(item < 0 ? ~item : item));
        }
    }
    return static_cast<double>(total) * pushed_item +
           edges * (limit_ == none ? pushed_edge : limited_edge);
}

double KeyPull::pull_cost(const Looked& looked) const {
    const double keys = static_cast<double>(set_at(session_.frame, view_.start).size) * pulled_key;
    return keys + looked.rows * pulled_row + looked.edges * pulled_edge + looked.ends * pulled_end;
}

void KeyPull::begin(std::int64_t ahead) {
    const auto bytes = static_cast<std::size_t>(set_at(session_.frame, view_.start).size) *
                       session_.set_tools().index_bytes();
    while (lists_.size() < session_.workers.size()) lists_.emplace_back(bytes, session_.context());
    for (auto& worker : session_.workers) {
        worker->found = 0;
        worker->pull_ahead = ahead;
        worker->least_value = least_;
        worker->pulled_rows = worker->pulled_edges = worker->pulled_ends = 0;
    }
}

KeyPull::Looked KeyPull::end() {
    Looked all;
    changed_.clear();
    for (std::size_t number = 0; number < lists_.size(); ++number) {
        const LoopWorker& worker = *session_.workers[number];
        all.rows += static_cast<double>(worker.pulled_rows);
        all.edges += static_cast<double>(worker.pulled_edges);
        all.ends += static_cast<double>(worker.pulled_ends);
        lists_[number].touched(static_cast<std::size_t>(worker.found) *
                               session_.set_tools().index_bytes());
        changed_.push_back({lists_[number].data(), worker.found});
    }
    return all;
}

double KeyPull::pull_some(std::int64_t bucket, double enough) {
    const std::int64_t n = set_at(session_.frame, view_.start).size;
    begin(0);
    const auto pull = [&](std::int64_t first, std::int64_t last) {
        view_.pull(&session_.frame, session_.workers[0].get(), bucket, first, last,
                   lists_[0].data());
    };
    if (n <= stretches * stretch) {
        pull(0, n);
        return pull_cost(end());
    }
    double cost = 0;
    for (std::int64_t number = 0; number < stretches; ++number) {
        // Not always the same ones.
        const std::int64_t part = n / stretches;
        const auto room = static_cast<std::uint64_t>(part - stretch + 1);
        const auto shift = static_cast<std::uint64_t>(bucket) * 7919 % room;
        const std::int64_t first = number * part + static_cast<std::int64_t>(shift);
        pull(first, first + stretch);
        const double share = static_cast<double>((number + 1) * stretch) / static_cast<double>(n);
        const Looked some = end();
        cost = pull_cost({some.rows / share, some.edges / share, some.ends / share});
        if (number > 0 && cost > 2 * enough) break;
    }
    return cost;
}

bool KeyPull::pays(std::int64_t bucket, std::span<const ItemList> waiting) {
    changed_.clear();
    const auto n = static_cast<double>(set_at(session_.frame, view_.start).size);
    const double push = push_cost(waiting) * spared_later * session_.options.pulling;
    if (push < n * pulled_key || !possible()) return false;
    return pull_some(bucket, push) < push;
}

void KeyPull::run(std::int64_t bucket) {
    const std::int64_t n = set_at(session_.frame, view_.start).size;
    for (std::int64_t ahead = 0;;) {
        session_.check_cancelled();
        begin(ahead);
        if (session_.team->size() == 1 || n <= 2 * piece) {
            view_.pull(&session_.frame, session_.workers[0].get(), bucket, 0, n, lists_[0].data());
        } else {
            std::atomic<std::int64_t> next{0};
            auto share = [&](int number) noexcept {
                for (;;) {
                    const std::int64_t first = next.fetch_add(piece, std::memory_order_relaxed);
                    if (first >= n) return;
                    view_.pull(&session_.frame, session_.workers[number].get(), bucket, first,
                               std::min(n, first + piece), lists_[number].data());
                }
            };
            session_.team->run(share);
        }
        // The next one has fewer ends to look at: keys are less by then.
        Looked next = end();
        set_limit(none, 0);
        next.ends /= 2;
        if (push_cost(changed_) * session_.options.pulling <= pull_cost(next)) return;
        // Everybody with a key below this one had it before this turn, so that all ends of their
        // edges have seen it.
        if (ahead > std::numeric_limits<std::int64_t>::max() - least_) return;
        ahead += least_;
    }
}

} // namespace tropic::cpu
