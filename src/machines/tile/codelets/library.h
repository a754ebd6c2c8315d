// Codelets in memory: the shared object they were compiled to, and what is in it.
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "machines/tile/codelet.h"

namespace tropic::tile::codelets {

/// None if the file cannot be loaded, or is not what the description says.
std::shared_ptr<CodeletLibrary> open_library(const std::string& file,
                                             const nlohmann::json& vertices);

/// Code from elsewhere, kept in memory only. Throws Error if it cannot be loaded.
std::shared_ptr<CodeletLibrary> open_image(const CodeletImage& image);

} // namespace tropic::tile::codelets
