#include "machines/cpu/entries.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "graph/build/assemble.h"
#include "graph/build/convert.h"
#include "machines/cpu/session.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

/// Rows or entries that one task handles.
constexpr Index grain = 1 << 16;

constexpr Index first_capacity = 256;

/// Rows are given room for more than they may need.
constexpr Index slack_entries = 1 << 13;

/// A run of entries in one worker's buffers and its place in the result.
struct Piece {
    std::size_t worker;
    Index from;
    Index to;
    Index count;
};

struct Pieces {
    std::vector<Piece> list;
    Index total = 0;
    bool whole = true;        ///< at most one worker has entries, and all in order
    std::size_t in_place = 0; ///< so many pieces, all that the first worker has, are in their place
};

/// The pieces in the order of the chunks, cut small enough to be copied in parallel.
Pieces pieces_of(const Entries& entries) {
    struct Run {
        std::int64_t chunk;
        std::size_t worker;
        Index begin;
        Index end;
    };
    std::vector<Run> runs;
    std::size_t busy = 0;
    for (std::size_t w = 0; w < entries.workers.size(); ++w) {
        const auto& [buffer, values, coordinates, segments] = entries.workers[w];
        busy += buffer.size > 0 ? 1 : 0;
        for (std::size_t s = 0; s < segments.size(); ++s) {
            const Index end = s + 1 < segments.size() ? segments[s + 1].begin : buffer.size;
            if (end > segments[s].begin)
                runs.push_back({segments[s].chunk, w, segments[s].begin, end});
        }
    }
    std::sort(runs.begin(), runs.end(),
              [](const Run& a, const Run& b) { return a.chunk < b.chunk; });
    Pieces pieces;
    pieces.whole = busy <= 1;
    for (const Run& run : runs) {
        for (Index from = run.begin; from < run.end; from += grain) {
            const Index count = std::min(grain, run.end - from);
            pieces.whole = pieces.whole && from == pieces.total; // the last workers go backwards
            pieces.list.push_back({run.worker, from, pieces.total, count});
            pieces.total += count;
        }
    }
    Index first = 0;
    for (const Piece& piece : pieces.list) {
        if (piece.worker != 0 || piece.from != piece.to) break;
        first += piece.count;
        ++pieces.in_place;
    }
    if (first != entries.workers[0].buffer.size) pieces.in_place = 0;
    return pieces;
}

/// One array of the result from the same array (`buffer_of(worker)`) of all workers, which are
/// emptied.
template <class BufferOf>
Array join(Entries& entries, const Pieces& pieces, ElementType type, const BufferOf& buffer_of) {
    const Context& context = entries.session->context();
    if (pieces.total == 0) return Array::allocate(type, 0, context, "no entries");
    if (pieces.whole) {
        return std::move(buffer_of(entries.workers[pieces.list[0].worker]))
            .release(type, pieces.total);
    }
    const std::size_t width = size_of(type);
    GrowingBuffer& begun = buffer_of(entries.workers[0]);
    Array result;
    std::byte* to = nullptr;
    if (pieces.in_place > 0 && width > 0) {
        const std::size_t bytes = static_cast<std::size_t>(pieces.total) * width;
        begun.reserve(static_cast<std::size_t>(entries.workers[0].buffer.size) * width, bytes,
                      bytes, context.budget());
        to = static_cast<std::byte*>(begun.data());
    } else {
        result = Array::allocate(type, pieces.total, context, "entries of a result");
        to = static_cast<std::byte*>(result.mutable_data());
    }
    const auto moved = static_cast<Index>(pieces.list.size() - pieces.in_place);
    entries.session->loops.each(moved, [&](Index p) {
        const Piece& piece = pieces.list[pieces.in_place + static_cast<std::size_t>(p)];
        const auto* const from =
            static_cast<const std::byte*>(buffer_of(entries.workers[piece.worker]).data());
        if (width > 0) {
            std::memcpy(to + piece.to * width, from + piece.from * width, piece.count * width);
        }
    });
    if (pieces.in_place > 0 && width > 0) result = std::move(begun).release(type, pieces.total);
    for (WorkerEntries& worker : entries.workers) buffer_of(worker) = GrowingBuffer();
    return result;
}

Array join_values(Entries& entries, const Pieces& pieces) {
    return join(entries, pieces, entries.type,
                [](WorkerEntries& worker) -> GrowingBuffer& { return worker.values; });
}

Array join_coordinates(Entries& entries, const Pieces& pieces, int dimension) {
    return join(
        entries, pieces, entries.session->index_type(),
        [=](WorkerEntries& worker) -> GrowingBuffer& { return worker.coordinates[dimension]; });
}

