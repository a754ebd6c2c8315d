// Reading and writing graph files. Formats are recognised by content; the suffix is a hint.
#pragma once

#include <optional>

#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic {

enum class FileFormat : std::uint8_t {
    matrix_market,
    edge_list, ///< SNAP, CSV, TSV, GAP .el and .wel
    metis,
    dimacs,
    gset,
    gap_serialized, ///< GAP .sg and .wsg
    frostt,
    tropic, ///< Tropic's own binary format
};

std::string_view name_of(FileFormat format) noexcept;
bool parse_file_format(std::string_view name, FileFormat& format) noexcept;

enum class IdBase : std::uint8_t {
    as_listed, ///< ids stand for themselves
    zero,      ///< ids count from 0: n is the largest id + 1
    one,       ///< ids count from 1: n is the largest id
};

struct ReadOptions {
    std::optional<FileFormat> format = {}; ///< none: recognise
    std::optional<Format> storage = {};    ///< none: csr, or dcsr/coo where csr would be mostly air
    Duplicates duplicates = Duplicates::keep;

    /// Edge lists. `as_listed` closes gaps between the ids used (the map back is kept).
    IdBase base = IdBase::as_listed;
    /// Edge lists: sources and targets are two kinds of things (users and items): a rectangular
    /// matrix.
    bool bipartite = false;
    /// Edge lists: read a third column as weights; none: if there is one and it is numeric.
    std::optional<bool> weighted = {};
    /// Whether these three are warned of where a file of another format says such things itself.
    bool warn_of_unused = true;

    /// Binary files: verify all checksums and invariants (reads the whole file). Without it only
    /// the header is verified and the file opens in milliseconds.
    bool verify = true;

    /// Bytes of text handed to one parser at a time; tests make it tiny.
    std::size_t chunk_bytes = 1 << 20;
};

/// Reads a file, or makes the graph of a generator expression ("kron:16").
Graph read_graph(const std::string& path_or_expression, const ReadOptions& options = {},
                 const Context& context = {});

/// Reads a graph from memory; `name` is used in messages and as a suffix hint.
Graph read_graph_from_memory(std::string_view bytes, const std::string& name,
                             const ReadOptions& options = {}, const Context& context = {});

struct WriteOptions {
    std::optional<FileFormat> format = {}; ///< none: by the suffix of the path
    bool original_ids = true;              ///< edge lists: write the ids of the source file
    char separator = 0; ///< edge lists; 0: by the suffix (tab, comma for .csv, space for .el)
    std::optional<bool> header = {}; ///< edge lists: a header line; none: by the suffix
};

/// Writes the file whole or not at all: aside first, then renamed. A path ending in .gz, .xz or
/// .zst is compressed (text formats). Throws Error(unsupported) naming what the format cannot say.
/// Returns what was lost or changed in the format's terms (empty: nothing).
std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     const WriteOptions& options = {}, const Context& context = {});

} // namespace tropic
