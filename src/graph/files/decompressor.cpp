#include "graph/files/decompressor.h"

#include <fmt/format.h>

#include "support/memory.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr std::size_t input_bytes = 128 << 10;

} // namespace

Decompressor::Decompressor(std::unique_ptr<ByteSource> stored)
    : ByteSource(stored->name()), stored_(std::move(stored)), input_(input_bytes) {}

std::size_t Decompressor::read(char* out, std::size_t size) {
    char* at = out;
    char* const out_end = out + size;
    while (at != out_end && !finished_) {
        if (begin_ == end_ && !input_ended_) {
            begin_ = 0;
            end_ = stored_->read(input_.data(), input_.size());
            input_ended_ = end_ == 0;
        }
        Window window{.in = input_.data() + begin_,
                      .in_end = input_.data() + end_,
                      .out = at,
                      .out_end = out_end,
                      .out_begin = at,
                      .last = input_ended_};
        finished_ = decode(window);
        begin_ = static_cast<std::size_t>(window.in - input_.data());
        unpacked_ += static_cast<std::uint64_t>(window.out - at);
        at = window.out;
    }
    return static_cast<std::size_t>(at - out);
}

void Decompressor::rewind() {
    stored_->rewind();
    begin_ = end_ = 0;
    input_ended_ = finished_ = false;
    unpacked_ = 0;
    restart();
}

/// How much came out before the stream failed, in words.
std::string Decompressor::text_before(const Window& window) const {
    return bytes_text(unpacked_ + static_cast<std::uint64_t>(window.out - window.out_begin));
}

void Decompressor::fail_truncated(const Window& window) const {
    throw Error({.code = ErrorCode::truncated,
                 .message = fmt::format("the {} stream ends early, after {} of text", compression(),
                                        text_before(window)),
                 .file = name(),
                 .hint = "the file was cut short: copy or download it again"});
}

void Decompressor::fail_corrupt(const Window& window, std::string_view detail) const {
    throw Error(
        {.code = ErrorCode::corrupt,
         .message = fmt::format("the {} stream is broken after {} of text ({})", compression(),
                                text_before(window), detail),
         .file = name(),
         .hint = fmt::format("{} -t shows the same; copy or download it again", compression())});
}

void Decompressor::fail_trailing() const {
    throw Error(
        {.code = ErrorCode::corrupt,
         .message = fmt::format("after the end of the {} stream the file goes on with bytes "
                                "that are not {}",
                                compression(), compression()),
         .file = name(),
         .accepted = "one or more streams one after the other, nothing else",
         .hint = fmt::format("unpack it with {} and read the text", compression())});
}

} // namespace tropic
