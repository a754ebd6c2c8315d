#include "graph/files/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tropic/error.h"

namespace tropic {

namespace {

[[noreturn]] void fail_io(const std::string& path, std::string_view action, int error) {
    throw Error(
        {.code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
         .message = fmt::format("cannot {}: {}", action, std::strerror(error)),
         .file = path,
         .hint = error == ENOENT ? "check the path; generator expressions look like kron:16" : ""});
}

/// The mapping outlives the descriptor it was made from.
struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

} // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.number < 0) fail_io(path, "open", errno);
    struct stat status{};
    if (fstat(file.number, &status) != 0) fail_io(path, "look at", errno);
    if (S_ISDIR(status.st_mode)) fail_io(path, "read", EISDIR);
    if (!S_ISREG(status.st_mode)) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = "a binary graph is mapped into memory, and this is not a regular "
                                "file",
                     .file = path,
                     .accepted = "a file on a disk, not a pipe or device",
                     .hint = "copy the bytes to a file first"});
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return std::shared_ptr<const MappedFile>(new MappedFile({}));
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (data == MAP_FAILED) fail_io(path, "map", errno);
    return std::shared_ptr<const MappedFile>(
        new MappedFile({static_cast<const char*>(data), size}));
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedFile::populate([[maybe_unused]] std::string_view piece) noexcept {
#ifdef MADV_POPULATE_READ
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(piece.data()) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(piece.data()) + piece.size();
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#endif
}

} // namespace tropic
