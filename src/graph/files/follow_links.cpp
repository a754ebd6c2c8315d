#include "graph/files/follow_links.h"

#include <filesystem>

namespace tropic {

std::optional<std::string> follow_links(const std::string& path) {
    namespace fs = std::filesystem;
    constexpr int most_links = 40; // as many as Linux follows
    fs::path file = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(file, error); ++links) {
        if (links == most_links) return {};
        file = file.parent_path() / fs::read_symlink(file, error);
    }
    return file.string();
}

} // namespace tropic
