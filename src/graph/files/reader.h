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

/// GAP .sg and .wsg: bytes of a CSR structure without a magic number, told by the sizes in the
/// first bytes agreeing with the size of the file.
bool is_gap_serialized(std::string_view first_bytes, std::uint64_t file_bytes);
FileContent read_gap_serialized(const std::string& path, const ReadOptions& options,
                                const Context& context);
FileContent read_gap_serialized_from_memory(std::string_view bytes, const std::string& name,
                                            const ReadOptions& options, const Context& context);

/// Tropic's own binary format. From memory the content is copied.
bool is_tropic_binary(std::string_view first_bytes);
FileContent read_tropic_binary(const std::string& path, const ReadOptions& options,
                               const Context& context);
FileContent read_tropic_binary_from_memory(std::string_view bytes, const std::string& name,
                                           const ReadOptions& options, const Context& context);

/// The format to write that the suffix of a path asks for, a compression suffix aside; none if
/// unknown.
std::optional<FileFormat> format_to_write(std::string_view path);

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
std::vector<std::string> write_tropic_binary(const Graph& graph, const std::string& path,
                                             const WriteOptions& options, const Context& context);

} // namespace tropic
