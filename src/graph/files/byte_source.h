// The bytes of a file, decompressed on the way, as a stream that can be started again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tropic/array.h"
#include "tropic/context.h"

namespace tropic {

class ByteSource {
  public:
    virtual ~ByteSource() = default;

    /// Fills `out` with the next bytes and returns how many; 0 only at the end.
    /// Throws Error(io) or, for a broken compressed stream, Error(corrupt) or Error(truncated).
    virtual std::size_t read(char* out, std::size_t size) = 0;

    /// Starts again from the first byte.
    virtual void rewind() = 0;

    /// For progress, in bytes as stored (compressed); 0 as long as nobody knows how many there are.
    virtual std::uint64_t stored_bytes_read() const = 0;
    virtual std::uint64_t stored_bytes() const = 0;

    /// Whether there are just so many stored bytes. What comes once is read that far to find out.
    virtual bool ends_at(std::uint64_t bytes) { return stored_bytes() == bytes; }

    /// How the bytes are compressed: "", "gzip", "xz" or "zstd".
    virtual std::string_view compression() const = 0;

    /// The path as the user gave it.
    const std::string& name() const noexcept { return name_; }

  protected:
    explicit ByteSource(std::string name) : name_(std::move(name)) {}

  private:
    std::string name_;
};

/// Opens a file; compression is recognised by content. What comes out of something that is not a
/// regular file (a pipe, a device) is kept in memory as far as it is read.
std::unique_ptr<ByteSource> open_file(const std::string& path, const Context& context);

/// The caller's bytes, not copied, decompressed as for files.
std::unique_ptr<ByteSource> open_memory(std::string_view bytes, const std::string& name,
                                        const Context& context = {});

/// True for something that exists and can be read once only: a pipe, a terminal, a device.
bool is_read_once(const std::string& path);

/// Everything from the first byte on, within the context's memory.
Array read_all(ByteSource& source, const Context& context);

/// The bytes of such an array.
inline std::string_view text_of(const Array& bytes) {
    return {static_cast<const char*>(bytes.data()), bytes.bytes()};
}

} // namespace tropic
