// Compiles codelet files into one shared object.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "machines/tile/codelets/source_text.h"

namespace tropic::tile::codelets {

struct Compiled {
    std::string shared_object;             ///< a file in the working directory given
    nlohmann::json vertices;               ///< as the plugin described them
    std::vector<std::string> dependencies; ///< all headers that were included
};

/// Throws Error with the compiler's messages, or the plugin's.
Compiled compile(std::span<const SourceText> sources, const std::vector<std::string>& flags,
                 bool checked, const std::string& working_directory);

} // namespace tropic::tile::codelets
