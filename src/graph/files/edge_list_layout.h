// How an edge list is laid out: separator, columns, header line, and what its comments say. Found
// from the first lines before the body is parsed.
#pragma once

#include "graph/files/text_file.h"
#include "tropic/formats.h"

namespace tropic {

struct EdgeListLayout {
    /// ' ' for any blanks, ':' for "::", else the character itself.
    char separator = ' ';
    Index columns = 0;          ///< of every line; 0 if there are no lines with data
    bool weighted = false;      ///< the third column is a weight
    bool reals = false;         ///< and the first one is not a whole number
    Index header_line = 0;      ///< line number of the column names; 0: none
    bool weight_named = false;  ///< they call the third column a weight, and it was not declined
    std::string third_name;     ///< what they call it, if that does not sound like a weight
    Index first_line = 0;       ///< line number of the first edge
    bool comment_in_it = false; ///< one of its columns begins as comments do
    bool undirected = false;    ///< a comment says so, as SNAP's do
    Index stated_vertices = -1; ///< "# Nodes: n Edges: m"; -1: not said
    Index stated_edges = -1;
    std::vector<std::string> warnings;
};

/// Comments begin with '#', '%' or "//".
inline bool is_edge_list_comment(const char* start) noexcept {
    return *start == '#' || *start == '%' || (*start == '/' && start[1] == '/');
}

/// Reads the first lines and starts the file again. Throws for a file that cannot be an edge list.
EdgeListLayout find_layout(TextFile& file, const ReadOptions& options);

/// The separator in words.
std::string_view separator_name(char separator) noexcept;

/// The separator of a line of data; ' ' where there is none other.
char separator_of(std::string_view line);

/// The fields of a line, without the blanks around them.
std::vector<std::string_view> split_fields(std::string_view line, char separator);

} // namespace tropic
