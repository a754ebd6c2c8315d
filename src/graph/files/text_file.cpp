#include "graph/files/text_file.h"

#include <algorithm>
#include <cstring>

namespace tropic {

namespace {

constexpr std::size_t preview_bytes = 64 << 10;

} // namespace

TextFile::TextFile(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes,
                   const Context& context)
    : source_(std::move(source)), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)),
      context_(context) {
    grow_to(std::max(preview_bytes, chunk_bytes_));
}

void TextFile::grow_to(std::size_t size) {
    if (size <= pending_.size()) return;
    charge_ = MemoryCharge(context_.budget(), size, "the text being read");
    pending_.resize(size);
}

/// Reads more bytes behind the pending ones; false at the end of the file.
bool TextFile::fill() {
    if (at_end_) return false;
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == pending_.size()) {
        if (begin_ >= pending_.size() / 2) {
            std::memmove(pending_.data(), pending_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
        } else {
            grow_to(pending_.size() * 2);
        }
    }
    const std::size_t got = source_->read(pending_.data() + end_, pending_.size() - end_);
    end_ += got;
    at_end_ = got == 0;
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
    begin_ += size + (newline != nullptr ? 1 : 0);
    ++line_number_;
    if (size > 0 && first[size - 1] == '\r') --size;
    line = {first, size};
    return true;
}

bool TextFile::next_block(std::vector<char>& buffer, TextBlock& block) {
    while (end_ - begin_ < chunk_bytes_ && fill()) {
    }
    if (begin_ == end_) return false;
    // The block ends with the last newline within the chunk, else with the first one behind it.
    std::size_t size = 0;
    std::size_t searched = std::min(chunk_bytes_, end_ - begin_);
    const char* first = pending_.data() + begin_;
    if (at_end_ && searched == end_ - begin_) {
        size = searched;
    } else if (const void* last = memrchr(first, '\n', searched)) {
        size = static_cast<std::size_t>(static_cast<const char*>(last) - first) + 1;
    } else {
        for (;;) {
            first = pending_.data() + begin_;
            const void* newline = std::memchr(first + searched, '\n', end_ - begin_ - searched);
            if (newline != nullptr) {
                size = static_cast<std::size_t>(static_cast<const char*>(newline) - first) + 1;
                break;
            }
            searched = end_ - begin_;
            if (!fill()) {
                size = searched;
                break;
            }
        }
        first = pending_.data() + begin_;
    }
    buffer.reserve(size + 1);
    buffer.assign(first, first + size);
    buffer.push_back('\n');
    block.text = {buffer.data(), size};
    block.first_line = line_number_ + 1;
    block.file = &name();
    begin_ += size;
    line_number_ += std::count(block.text.begin(), block.text.end(), '\n');
    if (block.text.back() != '\n') ++line_number_;
    return true;
}

void TextFile::rewind() {
    source_->rewind();
    begin_ = end_ = 0;
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
                 .source_line = std::string(source_line.substr(0, 4096)),
                 .accepted = std::move(accepted),
                 .hint = std::move(hint)});
}

} // namespace tropic
