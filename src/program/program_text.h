// Texts of programs from files.
#pragma once

#include <string>

namespace tropic::program {

/// Throws Error(not_found) or Error(io).
std::string read_text(const std::string& path);

} // namespace tropic::program
