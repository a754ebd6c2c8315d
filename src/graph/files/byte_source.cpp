#include "graph/files/byte_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tropic/error.h"

namespace tropic {

namespace {

[[noreturn]] void fail_io(const std::string& path, std::string_view action) {
    const int error = errno;
    throw Error(
        {.code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
         .message = fmt::format("cannot {}: {}", action, std::strerror(error)),
         .file = path,
         .hint = error == ENOENT ? "check the path; generator expressions look like kron:16" : ""});
}

class PlainFile final : public ByteSource {
  public:
    explicit PlainFile(const std::string& path) : ByteSource(path) {
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor_ < 0) fail_io(path, "open");
        struct stat status{};
        if (fstat(descriptor_, &status) != 0) fail_io(path, "look at");
        if (S_ISDIR(status.st_mode)) {
            errno = EISDIR;
            fail_io(path, "read");
        }
        bytes_ = static_cast<std::uint64_t>(status.st_size);
    }
    ~PlainFile() override {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    std::size_t read(char* out, std::size_t size) override {
        for (;;) {
            const ssize_t got = ::read(descriptor_, out, size);
            if (got >= 0) {
                read_ += static_cast<std::uint64_t>(got);
                return static_cast<std::size_t>(got);
            }
            if (errno != EINTR) fail_io(name(), "read");
        }
    }
    void rewind() override {
        if (::lseek(descriptor_, 0, SEEK_SET) != 0) fail_io(name(), "rewind");
        read_ = 0;
    }
    std::uint64_t stored_bytes_read() const override { return read_; }
    std::uint64_t stored_bytes() const override { return bytes_; }
    std::string_view compression() const override { return ""; }

  private:
    int descriptor_ = -1;
    std::uint64_t bytes_ = 0;
    std::uint64_t read_ = 0;
};

class MemoryBytes final : public ByteSource {
  public:
    MemoryBytes(std::string_view bytes, const std::string& name)
        : ByteSource(name), bytes_(bytes) {}

    std::size_t read(char* out, std::size_t size) override {
        const std::size_t count = std::min(size, bytes_.size() - at_);
        std::memcpy(out, bytes_.data() + at_, count);
        at_ += count;
        return count;
    }
    void rewind() override { at_ = 0; }
    std::uint64_t stored_bytes_read() const override { return at_; }
    std::uint64_t stored_bytes() const override { return bytes_.size(); }
    std::string_view compression() const override { return ""; }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, const Context&) {
    return std::make_unique<PlainFile>(path);
}

std::unique_ptr<ByteSource> open_memory(std::string_view bytes, const std::string& name) {
    return std::make_unique<MemoryBytes>(bytes, name);
}

} // namespace tropic
