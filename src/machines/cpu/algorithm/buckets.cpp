// Ordered frontiers. Every worker has bins of its own for the buckets of a window; a bucket is
// taken from all of them together, and a worker that filled its own bin of the current bucket with
// a little goes on with that at once instead of meeting the others first (bucket fusion: Zhang et
// al., "Optimizing ordered graph algorithms with GraphIt", 2020). Where buckets hold a good part of
// all vertices, nobody keeps bins for later ones: their members are found by looking at all keys.
// And where offering keys to all neighbours is more work than everybody's taking the best they can
// get, they take it.
#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "machines/cpu/algorithm/deal.h"
#include "machines/cpu/algorithm/inserts.h"
#include "machines/cpu/algorithm/key_pull.h"
#include "machines/cpu/algorithm/key_search.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace {

/// Buckets that have a bin; items of later ones wait in a list.
constexpr std::int64_t window = 2048;

/// A worker goes on alone with a bin of up to so many items.
constexpr std::int64_t fused = 1024;

/// Members taken at a time in parallel: each worker finds so many pieces that are its own, as long
/// as they are of a size to be worth it.
constexpr std::int64_t pieces_each = 16;
constexpr std::int64_t smallest_piece = 64;
constexpr std::int64_t largest_piece = 256;

/// Members are looked for once a bucket has had this share of all vertices, until one has less than
/// the other share. Only graphs with rows of at least so many entries on average have so many at
/// once for long.
constexpr std::int64_t searched_share = 128;
constexpr std::int64_t binned_share = 1024;
constexpr double searched_degree = 8;

/// What comes again in a bucket is put in order, once each, up to so many items.
constexpr std::int64_t tidied = 4096;

/// Buckets that --explain lists.
constexpr std::int64_t most_recorded = 1000;

constexpr std::int64_t none = KeySearch::none;

/// Before any bucket there is.
constexpr std::int64_t before_all = std::numeric_limits<std::int64_t>::min();

class OrderedRun {
  public:
    OrderedRun(AlgorithmSession& session, const BucketsView& view, std::int64_t width)
        : session_(session), view_(view), width_(width),
          item_bytes_(session.set_tools().index_bytes()),
          bucket_(*static_cast<std::int64_t*>(session.frame.slots[view.bucket])),
          search_(session, view), pull_(session, view) {
        double degree = 0;
        if (view.graph >= 0) {
            const StoredGraph& graph = graph_at(session.frame, view.graph);
            degree = static_cast<double>(graph.entries) /
                     static_cast<double>(std::max<std::int64_t>(graph.rows, 1));
        }
        item_cost_ = 8 * (1 + degree);
        searchable_ = view.find != nullptr && degree >= searched_degree;
    }

    void run() {
        move_window(0);
        clear_rebuilt(session_, view_.inserts, view_.insert_count);
        searchable_ = searchable_ && search_.only_start_has_keys();
        pullable_ = searchable_ && view_.pull != nullptr;
        push_until(none);
        distribute();
        // Keys may begin below zero: everything starts over from there.
        if (const std::int64_t least = least_far(); least < first_) {
            give_up_bins();
            move_window(least);
        }
        std::int64_t current = before_all;
        while ((current = next_bucket(current)) != none) {
            session_.check_cancelled();
            if (current >= first_ + window) move_window(current);
            bucket_ = current;
            taken_ = 0;
            if (pullable_ && current >= 0 && pull_at(current, waiting_in(current))) continue;
            const double began = session_.options.record_rounds ? seconds_now() : 0;
            drain(current);
            record(current, taken_, false, began);
            // What has keys below zero is left to bins.
            const bool large = taken_ >= search_.space() / searched_share;
            if (searchable_ && current >= 0 && large) search_on(current);
        }
        for (auto& worker : session_.workers) {
            for (Bin& bin : worker->bin_list) worker->memory.give_back(bin, item_bytes_);
            worker->bins = nullptr;
            worker->bin_count = 0;
        }
    }

  private:
    Bin& bin_of(LoopWorker& worker, std::int64_t bucket) const {
        return worker.bin_list[static_cast<std::size_t>(bucket - first_)];
    }

