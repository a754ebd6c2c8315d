// Where writers put their bytes: a file beside the target that is renamed when whole, compressed on
// the way if its name says so.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tropic/context.h"
#include "tropic/types.h"

namespace tropic {

class ByteSink {
  public:
    virtual ~ByteSink() = default;

    /// The path as the user gave it, without a compression suffix: writers look at its suffix.
    virtual std::string_view path() const = 0;

    /// Throws Error(io) if the disk is full or gone.
    virtual void write(std::string_view bytes) = 0;

    /// What `write` would put into the file for these bytes, to be made on any thread and then
    /// given to `write_packed` in order. Without compression it is the bytes themselves.
    virtual void pack([[maybe_unused]] std::string& bytes) const {}
    virtual void write_packed(std::string_view bytes) { write(bytes); }

    /// Makes the file appear under its name, at once or with the others of `FilesTogether`. Without
    /// this call nothing is left behind.
    virtual void commit() = 0;
};

/// Files that appear together or not at all: while one of these lives, the files that its thread
/// commits stay aside until `appear`, and are removed if that is never called. What is written
/// directly, to a pipe or to standard output, cannot be held back.
class FilesTogether {
  public:
    FilesTogether();
    ~FilesTogether();
    FilesTogether(const FilesTogether&) = delete;
    FilesTogether& operator=(const FilesTogether&) = delete;

    /// Throws Error(cancelled), with nothing renamed, if that was asked for meanwhile.
    void appear(const Context& context);

  private:
    friend class FileSink;
    struct Aside {
        std::string aside;
        std::string target;
        std::string name; ///< of the target, as the user gave it
    };

    static thread_local FilesTogether* current;
    FilesTogether* outer_;
    std::vector<Aside> files_;
};

/// Opens the temporary file beside `path`; compression follows the suffix (.gz, .xz, .zst) unless
/// `binary`. "-" and whatever is not a regular file (a pipe, /dev/stdout) is written directly.
std::unique_ptr<ByteSink> create_file(const std::string& path, bool binary, const Context& context);

/// Writes the texts `format(begin, end, out)` of consecutive pieces of [0, count), made (and
/// compressed) in parallel, in order.
void write_pieces(ByteSink& sink, Index count, Index piece, const Context& context,
                  std::string_view phase,
                  const std::function<void(Index begin, Index end, std::string& out)>& format);

} // namespace tropic
