// What the plugin learns of one translation unit: its vertex types from the syntax tree, their
// costs from the optimised code, and what is wrong with either. The syntax tree is read and the
// code is counted in the same process, so this is how the first tells the second.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tropic::tile::plugin {

struct FieldFinding {
    std::string name;
    std::string role;  ///< as FieldRole names it
    std::string shape; ///< as FieldShape names it
    std::string type;  ///< as ElementType names it
    std::uint32_t vector_width = 1;
    std::uint32_t alignment = 1;
    std::uint32_t elements = 1;
    bool inner_has_size = true;
    bool is_long = false; ///< and so cannot be used
    std::uint64_t offset = 0;
    std::uint64_t host_bytes = 0;
    std::uint64_t tile_bytes = 0;
};

struct VertexFinding {
    std::string name;
    std::string kind;    ///< as VertexKind names it
    std::string compute; ///< the mangled name of its function
    std::string file;
    std::vector<FieldFinding> fields;
    std::uint64_t host_bytes = 0;
    std::uint64_t host_alignment = 1;
    std::uint64_t tile_bytes = 0;
    std::uint64_t code_bytes = 0;
};

struct Problem {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
    std::string hint;
};

struct Findings {
    std::string output;    ///< where to write all this as JSON
    std::string main_file; ///< as the user named it
    bool checked = false;
    std::vector<VertexFinding> vertices;
    std::vector<Problem> problems;
    /// Where `for` loops counted by a rptsize_t begin: file without its path, line and column.
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> rpt_loops;
};

/// Of the translation unit that this process compiles.
Findings& findings();

/// Writes them to `output`.
void write_findings();

/// The symbol that runs a vertex of that name.
std::string entry_symbol(const std::string& vertex_name);

/// The name by which a supervisor's assembly starts the workers of a vertex.
std::string run_codelet_label(const std::string& vertex_name);

} // namespace tropic::tile::plugin