    /// The bins stand for `window` buckets from `first` on.
    void move_window(std::int64_t first) {
        for (auto& worker : session_.workers) {
            auto& bins = worker->bin_list;
            bins.resize(static_cast<std::size_t>(window));
            // Bins behind the current bucket are empty; those before it move down.
            const std::int64_t shift = std::min(first - first_, window);
            if (shift > 0) std::rotate(bins.begin(), bins.begin() + shift, bins.end());
            worker->bins = bins.data();
            worker->first_bin = first;
            worker->bin_count = window;
        }
        first_ = first;
        for (auto& worker : session_.workers) take_far(*worker);
    }

    /// Items of the far list that have a bin now go there.
    void take_far(LoopWorker& worker) {
        std::vector<FarItem> waiting;
        waiting.swap(worker.far);
        for (const FarItem& item : waiting) {
            bucket_push(&session_.frame, &worker, item.bucket, item.item);
        }
    }

    void distribute() {
        StoredSet& start = set_at(session_.frame, view_.start);
        list_members(session_.set_tools(), start);
        distribute({start.list, start.count});
    }

    void distribute(const ItemList& list) {
        if (list.count == 0) return;
        if (list.count <= 4096 || session_.team->size() == 1) {
            view_.distribute(&session_.frame, session_.workers[0].get(), before_all, 0, list.count,
                             list.items);
            return;
        }
        in_parallel(list.count, list.items, view_.distribute, before_all, false);
    }

    std::int64_t least_far() const {
        std::int64_t least = none;
        for (const auto& worker : session_.workers) {
            for (const FarItem& item : worker->far) least = std::min(least, item.bucket);
        }
        return least;
    }

    /// What is in bins goes to the far lists.
    void give_up_bins() {
        for (auto& worker : session_.workers) {
            for (std::int64_t b = 0; b < window; ++b) {
                Bin& bin = worker->bin_list[static_cast<std::size_t>(b)];
                for (std::int64_t at = 0; at < bin.count; ++at) {
                    worker->far.push_back({first_ + b, item_at(bin.items, at)});
                }
                worker->memory.give_back(bin, item_bytes_);
            }
        }
    }

    /// The bucket to do after `from`. Far items lie behind the window.
    std::int64_t next_bucket(std::int64_t from) const {
        std::int64_t next = none;
        const std::int64_t first = std::max(from, first_);
        for (const auto& worker : session_.workers) {
            const std::int64_t end = std::min(next, first_ + window);
            for (std::int64_t b = first; b < end; ++b) {
                if (worker->bin_list[static_cast<std::size_t>(b - first_)].count == 0) continue;
                next = b;
                break;
            }
        }
        return next != none ? next : least_far();
    }

    /// Does the bucket until nothing is left in it.
    void drain(std::int64_t bucket) {
        for (;;) {
            std::int64_t total = 0;
            for (auto& worker : session_.workers) {
                Bin& bin = bin_of(*worker, bucket);
                if (searching_) tidy(bin);
                total += bin.count;
            }
            if (total == 0) return;
            session_.check_cancelled();
            taken_ += total;
            if (is_for_one(total)) drain_alone(bucket);
            else drain_together(bucket, total);
        }
    }

    bool is_for_one(std::int64_t items) const {
        const double cost = static_cast<double>(items) * item_cost_;
        const Team& team = *session_.team;
        return team.size() == 1 || cost < session_.options.smallest_loop ||
               (!team.awake() && cost < session_.options.waking);
    }

    void drain_alone(std::int64_t bucket) {
        begin_serial_inserts(session_, view_.inserts, view_.insert_count);
        for (auto& worker : session_.workers) {
            Bin& bin = bin_of(*worker, bucket);
            if (bin.count > 0) take(bin, *worker, *session_.workers[0], bucket, view_.serial);
        }
        end_serial_inserts(session_, view_.inserts, view_.insert_count, ListOrder::raced);
    }

    /// Empties a bin of `owner` and runs the body on what was in it, on `worker`.
    void take(Bin& bin, LoopWorker& owner, LoopWorker& worker, std::int64_t bucket,
              EachBody body) const {
        Bin taken = std::exchange(bin, {});
        body(&session_.frame, &worker, bucket, 0, taken.count, taken.items);
        owner.memory.give_back(taken, item_bytes_);
    }

