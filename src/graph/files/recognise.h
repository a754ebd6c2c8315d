// Which format a text file has: by what it says first, by its suffix only where several formats
// would read it.
#pragma once

#include <optional>

#include "graph/files/text_file.h"
#include "tropic/formats.h"

namespace tropic {

/// The format of the text that `file` begins with. Throws Error(unsupported) for content that no
/// reader takes (naming what it looks like), Error(truncated) for an empty file.
FileFormat recognise(TextFile& file);

/// Throws if the text that `file` begins with has a carriage return that ends no line, unless it is
/// binary. With the line ends of old Macs all text is one line, which may well begin as a comment.
void refuse_lone_returns(TextFile& file);

/// Whether what was read as edges, as far as seen, are also the lines of a METIS file that name
/// each other.
bool could_be_metis(TextFile& file);

struct GsetHeader {
    Index vertices;
    Index edges;
};

/// The first line of an edge list that, as far as seen, could be the header of a Gset file without
/// weights: nothing but the number of its lines tells the two apart.
std::optional<GsetHeader> possible_gset_header(TextFile& file);

/// The same for the start of a text, or all of it if `complete`. `name` is used for its suffix and
/// in messages.
FileFormat recognise_text(std::string_view text, bool complete, const std::string& name);

/// What the suffix says, with a suffix of compression set aside; none if it says nothing.
std::optional<FileFormat> format_of_suffix(std::string_view name);

} // namespace tropic
