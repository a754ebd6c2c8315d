// Where the algorithms that come with Tropic are.
#pragma once

#include <string>
#include <vector>

namespace tropic::program {

/// $TROPIC_LIBRARY if it is set; else share/tropic/library beside the folder of the shared library,
/// which the build tree and an installation both have. Throws Error(not_found).
std::string library_folder();

/// Names without their suffix, in order.
std::vector<std::string> library_names();

/// The file of an algorithm; throws Error(not_found) naming those there are.
std::string library_file(const std::string& name);

} // namespace tropic::program
