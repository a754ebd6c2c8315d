// Compiled programs as bytes, for a file: the machine, the codelets' compiled code, the graph and
// the programs. What is planned from these is planned again when they are loaded.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "machines/tile/executable.h"

namespace tropic::tile {

/// The same executable always gives the same bytes. Throws Error if codelets were made by hand.
std::string store_executable(const Executable& executable);

/// Throws Error for bytes that are no stored executable, or were damaged.
std::shared_ptr<const Executable> load_executable(std::string_view bytes,
                                                  const CompileOptions& options);

} // namespace tropic::tile
