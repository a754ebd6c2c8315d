// What the writers of text formats share: numbers to text, and all entries of a tensor in order,
// formatted in pieces by all threads.
#pragma once

#include <charconv>
#include <cstring>

#include "graph/files/byte_sink.h"
#include "support/parallel.h"
#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic {

/// Text for one piece of a file: a small buffer in front of a string, so that a number costs no
/// call into the string.
class TextPiece {
  public:
    explicit TextPiece(std::string& out) : out_(out) {}
    ~TextPiece() { out_.append(buffer_, at_); }
    TextPiece(const TextPiece&) = delete;
    TextPiece& operator=(const TextPiece&) = delete;

    void put(char c) {
        make_room();
        *at_++ = c;
    }
    void put(std::string_view text) {
        out_.append(buffer_, at_);
        at_ = buffer_;
        out_.append(text);
    }

    /// Reals as the shortest text that reads back as the same value.
    template <class T> void number(T value) {
        make_room();
        if constexpr (std::is_same_v<T, bool>) *at_++ = value ? '1' : '0';
        else at_ = std::to_chars(at_, buffer_ + sizeof(buffer_), value).ptr;
    }

  private:
    static constexpr std::ptrdiff_t longest_number = 32;

    void make_room() {
        if (buffer_ + sizeof(buffer_) - at_ > longest_number) return;
        out_.append(buffer_, at_);
        at_ = buffer_;
    }

    std::string& out_;
    char buffer_[4096];
    char* at_ = buffer_;
};

/// Puts element `i` of an array as text. `whole` puts reals that are whole without exponent or
/// point. A pattern is all ones.
class ValueWriter {
  public:
    explicit ValueWriter(const Array& values, bool whole = false);
    void put(TextPiece& text, Index i) const { put_(text, data_, i); }

  private:
    using Put = void (*)(TextPiece&, const void*, Index);
    const void* data_;
    Put put_;
};

/// Puts the id of a vertex: its own position or what a table says, plus an offset.
class IdWriter {
  public:
    /// Positions counted from `offset`.
    explicit IdWriter(Index offset) : offset_(offset) {}
    /// `ids`, which must live on, plus `offset`.
    IdWriter(const VertexIds& ids, Index offset);
    /// The ids of the source file in dimension `d`.
    IdWriter(const Graph& graph, std::size_t d) {
        if (d < graph.ids.size()) *this = IdWriter(graph.ids[d], 0);
    }

    void put(TextPiece& text, Index vertex) const {
        if (narrow_ != nullptr) text.number(narrow_[vertex] + offset_);
        else if (wide_ != nullptr) text.number(wide_[vertex] + offset_);
        else text.number(vertex + offset_);
    }

  private:
    Index offset_ = 0;
    const std::int32_t* narrow_ = nullptr;
    const std::int64_t* wide_ = nullptr;
};

inline constexpr Index entries_per_piece = 1 << 16;

/// Calls `emit(text, row, column, entry)` for every entry of a csr matrix, in order.
template <class Emit>
void write_csr_entries(ByteSink& sink, const Tensor& matrix, const Context& context,
                       const Emit& emit) {
    visit_csr(matrix, [&](auto view) {
        write_pieces(sink, matrix.entries(), entries_per_piece, context, "writing",
                     [&, view](Index begin, Index end, std::string& out) {
                         TextPiece text(out);
                         const auto above =
                             std::upper_bound(view.pos.begin(), view.pos.end(), begin);
                         Index row = above - view.pos.begin() - 1;
                         for (Index e = begin; e < end; ++e) {
                             while (view.pos[row + 1] <= e) ++row;
                             emit(text, row, Index{view.crd[e]}, e);
                         }
                     });
    });
}

/// Calls `emit(text, coordinates, entry)` for every entry of a block of a list.
template <class Emit>
void write_block_entries(ByteSink& sink, const CoordinateBlock& block, const Context& context,
                         const Emit& emit) {
    write_pieces(sink, block.size(), entries_per_piece, context, "writing",
                 [&](Index begin, Index end, std::string& out) {
                     TextPiece text(out);
                     std::vector<Index> at(block.coordinates.size());
                     for (Index e = begin; e < end; ++e) {
                         for (std::size_t d = 0; d < at.size(); ++d) {
                             at[d] = block.coordinates[d].index_at(e);
                         }
                         emit(text, at, e);
                     }
                 });
}

/// The tensor as csr with sorted rows. Zeros that a dense matrix loses on the way are noted.
Tensor as_csr(const Graph& graph, const Context& context, std::vector<std::string>& notes);

/// A square graph as csr with sorted rows. Where nearly all vertices have no entries, and rows for
/// them all might not fit into memory, it is without them.
struct CompactGraph {
    Graph graph;
    Tensor matrix;
    VertexIds positions; ///< of its vertices in the whole graph
};
CompactGraph as_compact_csr(const Graph& graph, const Context& context,
                            std::vector<std::string>& notes);

/// The tensor as a list of entries, for any rank and for matrices that would be mostly air as csr.
CoordinateList as_list(const Tensor& tensor, const Context& context,
                       std::vector<std::string>& notes);

} // namespace tropic
