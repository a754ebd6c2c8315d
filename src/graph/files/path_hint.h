// What is wrong with a path that cannot be opened.
#pragma once

#include <string>

namespace tropic {

/// "check the path: x.el is a file, not a directory" for x.el/y.el; empty if no file stands in the
/// way.
std::string file_in_the_way(const std::string& path);

} // namespace tropic