/// Turns counts into positions where they are, and returns their sum.
template <class Pos> Index sum_up(Pos* counts, Index rows, Loops& loops) {
    const Index blocks = (rows + grain - 1) / grain;
    std::vector<Index> before(blocks + 1);
    if (blocks > 1) {
        loops.each(blocks, [&](Index block) {
            Index sum = 0;
            for (Index r = block * grain; r < std::min(rows, (block + 1) * grain); ++r) {
                sum += counts[r];
            }
            before[block + 1] = sum;
        });
        for (Index block = 0; block < blocks; ++block) before[block + 1] += before[block];
    }
    std::vector<Index> ends(blocks + 1);
    loops.each(blocks, [&](Index block) {
        Index sum = before[block];
        for (Index r = block * grain; r < std::min(rows, (block + 1) * grain); ++r) {
            const Pos count = counts[r];
            counts[r] = static_cast<Pos>(sum);
            sum += count;
        }
        ends[block + 1] = sum;
    });
    counts[rows] = static_cast<Pos>(ends[blocks]);
    return ends[blocks];
}

void make_positions(Entries& entries, Index total) {
    const Index counted = visit_index(entries.row_counts.type(), [&](auto tag) {
        using Pos = typename decltype(tag)::type;
        return sum_up(entries.row_counts.mutable_as<Pos>().data(), entries.row_counts.size() - 1,
                      entries.session->loops);
    });
    if (counted != total) {
        throw Error(ErrorCode::internal,
                    fmt::format("a kernel counted {} entries and appended {}", counted, total));
    }
}

void require_width(const Session& session, Index total) {
    if (session.options.wide || total <= std::numeric_limits<std::int32_t>::max()) return;
    throw Error(ErrorCode::range,
                fmt::format("a result has {} entries, and this program counts with 32 bits", total),
                "compile it with 64-bit indices: --wide");
}

/// The outermost coordinate of every entry, from the positions of the rows.
Array outermost_coordinates(const Entries& entries, Index total) {
    const Context& context = entries.session->context();
    Array result =
        Array::allocate(entries.session->index_type(), total, context, "coordinates of a result");
    visit_index(result.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const auto pos = entries.row_counts.as<T>();
        const auto out = result.mutable_as<T>();
        parallel_ranges(context, entries.row_counts.size() - 1, grain, [&](Index begin, Index end) {
            for (Index row = begin; row < end; ++row) {
                std::fill(out.begin() + pos[row], out.begin() + pos[row + 1], static_cast<T>(row));
            }
        });
    });
    return result;
}

Array vector_positions(const Session& session, Index total) {
    Array pos = Array::allocate(session.index_type(), 2, session.context(), "positions");
    visit_index(pos.type(), [&](auto tag) {
        using Pos = typename decltype(tag)::type;
        pos.mutable_as<Pos>()[0] = 0;
        pos.mutable_as<Pos>()[1] = static_cast<Pos>(total);
    });
    return pos;
}

/// A matrix whose rows were counted: its arrays are there already.
Tensor counted_matrix(Entries& entries, const Pieces& pieces, const Format& format,
                      std::vector<Index> shape, bool sorted) {
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    Array values = join_values(entries, pieces);
    levels[1].crd = join_coordinates(entries, pieces, format.order[1]);
    levels[1].pos = std::move(entries.row_counts);
    return {std::move(shape), format, std::move(levels), std::move(values), true, sorted};
}

Tensor sparse_vector(Entries& entries, const Pieces& pieces, const Format& format,
                     std::vector<Index> shape) {
    std::vector<Level> levels(1);
    levels[0].kind = LevelKind::compressed;
    Array values = join_values(entries, pieces);
    levels[0].crd = join_coordinates(entries, pieces, 0);
    levels[0].pos = vector_positions(*entries.session, pieces.total);
    return {std::move(shape), format, std::move(levels), std::move(values), true, true};
}

/// Any other format: all coordinates are written out, then packed.
Tensor packed(Entries& entries, const Pieces& pieces, const Format& format,
              std::vector<Index> shape, bool jumbled) {
    const Context& context = entries.session->context();
    const int rank = static_cast<int>(shape.size());
    building::require_buildable(format, rank);
    building::require_room(shape, format, pieces.total, entries.type, context);
    building::SortedEntries sorted;
    sorted.shape = std::move(shape);
    sorted.values = join_values(entries, pieces);
    for (const int d : format.order) {
        const bool appended = (entries.appended >> d & 1) != 0;
        if (!appended && (!entries.counted || d != format.order[0])) {
            throw Error(ErrorCode::internal,
                        fmt::format("a kernel did not append dimension {} of its result", d));
        }
        sorted.coordinates.push_back(appended ? join_coordinates(entries, pieces, d)
                                              : outermost_coordinates(entries, pieces.total));
    }
    entries.row_counts = {};
    if (!jumbled) return building::assemble(std::move(sorted), format, context);
    CoordinateList list;
    list.shape = std::move(sorted.shape);
    list.index_type = entries.session->index_type();
    list.value_type = entries.type;
    CoordinateBlock block;
    block.coordinates.resize(static_cast<std::size_t>(rank));
    for (int l = 0; l < rank; ++l) {
        block.coordinates[format.order[l]] = std::move(sorted.coordinates[l]);
    }
    block.values = std::move(sorted.values);
    list.blocks.push_back(std::move(block));
    return build(std::move(list), format, Duplicates::keep, context);
}

} // namespace

