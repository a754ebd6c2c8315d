// What every format's reader and writer looks like from outside.
#pragma once

#include "graph/files/text_file.h"
#include "tropic/formats.h"

namespace tropic {

/// What a file says: entries in file order (symmetric files already mirrored), or a finished tensor
/// for formats that store one, and everything beside the entries.
struct FileContent {
    CoordinateList list;
    std::optional<Tensor> tensor;
    EdgeKind kind = EdgeKind::directed;
    std::vector<VertexIds> ids; ///< one for each dimension
    Array vertex_weights;
    int constraints = 0;
    Array vertex_sizes;
    std::string name;        ///< the graph's own, where the file keeps one; empty: the path
    std::string source;      ///< "matrix market, coordinate real symmetric"...
    std::vector<Step> steps; ///< the first one: what was read, with its counts
    std::vector<std::string> warnings;
};

FileContent read_matrix_market(TextFile& file, const ReadOptions& options);
FileContent read_edge_list(TextFile& file, const ReadOptions& options);
FileContent read_metis(TextFile& file, const ReadOptions& options);
FileContent read_dimacs(TextFile& file, const ReadOptions& options);
FileContent read_gset(TextFile& file, const ReadOptions& options);
FileContent read_frostt(TextFile& file, const ReadOptions& options);

/// The format to write that the suffix of a path asks for, a compression suffix aside; none if
/// unknown.
std::optional<FileFormat> format_to_write(std::string_view path);

/// The format that a graph is written to that path in. Throws Error(usage) if neither the options
/// nor the suffix name one, Error(unsupported) if it is not written compressed.
FileFormat format_of_output(const std::string& path, const WriteOptions& options);

/// Every suffix that asks for a format, for messages: ".mtx .el .wel ...".
std::string writable_suffixes();

class ByteSink;
std::vector<std::string> write_matrix_market(const Graph& graph, ByteSink& sink,
                                             const WriteOptions& options, const Context& context);
std::vector<std::string> write_edge_list(const Graph& graph, ByteSink& sink,
                                         const WriteOptions& options, const Context& context);
std::vector<std::string> write_metis(const Graph& graph, ByteSink& sink,
                                     const WriteOptions& options, const Context& context);
std::vector<std::string> write_dimacs(const Graph& graph, ByteSink& sink,
                                      const WriteOptions& options, const Context& context);
std::vector<std::string> write_gset(const Graph& graph, ByteSink& sink, const WriteOptions& options,
                                    const Context& context);
std::vector<std::string> write_frostt(const Graph& graph, ByteSink& sink,
                                      const WriteOptions& options, const Context& context);
std::vector<std::string> write_gap_serialized(const Graph& graph, ByteSink& sink,
                                              const WriteOptions& options, const Context& context);

} // namespace tropic
