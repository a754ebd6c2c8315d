#include "graph/files/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/files/decompressor.h"
#include "tropic/error.h"

namespace tropic {

namespace {

using namespace std::string_view_literals;

[[noreturn]] void fail_io(const std::string& path, std::string_view action) {
    const int error = errno;
    std::string hint;
    if (error == ENOENT) hint = "check the path; generator expressions look like kron:16";
    if (error == EISDIR) hint = "name a file in it";
    throw Error({.code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                 .message = fmt::format("cannot {}: {}", action, std::strerror(error)),
                 .file = path,
                 .hint = std::move(hint)});
}

/// An open file; directories are refused.
class Descriptor {
  public:
    explicit Descriptor(const std::string& path)
        : number_(::open(path == "-" ? "/dev/stdin" : path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (number_ < 0) fail_io(path, "open");
        struct stat status{};
        const bool known = fstat(number_, &status) == 0;
        if (known && S_ISDIR(status.st_mode)) errno = EISDIR;
        if (!known || S_ISDIR(status.st_mode)) {
            const int error = errno;
            ::close(number_);
            errno = error;
            fail_io(path, "read");
        }
        regular_ = S_ISREG(status.st_mode);
        bytes_ = static_cast<std::uint64_t>(status.st_size);
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept
        : number_(std::exchange(other.number_, -1)), regular_(other.regular_),
          bytes_(other.bytes_) {}
    Descriptor& operator=(Descriptor&&) = delete;

    bool regular() const noexcept { return regular_; }
    std::uint64_t bytes() const noexcept { return bytes_; }
    int number() const noexcept { return number_; }

    std::size_t read(char* out, std::size_t size, const std::string& path) const {
        for (;;) {
            const ssize_t got = ::read(number_, out, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) fail_io(path, "read");
        }
    }

  private:
    int number_;
    bool regular_ = false;
    std::uint64_t bytes_ = 0;
};

class PlainFile final : public ByteSource {
  public:
    PlainFile(Descriptor descriptor, const std::string& path)
        : ByteSource(path), descriptor_(std::move(descriptor)) {
        posix_fadvise(descriptor_.number(), 0, 0, POSIX_FADV_SEQUENTIAL);
    }

    std::size_t read(char* out, std::size_t size) override {
        const std::size_t got = descriptor_.read(out, size, name());
        read_ += got;
        return got;
    }
    void rewind() override {
        if (::lseek(descriptor_.number(), 0, SEEK_SET) != 0) fail_io(name(), "rewind");
        read_ = 0;
    }
    std::uint64_t stored_bytes_read() const override { return read_; }
    std::uint64_t stored_bytes() const override { return descriptor_.bytes(); }
    std::string_view compression() const override { return ""; }

  private:
    Descriptor descriptor_;
    std::uint64_t read_ = 0;
};

class MemoryBytes final : public ByteSource {
  public:
    /// `owner` keeps the bytes alive if they are not the caller's.
    MemoryBytes(std::string_view bytes, const std::string& name, Array owner)
        : ByteSource(name), bytes_(bytes), owner_(std::move(owner)) {}

    std::size_t read(char* out, std::size_t size) override {
        const std::size_t count = std::min(size, bytes_.size() - at_);
        if (count > 0) std::memcpy(out, bytes_.data() + at_, count);
        at_ += count;
        return count;
    }
    void rewind() override { at_ = 0; }
    std::uint64_t stored_bytes_read() const override { return at_; }
    std::uint64_t stored_bytes() const override { return bytes_.size(); }
    std::string_view compression() const override { return ""; }

  private:
    std::string_view bytes_;
    Array owner_;
    std::size_t at_ = 0;
};

Array read_whole(const Descriptor& descriptor, const std::string& path, const Context& context) {
    const std::string purpose = "the bytes of " + path;
    Index capacity = 1 << 16;
    Array bytes = Array::allocate(ElementType::uint8, capacity, context, purpose);
    Index size = 0;
    for (;;) {
        context.check_cancelled();
        if (size == capacity) {
            capacity *= 2;
            Array larger = Array::allocate(ElementType::uint8, capacity, context, purpose);
            std::memcpy(larger.mutable_data(), bytes.data(), static_cast<std::size_t>(size));
            bytes = std::move(larger);
        }
        char* out = static_cast<char*>(bytes.mutable_data()) + size;
        const std::size_t got =
            descriptor.read(out, static_cast<std::size_t>(capacity - size), path);
        if (got == 0) break;
        size += static_cast<Index>(got);
    }
    bytes.shrink(size);
    return bytes;
}

struct Refused {
    std::string_view magic;
    std::string_view name;
    std::string_view unpack;
};

/// Compressed and archive files that people have but we do not read.
constexpr std::array refused = {
    Refused{"BZh"sv, "bzip2", "bunzip2"},
    Refused{"PK\x03\x04"sv, "zip", "unzip"},
    Refused{"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x"},
    Refused{"\x04\x22\x4d\x18"sv, "lz4", "lz4 -d"},
    Refused{"\x1f\x9d"sv, "compress", "uncompress"},
};

std::size_t read_fully(ByteSource& source, std::span<char> out) {
    std::size_t have = 0;
    while (have < out.size()) {
        const std::size_t got = source.read(out.data() + have, out.size() - have);
        if (got == 0) break;
        have += got;
    }
    return have;
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> stored, const Context& context) {
    std::array<char, 6> first{};
    const std::string_view start(first.data(), read_fully(*stored, first));
    stored->rewind();
    if (start.starts_with("\x1f\x8b"sv)) return open_gzip(std::move(stored));
    if (start.starts_with("\xfd\x37zXZ\0"sv)) return open_xz(std::move(stored), context);
    const bool skippable = start.size() >= 4 && (start[0] & '\xf0') == '\x50' &&
                           start.substr(1).starts_with("\x2a\x4d\x18"sv);
    if (skippable || start.starts_with("\x28\xb5\x2f\xfd"sv)) {
        return open_zstd(std::move(stored), context);
    }
    for (const Refused& kind : refused) {
        if (!start.starts_with(kind.magic)) continue;
        throw Error({.code = ErrorCode::unsupported,
                     .message = fmt::format("this is a {} file, which is not read", kind.name),
                     .file = stored->name(),
                     .accepted = "text as it is, or compressed with gzip, xz or zstd",
                     .hint = fmt::format("unpack it with {}", kind.unpack)});
    }
    return stored;
}

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, const Context& context) {
    Descriptor descriptor(path);
    if (descriptor.regular()) {
        return unpacked(std::make_unique<PlainFile>(std::move(descriptor), path), context);
    }
    Array bytes = read_whole(descriptor, path, context);
    const std::string_view text = text_of(bytes);
    return unpacked(std::make_unique<MemoryBytes>(text, path, std::move(bytes)), context);
}

std::unique_ptr<ByteSource> open_memory(std::string_view bytes, const std::string& name,
                                        const Context& context) {
    return unpacked(std::make_unique<MemoryBytes>(bytes, name, Array()), context);
}

bool is_read_once(const std::string& path) {
    struct stat status{};
    if (::stat(path == "-" ? "/dev/stdin" : path.c_str(), &status) != 0) return false;
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Array read_whole(const std::string& path, const Context& context) {
    return read_whole(Descriptor(path), path, context);
}

} // namespace tropic
