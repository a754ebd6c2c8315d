#include "program/program_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tropic/error.h"

namespace tropic::program {

namespace fs = std::filesystem;

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::error_code error;
    if (!file || fs::is_directory(path, error)) {
        const bool missing = !fs::exists(path, error);
        throw Error({.code = missing ? ErrorCode::not_found : ErrorCode::io,
                     .message = missing ? "there is no such program" : "the file cannot be read",
                     .file = path,
                     .hint = missing ? "check the path" : "check its permissions"});
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace tropic::program
