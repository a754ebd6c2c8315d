// Text read in blocks of whole lines: a header line by line, then a body parsed by all threads with
// the results collected in file order, so that the first error of the file is the one reported.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include <tbb/parallel_pipeline.h>

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

class TextFile {
  public:
    /// `chunk_bytes`: about how much text a block holds (a longer line makes a longer block).
    TextFile(std::unique_ptr<ByteSource> source, std::size_t chunk_bytes, const Context& context);

    const std::string& name() const noexcept { return source_->name(); }
    const ByteSource& source() const noexcept { return *source_; }

    /// The text from the start that is at hand without consuming it: at least the first 64 KiB, or
    /// the whole text if `complete`. For recognising formats; valid until the next call.
    struct Preview {
        std::string_view text;
        bool complete;
    };
    Preview preview();

    /// The next line without its end ("\n" or "\r\n"); false at the end. Valid until the next call.
    bool next_line(std::string_view& line);

    /// The number of the line that `next_line` gave last; lines there are, after the end.
    Index line_number() const noexcept { return line_number_; }

    /// The block of text that follows, or false at the end. `buffer` owns the text.
    bool next_block(std::vector<char>& buffer, TextBlock& block);

    /// Starts again from the first byte.
    void rewind();

    /// An error at a line of this file; `column` is 1-based.
    [[noreturn]] void fail(ErrorCode code, Index line, Index column, std::string_view source_line,
                           std::string message, std::string accepted = {},
                           std::string hint = {}) const;

    const Context& context() const noexcept { return context_; }

  private:
    bool fill();
    void grow_to(std::size_t size);

    std::unique_ptr<ByteSource> source_;
    std::size_t chunk_bytes_;
    Context context_;
    std::vector<char> pending_; ///< bytes read but not yet handed out: [begin_, end_)
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_end_ = false;
    Index line_number_ = 0;
    MemoryCharge charge_;
};

/// Parses the rest of the file: `parse(TextBlock) -> Result` runs on all threads,
/// `collect(Result&&)` in file order, one at a time. An exception from either ends the reading; of
/// several in `parse`, the one nearest the start of the file is thrown.
template <class Parse, class Collect>
void parse_blocks(TextFile& file, std::string_view phase, const Parse& parse,
                  const Collect& collect) {
    using Result = decltype(parse(TextBlock{}));
    struct Item {
        std::vector<char> buffer;
        TextBlock block;
        std::unique_ptr<Result> result;
        std::exception_ptr error;
    };
    const Context& context = file.context();
    const auto take = [&](Item& item) {
        context.check_cancelled();
        context.report(phase, file.source().stored_bytes_read(), file.source().stored_bytes());
        return file.next_block(item.buffer, item.block);
    };
    if (context.threads() == 1) {
        Item item;
        while (take(item)) collect(parse(item.block));
        return;
    }
    // Each item in flight owns its buffer; the number of items bounds the memory.
    const std::size_t in_flight = static_cast<std::size_t>(context.threads()) * 2;
    std::vector<Item> items(in_flight);
    std::size_t next = 0;
    std::exception_ptr take_error;
    arena_of(context).execute([&] {
        tbb::parallel_pipeline(
            in_flight,
            tbb::make_filter<void, Item*>(tbb::filter_mode::serial_in_order,
                                          [&](tbb::flow_control& control) -> Item* {
                                              Item& item = items[next++ % in_flight];
                                              try {
                                                  if (take(item)) return &item;
                                              } catch (...) {
                                                  take_error = std::current_exception();
                                              }
                                              control.stop();
                                              return nullptr;
                                          }) &
                tbb::make_filter<Item*, Item*>(tbb::filter_mode::parallel,
                                               [&](Item* item) {
                                                   item->error = nullptr;
                                                   try {
                                                       item->result = std::make_unique<Result>(
                                                           parse(item->block));
                                                   } catch (...) {
                                                       item->error = std::current_exception();
                                                   }
                                                   return item;
                                               }) &
                tbb::make_filter<Item*, void>(tbb::filter_mode::serial_in_order, [&](Item* item) {
                    if (item->error) std::rethrow_exception(item->error);
                    collect(std::move(*item->result));
                    item->result.reset();
                }));
    });
    if (take_error) std::rethrow_exception(take_error);
}

} // namespace tropic
