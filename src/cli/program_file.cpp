#include "cli/program_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tropic/error.h"

namespace tropic::cli {

namespace {

/// The checker refuses what is longer than 1 MB; an endless file must not be read to its end.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail(ErrorCode code, const std::string& path, const char* message) {
    throw Error({.code = code, .message = message, .file = path});
}

} // namespace

std::string read_program(const std::string& path) {
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        if (errno == ENOENT) fail(ErrorCode::not_found, path, "there is no such file");
        fail(ErrorCode::io, path, std::strerror(errno));
    }
    std::string text;
    char block[1 << 16];
    while (text.size() < most_bytes) {
        const std::size_t got = std::fread(block, 1, sizeof block, file.get());
        text.append(block, got);
        if (got < sizeof block) break;
    }
    if (std::ferror(file.get()) != 0) fail(ErrorCode::io, path, std::strerror(errno));
    return text;
}

} // namespace tropic::cli
