// Text read in blocks of whole lines: a header line by line, then a body parsed by all threads with
// the results collected in file order, so that the first error of the file is the one reported.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graph/files/byte_source.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

/// Whole lines of a file. The last line of the file may lack its newline, but the byte behind the
/// text is always a readable '\n', so that scanning for digits or blanks needs no bounds check.
struct TextBlock {
    std::string_view text;
    Index first_line = 1; ///< 1-based line number of the first line
    const std::string* file = nullptr;
};

/// Growing memory for text, charged to a budget, with room for the newline that ends a TextBlock.
class TextBuffer {
  public:
    char* data() noexcept { return bytes_.get(); }
    std::size_t capacity() const noexcept { return capacity_; }

    /// Room for `size` bytes and a newline; the first `used` bytes stay as they are.
    void grow_to(std::size_t size, std::size_t used, const Context& context);

  private:
    std::unique_ptr<char[]> bytes_;
    std::size_t capacity_ = 0;
    MemoryCharge charge_;
};

/// How much of a line goes into an error at that column: enough to show the place, never a line of
/// gigabytes.
inline std::size_t shown_bytes(Index column) {
    return static_cast<std::size_t>(std::clamp<Index>(column + 128, 4096, 1 << 20));
}

class TextFile {
  public:
    /// `chunk_bytes`: about how much text a block holds (a longer line makes a longer block).
    TextFile(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes, const Context& context);

    const std::string& name() const noexcept { return source_->name(); }
    ByteSource& source() const noexcept { return *source_; }

    /// The text from the start that is at hand without consuming it: at least the first 64 KiB, or
    /// the whole text if `complete`. For recognising formats; valid until the next call.
    struct Preview {
        std::string_view text;
        bool complete;
    };
    Preview preview();

    /// The next line without its end ("\n" or "\r\n"); false at the end. Valid until the next call.
    /// The byte behind it is a readable line end, so that it can be the text of a TextBlock.
    bool next_line(std::string_view& line);

    /// The number of the line that `next_line` gave last; lines there are, after the end.
    Index line_number() const noexcept { return line_number_; }

    /// The block of text that follows, or false at the end. `buffer` owns the text.
    bool next_block(TextBuffer& buffer, TextBlock& block);

    /// Starts again from the first byte.
    void rewind();

    /// An error at a line of this file; `column` is 1-based.
    [[noreturn]] void fail(ErrorCode code, Index line, Index column, std::string_view source_line,
                           std::string message, std::string accepted = {},
                           std::string hint = {}) const;

    const Context& context() const noexcept { return context_; }

  private:
    std::size_t read(char* out, std::size_t size);
    bool fill();
    std::size_t block_from_pending(TextBuffer& buffer);
    std::size_t block_from_source(TextBuffer& buffer);

    std::unique_ptr<ByteSource> source_;
    std::size_t chunk_bytes_;
    Context context_;
    TextBuffer pending_; ///< bytes read but not yet handed out: [begin_, end_)
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_start_ = true;
    bool at_end_ = false;
    Index line_number_ = 0;
};

/// Parses the rest of the file with results that are used again and again, so that their memory
/// stays warm: `parse(TextBlock, Result&)` runs on all threads, `collect(Result&)` in file order,
/// one at a time; the block's text is valid until its collect returns. An exception from either
/// ends the reading; of several in `parse`, the one nearest the start of the file is thrown.
template <class Result, class Parse, class Collect>
void parse_blocks_into(TextFile& file, std::string_view phase, const Parse& parse,
                       const Collect& collect) {
    struct Item {
        TextBuffer buffer;
        TextBlock block;
        Result result;
    };
    const Context& context = file.context();
    std::vector<Item> items(pipeline_slots(context));
    ordered_pipeline(
        context,
        [&](std::size_t slot) {
            context.check_cancelled();
            context.report(phase, file.source().stored_bytes_read(), file.source().stored_bytes());
            return file.next_block(items[slot].buffer, items[slot].block);
        },
        [&](std::size_t slot) { parse(items[slot].block, items[slot].result); },
        [&](std::size_t slot) { collect(items[slot].result); });
}

/// The same with a fresh result for each block: `parse(TextBlock) -> Result`,
/// `collect(Result&&)`.
template <class Parse, class Collect>
void parse_blocks(TextFile& file, std::string_view phase, const Parse& parse,
                  const Collect& collect) {
    using Result = std::optional<decltype(parse(TextBlock{}))>;
    parse_blocks_into<Result>(
        file, phase, [&](const TextBlock& block, Result& result) { result.emplace(parse(block)); },
        [&](Result& result) {
            collect(std::move(*result));
            result.reset();
        });
}

} // namespace tropic
