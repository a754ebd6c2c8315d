// From a path, an expression or bytes to a finished graph.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph/build/combine.h"
#include "graph/files/binary.h"
#include "graph/files/path_hint.h"
#include "graph/files/reader.h"
#include "graph/files/recognise.h"
#include "graph/statistics/symmetry.h"
#include "support/counted.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "tropic/generate.h"
#include "tropic/transform.h"

namespace tropic {

namespace {

bool is_binary(FileFormat format) {
    return format == FileFormat::tropic || format == FileFormat::gap_serialized;
}

/// Row pointers that are mostly air are not worth storing: with so few entries for so many rows the
/// rows that have any are listed instead.
Format default_storage(const CoordinateList& list) {
    if (list.rank() != 2) return Format::coo(list.rank());
    const auto entries = static_cast<double>(list.entries());
    const double entry_bytes =
        entries * static_cast<double>(size_of(list.index_type) + size_of(list.value_type));
    const auto width = static_cast<double>(size_of(index_type_for(list.entries())));
    const double pos_bytes = (static_cast<double>(list.shape[0]) + 1) * width;
    constexpr double worth_looking = 64e6;
    constexpr double mostly_air = 8;
    const bool air = pos_bytes > worth_looking && pos_bytes > mostly_air * entry_bytes;
    return air ? Format::dcsr() : Format::csr();
}

/// What a caller asks of every graph, however it came to be.
Graph with_options(Graph graph, const ReadOptions& options, const Context& context) {
    if (options.duplicates != Duplicates::keep && !graph.tensor.unique()) {
        graph = merge_duplicates(std::move(graph), options.duplicates, context);
    }
    if (options.storage && *options.storage != graph.tensor.format()) {
        graph.tensor = convert(graph.tensor, *options.storage, context);
    }
    return graph;
}

Graph finish(FileContent content, const std::string& name, const ReadOptions& options,
             const Context& context) {
    Graph graph;
    graph.name = name;
    graph.source = std::move(content.source);
    // A binary file keeps the story of the graph in it; where it was read from now comes first.
    if (!content.name.empty()) {
        graph.source = fmt::format("tropic binary, from {} ({})", content.name, graph.source);
    }
    graph.kind = content.kind;
    graph.ids = std::move(content.ids);
    graph.vertex_weights = std::move(content.vertex_weights);
    graph.constraints = content.constraints;
    graph.vertex_sizes = std::move(content.vertex_sizes);
    graph.steps = std::move(content.steps);
    graph.warnings = std::move(content.warnings);
    if (content.tensor) {
        graph.tensor = std::move(*content.tensor);
        graph.ids.resize(static_cast<std::size_t>(graph.tensor.rank()));
        return with_options(std::move(graph), options, context);
    }
    BuildReport report;
    const Format storage = options.storage ? *options.storage : default_storage(content.list);
    graph.tensor = build(std::move(content.list), storage, options.duplicates, context, &report);
    graph.ids.resize(static_cast<std::size_t>(graph.tensor.rank()));
    if (options.duplicates != Duplicates::keep) {
        graph.steps.push_back({fmt::format("merged duplicates ({})", name_of(options.duplicates)),
                               {{"entries before", report.entries_in},
                                {"merged", report.merged},
                                {"entries", graph.entries()}}});
    }
    building::warn_of_lost_counts(graph, options.duplicates, report.merged);
    return graph;
}

FileContent read_text(TextFile& file, FileFormat format, const ReadOptions& options) {
    switch (format) {
    case FileFormat::matrix_market:
        return read_matrix_market(file, options);
    case FileFormat::edge_list:
        return read_edge_list(file, options);
    case FileFormat::metis:
        return read_metis(file, options);
    case FileFormat::dimacs:
        return read_dimacs(file, options);
    case FileFormat::gset:
        return read_gset(file, options);
    case FileFormat::frostt:
        return read_frostt(file, options);
    case FileFormat::gap_serialized:
    case FileFormat::tropic:
        break;
    }
    throw Error(ErrorCode::internal, "a binary format read as text");
}

/// The binary format of a file, by its first bytes or by the caller's word.
std::optional<FileFormat> binary_format(std::string_view first, ByteSource& source,
                                        const ReadOptions& options) {
    if (options.format) return is_binary(*options.format) ? options.format : std::nullopt;
    if (is_tropic_binary(first)) return FileFormat::tropic;
    const bool packed = !source.compression().empty();
    if (!packed &&
        is_gap_serialized(first, [&](std::uint64_t bytes) { return source.ends_at(bytes); })) {
        return FileFormat::gap_serialized;
    }
    return {};
}

/// Binary files are mapped as they are.
void require_unpacked(FileFormat format, const ByteSource& source) {
    if (source.compression().empty()) return;
    throw Error({.code = ErrorCode::unsupported,
                 .message = fmt::format("a {} file compressed with {} is not read", name_of(format),
                                        source.compression()),
                 .file = source.name(),
                 .accepted = "only text formats are read compressed",
                 .hint = fmt::format("unpack it with {} -d", source.compression())});
}

/// Options that say how to read an edge list mean nothing elsewhere.
void note_unused_options(FileFormat format, const ReadOptions& options,
                         std::vector<std::string>& warnings) {
    const bool given = options.base != IdBase::as_listed || options.bipartite || options.weighted;
    if (!given || !options.warn_of_unused || format == FileFormat::edge_list) return;
    warnings.push_back(fmt::format("how ids and weights are to be read (--ids, --bipartite, "
                                   "--weighted) was ignored: a {} file says it itself",
                                   name_of(format)));
}

/// METIS wants each edge at both of its ends, with the same weight; a file whose counts agree may
/// still break that.
void check_both_ends(Graph& graph, const Context& context) {
    if (graph.kind != EdgeKind::undirected) return;
    const Symmetry symmetry = symmetry_of(convert(graph.tensor, Format::csr(), context), context);
    if (symmetry.values) return;
    graph.kind = EdgeKind::directed;
    graph.warnings.emplace_back(
        symmetry.pattern ? "some edges have different weights at their two ends, where METIS wants "
                           "the same: read as a directed graph"
                         : "some edges are listed at one of their ends only, where METIS wants "
                           "both: read as a directed graph");
}

template <class ReadBinary>
Graph read_content(std::unique_ptr<ByteSource> source, const std::string& name,
                   const ReadOptions& options, const Context& context,
                   const ReadBinary& read_binary) {
    TextFile file(std::move(source), options.chunk_bytes, context);
    const TextFile::Preview preview = file.preview();
    if (preview.text.empty()) {
        throw Error({.code = ErrorCode::truncated,
                     .message = "the file is empty",
                     .file = name,
                     .hint = "check whether it was written or downloaded completely"});
    }
    const auto binary = binary_format(preview.text, file.source(), options);
    if (!binary) refuse_lone_returns(file);
    const FileFormat format = binary ? *binary : options.format ? *options.format : recognise(file);
    // The suffix alone may have made it binary: the reader says what is wrong with the content.
    if (is_binary(format)) {
        require_unpacked(format, file.source());
        return finish(read_binary(format, file.source()), name, options, context);
    }
    const bool guessed = !options.format && format == FileFormat::edge_list;
    const auto gset = guessed ? possible_gset_header(file) : std::nullopt;
    const bool metis = guessed && could_be_metis(file);
    FileContent content = read_text(file, format, options);
    if (metis) {
        content.warnings.emplace_back("every line was read as an edge, as the suffix says; they "
                                      "fit a METIS file as well, which --format metis reads");
    } else if (gset && content.list.entries() == gset->edges + 1) {
        content.warnings.push_back(fmt::format(
            "the first line (\"{} {}\") was read as an edge; it could be the header of a "
            "Gset file with {} without weights, which --format gset reads",
            gset->vertices, gset->edges, counted(gset->edges, "edges")));
    }
    note_unused_options(format, options, content.warnings);
    if (const std::string_view packed = file.source().compression(); !packed.empty()) {
        content.source += fmt::format(", {}", packed);
    }
    Graph graph = finish(std::move(content), name, options, context);
    if (format == FileFormat::metis) check_both_ends(graph, context);
    return graph;
}

FileContent read_binary_from_memory(FileFormat format, std::string_view bytes,
                                    const std::string& name, const ReadOptions& options,
                                    const Context& context) {
    return format == FileFormat::tropic
               ? read_tropic_binary_from_memory(bytes, name, options, context)
               : read_gap_serialized_from_memory(bytes, name, options, context);
}

/// Reads from a source; `read_binary(format, source)` reads the same bytes as a binary format.
template <class ReadBinary>
Graph read_from(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                const Context& context, const ReadBinary& read_binary) {
    const std::string name = source->name();
    try {
        return read_content(std::move(source), name, options, context, read_binary);
    } catch (const Error& error) {
        // Collecting and building know what is wrong but not with which file.
        Diagnostic diagnostic = error.diagnostic();
        if (!diagnostic.file.empty() || error.code() == ErrorCode::cancelled) throw;
        diagnostic.file = name;
        throw Error(std::move(diagnostic));
    }
}

/// Names in the directory of a path that does not exist, as many as are quickly looked through.
std::string similar_file(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path wanted(path);
    const fs::path directory = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
    std::vector<std::string> found;
    constexpr std::size_t most = 2000;
    for (fs::directory_iterator at(directory, error), end; !error && at != end;
         at.increment(error)) {
        found.push_back(at->path().filename().string());
        if (found.size() == most) break;
    }
    std::ranges::sort(found);
    const std::vector<std::string_view> views(found.begin(), found.end());
    const std::string_view best = nearest(wanted.filename().native(), views);
    if (best.empty()) return {};
    return (wanted.parent_path() / best).string();
}

[[noreturn]] void fail_not_found(const std::string& path) {
    std::vector<std::string_view> generators;
    for (const GeneratorHelp& help : generator_help()) {
        generators.push_back(help.usage.substr(0, help.usage.find_first_of(":[( ")));
    }
    std::string hint;
    const std::string_view text = path;
    const auto colon = text.find(':');
    const std::string_view generator = nearest(text.substr(0, colon), generators);
    if (colon != text.npos && !generator.empty()) {
        hint = fmt::format("did you mean the generator {}{}?", generator,
                           printable(text.substr(colon)).text);
    } else if (colon == text.npos && std::ranges::find(generators, text) != generators.end()) {
        hint = fmt::format("a generator wants its arguments, such as {}:16", text);
    } else if (std::string in_the_way = file_in_the_way(path); !in_the_way.empty()) {
        hint = std::move(in_the_way);
    } else if (const std::string similar = similar_file(path); !similar.empty()) {
        hint = similar == path ? "it is a link to what is not there"
                               : fmt::format("did you mean {}?", printable(similar).text);
    } else {
        hint = "check the path; generator expressions look like kron:16";
    }
    throw Error({.code = ErrorCode::not_found,
                 .message = "there is no such file, and it is no generator expression",
                 .file = path,
                 .accepted = fmt::format("a file, or a generator: {}", fmt::join(generators, ", ")),
                 .hint = std::move(hint)});
}

} // namespace

Graph read_graph_from_memory(std::string_view bytes, const std::string& name,
                             const ReadOptions& options, const Context& context) {
    const auto read_binary = [&](FileFormat format, ByteSource&) {
        return read_binary_from_memory(format, bytes, name, options, context);
    };
    return read_from(open_memory(bytes, name, context), options, context, read_binary);
}

Graph read_graph(const std::string& path, const ReadOptions& options, const Context& context) {
    std::error_code error;
    const bool exists = path == "-" || std::filesystem::exists(path, error) || error;
    if (!exists && is_generator_expression(path)) {
        return with_options(tropic::generate(path, {}, context), options, context);
    }
    if (!exists) fail_not_found(path);
    // A pipe gives its bytes once, to whoever has them: nothing is left of it to be mapped.
    if (is_read_once(path)) {
        const auto read_binary = [&](FileFormat format, ByteSource& source) {
            return read_binary_from_memory(format, text_of(read_all(source, context)), path,
                                           options, context);
        };
        return read_from(open_file(path, context), options, context, read_binary);
    }
    return read_from(
        open_file(path, context), options, context, [&](FileFormat format, ByteSource&) {
            return format == FileFormat::tropic ? read_tropic_binary(path, options, context)
                                                : read_gap_serialized(path, options, context);
        });
}

} // namespace tropic
