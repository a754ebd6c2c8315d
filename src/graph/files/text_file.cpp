#include "graph/files/text_file.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tropic {

namespace {

constexpr std::size_t preview_bytes = 64 << 10;

/// Counted in bytes first, which the compiler turns into vector code.
Index count_newlines(std::string_view text) {
    Index total = 0;
    for (std::size_t begin = 0; begin < text.size(); begin += 128) {
        const std::size_t end = std::min(begin + 128, text.size());
        std::uint8_t some = 0;
        for (std::size_t i = begin; i < end; ++i) {
            some = static_cast<std::uint8_t>(some + (text[i] == '\n'));
        }
        total += some;
    }
    return total;
}

} // namespace

void TextBuffer::grow_to(std::size_t size, std::size_t used, const Context& context) {
    if (size <= capacity_) return;
    MemoryCharge charge(context.budget(), size, "the text being read");
    std::unique_ptr<char[]> larger(new char[size + 1]);
    if (used > 0) std::memcpy(larger.get(), bytes_.get(), used);
    bytes_ = std::move(larger);
    capacity_ = size;
    charge_ = std::move(charge);
}

TextFile::TextFile(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes,
                   const Context& context)
    : source_(std::move(source)), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)),
      context_(context) {
    pending_.grow_to(preview_bytes, 0, context_);
}

/// Reads until `out` is full or the file ends. A byte order mark at the start is skipped.
std::size_t TextFile::read(char* out, std::size_t size) {
    std::size_t have = 0;
    while (have < size && !at_end_) {
        const std::size_t got = source_->read(out + have, size - have);
        have += got;
        at_end_ = got == 0;
        constexpr std::string_view mark = "\xef\xbb\xbf";
        if (at_start_ && (have >= mark.size() || at_end_)) {
            at_start_ = false;
            if (std::string_view(out, have).starts_with(mark)) {
                have -= mark.size();
                std::memmove(out, out + mark.size(), have);
            }
        }
    }
    return have;
}

/// Reads more bytes behind the pending ones; false at the end of the file.
bool TextFile::fill() {
    if (at_end_) return false;
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == pending_.capacity()) {
        if (begin_ >= pending_.capacity() / 2) {
            std::memmove(pending_.data(), pending_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
        } else {
            pending_.grow_to(pending_.capacity() * 2, end_, context_);
        }
    }
    const std::size_t got = read(pending_.data() + end_, pending_.capacity() - end_);
    end_ += got;
    return got > 0;
}

TextFile::Preview TextFile::preview() {
    while (end_ - begin_ < preview_bytes && fill()) {
    }
    return {{pending_.data() + begin_, end_ - begin_}, at_end_};
}

bool TextFile::next_line(std::string_view& line) {
    std::size_t searched = 0;
    const char* newline = nullptr;
    for (;;) {
        const char* from = pending_.data() + begin_ + searched;
        newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
        if (newline != nullptr) break;
        searched = end_ - begin_;
        if (!fill()) break;
    }
    const char* first = pending_.data() + begin_;
    std::size_t size =
        newline != nullptr ? static_cast<std::size_t>(newline - first) : end_ - begin_;
    if (newline == nullptr && size == 0) return false;
    if (newline == nullptr) pending_.data()[end_] = '\n';
    begin_ += size + (newline != nullptr ? 1 : 0);
    ++line_number_;
    if (size > 0 && first[size - 1] == '\r') --size;
    line = {first, size};
    return true;
}

namespace {

/// Where a block that may be about `chunk` bytes long ends: behind the last newline within the
/// chunk, else behind the first one after it; 0 if there is none. Bytes before `searched` are known
/// to hold none.
std::size_t block_end(std::string_view text, std::size_t chunk, std::size_t searched) {
    const std::size_t within = std::min(chunk, text.size());
    if (searched < within) {
        const void* last = memrchr(text.data() + searched, '\n', within - searched);
        if (last != nullptr) {
            return static_cast<std::size_t>(static_cast<const char*>(last) - text.data()) + 1;
        }
        searched = within;
    }
    const void* next = std::memchr(text.data() + searched, '\n', text.size() - searched);
    if (next == nullptr) return 0;
    return static_cast<std::size_t>(static_cast<const char*>(next) - text.data()) + 1;
}

} // namespace

/// Copies a block of text that is at hand already; 0 if there is no whole one.
std::size_t TextFile::block_from_pending(TextBuffer& buffer) {
    const std::size_t have = end_ - begin_;
    if (have < chunk_bytes_ && !at_end_) return 0;
    std::size_t size = at_end_ && have <= chunk_bytes_
                           ? have
                           : block_end({pending_.data() + begin_, have}, chunk_bytes_, 0);
    if (size == 0 && at_end_) size = have;
    if (size == 0) return 0;
    buffer.grow_to(size, 0, context_);
    std::memcpy(buffer.data(), pending_.data() + begin_, size);
    begin_ += size;
    return size;
}

/// Reads a block straight into the buffer, behind the pending bytes; what follows its last newline
/// becomes pending.
std::size_t TextFile::block_from_source(TextBuffer& buffer) {
    std::size_t have = end_ - begin_;
    std::size_t searched = 0;
    buffer.grow_to(std::max({chunk_bytes_, preview_bytes, have}), 0, context_);
    if (have > 0) std::memcpy(buffer.data(), pending_.data() + begin_, have);
    begin_ = end_ = 0;
    for (;;) {
        have += read(buffer.data() + have, buffer.capacity() - have);
        const std::string_view text(buffer.data(), have);
        std::size_t size =
            at_end_ && have <= chunk_bytes_ ? have : block_end(text, chunk_bytes_, searched);
        if (size == 0 && at_end_) size = have;
        if (size > 0 || have == 0) {
            const std::size_t rest = have - size;
            pending_.grow_to(rest, 0, context_);
            if (rest > 0) std::memcpy(pending_.data(), buffer.data() + size, rest);
            end_ = rest;
            return size;
        }
        searched = have;
        buffer.grow_to(buffer.capacity() * 2, have, context_);
    }
}

bool TextFile::next_block(TextBuffer& buffer, TextBlock& block) {
    std::size_t size = block_from_pending(buffer);
    if (size == 0 && !(at_end_ && begin_ == end_)) size = block_from_source(buffer);
    if (size == 0) return false;
    buffer.data()[size] = '\n';
    block.text = {buffer.data(), size};
    block.first_line = line_number_ + 1;
    block.file = &name();
    line_number_ += count_newlines(block.text);
    if (block.text.back() != '\n') ++line_number_;
    return true;
}

void TextFile::rewind() {
    source_->rewind();
    begin_ = end_ = 0;
    at_start_ = true;
    at_end_ = false;
    line_number_ = 0;
}

void TextFile::fail(ErrorCode code, Index line, Index column, std::string_view source_line,
                    std::string message, std::string accepted, std::string hint) const {
    throw Error({.code = code,
                 .message = std::move(message),
                 .file = name(),
                 .line = line,
                 .column = column,
                 .source_line = std::string(source_line.substr(0, shown_bytes(column))),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

} // namespace tropic
