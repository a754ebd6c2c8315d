// zstd: any number of frames one after the other. The decoder's window stands in the file and may
// be up to 2 GB; it may only be as large as the budget allows, and is charged to it.
#include <algorithm>
#include <bit>
#include <new>

#include <zstd.h>
#include <zstd_errors.h>

#include "graph/files/decompressor.h"
#include "support/memory.h"
#include "tropic/error.h"

namespace tropic {

namespace {

class ZstdSource final : public Decompressor {
  public:
    ZstdSource(std::unique_ptr<ByteSource> stored, const Context& context)
        : Decompressor(std::move(stored)), budget_(context.budget()), decoder_(ZSTD_createDCtx()) {
        if (decoder_ == nullptr) throw std::bad_alloc();
        const std::uint64_t free = budget_->limit() - std::min(budget_->limit(), budget_->used());
        const int affordable = static_cast<int>(std::bit_width(free / 2)) - 1;
        const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
        ZSTD_DCtx_setParameter(decoder_, ZSTD_d_windowLogMax,
                               std::clamp(affordable, bounds.lowerBound, bounds.upperBound));
    }
    ~ZstdSource() override { ZSTD_freeDCtx(decoder_); }
    std::string_view compression() const override { return "zstd"; }

  private:
    bool decode(Window& window) override {
        if (between_frames_ && window.in == window.in_end) return window.last;
        const auto room = static_cast<std::size_t>(window.in_end - window.in);
        ZSTD_inBuffer in{window.in, std::min(room, step_), 0};
        ZSTD_outBuffer out{window.out, static_cast<std::size_t>(window.out_end - window.out), 0};
        const std::size_t left = ZSTD_decompressStream(decoder_, &out, &in);
        if (ZSTD_isError(left)) fail_at(window, ZSTD_getErrorCode(left));
        window.in += in.pos;
        window.out += out.pos;
        if (window.last && left != 0 && out.pos == 0) fail_truncated(window);
        step_ = next_step(left, out.pos == out.size);
        between_frames_ = left == 0;
        frames_seen_ |= between_frames_;
        if (const std::size_t held = ZSTD_sizeof_DCtx(decoder_); held != charged_) {
            charge_ = MemoryCharge();
            charge_ = MemoryCharge(budget_, held, "unpacking " + name());
            charged_ = held;
        }
        return false;
    }

    /// A call that fails does not say what it wrote before. So each gets no more than one block or
    /// one header behind it, and only once all text of the block before is out.
    static std::size_t next_step(std::size_t hint, bool out_is_full) {
        constexpr std::size_t block_header = 3;
        if (out_is_full) return 0;
        return hint > block_header ? hint - block_header : std::max<std::size_t>(hint, 1);
    }

    [[noreturn]] void fail_at(const Window& window, ZSTD_ErrorCode code) const {
        if (code == ZSTD_error_memory_allocation) throw std::bad_alloc();
        if (code == ZSTD_error_frameParameter_windowTooLarge) {
            throw Error(
                {.code = ErrorCode::out_of_memory,
                 .message = "unpacking this zstd stream takes a window larger than the "
                            "memory limit allows",
                 .file = name(),
                 .hint = "raise the limit with --memory, or unpack it with zstd --long=31"});
        }
        if (code == ZSTD_error_prefix_unknown && frames_seen_) fail_trailing();
        fail_corrupt(window, ZSTD_getErrorString(code));
    }

    void restart() override {
        ZSTD_DCtx_reset(decoder_, ZSTD_reset_session_only);
        between_frames_ = frames_seen_ = false;
        step_ = 1;
    }

    std::shared_ptr<MemoryBudget> budget_;
    MemoryCharge charge_;
    std::size_t charged_ = 0;
    ZSTD_DCtx* decoder_;
    std::size_t step_ = 1; ///< how many bytes the decoder gets next
    bool between_frames_ = false;
    bool frames_seen_ = false;
};

} // namespace

std::unique_ptr<ByteSource> open_zstd(std::unique_ptr<ByteSource> stored, const Context& context) {
    return std::make_unique<ZstdSource>(std::move(stored), context);
}

} // namespace tropic