    void drain_together(std::int64_t bucket, std::int64_t total) {
        const auto wanted = static_cast<std::size_t>(total) * item_bytes_;
        if (frontier_.bytes() < wanted) frontier_ = MemberList(wanted, session_.context());
        frontier_.touched(wanted);
        char* const items = static_cast<char*>(frontier_.data());
        std::size_t at = 0;
        for (auto& worker : session_.workers) {
            Bin& bin = bin_of(*worker, bucket);
            const std::size_t bytes = static_cast<std::size_t>(bin.count) * item_bytes_;
            if (bytes > 0) std::memcpy(items + at, bin.items, bytes);
            at += bytes;
            bin.count = 0;
        }
        in_parallel(total, items, view_.parallel, bucket, true);
    }

    void in_parallel(std::int64_t count, const void* items, EachBody body, std::int64_t bucket,
                     bool fuse) {
        begin_parallel_inserts(session_, view_.inserts, view_.insert_count);
        const int workers = session_.team->size();
        const std::int64_t piece =
            std::clamp(count / (pieces_each * workers), smallest_piece, largest_piece);
        Deal deal((count + piece - 1) / piece, workers);
        FirstFailure failure;
        auto share = [&](int number) noexcept {
            LoopWorker& worker = *session_.workers[number];
            try {
                begin_worker_inserts(session_, worker);
                while (!failure.any()) {
                    const std::int64_t chunk = deal.take(number);
                    if (chunk < 0) break;
                    const std::int64_t begin = chunk * piece;
                    body(&session_.frame, &worker, bucket, begin, std::min(count, begin + piece),
                         items);
                }
                while (fuse && !failure.any()) {
                    Bin& bin = bin_of(worker, bucket);
                    if (bin.count == 0 || bin.count > fused) break;
                    take(bin, worker, worker, bucket, body);
                }
                end_worker_inserts(session_, worker);
            } catch (...) {
                failure.keep();
            }
        };
        session_.team->run(share);
        failure.raise();
        end_parallel_inserts(session_, view_.inserts, view_.insert_count);
    }

    std::vector<ItemList> waiting_in(std::int64_t bucket) {
        std::vector<ItemList> lists;
        for (auto& worker : session_.workers) {
            const Bin& bin = bin_of(*worker, bucket);
            lists.push_back({bin.items, bin.count});
        }
        return lists;
    }

    /// Pulls all keys, if that is better than doing a bucket that nobody has begun with.
    bool pull_at(std::int64_t bucket, const std::vector<ItemList>& waiting) {
        if (!pull_.pays(bucket, waiting)) {
            // Some have a lesser key now.
            for (const ItemList& list : pull_.changed()) distribute(list);
            return false;
        }
        pull(bucket, waiting);
        return true;
    }

    /// Pulls all keys. Only those wait then whose keys became less by that, in bins.
    void pull(std::int64_t bucket, const std::vector<ItemList>& waiting) {
        const double began = session_.options.record_rounds ? seconds_now() : 0;
        pull_.run(bucket);
        for (auto& worker : session_.workers) {
            for (Bin& bin : worker->bin_list) worker->memory.give_back(bin, item_bytes_);
            worker->far.clear();
        }
        push_until(none);
        for (const ItemList& list : pull_.changed()) distribute(list);
        // Keys no longer say who waits.
        searchable_ = false;
        std::int64_t total = 0;
        for (const ItemList& list : waiting) total += list.count;
        record(bucket, total, true, began);
    }

    /// A row of --explain.
    void record(std::int64_t bucket, std::int64_t items, bool pull, double began) {
        std::int64_t& recorded = session_.recorded_buckets;
        if (!session_.options.record_rounds || recorded > most_recorded) return;
        if (recorded++ == most_recorded) {
            session_.notes.push_back(fmt::format(
                "there are more buckets than the first {}, which are listed", most_recorded));
            return;
        }
        session_.rounds.push_back({.choice = -1,
                                   .iteration = bucket,
                                   .frontier = items,
                                   .edges = -1,
                                   .pull = pull,
                                   .seconds = seconds_now() - began});
    }

    void push_until(std::int64_t bucket) const {
        for (auto& worker : session_.workers) worker->until = bucket;
    }

