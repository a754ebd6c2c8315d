#include "graph/files/path_hint.h"

#include <filesystem>

#include <fmt/format.h>

#include "support/printable.h"

namespace tropic {

std::string file_in_the_way(const std::string& path) {
    namespace fs = std::filesystem;
    const fs::path whole(path);
    for (fs::path above = whole.parent_path(); !above.empty() && above != above.root_path();
         above = above.parent_path()) {
        std::error_code error;
        const fs::file_status status = fs::status(above, error);
        if (!fs::exists(status)) continue;
        if (fs::is_directory(status)) return {};
        return fmt::format("check the path: {} is a file, not a directory",
                           printable(above.native()).text);
    }
    return {};
}

} // namespace tropic
