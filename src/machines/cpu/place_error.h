// Mistakes that a compiled program finds at one of its statements.
#pragma once

#include <string>
#include <string_view>

#include "tropic/error.h"

namespace tropic::cpu {

/// Throws Error with the line that `place` ("line 4, column 3", as embedded in the program) names.
[[noreturn]] void fail_in(const std::string& file, std::string_view text, const char* place,
                          ErrorCode code, std::string message, std::string hint);

} // namespace tropic::cpu