    std::int64_t item_at(const void* items, std::int64_t at) const {
        return item_bytes_ == 8 ? static_cast<const std::int64_t*>(items)[at]
                                : static_cast<const std::int32_t*>(items)[at];
    }

    /// Does the buckets behind `current` for as long as they are large. Bins hold only what comes
    /// again in a bucket meanwhile.
    void search_on(std::int64_t current) {
        for (auto& worker : session_.workers) {
            for (Bin& bin : worker->bin_list) worker->memory.give_back(bin, item_bytes_);
            worker->far.clear();
        }
        searching_ = true;
        if (pullable_) pull_.limit_offers(current + 1, width_);
        for (std::int64_t next = current + 1;; ++next) {
            session_.check_cancelled();
            if (const std::int64_t later = search_.look(next, next + 1); search_.count() == 0) {
                // Nobody may wait because nothing was offered.
                next = std::min(later, pull_.limit());
                if (next == none) break;
                search_.look(next, next + 1);
            }
            // All bins are empty.
            first_ = next;
            for (auto& worker : session_.workers) worker->first_bin = next;
            const bool few = search_.count() < search_.space() / binned_share;
            if (pull_.limit() != none && (few || next >= pull_.limit())) {
                pull(next, {{search_.items(), search_.count()}});
                break;
            }
            if (few) {
                search_.look(next, none);
                push_until(none);
                view_.distribute(&session_.frame, session_.workers[0].get(), before_all, 0,
                                 search_.count(), search_.items());
                break;
            }
            bucket_ = next;
            if (pullable_ && pull_at(next, {{search_.items(), search_.count()}})) break;
            const std::int64_t count = search_.count();
            void* const items = search_.items();
            const double began = session_.options.record_rounds ? seconds_now() : 0;
            taken_ = count;
            if (is_for_one(count)) {
                begin_serial_inserts(session_, view_.inserts, view_.insert_count);
                view_.serial(&session_.frame, session_.workers[0].get(), next, 0, count, items);
                end_serial_inserts(session_, view_.inserts, view_.insert_count, ListOrder::raced);
            } else {
                in_parallel(count, items, view_.parallel, next, true);
            }
            drain(next);
            record(next, taken_, false, began);
        }
        searching_ = false;
        push_until(none);
    }

    /// Short lists in order and without repetitions.
    void tidy(Bin& bin) const {
        if (bin.count < 2 || bin.count > tidied) return;
        const auto put_in_order = [&](auto* items) {
            std::sort(items, items + bin.count);
            bin.count = std::unique(items, items + bin.count) - items;
        };
        if (item_bytes_ == 8) put_in_order(static_cast<std::int64_t*>(bin.items));
        else put_in_order(static_cast<std::int32_t*>(bin.items));
    }

    AlgorithmSession& session_;
    const BucketsView& view_;
    std::int64_t width_; ///< of buckets, if it is a whole number
    std::size_t item_bytes_;
    std::int64_t& bucket_;
    double item_cost_ = 1;
    std::int64_t first_ = 0;
    std::int64_t taken_ = 0; ///< items of the current bucket
    bool searchable_ = false;
    bool searching_ = false;
    bool pullable_ = false;
    MemberList frontier_;
    KeySearch search_;
    KeyPull pull_;
};

} // namespace

void buckets(Frame* frame, const BucketsView* view, std::int64_t width) {
    const double began = seconds_now();
    OrderedRun(*frame->session, *view, width).run();
    if (frame->session->options.time_statements) {
        add_time(*frame->session, view->place, view->text, began);
    }
}

void bucket_push(Frame* frame, WorkerView* view, std::int64_t bucket, std::int64_t item) {
    auto& worker = *static_cast<LoopWorker*>(view);
    if (bucket < worker.first_bin || bucket >= worker.first_bin + worker.bin_count) {
        worker.far.push_back({bucket, item});
        return;
    }
    const bool wide = frame->session->options.wide;
    Bin& bin = worker.bins[bucket - worker.first_bin];
    if (bin.count == bin.capacity) worker.memory.grow(bin, wide ? 8 : 4);
    if (wide) static_cast<std::int64_t*>(bin.items)[bin.count++] = item;
    else static_cast<std::int32_t*>(bin.items)[bin.count++] = static_cast<std::int32_t>(item);
}

} // namespace tropic::cpu
