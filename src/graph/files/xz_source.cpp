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
        if (lzma_stream_decoder(&stream_, nothing_yet, LZMA_CONCATENATED) != LZMA_OK) {
            throw std::bad_alloc();
        }
    }
    void restart() override {
        streams_seen_ = false;
        start();
    }

    bool decode(Window& window) override {
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
        streams_seen_ |= window.out != reinterpret_cast<char*>(stream_.next_out);
        window.out = reinterpret_cast<char*>(stream_.next_out);
        switch (status) {
        case LZMA_OK:
            return false;
        case LZMA_STREAM_END:
            return true;
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
            // liblzma does not tell garbage behind a stream from damage within it.
            fail_corrupt(window,
                         "invalid data, a wrong checksum, or something else behind its end");
        }
    }

    std::shared_ptr<MemoryBudget> budget_;
    MemoryCharge charge_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool streams_seen_ = false;
};

} // namespace

std::unique_ptr<ByteSource> open_xz(std::unique_ptr<ByteSource> stored, const Context& context) {
    return std::make_unique<XzSource>(std::move(stored), context);
}

} // namespace tropic
