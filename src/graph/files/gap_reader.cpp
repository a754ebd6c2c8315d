// Reads GAP's serialized graphs. The file has no magic number and no checksums, so its numbers have
// to agree with the size of the file and with each other: a file that passes has offsets that rise
// from 0 to the number of entries and neighbours that exist.
#include <algorithm>

#include <fmt/format.h>

#include "graph/files/binary.h"
#include "graph/files/gap_layout.h"
#include "graph/files/mapped_file.h"
#include "support/counted.h"
#include "support/letter_case.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr Index grain = 1 << 16;

/// What a pass over the neighbours of one direction has seen; pieces are added in order.
struct Seen {
    Index bad = -1; ///< the first entry whose neighbour does not exist
    bool descents = false;
    bool repeats = false; ///< the same neighbour twice in succession
    std::uint64_t fingerprint = 0;
    std::uint64_t symmetry = 0;
};

Seen operator+(const Seen& a, const Seen& b) {
    return {.bad = a.bad >= 0 ? a.bad : b.bad,
            .descents = a.descents || b.descents,
            .repeats = a.repeats || b.repeats,
            .fingerprint = a.fingerprint + b.fingerprint,
            .symmetry = a.symmetry + b.symmetry};
}

class GapReader {
  public:
    GapReader(std::string_view bytes, const std::string& file, const Context& context)
        : bytes_(bytes), file_(file), context_(context) {}

    FileContent read(bool verify) {
        read_header();
        const auto n = header_.vertices;
        const auto m = header_.entries;
        const char* out_half = bytes_.data() + gap::header_bytes;
        context_.report("reading", 0, bytes_.size());
        const Array pos = read_offsets(out_half, "outgoing");
        Array crd = Array::allocate(ElementType::int32, m, context_, "column indices");
        Array values = Array::allocate(weighted_ ? ElementType::int32 : ElementType::pattern, m,
                                       context_, "weights");
        const Seen out = read_neighbours(out_half, pos, &crd, &values, verify, "outgoing");
        if (verify && header_.directed != 0) check_incoming(out);
        if (verify && header_.directed == 0 && out.symmetry != 0) {
            fail(ErrorCode::inconsistent,
                 "the file calls the graph undirected, but some edge is stored one way only",
                 "write it as a directed graph, with its incoming edges");
        }
        context_.report("reading", bytes_.size(), bytes_.size());
        FileContent content;
        content.source = weighted_ ? "gap serialized, weighted" : "gap serialized";
        content.kind = header_.directed != 0 ? EdgeKind::directed : EdgeKind::undirected;
        content.ids.resize(2);
        content.steps.push_back({"read gap serialized", {{"vertices", n}, {"entries", m}}});
        bool unique = !out.repeats;
        if (out.descents) {
            const Index rows = sort_rows(pos, crd, values, unique);
            content.steps.push_back({"sorted rows", {{"rows", rows}}});
        }
        content.tensor =
            Tensor({n, n}, Format::csr(),
                   {Level{}, Level{.kind = LevelKind::compressed, .pos = pos, .crd = crd}}, values,
                   unique, true);
        return content;
    }

  private:
    [[noreturn]] void fail(ErrorCode code, std::string message, std::string hint = {},
                           std::string accepted = {}) const {
        throw Error({.code = code,
                     .message = std::move(message),
                     .file = file_,
                     .accepted = std::move(accepted),
                     .hint = std::move(hint)});
    }

    void read_header() {
        if (bytes_.size() < gap::header_bytes) {
            fail(ErrorCode::truncated,
                 fmt::format("the file ends after {}, within the header of {}",
                             counted(static_cast<Index>(bytes_.size()), "bytes"),
                             gap::header_bytes),
                 "copy the file again");
        }
        header_ = gap::load_header(bytes_);
        if (!gap::plausible(header_)) {
            fail(ErrorCode::range,
                 fmt::format("this is no serialized GAP graph: its header says directed {}, {}, {}",
                             header_.directed, counted(header_.entries, "entries"),
                             counted(header_.vertices, "vertices")),
                 "let the format be recognised, or name it with --format",
                 fmt::format("directed 0 or 1, at most {} vertices", gap::most_vertices));
        }
        // The suffix decides only where the content cannot: there is no entry to weigh.
        weighted_ = has_suffix(file_, ".wsg");
        const std::uint64_t size = bytes_.size();
        if (size == gap::file_bytes(header_, weighted_)) return;
        if (size == gap::file_bytes(header_, !weighted_)) {
            weighted_ = !weighted_;
            return;
        }
        const std::uint64_t expected = gap::file_bytes(header_, weighted_);
        fail(
            size < expected ? ErrorCode::truncated : ErrorCode::inconsistent,
            fmt::format("the file has {}, and {} graph of {} and {} takes {} without weights or {} "
                        "with them",
                        counted(static_cast<Index>(size), "bytes"),
                        header_.directed != 0 ? "a directed" : "an undirected",
                        counted(header_.vertices, "vertices"), counted(header_.entries, "entries"),
                        gap::file_bytes(header_, false), gap::file_bytes(header_, true)),
            "copy the file again, or make it again with GAP's converter");
    }