void* begin_entries(Session* session, std::int64_t type, std::int64_t appended, std::int64_t rows,
                    void** row_counts) {
    auto made = std::make_unique<Entries>();
    made->session = session;
    made->type = static_cast<ElementType>(type);
    made->appended = appended;
    made->counted = row_counts != nullptr;
    made->workers = std::vector<WorkerEntries>(static_cast<std::size_t>(session->loops.workers()));
    made->expected = session->expected_entries[{type, appended, rows}];
    made->rows = rows;
    if (row_counts != nullptr) {
        made->row_counts = Array::zeros(session->index_type(), rows + 1, session->context(),
                                        "row positions of a result");
        *row_counts = made->row_counts.mutable_data();
    }
    session->entries.push_back(std::move(made));
    return session->entries.back().get();
}

EntryBuffer* entry_buffer(void* handle, std::int64_t chunk) {
    auto& entries = *static_cast<Entries*>(handle);
    WorkerEntries& worker = entries.workers[entries.session->loops.worker_of(chunk)];
    auto& segments = worker.segments;
    if (segments.empty() || segments.back().chunk != chunk) {
        segments.push_back({chunk, worker.buffer.size});
    }
    return &worker.buffer;
}

void grow(void* handle, EntryBuffer* buffer, std::int64_t more) {
    auto& entries = *static_cast<Entries*>(handle);
    const Index wanted = buffer->size + more;
    if (wanted <= buffer->capacity) return;
    WorkerEntries& worker = *std::ranges::find_if(
        entries.workers, [=](const WorkerEntries& each) { return &each.buffer == buffer; });
    Index capacity = std::max({wanted, buffer->capacity * 2, first_capacity});
    // The first worker's buffers become the result. Not beyond what the last result of this kind
    // needed: its memory may be there to be used again.
    const Index expected =
        &worker == entries.workers.data() ? entries.expected.whole : entries.expected.share;
    if (wanted <= expected) capacity = std::min(capacity, expected);
    const auto& budget = entries.session->context().budget();
    const auto reserve = [&](GrowingBuffer& memory, std::size_t width) {
        memory.reserve(static_cast<std::size_t>(buffer->size) * width,
                       static_cast<std::size_t>(capacity) * width,
                       static_cast<std::size_t>(expected) * width, budget);
        return memory.data();
    };
    buffer->values = reserve(worker.values, size_of(entries.type));
    for (int d = 0; d < most_dimensions; ++d) {
        if ((entries.appended >> d & 1) == 0) continue;
        buffer->coordinates[d] =
            reserve(worker.coordinates[d], size_of(entries.session->index_type()));
    }
    buffer->capacity = capacity;
}

TensorView* end_entries(Session* session, void* handle, const FormatView* view,
                        const std::int64_t* shape, std::int64_t jumbled) {
    const auto found = std::ranges::find_if(session->entries,
                                            [=](const auto& each) { return each.get() == handle; });
    const std::unique_ptr<Entries> entries = std::move(*found);
    session->entries.erase(found);
    const Format format = to_format(*view);
    std::vector<Index> extents = to_shape(*view, shape);
    const Pieces pieces = pieces_of(*entries);
    ExpectedEntries& expected = session->expected_entries[{static_cast<std::int64_t>(entries->type),
                                                           entries->appended, entries->rows}];
    expected = {.whole = pieces.total + slack_entries, .share = 0};
    for (std::size_t w = 1; w < entries->workers.size(); ++w) {
        expected.share =
            std::max<Index>(expected.share, entries->workers[w].buffer.size + slack_entries);
    }
    require_width(*session, pieces.total);
    if (entries->counted) make_positions(*entries, pieces.total);
    const bool rows = building::is_csr_like(format);
    Tensor result;
    if (rows && entries->counted) {
        result = counted_matrix(*entries, pieces, format, std::move(extents), jumbled == 0);
    } else if (format == Format::sparse_vector() && !entries->counted && jumbled == 0) {
        result = sparse_vector(*entries, pieces, format, std::move(extents));
    } else {
        result = packed(*entries, pieces, format, std::move(extents), jumbled != 0);
    }
    return adopt(*session, std::move(result));
}

} // namespace tropic::cpu
