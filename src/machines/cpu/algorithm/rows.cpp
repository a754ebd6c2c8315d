#include "machines/cpu/algorithm/rows.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "graph/derived/graph_cache.h"
#include "machines/cpu/team_loops.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

/// Entries of the first block of a worker, and of the largest.
constexpr std::int64_t first_block = 1 << 12;
constexpr std::int64_t largest_block = 1 << 20;

ElementType index_type(const AlgorithmSession& session) {
    return session.options.wide ? ElementType::int64 : ElementType::int32;
}

std::size_t value_bytes(const AlgorithmSession& session, std::int64_t variable) {
    const la::Type& type = session.type_of(variable);
    return type.pattern ? 0 : size_of(stored_type(type, session.options.wide));
}

void show_block(LoopWorker& worker) {
    if (worker.row_blocks.empty()) {
        worker.rows = {};
        return;
    }
    const RowBlock& block = worker.row_blocks.back();
    worker.rows = {address_of(block.columns), address_of(block.values), 0, block.capacity};
}

/// What lies in the last block and belongs to the worker's chunk.
void keep_piece(AlgorithmSession& session, LoopWorker& worker) {
    const std::int64_t begin = worker.chunk_begin;
    const std::int64_t count = worker.rows.count - begin;
    worker.chunk_begin = worker.rows.count;
    if (count == 0) return;
    RowState& state = session.loop.rows;
    const auto at = static_cast<std::size_t>(begin);
    state.pieces[static_cast<std::size_t>(worker.chunk)].push_back(
        {static_cast<const std::byte*>(worker.rows.columns) + at * size_of(index_type(session)),
         static_cast<const std::byte*>(worker.rows.values) + at * state.value_bytes, count});
}

void put_graph(AlgorithmSession& session, std::int64_t variable, Level entries, Array values,
               std::int64_t rows, std::int64_t columns) {
    std::vector<Level> levels(2);
    levels[1] = std::move(entries);
    levels[1].kind = LevelKind::compressed;
    Graph graph;
    graph.name = session.algorithm.variables[static_cast<std::size_t>(variable)].name;
    graph.source = "program";
    graph.tensor =
        Tensor({rows, columns}, Format::csr(), std::move(levels), std::move(values), true, true);
    graph.kind = rows == columns ? EdgeKind::directed : EdgeKind::bipartite;
    graph.ids.resize(2);
    bind_graph(session, variable, std::make_shared<derived::GraphCache>(std::move(graph)));
}

Array make_values(const AlgorithmSession& session, std::int64_t variable, std::int64_t entries) {
    const la::Type& type = session.type_of(variable);
    const ElementType stored =
        type.pattern ? ElementType::pattern : stored_type(type, session.options.wide);
    return Array::allocate(stored, entries, session.context(), "values of a graph");
}

/// Where each chunk's entries begin, and the number of all.
std::vector<std::int64_t> starts_of(const RowState& state) {
    std::vector<std::int64_t> starts(1, 0);
    for (const auto& pieces : state.pieces) {
        std::int64_t sum = starts.back();
        for (const RowPiece& piece : pieces) sum += piece.count;
        starts.push_back(sum);
    }
    return starts;
}

} // namespace

void begin_graph(AlgorithmSession& session, std::int64_t variable, std::int64_t rows,
                 std::int64_t chunks) {
    RowState& state = session.loop.rows;
    state.variable = variable;
    state.rows = rows;
    state.value_bytes = value_bytes(session, variable);
    state.pos = Array::zeros(index_type(session), rows + 1, session.context(), "rows of a graph");
    state.pieces.assign(static_cast<std::size_t>(chunks), {});
    session.frame.built_rows = address_of(state.pos);
    for (const auto& worker : session.workers) {
        // Blocks of a graph with smaller values are too small.
        auto& blocks = worker->row_blocks;
        std::erase_if(blocks, [&](const RowBlock& block) {
            return block.values.bytes() <
                   static_cast<std::size_t>(block.capacity) * state.value_bytes;
        });
        show_block(*worker);
    }
}

void begin_rows(AlgorithmSession&, LoopWorker& worker, std::int64_t chunk) {
    worker.chunk = chunk;
    worker.chunk_begin = worker.rows.count;
}