    /// The offsets of one direction, checked to rise from 0 to the number of entries.
    Array read_offsets(const char* half, std::string_view direction) const {
        const Index count = header_.vertices + 1;
        Array pos =
            Array::allocate(index_type_for(header_.entries), count, context_, "row positions");
        const Index bad = visit_index(pos.type(), [&](auto tag) {
            using Pos = typename decltype(tag)::type;
            const auto to = pos.mutable_as<Pos>();
            return parallel_combine(
                context_, count, grain, Index{-1},
                [&](Index begin, Index end) {
                    Index before = begin == 0 ? 0 : offset_at(half, begin - 1);
                    for (Index i = begin; i < end; ++i) {
                        const Index offset = offset_at(half, i);
                        if (offset < before || offset > header_.entries) return i;
                        to[i] = static_cast<Pos>(offset);
                        before = offset;
                    }
                    return Index{-1};
                },
                [](Index a, Index b) { return a >= 0 ? a : b; });
        });
        if (bad >= 0) {
            fail(ErrorCode::inconsistent,
                 fmt::format("offset {} of the {} edges is {}, below the one before it or above "
                             "the {}",
                             bad, direction, offset_at(half, bad),
                             counted(header_.entries, "entries")),
                 "make the file again with GAP's converter");
        }
        const Index first = offset_at(half, 0);
        const Index last = offset_at(half, count - 1);
        if (first != 0 || last != header_.entries) {
            fail(ErrorCode::inconsistent,
                 fmt::format("the offsets of the {} edges go from {} to {} in a graph with {}",
                             direction, first, last, counted(header_.entries, "entries")),
                 "make the file again with GAP's converter");
        }
        return pos;
    }

    static Index offset_at(const char* half, Index i) {
        return gap::load<Index>(half + static_cast<std::uint64_t>(i) * gap::offset_bytes);
    }

    /// Checks the neighbours of one direction and, if `crd` is given, copies them. `sum`: take the
    /// fingerprints too, of (row, neighbour) for outgoing and of (neighbour, row) for incoming.
    Seen read_neighbours(const char* half, const Array& pos, Array* crd, Array* values, bool sum,
                         std::string_view direction) const {
        context_.check_cancelled();
        const char* neighbours =
            half + (static_cast<std::uint64_t>(header_.vertices) + 1) * gap::offset_bytes;
        const Seen seen = visit_index(pos.type(), [&](auto pos_tag) {
            using Pos = typename decltype(pos_tag)::type;
            const auto rows = pos.as<Pos>();
            const auto scan = [&](auto weighted, auto summed) {
                return parallel_combine(
                    context_, header_.entries, grain, Seen{},
                    [&](Index begin, Index end) {
                        return scan_piece<weighted(), summed()>(neighbours, rows, crd, values,
                                                                begin, end);
                    },
                    [](const Seen& a, const Seen& b) { return a + b; });
            };
            constexpr std::true_type yes;
            constexpr std::false_type no;
            if (weighted_) return sum ? scan(yes, yes) : scan(yes, no);
            return sum ? scan(no, yes) : scan(no, no);
        });
        if (seen.bad >= 0) {
            const auto at = static_cast<std::uint64_t>(seen.bad) * gap::neighbour_bytes(weighted_);
            fail(ErrorCode::range,
                 fmt::format("entry {} of the {} edges leads to vertex {}", seen.bad, direction,
                             gap::load<std::int32_t>(neighbours + at)),
                 "make the file again with GAP's converter",
                 fmt::format("vertices 0 to {}", header_.vertices - 1));
        }
        return seen;
    }

    template <bool weighted, bool sum, class Pos>
    Seen scan_piece(const char* neighbours, std::span<const Pos> rows, Array* crd, Array* values,
                    Index begin, Index end) const {
        constexpr std::uint64_t stride = gap::neighbour_bytes(weighted);
        const auto vertices = static_cast<std::uint32_t>(header_.vertices);
        std::int32_t* to = crd != nullptr ? crd->mutable_as<std::int32_t>().data() : nullptr;
        std::int32_t* weight_to = nullptr;
        if (weighted && values != nullptr) weight_to = values->mutable_as<std::int32_t>().data();
        Seen seen;
        // The row of the first entry: the last one that starts at or before it.
        Index row =
            std::upper_bound(rows.begin(), rows.end(), static_cast<Pos>(begin)) - rows.begin() - 1;
        for (Index e = begin; e < end; ++row) {
            const Index row_end = std::min<Index>(end, rows[row + 1]);
            std::int32_t before = -1;
            if (e > rows[row]) before = gap::load<std::int32_t>(neighbours + (e - 1) * stride);
            for (; e < row_end; ++e) {
                const auto neighbour = gap::load<std::int32_t>(neighbours + e * stride);
                if (static_cast<std::uint32_t>(neighbour) >= vertices) {
                    seen.bad = e;
                    return seen;
                }
                seen.descents |= neighbour < before;
                seen.repeats |= neighbour == before;
                before = neighbour;
                std::int32_t weight = 0;
                if constexpr (weighted) {
                    weight = gap::load<std::int32_t>(neighbours + e * stride + 4);
                    if (weight_to != nullptr) weight_to[e] = weight;
                }
                if (to != nullptr) to[e] = neighbour;
                if constexpr (sum) {
                    const auto from = static_cast<std::int32_t>(row);
                    seen.fingerprint += to != nullptr ? gap::fingerprint(from, neighbour, weight)
                                                      : gap::fingerprint(neighbour, from, weight);
                    seen.symmetry += gap::symmetry_fingerprint(from, neighbour);
                }
            }
        }
        return seen;
    }

