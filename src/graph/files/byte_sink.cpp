#include "graph/files/byte_sink.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/files/compressor.h"
#include "graph/files/follow_links.h"
#include "graph/files/path_hint.h"
#include "graph/files/wait_ready.h"
#include "support/memory.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

/// Text given to one compressor at a time. Larger pieces compress no better.
constexpr std::size_t pack_bytes = 4 << 20;

[[noreturn]] void fail_io(const std::string& path, std::string_view action, int error) {
    std::string hint;
    if (error == ENOSPC || error == EDQUOT) hint = "free some space, or write somewhere else";
    if (error == EFBIG) hint = "allow larger files (ulimit -f), or write somewhere else";
    if (error == ENOENT) hint = "make the directory first";
    if (error == ENAMETOOLONG) hint = "choose a shorter name";
    if (error == ENOTDIR) hint = file_in_the_way(path);
    if (error == EACCES || error == EROFS || error == EPERM) hint = "write to another directory";
    throw Error({.code = ErrorCode::io,
                 .message = fmt::format("cannot {}: {}", action, std::strerror(error)),
                 .file = path,
                 .hint = std::move(hint)});
}

void rename_aside(const std::string& aside, const std::string& target, const std::string& name) {
    if (::rename(aside.c_str(), target.c_str()) != 0) fail_io(name, "rename to", errno);
}

} // namespace

class FileSink final : public ByteSink {
  public:
    FileSink(const std::string& path, bool binary, const Context& context)
        : context_(context), name_(path),
          compression_(binary ? Compression::none : compression_of(path)),
          path_(binary ? path : without_compression(path)) {
        if (path.empty()) fail_io("''", "write to a file without a name", ENOENT);
        // The system would end the name there, and another file would be written.
        if (path.find('\0') != std::string::npos) fail_io(name_, "write", EINVAL);
        struct stat status{};
        const bool standard_output = path == "-" || path == "/dev/stdout";
        target_ = standard_output ? "/dev/stdout" : path;
        const bool exists = ::stat(target_.c_str(), &status) == 0;
        if (exists && S_ISDIR(status.st_mode)) fail_io(name_, "write", EISDIR);
        if (exists && !S_ISREG(status.st_mode)) {
            at_once_ = PIPE_BUF;
            descriptor_ =
                standard_output ? ::dup(STDOUT_FILENO) : open_direct(S_ISFIFO(status.st_mode));
            if (descriptor_ < 0) fail_io(name_, "open", errno);
            return;
        }
        if (standard_output) {
            descriptor_ = ::dup(STDOUT_FILENO);
            if (descriptor_ < 0) fail_io(name_, "open", errno);
            return;
        }
        // A link stays a link: what it points to is replaced, or made.
        const std::optional<std::string> behind = follow_links(target_);
        if (!behind) fail_io(name_, "write", ELOOP);
        target_ = *behind;
        // The name aside may be possible where the name itself is not.
        if (::lstat(target_.c_str(), &status) != 0 && errno != ENOENT) {
            fail_io(name_, "create", errno);
        }
        open_aside(exists ? status.st_mode & 0777 : 0666, exists);
    }

