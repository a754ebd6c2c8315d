// Text from files and users as a terminal may show it: valid UTF-8 as it is, and dots for what
// would disturb the terminal or the order of its letters.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace tropic {

struct Printable {
    std::string text;
    std::size_t width = 0; ///< in columns of a terminal
    std::size_t bytes = 0; ///< of the original that are shown
};

/// As much of the text, from its start, as `widest` columns can show.
Printable printable(std::string_view text,
                    std::size_t widest = std::numeric_limits<std::size_t>::max());

} // namespace tropic