    /// The incoming edges are not kept, but a file whose halves disagree is not to be trusted.
    void check_incoming(const Seen& out) const {
        const char* half = bytes_.data() + gap::header_bytes + gap::half_bytes(header_, weighted_);
        const Array pos = read_offsets(half, "incoming");
        const Seen in = read_neighbours(half, pos, nullptr, nullptr, true, "incoming");
        if (in.fingerprint == out.fingerprint) return;
        fail(ErrorCode::inconsistent,
             "the incoming edges of the file are others than its outgoing edges",
             "make the file again with GAP's converter");
    }

    /// Sorts every row that needs it, entries of the same neighbour left in their order. Returns
    /// how many rows there were to sort, and whether any row has a neighbour twice.
    Index sort_rows(const Array& pos, Array& crd, Array& values, bool& unique) const {
        struct Result {
            Index rows = 0;
            bool unique = true;
        };
        const auto neighbours = crd.mutable_as<std::int32_t>();
        const Result result = parallel_combine(
            context_, header_.vertices, 1 << 10, Result{},
            [&](Index begin, Index end) {
                Result piece;
                for (Index row = begin; row < end; ++row) {
                    const Index first = pos.index_at(row);
                    const Index last = pos.index_at(row + 1);
                    const auto of_row = neighbours.subspan(first, last - first);
                    if (!std::is_sorted(of_row.begin(), of_row.end())) {
                        ++piece.rows;
                        if (weighted_) sort_weighted(of_row, values, first);
                        else std::sort(of_row.begin(), of_row.end());
                    }
                    piece.unique &=
                        std::adjacent_find(of_row.begin(), of_row.end()) == of_row.end();
                }
                return piece;
            },
            [](const Result& a, const Result& b) {
                return Result{.rows = a.rows + b.rows, .unique = a.unique && b.unique};
            });
        unique = result.unique;
        return result.rows;
    }

    void sort_weighted(std::span<std::int32_t> neighbours, Array& values, Index first) const {
        struct Neighbour {
            Index place; ///< in the row: keeps equal neighbours in their order
            std::int32_t vertex;
            std::int32_t weight;
        };
        const MemoryCharge charge(context_.budget(), neighbours.size() * sizeof(Neighbour),
                                  "sorting a row");
        const auto weights = values.mutable_as<std::int32_t>().subspan(first, neighbours.size());
        std::vector<Neighbour> row(neighbours.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = {static_cast<Index>(i), neighbours[i], weights[i]};
        }
        std::sort(row.begin(), row.end(), [](const Neighbour& a, const Neighbour& b) {
            return a.vertex != b.vertex ? a.vertex < b.vertex : a.place < b.place;
        });
        for (std::size_t i = 0; i < row.size(); ++i) {
            neighbours[i] = row[i].vertex;
            weights[i] = row[i].weight;
        }
    }

    std::string_view bytes_;
    const std::string& file_;
    const Context& context_;
    gap::Header header_;
    bool weighted_ = false;
};

} // namespace

bool is_gap_serialized(std::string_view first_bytes, std::uint64_t file_bytes) {
    return is_gap_serialized(first_bytes, [=](std::uint64_t bytes) { return bytes == file_bytes; });
}

bool is_gap_serialized(std::string_view first_bytes,
                       const std::function<bool(std::uint64_t)>& ends_at) {
    if (first_bytes.size() < gap::header_bytes) return false;
    const gap::Header header = gap::load_header(first_bytes);
    if (!gap::plausible(header)) return false;
    if (first_bytes.size() >= gap::header_bytes + gap::offset_bytes &&
        gap::load<Index>(first_bytes.data() + gap::header_bytes) != 0) {
        return false;
    }
    return ends_at(gap::file_bytes(header, false)) || ends_at(gap::file_bytes(header, true));
}

FileContent read_gap_serialized(const std::string& path, const ReadOptions& options,
                                const Context& context) {
    const auto file = MappedFile::open(path);
    return GapReader(file->bytes(), path, context).read(options.verify);
}

FileContent read_gap_serialized_from_memory(std::string_view bytes, const std::string& name,
                                            const ReadOptions& options, const Context& context) {
    return GapReader(bytes, name, context).read(options.verify);
}

} // namespace tropic
