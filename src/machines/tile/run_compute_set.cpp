#include "machines/tile/run_compute_set.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "machines/tile/access_check.h"
#include "machines/tile/fault.h"
#include "machines/tile/tile_schedule.h"
#include "support/parallel.h"

namespace tropic::tile {

namespace {

/// What the vertices of one tile print, each line with where it comes from.
class TilePrints final : public PrintSink {
  public:
    explicit TilePrints(const Graph& graph) : graph_(&graph) {}

    void begin(std::uint32_t tile, VertexId vertex, std::uint32_t worker) {
        tile_ = tile;
        vertex_ = vertex;
        worker_ = worker;
    }
    void print(std::uint32_t worker, std::string_view text) override {
        const bool multi = graph_->vertices()[vertex_].type->kind != VertexKind::worker;
        for (const char c : text) {
            if (text_.empty() || text_.back() == '\n') {
                fmt::format_to(std::back_inserter(text_), "[tile {} worker {} vertex {} {}] ",
                               tile_, multi ? worker : worker_, vertex_,
                               graph_->vertices()[vertex_].type->name);
            }
            text_ += c;
        }
    }
    std::string take() {
        if (!text_.empty() && text_.back() != '\n') text_ += '\n';
        return std::move(text_);
    }
    bool empty() const { return text_.empty(); }

  private:
    const Graph* graph_;
    std::uint32_t tile_ = 0;
    VertexId vertex_ = 0;
    std::uint32_t worker_ = 0;
    std::string text_;
};

class ComputeSetRun {
  public:
    ComputeSetRun(const Graph& graph, const VertexCode& code, bool checked,
                  std::span<std::uint32_t> tile_cycles)
        : graph_(&graph), code_(&code), checked_(checked), tile_cycles_(tile_cycles) {}

    /// Tiles [begin, end) of those that compute.
    void run_tiles(Index begin, Index end) {
        std::optional<AccessCheck> check;
        if (checked_) check.emplace(*graph_);
        TilePrints prints(*graph_);
        for (Index t = begin; t < end; ++t) {
            if (t > failed_.load(std::memory_order_relaxed)) return;
            const TileVertices& tile = code_->tiles()[static_cast<std::size_t>(t)];
            try {
                tile_cycles_[tile.tile] = run_tile(tile, check ? &*check : nullptr, prints);
            } catch (...) {
                note_failure(t, std::current_exception());
            }
            if (!prints.empty()) {
                const std::scoped_lock lock(mutex_);
                printed_[tile.tile] = prints.take();
            }
        }
    }

    void finish(const TextSink& print) {
        if (print) {
            for (const auto& [tile, text] : printed_) print(text);
        }
        if (failure_) std::rethrow_exception(failure_);
    }

    bool all_true() const { return !returned_false_.load(std::memory_order_relaxed); }

  private:
    std::uint32_t run_tile(const TileVertices& tile, AccessCheck* check, TilePrints& prints) {
        TileSchedule schedule(graph_->machine());
        if (check != nullptr) check->begin_tile(tile.tile);
        const std::span<const RunnableVertex> vertices = code_->vertices();
        for (std::uint32_t v = tile.begin; v < tile.end; ++v) {
            const RunnableVertex& vertex = vertices[v];
            if (vertex.gathered > 0) code_->gather(vertex);
            if (check != nullptr) check->begin_vertex(*code_, vertex);
            try {
                run_vertex(tile.tile, vertex, schedule, check, prints);
            } catch (const TileError&) {
                throw;
            } catch (const Error& error) {
                Diagnostic diagnostic = error.diagnostic();
                diagnostic.message = fmt::format("{} on tile {}: {}", graph_->describe(vertex.id),
                                                 tile.tile, diagnostic.message);
                throw TileError(Fault::access, std::move(diagnostic));
            }
            if (vertex.gathered > 0) code_->scatter(vertex);
        }
        const std::uint64_t cycles = graph_->machine().compute_set_cycles + schedule.cycles();
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(cycles, std::numeric_limits<std::uint32_t>::max()));
    }

    void run_vertex(std::uint32_t tile, const RunnableVertex& vertex, TileSchedule& schedule,
                    AccessCheck* check, TilePrints& prints) {
        Invocation invocation;
        bool returned = true;
        invocation.returned = &returned;
        invocation.state = vertex.state;
        invocation.observer = check;
        invocation.prints = &prints;
        std::uint32_t worker = 0;
        Cost cost = 0;
        switch (vertex.kind) {
        case VertexKind::worker:
            worker = schedule.next_worker();
            prints.begin(tile, vertex.id, worker);
            if (check != nullptr) check->begin_worker(worker);
            cost = vertex.run(invocation);
            if (!vertex.use_estimate) schedule.add_worker(worker, cost);
            break;
        case VertexKind::multi:
            prints.begin(tile, vertex.id, 0);
            for (std::uint32_t w = 0; w < graph_->machine().workers; ++w) {
                invocation.worker = w;
                if (check != nullptr) check->begin_worker(w);
                cost = std::max(cost, vertex.run(invocation));
            }
            if (!vertex.use_estimate) schedule.add_multi(cost);
            break;
        case VertexKind::supervisor:
            prints.begin(tile, vertex.id, 0);
            if (check != nullptr) check->on_worker(-1);
            cost = vertex.run(invocation);
            if (!vertex.use_estimate) schedule.add_supervisor(cost);
            break;
        }
        if (vertex.use_estimate) schedule.add_estimate(vertex.kind, worker, vertex.estimate);
        if (!returned) returned_false_.store(true, std::memory_order_relaxed);
    }

    void note_failure(Index tile, std::exception_ptr error) {
        const std::scoped_lock lock(mutex_);
        if (tile >= failed_.load(std::memory_order_relaxed)) return;
        failed_.store(tile, std::memory_order_relaxed);
        failure_ = std::move(error);
    }

    const Graph* graph_;
    const VertexCode* code_;
    bool checked_;
    std::span<std::uint32_t> tile_cycles_;
    std::atomic<Index> failed_{std::numeric_limits<Index>::max()};
    std::atomic<bool> returned_false_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
    std::map<std::uint32_t, std::string> printed_;
};

} // namespace

std::uint64_t run_compute_set(const Context& context, const Graph& graph, const VertexCode& code,
                              bool checked, std::span<std::uint32_t> tile_cycles,
                              const TextSink& print, bool* all_true) {
    ComputeSetRun run(graph, code, checked, tile_cycles);
    const auto tiles = static_cast<Index>(code.tiles().size());
    // Few tiles are done before threads are awake; many are cut so that threads end together.
    constexpr Index least_parallel = 16;
    constexpr Index pieces_per_thread = 16;
    const Index grain = tiles < least_parallel
                            ? std::max<Index>(tiles, 1)
                            : std::max<Index>(1, tiles / (context.threads() * pieces_per_thread));
    parallel_ranges(context, tiles, grain,
                    [&](Index begin, Index end) { run.run_tiles(begin, end); });
    run.finish(print);
    if (all_true != nullptr && !run.all_true()) *all_true = false;
    std::uint32_t slowest = 0;
    for (const TileVertices& tile : code.tiles()) {
        slowest = std::max(slowest, tile_cycles[tile.tile]);
    }
    return slowest;
}

} // namespace tropic::tile
