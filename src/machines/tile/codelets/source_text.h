// The text of one codelet file, on its way to the compiler.
#pragma once

#include <string>
#include <string_view>

namespace tropic::tile::codelets {

struct SourceText {
    std::string name; ///< as messages have it
    std::string text;
    std::string directory; ///< where its own includes are; empty for text without a file
};

/// Throws Error if there is no such file, or it is not C++.
SourceText read_source(const std::string& file);

/// The text the host's compiler gets, line by line the same: it says where it comes from, and the
/// registers of a tile that assembly clobbers are not named, since the host has none of them.
std::string prepared(const SourceText& source);

/// Line `line` (from 1) of the text; empty if it has not that many.
std::string_view line_of(std::string_view text, std::size_t line);

} // namespace tropic::tile::codelets
