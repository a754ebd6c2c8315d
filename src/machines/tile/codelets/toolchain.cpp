#include "machines/tile/codelets/toolchain.h"

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "machines/tile/codelet.h"
#include "tropic/error.h"

namespace tropic::tile::codelets {

namespace {

namespace fs = std::filesystem;

/// "tropic" beside the library this code is in, or where a program finds it.
fs::path support_directory() {
    Dl_info info{};
    fs::path beside = fs::current_path();
    if (dladdr(reinterpret_cast<const void*>(&load_codelets), &info) != 0 &&
        info.dli_fname != nullptr) {
        std::error_code ignored;
        beside = fs::canonical(info.dli_fname, ignored).parent_path();
    }
    for (const fs::path& candidate : {beside / "tropic", beside / ".." / "lib" / "tropic"}) {
        if (fs::exists(candidate / "codelet_plugin.so")) return candidate.lexically_normal();
    }
    throw Error(
        ErrorCode::not_found,
        fmt::format("the codelet compiler's files are not in {}", (beside / "tropic").string()),
        "install Tropic with its tile machine");
}

/// The program the environment names, the one found when this was built, or one in the path.
std::string find_program(const char* variable, const char* built_with, const char* name) {
    if (const char* const own = std::getenv(variable); own != nullptr && *own != '\0') return own;
    if (fs::exists(built_with)) return built_with;
    const char* const path = std::getenv("PATH");
    std::string rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
        if (fs::exists(candidate)) return candidate.string();
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    throw Error(ErrorCode::not_found,
                fmt::format("codelets are compiled with {}, which is not there", name),
                fmt::format("install {}, or name it with {}", name, variable));
}

std::string stamp_of(const std::string& file) {
    struct stat status{};
    if (stat(file.c_str(), &status) != 0) return file + " none";
    return fmt::format("{} {} {}.{}", file, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}

Toolchain find_toolchain() {
    const fs::path support = support_directory();
    Toolchain tools;
    tools.clang = find_program("TROPIC_CLANG", TROPIC_CODELET_CLANG, "clang-22");
    tools.linker = find_program("TROPIC_LLD", TROPIC_CODELET_LLD, "ld.lld-22");
    tools.plugin = (support / "codelet_plugin.so").string();
    tools.runtime = (support / "libcodelet_runtime.a").string();
    tools.include = (support / "include").string();
    for (const std::string& file : {tools.clang, tools.linker, tools.plugin, tools.runtime}) {
        tools.identity += stamp_of(file) + "\n";
    }
    return tools;
}

} // namespace

const Toolchain& Toolchain::instance() {
    static const Toolchain tools = find_toolchain();
    return tools;
}

} // namespace tropic::tile::codelets
