// Where the optional real graphs are: $TROPIC_DATA, or shared/data in a folder above the tests'
// program. (Not by __FILE__, which compiler caches make relative.)
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tropic::test {

/// A folder that may not exist.
inline std::filesystem::path shared_data() {
    if (const char* folder = std::getenv("TROPIC_DATA")) return folder;
    std::error_code none;
    std::filesystem::path above = std::filesystem::read_symlink("/proc/self/exe", none);
    while (above.has_relative_path()) {
        above = above.parent_path();
        if (exists(above / "shared/data/SOURCES.tsv", none)) break;
    }
    return above / "shared/data";
}

} // namespace tropic::test
