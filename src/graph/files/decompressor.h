// Compressed streams as byte sources. What they have in common is here: input windows, counting and
// the wording of failures; each kind of compression adds one step of decoding. Nothing is ever
// unpacked further than the caller reads, so a small file that unpacks to terabytes costs no
// memory.
#pragma once

#include <vector>

#include "graph/files/byte_source.h"

namespace tropic {

class Decompressor : public ByteSource {
  public:
    std::size_t read(char* out, std::size_t size) final;
    void rewind() final;
    std::uint64_t stored_bytes_read() const final { return stored_->stored_bytes_read(); }
    std::uint64_t stored_bytes() const final { return stored_->stored_bytes(); }

  protected:
    explicit Decompressor(std::unique_ptr<ByteSource> stored);

    /// Compressed bytes not yet decoded, and room for decoded ones.
    struct Window {
        const char* in;
        const char* in_end;
        char* out;
        char* out_end;
        const char* out_begin; ///< where `out` began
        bool last;             ///< nothing follows in_end
    };

    /// Decodes some bytes and moves `in` and `out`; true once the whole stream has ended. Must
    /// make progress or throw if there is input or `last` is set; what was decoded before a failure
    /// is counted by moving `out` first.
    virtual bool decode(Window& window) = 0;

    /// Back to the state before the first byte.
    virtual void restart() = 0;

    [[noreturn]] void fail_truncated(const Window& window) const;
    [[noreturn]] void fail_corrupt(const Window& window, std::string_view detail) const;
    [[noreturn]] void fail_trailing() const;

  private:
    std::string text_before(const Window& window) const;

    std::unique_ptr<ByteSource> stored_;
    std::vector<char> input_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool input_ended_ = false;
    bool finished_ = false;
    std::uint64_t unpacked_ = 0;
};

std::unique_ptr<ByteSource> open_gzip(std::unique_ptr<ByteSource> stored);
std::unique_ptr<ByteSource> open_xz(std::unique_ptr<ByteSource> stored, const Context& context);
std::unique_ptr<ByteSource> open_zstd(std::unique_ptr<ByteSource> stored, const Context& context);

} // namespace tropic
