// The files of page/, put into the library when it is built.
#pragma once

#include <string>
#include <string_view>

namespace tropic::report {

std::string_view page_template();
std::string_view page_style();

/// All scripts, one behind the other.
std::string page_script();

} // namespace tropic::report