    ~FileSink() override {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!aside_.empty()) ::unlink(aside_.c_str());
    }
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    std::string_view path() const override { return path_; }

    void write(std::string_view bytes) override {
        if (compression_ == Compression::none && gathered_.empty() && bytes.size() >= pack_bytes) {
            put(bytes);
            return;
        }
        gathered_ += bytes;
        if (gathered_.size() >= pack_bytes) flush();
    }

    void pack(std::string& bytes) const override {
        if (compression_ != Compression::none) bytes = compress(bytes, compression_);
    }

    void write_packed(std::string_view bytes) override {
        flush();
        put(bytes);
    }

    void commit() override {
        flush();
        // Even an empty text is a whole compressed stream.
        if (compression_ != Compression::none && written_ == 0) put(compress({}, compression_));
        const int closed = ::close(std::exchange(descriptor_, -1));
        if (closed != 0 && errno != EINTR) fail_io(name_, "write", errno);
        if (aside_.empty()) return;
        if (FilesTogether::current != nullptr) {
            FilesTogether::current->files_.push_back({aside_, target_, name_});
        } else {
            context_.check_cancelled();
            rename_aside(aside_, target_, name_);
        }
        aside_.clear();
    }

  private:
    /// Opens what is no file. A pipe that nobody reads from yet is waited for where an interrupt is
    /// seen: opening it would not return.
    int open_direct(bool pipe) const {
        for (;;) {
            const int opened =
                ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0));
            if (opened >= 0) return opened;
            if (errno == EINTR) context_.check_cancelled();
            else if (pipe && errno == ENXIO) wait_a_little(context_);
            else return opened;
        }
    }

    /// A name beside the target that nobody else has, in the same file system so that renaming is
    /// one step. It says what it will be, unless that would make it longer than names may be. A
    /// file that is replaced passes its permissions on.
    void open_aside(mode_t mode, bool keep_mode) {
        static std::atomic<unsigned> counter{0};
        constexpr std::size_t long_name = 100;
        const std::size_t directory = target_.rfind('/') + 1;
        const std::string stem = target_.size() - directory <= long_name
                                     ? target_
                                     : target_.substr(0, directory) + "tropic";
        for (int attempt = 0; attempt < 100; ++attempt) {
            const std::string aside =
                fmt::format("{}.{}-{}.part", stem, ::getpid(), counter.fetch_add(1));
            descriptor_ = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (descriptor_ >= 0) {
                aside_ = aside;
                if (keep_mode) ::fchmod(descriptor_, mode);
                return;
            }
            if (errno != EEXIST) break;
        }
        fail_io(name_, "create", errno);
    }

    void flush() {
        if (gathered_.empty()) return;
        if (compression_ == Compression::none) put(gathered_);
        else put(compress(gathered_, compression_));
        gathered_.clear();
    }

    void put(std::string_view bytes) {
        while (!bytes.empty()) {
            if (at_once_ < whole) wait_ready(descriptor_, POLLOUT, context_);
            const ssize_t done =
                ::write(descriptor_, bytes.data(), std::min(bytes.size(), at_once_));
            if (done < 0) {
                if (errno == EINTR || errno == EAGAIN) continue;
                fail_io(name_, "write", errno);
            }
            written_ += static_cast<std::uint64_t>(done);
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
    }

    Context context_;
    std::string name_;
    Compression compression_;
    std::string path_;
    std::string target_; ///< the file that appears at the end, links followed
    std::string aside_;  ///< the temporary name; empty if there is none
    int descriptor_ = -1;
    /// How much is written by one call. A pipe that is ready takes as much as PIPE_BUF without
    /// waiting for its reader, which no interrupt might end.
    static constexpr std::size_t whole = std::numeric_limits<std::size_t>::max();
    std::size_t at_once_ = whole;
    std::string gathered_;
    std::uint64_t written_ = 0;
};

thread_local FilesTogether* FilesTogether::current = nullptr;

FilesTogether::FilesTogether() : outer_(std::exchange(current, this)) {}

FilesTogether::~FilesTogether() {
    for (const Aside& file : files_) ::unlink(file.aside.c_str());
    current = outer_;
}

void FilesTogether::appear(const Context& context) {
    context.check_cancelled();
    while (!files_.empty()) {
        const Aside& next = files_.front();
        rename_aside(next.aside, next.target, next.name);
        files_.erase(files_.begin());
    }
}

std::unique_ptr<ByteSink> create_file(const std::string& path, bool binary,
                                      const Context& context) {
    return std::make_unique<FileSink>(path, binary, context);
}

void write_pieces(ByteSink& sink, Index count, Index piece, const Context& context,
                  std::string_view phase,
                  const std::function<void(Index begin, Index end, std::string& out)>& format) {
    struct Piece {
        Index begin = 0;
        Index end = 0;
        std::string text;
    };
    piece = std::max<Index>(piece, 1);
    std::vector<Piece> pieces(pipeline_slots(context));
    Index next = 0;
    ordered_pipeline(
        context,
        [&](std::size_t slot) {
            context.check_cancelled();
            Piece& p = pieces[slot];
            p.begin = next;
            p.end = next += std::min(piece, count - next);
            return p.begin < p.end;
        },
        [&](std::size_t slot) {
            Piece& p = pieces[slot];
            p.text.clear();
            format(p.begin, p.end, p.text);
            sink.pack(p.text);
        },
        [&](std::size_t slot) {
            sink.write_packed(pieces[slot].text);
            context.report(phase, static_cast<std::uint64_t>(pieces[slot].end),
                           static_cast<std::uint64_t>(count));
        });
}

} // namespace tropic
