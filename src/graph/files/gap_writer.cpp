// Writes GAP's serialized graphs (.sg, and .wsg with int32 weights): the outgoing edges of every
// vertex and, unless the graph is undirected, the incoming ones.
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "graph/files/binary.h"
#include "graph/files/gap_layout.h"
#include "graph/files/text_writer.h"
#include "support/letter_case.h"
#include "support/parallel.h"
#include "tropic/error.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

constexpr Index piece = 1 << 20;

template <class T> char* store(char* at, T number) {
    std::memcpy(at, &number, sizeof(T));
    return at + sizeof(T);
}

bool is_symmetric(const Tensor& matrix, const Context& context) {
    return visit_csr(matrix, [&](const auto& view) {
        const std::uint64_t sum = parallel_combine(
            context, view.rows, 1 << 10, std::uint64_t{0},
            [&](Index begin, Index end) {
                std::uint64_t some = 0;
                for (Index row = begin; row < end; ++row) {
                    for (Index e = view.pos[row]; e < view.pos[row + 1]; ++e) {
                        some += gap::symmetry_fingerprint(static_cast<std::int32_t>(row),
                                                          static_cast<std::int32_t>(view.crd[e]));
                    }
                }
                return some;
            },
            [](std::uint64_t a, std::uint64_t b) { return a + b; });
        return sum == 0;
    });
}

/// Offsets and neighbours of one direction.
void write_half(const Tensor& matrix, bool weighted, ByteSink& sink, const Context& context) {
    visit_csr(matrix, [&](const auto& view) {
        write_pieces(sink, view.rows + 1, piece, context, "writing offsets",
                     [&](Index begin, Index end, std::string& out) {
                         out.resize((end - begin) * gap::offset_bytes);
                         char* at = out.data();
                         for (Index row = begin; row < end; ++row) {
                             at = store(at, static_cast<std::int64_t>(view.pos[row]));
                         }
                     });
        std::span<const std::int32_t> weights;
        if (weighted) weights = matrix.values().as<std::int32_t>();
        write_pieces(sink, matrix.entries(), piece, context, "writing edges",
                     [&](Index begin, Index end, std::string& out) {
                         out.resize((end - begin) * gap::neighbour_bytes(weighted));
                         char* at = out.data();
                         for (Index e = begin; e < end; ++e) {
                             at = store(at, static_cast<std::int32_t>(view.crd[e]));
                             if (weighted) at = store(at, weights[e]);
                         }
                     });
    });
}

/// Refuses what the format cannot hold.
void require_writable(const Graph& graph, bool weighted, std::string_view path) {
    require_square(graph, "a serialized GAP graph");
    const auto refuse = [&](std::string message, std::string accepted, std::string hint) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = std::move(message),
                     .file = std::string(path),
                     .accepted = std::move(accepted),
                     .hint = std::move(hint)});
    };
    if (graph.vertices() > gap::most_vertices) {
        refuse(fmt::format("the graph has {} vertices, too many for a serialized GAP graph",
                           graph.vertices()),
               fmt::format("at most {} vertices", gap::most_vertices),
               "write Tropic's own format, .tg");
    }
    if (weighted && graph.tensor.is_pattern()) {
        refuse("a .wsg file holds weights, and the graph has none", "weights of type int32",
               "write .sg, or give every edge the weight 1 with --type int32");
    }
    if (weighted && graph.tensor.type() != ElementType::int32) {
        refuse(fmt::format("a .wsg file holds weights of type int32, and the graph's are {}",
                           name_of(graph.tensor.type())),
               "weights of type int32", "convert them with --type int32, or write .tg");
    }
}

std::vector<std::string> losses(const Graph& graph, bool weighted) {
    std::vector<std::string> lost;
    if (!weighted && !graph.tensor.is_pattern()) {
        lost.push_back(
            fmt::format("weights of type {} were left out: .sg has none, .wsg holds int32 weights",
                        name_of(graph.tensor.type())));
    }
    if (!graph.ids.empty() && (!graph.ids[0].is_offset() || graph.ids[0].offset() != 0)) {
        lost.emplace_back("ids of the source were left out: vertices are numbered from 0");
    }
    if (!graph.vertex_weights.empty() || !graph.vertex_sizes.empty()) {
        lost.emplace_back("vertex weights and sizes were left out");
    }
    if (graph.kind == EdgeKind::undirected_once) {
        lost.emplace_back("undirected edges that are stored once were written as directed ones");
    }
    return lost;
}

} // namespace

std::vector<std::string> write_gap_serialized(const Graph& graph, ByteSink& sink,
                                              const WriteOptions&, const Context& context) {
    const bool weighted = has_suffix(sink.path(), ".wsg");
    require_writable(graph, weighted, sink.path());
    std::vector<std::string> lost = losses(graph, weighted);
    const Tensor out = as_csr(graph, context, lost);
    bool directed = graph.kind != EdgeKind::undirected;
    if (!directed && !is_symmetric(out, context)) {
        directed = true;
        lost.emplace_back("the graph is not symmetric and was written as directed");
    }
    std::array<char, gap::header_bytes> header{};
    char* at = store(header.data(), static_cast<std::uint8_t>(directed ? 1 : 0));
    at = store(at, static_cast<std::int64_t>(out.entries()));
    store(at, static_cast<std::int64_t>(graph.vertices()));
    sink.write({header.data(), header.size()});
    write_half(out, weighted, sink, context);
    if (directed) {
        const Tensor incoming = convert(transpose(out, context), Format::csr(), context);
        write_half(incoming, weighted, sink, context);
    }
    return lost;
}

} // namespace tropic
