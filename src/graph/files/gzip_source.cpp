// gzip: any number of members one after the other, as gzip, bgzip and pigz write them.
#include <cstring>
#include <limits>
#include <new>

#include <zlib.h>

#include "graph/files/decompressor.h"

namespace tropic {

namespace {

class GzipSource final : public Decompressor {
  public:
    explicit GzipSource(std::unique_ptr<ByteSource> stored) : Decompressor(std::move(stored)) {
        constexpr int gzip_only = 15 + 16;
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~GzipSource() override { inflateEnd(&stream_); }
    std::string_view compression() const override { return "gzip"; }

  private:
    bool decode(Window& window) override {
        if (between_members_ && !start_member(window)) return window.last;
        constexpr std::ptrdiff_t most = std::numeric_limits<uInt>::max();
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(window.in));
        stream_.avail_in = static_cast<uInt>(window.in_end - window.in);
        stream_.next_out = reinterpret_cast<Bytef*>(window.out);
        stream_.avail_out = static_cast<uInt>(std::min(most, window.out_end - window.out));
        const int status = inflate(&stream_, Z_NO_FLUSH);
        window.in = reinterpret_cast<const char*>(stream_.next_in);
        const bool progress = window.out != reinterpret_cast<char*>(stream_.next_out);
        window.out = reinterpret_cast<char*>(stream_.next_out);
        switch (status) {
        case Z_STREAM_END:
            inflateReset(&stream_);
            between_members_ = true;
            return false;
        case Z_OK:
        case Z_BUF_ERROR:
            if (window.last && !progress) fail_truncated(window);
            return false;
        case Z_MEM_ERROR:
            throw std::bad_alloc();
        default:
            fail_corrupt(window, stream_.msg != nullptr ? stream_.msg : "invalid data");
        }
    }

    /// Another member, or the end. Zeros may fill the last block of a tape; nothing else may
    /// follow.
    bool start_member(Window& window) {
        constexpr char magic = 0x1f;
        if (!padding_ && window.in != window.in_end && *window.in == magic) {
            between_members_ = false;
            return true;
        }
        while (window.in != window.in_end) {
            if (*window.in++ != 0) fail_trailing();
            padding_ = true;
        }
        return false;
    }

    void restart() override {
        inflateReset(&stream_);
        between_members_ = padding_ = false;
    }

    z_stream stream_{};
    bool between_members_ = false;
    bool padding_ = false;
};

} // namespace

std::unique_ptr<ByteSource> open_gzip(std::unique_ptr<ByteSource> stored) {
    return std::make_unique<GzipSource>(std::move(stored));
}

} // namespace tropic
