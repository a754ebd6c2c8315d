// Where a file that is written ends up.
#pragma once

#include <optional>
#include <string>

namespace tropic {

/// The path behind symbolic links, also those to what is not there yet: writing makes it appear
/// there. Nothing if links lead to each other for ever.
std::optional<std::string> follow_links(const std::string& path);

} // namespace tropic
