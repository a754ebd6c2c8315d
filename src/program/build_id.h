// What tells one build of a file from another.
#pragma once

#include <string>

namespace tropic::program {

/// The build id that the linker wrote into a shared object or program, in hexadecimal digits; empty
/// if the file has none.
std::string build_id_of(const std::string& file);

/// The build id, else size and time of the file; "none" if there is no such file.
std::string identity_of(const std::string& file);

} // namespace tropic::program
