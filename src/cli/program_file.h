// Programs from files.
#pragma once

#include <string>

namespace tropic::cli {

/// The text of the file; throws Error(not_found) or Error(io).
std::string read_program(const std::string& path);

} // namespace tropic::cli
