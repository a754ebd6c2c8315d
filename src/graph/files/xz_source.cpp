// xz: any number of streams one after the other. How much memory the decoder takes stands in the
// file; it is charged to the budget before the decoder may allocate it.
#include <new>

#include <lzma.h>

#include "graph/files/decompressor.h"
#include "support/memory.h"

namespace tropic {

namespace {

class XzSource final : public Decompressor {
  public:
    XzSource(std::unique_ptr<ByteSource> stored, const Context& context)
        : Decompressor(std::move(stored)), budget_(context.budget()) {
        start();
    }
    ~XzSource() override { lzma_end(&stream_); }
    std::string_view compression() const override { return "xz"; }

  private:
    void start() {
        constexpr std::uint64_t nothing_yet = 1;
        if (lzma_stream_decoder(&stream_, nothing_yet, 0) != LZMA_OK) throw std::bad_alloc();
    }
    void restart() override {
        between_streams_ = streams_seen_ = false;
        padding_ = 0;
        start();
    }

    /// Another stream, or the end. liblzma would join streams by itself, but not tell something
    /// else behind a stream from damage within it.
    bool start_stream(Window& window) {
        constexpr char magic = '\xfd';
        constexpr std::uint64_t padding_unit = 4;
        for (; window.in != window.in_end && *window.in == 0; ++window.in) ++padding_;
        const bool at_end = window.in == window.in_end;
        if (at_end && !window.last) return false;
        if (!at_end && *window.in != magic) fail_trailing();
        if (padding_ % padding_unit != 0) {
            fail_corrupt(window, "the zeros behind it are no multiple of four");
        }
        if (at_end) return false;
        between_streams_ = false;
        padding_ = 0;
        start();
        return true;
    }

    bool decode(Window& window) override {
        if (between_streams_ && !start_stream(window)) return window.last;
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(window.in);
        stream_.avail_in = static_cast<std::size_t>(window.in_end - window.in);
        stream_.next_out = reinterpret_cast<std::uint8_t*>(window.out);
        stream_.avail_out = static_cast<std::size_t>(window.out_end - window.out);
        lzma_ret status = lzma_code(&stream_, window.last ? LZMA_FINISH : LZMA_RUN);
        // One window may hold several streams, each with a larger dictionary than the one before.
        while (status == LZMA_MEMLIMIT_ERROR) {
            const std::uint64_t needed = lzma_memusage(&stream_);
            charge_ = MemoryCharge();
            charge_ = MemoryCharge(budget_, needed, "unpacking " + name());
            lzma_memlimit_set(&stream_, needed);
            status = lzma_code(&stream_, window.last ? LZMA_FINISH : LZMA_RUN);
        }
        window.in = reinterpret_cast<const char*>(stream_.next_in);
        window.out = reinterpret_cast<char*>(stream_.next_out);
        switch (status) {
        case LZMA_OK:
            return false;
        case LZMA_STREAM_END:
            between_streams_ = streams_seen_ = true;
            return false;
        case LZMA_BUF_ERROR:
            if (window.last) fail_truncated(window);
            return false;
        case LZMA_FORMAT_ERROR:
            if (streams_seen_) fail_trailing();
            fail_corrupt(window, "not an xz header");
        case LZMA_MEM_ERROR:
            throw std::bad_alloc();
        case LZMA_OPTIONS_ERROR:
            fail_corrupt(window, "it uses options that liblzma does not know");
        default:
            fail_corrupt(window, "invalid data or a wrong checksum");
        }
    }

    std::shared_ptr<MemoryBudget> budget_;
    MemoryCharge charge_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool between_streams_ = false;
    bool streams_seen_ = false;
    std::uint64_t padding_ = 0; ///< zeros behind the last stream
};

} // namespace

std::unique_ptr<ByteSource> open_xz(std::unique_ptr<ByteSource> stored, const Context& context) {
    return std::make_unique<XzSource>(std::move(stored), context);
}

} // namespace tropic