void end_rows(AlgorithmSession& session, LoopWorker& worker) {
    keep_piece(session, worker);
}

void more_rows(Frame* frame, WorkerView* view) {
    AlgorithmSession& session = *frame->session;
    auto& worker = *static_cast<LoopWorker*>(view);
    keep_piece(session, worker);
    session.check_cancelled();
    auto& blocks = worker.row_blocks;
    const std::int64_t capacity =
        blocks.empty() ? first_block : std::min(blocks.back().capacity * 2, largest_block);
    const auto bytes = capacity * static_cast<std::int64_t>(
                                      std::max<std::size_t>(session.loop.rows.value_bytes, 1));
    blocks.push_back(
        {Array::allocate(index_type(session), capacity, session.context(), "entries of a graph"),
         Array::allocate(ElementType::uint8, session.loop.rows.value_bytes == 0 ? 0 : bytes,
                         session.context(), "entries of a graph"),
         capacity});
    worker.chunk_begin = 0;
    show_block(worker);
}

void end_graph(AlgorithmSession& session, std::span<const std::int64_t> bounds, const char* place) {
    RowState& state = session.loop.rows;
    const std::vector<std::int64_t> starts = starts_of(state);
    const std::int64_t entries = starts.back();
    const ElementType index = index_type(session);
    if (!session.options.wide && entries >= std::numeric_limits<std::int32_t>::max()) {
        fail_at(session, place, ErrorCode::range,
                fmt::format("the graph would have {} entries, and this algorithm counts with 32 "
                            "bits",
                            entries),
                "compile it with 64-bit indices: --wide");
    }
    Level level;
    level.crd = Array::allocate(index, entries, session.context(), "columns of a graph");
    Array values = make_values(session, state.variable, entries);
    auto* const crd = static_cast<std::byte*>(address_of(level.crd));
    auto* const to = static_cast<std::byte*>(address_of(values));
    visit_index(index, [&](auto tag) {
        using I = typename decltype(tag)::type;
        I* const pos = static_cast<I*>(address_of(state.pos));
        team_pieces(
            *session.team, static_cast<std::int64_t>(state.pieces.size()), [&](std::int64_t chunk) {
                session.context().check_cancelled();
                std::int64_t sum = starts[static_cast<std::size_t>(chunk)];
                auto out = static_cast<std::size_t>(sum);
                for (std::int64_t row = bounds[static_cast<std::size_t>(chunk)];
                     row < bounds[static_cast<std::size_t>(chunk) + 1]; ++row) {
                    sum += pos[row + 1];
                    pos[row + 1] = static_cast<I>(sum);
                }
                for (const RowPiece& piece : state.pieces[static_cast<std::size_t>(chunk)]) {
                    const auto count = static_cast<std::size_t>(piece.count);
                    std::memcpy(crd + out * sizeof(I), piece.columns, count * sizeof(I));
                    if (state.value_bytes > 0) {
                        std::memcpy(to + out * state.value_bytes, piece.values,
                                    count * state.value_bytes);
                    }
                    out += count;
                }
            });
    });
    // The next loop begins with what a worker had least of: one small block stays.
    for (const auto& worker : session.workers) {
        if (worker->row_blocks.size() > 1) worker->row_blocks.resize(1);
        worker->rows = {};
    }
    state.pieces.clear();
    session.frame.built_rows = nullptr;
    level.pos = std::exchange(state.pos, {});
    put_graph(session, state.variable, std::move(level), std::move(values), state.rows,
              session.frame.built_columns);
}

void make_empty_graph(AlgorithmSession& session, std::int64_t variable, std::int64_t rows,
                      std::int64_t columns) {
    Level level;
    level.pos = Array::zeros(index_type(session), rows + 1, session.context(), "rows of a graph");
    level.crd = Array::allocate(index_type(session), 0, session.context(), "columns of a graph");
    put_graph(session, variable, std::move(level), make_values(session, variable, 0), rows,
              columns);
}

void sort_list(Frame*, WorkerView* worker, void* list, std::int64_t count, std::int64_t size) {
    sort_coordinates(&static_cast<LoopWorker*>(worker)->sorting, list, count, size);
}

} // namespace tropic::cpu
