#include "program/library_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/nearest.h"
#include "tropic/error.h"

namespace tropic::program {

namespace fs = std::filesystem;

namespace {

constexpr const char* suffix = ".tropic";

/// The folder that libtropic was loaded from.
fs::path own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&library_folder), &info) == 0 ||
        info.dli_fname == nullptr) {
        return {};
    }
    std::error_code error;
    return fs::canonical(info.dli_fname, error).parent_path();
}

} // namespace

std::string library_folder() {
    if (const char* const given = std::getenv("TROPIC_LIBRARY"); given != nullptr && *given != 0) {
        return given;
    }
    // lib/ or lib/x86_64-linux-gnu/
    const fs::path own = own_folder();
    for (const fs::path& above : {own.parent_path(), own.parent_path().parent_path()}) {
        const fs::path folder = above / "share" / "tropic" / "library";
        std::error_code error;
        if (fs::is_directory(folder, error)) return folder.string();
    }
    throw Error(ErrorCode::not_found, "the library of algorithms is not there",
                "set TROPIC_LIBRARY to the folder with its .tropic files");
}

std::vector<std::string> library_names() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(library_folder(), error)) {
        if (entry.path().extension() == suffix) names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

std::string library_file(const std::string& name) {
    const fs::path file = fs::path(library_folder()) / (name + suffix);
    std::error_code error;
    if (name.find('/') == std::string::npos && fs::is_regular_file(file, error)) {
        return file.string();
    }
    const std::vector<std::string> names = library_names();
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view meant = nearest(name, views);
    throw Error({.code = ErrorCode::not_found,
                 .message = fmt::format("the library has no algorithm {}", name),
                 .accepted = fmt::format("{}", fmt::join(names, ", ")),
                 .hint = meant.empty() ? "" : fmt::format("did you mean {}?", meant)});
}

} // namespace tropic::program
