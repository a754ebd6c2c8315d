#include "graph/files/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/files/compressor.h"
#include "graph/files/decompressor.h"
#include "graph/files/wait_ready.h"
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
    explicit Descriptor(const std::string& path) : number_(open(path)) {
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

    /// Nothing if there is nothing yet, which no regular file says.
    std::optional<std::size_t> read(char* out, std::size_t size, const std::string& path) const {
        for (;;) {
            const ssize_t got = ::read(number_, out, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno == EAGAIN) return {};
            if (errno != EINTR) fail_io(path, "read");
        }
    }

  private:
    /// Opening a pipe that nobody writes to yet would wait where no interrupt is seen.
    static int open(const std::string& path) {
        const int waiting = is_read_once(path) ? O_NONBLOCK : 0;
        return ::open(path == "-" ? "/dev/stdin" : path.c_str(), O_RDONLY | O_CLOEXEC | waiting);
    }

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
        const std::size_t got = descriptor_.read(out, size, name()).value_or(0);
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
    MemoryBytes(std::string_view bytes, const std::string& name)
        : ByteSource(name), bytes_(bytes) {}

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
    std::size_t at_ = 0;
};

/// What can be read once only, kept as it comes so that it can be read again.
class OnceSource final : public ByteSource {
  public:
    OnceSource(Descriptor descriptor, const std::string& path, const Context& context)
        : ByteSource(path), descriptor_(std::move(descriptor)), context_(context) {}

    std::size_t read(char* out, std::size_t size) override {
        if (at_ == kept_ && !fetch()) return 0;
        const std::size_t within = at_ % block_bytes;
        const std::size_t count = std::min({size, block_bytes - within, kept_ - at_});
        const Array& block = blocks_[at_ / block_bytes];
        std::memcpy(out, static_cast<const char*>(block.data()) + within, count);
        at_ += count;
        return count;
    }
    void rewind() override { at_ = 0; }
    std::uint64_t stored_bytes_read() const override { return at_; }
    std::uint64_t stored_bytes() const override { return ended_ ? kept_ : 0; }
    bool ends_at(std::uint64_t bytes) override {
        while (kept_ <= bytes && fetch()) {
        }
        return ended_ && kept_ == bytes;
    }
    std::string_view compression() const override { return ""; }

  private:
    static constexpr std::size_t block_bytes = 1 << 16;

    /// The bytes that come next, up to the end of a block; false at the end.
    bool fetch() {
        if (ended_) return false;
        const std::size_t within = kept_ % block_bytes;
        if (within == 0 && kept_ / block_bytes == blocks_.size()) {
            blocks_.push_back(Array::allocate(ElementType::uint8, Index{block_bytes}, context_,
                                              "the bytes of " + name()));
        }
        char* const to = static_cast<char*>(blocks_.back().mutable_data()) + within;
        std::optional<std::size_t> got;
        while (!got) {
            wait_ready(descriptor_.number(), POLLIN, context_);
            got = descriptor_.read(to, block_bytes - within, name());
        }
        kept_ += *got;
        ended_ = *got == 0;
        return !ended_;
    }

    Descriptor descriptor_;
    Context context_;
    std::vector<Array> blocks_;
    std::size_t kept_ = 0; ///< bytes in the blocks
    std::size_t at_ = 0;
    bool ended_ = false;
};

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
    // A file that ends within such a mark was cut short, which its decompressor says. A single byte
    // is a mark only where the name says so, too.
    const Compression said = compression_of(stored->name());
    const auto begins_with = [&](std::string_view mark, Compression kind) {
        const std::size_t least = said == kind ? 1 : 2;
        return start.starts_with(mark) || (start.size() >= least && mark.starts_with(start));
    };
    if (begins_with("\x1f\x8b"sv, Compression::gzip)) return open_gzip(std::move(stored));
    if (begins_with("\xfd\x37zXZ\0"sv, Compression::xz)) {
        return open_xz(std::move(stored), context);
    }
    const bool skippable = start.size() >= 4 && (start[0] & '\xf0') == '\x50' &&
                           start.substr(1).starts_with("\x2a\x4d\x18"sv);
    if (skippable || begins_with("\x28\xb5\x2f\xfd"sv, Compression::zstd)) {
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
    return unpacked(std::make_unique<OnceSource>(std::move(descriptor), path, context), context);
}

std::unique_ptr<ByteSource> open_memory(std::string_view bytes, const std::string& name,
                                        const Context& context) {
    return unpacked(std::make_unique<MemoryBytes>(bytes, name), context);
}

bool is_read_once(const std::string& path) {
    struct stat status{};
    if (::stat(path == "-" ? "/dev/stdin" : path.c_str(), &status) != 0) return false;
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Array read_all(ByteSource& source, const Context& context) {
    std::vector<char> some(1 << 16);
    source.rewind();
    Index size = 0;
    while (const std::size_t got = source.read(some.data(), some.size())) {
        context.check_cancelled();
        size += static_cast<Index>(got);
    }
    source.rewind();
    Array bytes =
        Array::allocate(ElementType::uint8, size, context, "the bytes of " + source.name());
    bytes.shrink(static_cast<Index>(
        read_fully(source, {static_cast<char*>(bytes.mutable_data()), bytes.bytes()})));
    return bytes;
}

} // namespace tropic
