// From a graph to a file, by the caller's word or by the suffix of the path.
#include <fmt/format.h>

#include "graph/files/binary.h"
#include "graph/files/byte_sink.h"
#include "graph/files/compressor.h"
#include "graph/files/reader.h"

namespace tropic {

namespace {

FileFormat format_for(const std::string& path, const WriteOptions& options) {
    if (options.format) return *options.format;
    if (const auto format = format_to_write(path)) return *format;
    const std::string_view stem = without_compression(path);
    const std::string_view name = stem.substr(stem.rfind('/') + 1);
    const auto dot = name.rfind('.');
    throw Error(
        {.code = ErrorCode::usage,
         .message = dot == name.npos
                        ? std::string("the name has no suffix that says which format to write")
                        : fmt::format("the suffix '{}' stands for no format that can be "
                                      "written",
                                      name.substr(dot)),
         .file = path,
         .accepted = writable_suffixes() + ", each text format also with .gz .xz .zst",
         .hint = "choose one of these, or name the format itself: --to, WriteOptions::format"});
}

bool is_binary(FileFormat format) {
    return format == FileFormat::tropic || format == FileFormat::gap_serialized;
}

std::vector<std::string> write_to(const Graph& graph, ByteSink& sink, FileFormat format,
                                  const WriteOptions& options, const Context& context) {
    switch (format) {
    case FileFormat::matrix_market:
        return write_matrix_market(graph, sink, options, context);
    case FileFormat::edge_list:
        return write_edge_list(graph, sink, options, context);
    case FileFormat::metis:
        return write_metis(graph, sink, options, context);
    case FileFormat::dimacs:
        return write_dimacs(graph, sink, options, context);
    case FileFormat::gset:
        return write_gset(graph, sink, options, context);
    case FileFormat::frostt:
        return write_frostt(graph, sink, options, context);
    case FileFormat::gap_serialized:
        return write_gap_serialized(graph, sink, options, context);
    case FileFormat::tropic:
        break;
    }
    throw Error(ErrorCode::internal, "a format without a writer");
}

} // namespace

FileFormat format_of_output(const std::string& path, const WriteOptions& options) {
    const FileFormat format = format_for(path, options);
    if (is_binary(format) && compression_of(path) != Compression::none) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} files are not written compressed", name_of(format)),
                     .file = path,
                     .accepted = "only text formats are written compressed",
                     .hint = fmt::format("write {}", without_compression(path))});
    }
    return format;
}

std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     const WriteOptions& options, const Context& context) {
    const FileFormat format = format_of_output(path, options);
    if (format == FileFormat::tropic) return write_tropic_binary(graph, path, options, context);
    const auto sink = create_file(path, is_binary(format), context);
    std::vector<std::string> notes = write_to(graph, *sink, format, options, context);
    sink->commit();
    return notes;
}

} // namespace tropic
