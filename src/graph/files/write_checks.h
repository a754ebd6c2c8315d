// Whether a graph can be said in a format that knows less than Tropic does. What cannot be said is
// refused with a way out; what is merely not said is noted.
#pragma once

#include <string>
#include <vector>

#include "graph/files/byte_sink.h"
#include "tropic/graph.h"

namespace tropic {

/// A graph on its way into a file of a format.
struct WriteCheck {
    const Graph& graph;
    const Tensor& matrix; ///< csr, sorted rows
    const ByteSink& sink;
    std::string_view format; ///< "METIS"
    const Context& context;

    /// Throws unless all weights are whole numbers of at least `lowest` in 64 bits.
    void require_whole_weights(Index lowest) const;
    /// Throws unless (j, i) is there with the same value for every (i, j).
    void require_symmetric() const;
    void require_no_self_loops() const;
    void require_no_duplicates() const;

  private:
    [[noreturn]] void refuse(Index entry, std::string_view what, std::string_view hint) const;
};

/// Throws Error(unsupported) about the file being written.
[[noreturn]] void refuse_to_write(const ByteSink& sink, std::string message, std::string accepted,
                                  std::string hint);

/// Throws unless every value can be read back, which NaN cannot.
void require_no_nan(const Array& values, const ByteSink& sink, const Context& context);

/// Notes that ids of the source become 1 to n, unless they are that already.
void note_ids_from_one(const Graph& graph, std::vector<std::string>& notes);

/// Notes vertex weights and sizes, for formats without them.
void note_vertex_data(const Graph& graph, std::vector<std::string>& notes);

/// Notes that the graph is undirected, for formats of arcs.
void note_undirected(const Graph& graph, std::vector<std::string>& notes);

/// Notes that rows and columns are two kinds of things, where their numbers do not show it.
void note_two_kinds(const Graph& graph, std::vector<std::string>& notes);

/// Notes that reals are all written as whole numbers, for formats that do not say the type.
void note_lost_reals(const Array& values, const Context& context, std::vector<std::string>& notes);

/// Notes that reals are written as whole numbers, or that a pattern gets weights of 1.
void note_whole_weights(const Tensor& tensor, std::vector<std::string>& notes);

} // namespace tropic
