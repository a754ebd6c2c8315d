// What the compiler and the plugin have to say, as Errors.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "machines/tile/codelets/source_text.h"

namespace tropic::tile::codelets {

/// From clang's "file:line:column: error: message" lines.
[[noreturn]] void throw_compiler_errors(const SourceText& source, std::string_view output,
                                        int status);

/// From the plugin's list of problems, which must not be empty.
[[noreturn]] void throw_problems(const SourceText& source, const nlohmann::json& problems);

} // namespace tropic::tile::codelets
