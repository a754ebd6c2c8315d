// Names content that is not a graph in any format read here, so that a message can say what a file
// is rather than what it is not.
#pragma once

#include <string_view>

namespace tropic {

struct ForeignContent {
    std::string_view name; ///< "a PNG image"; empty: nothing known
    std::string_view hint;
};

ForeignContent foreign_content(std::string_view text);

/// Bytes that no text has: control characters other than blanks and line ends.
bool looks_binary(std::string_view text);

} // namespace tropic
