// The one exception type of Tropic. It says where, what was found, what is accepted and what to
// try, as separate fields, so that a terminal, a JSON consumer and a C++ caller can each show it
// their way.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tropic {

enum class ErrorCode : std::uint8_t {
    usage,         ///< a wrong argument or option
    not_found,     ///< no such file, format, generator
    io,            ///< the operating system refused to read or write
    syntax,        ///< text that does not follow its format
    range,         ///< an index, count or value outside its limits
    inconsistent,  ///< the parts of a file contradict each other
    truncated,     ///< the file ends too early
    unsupported,   ///< legal, but not offered here
    out_of_memory, ///< over the memory limit
    corrupt,       ///< a checksum or a compressed stream is broken
    cancelled,     ///< the caller asked to stop
    internal,      ///< a mistake of Tropic's own
};

std::string_view name_of(ErrorCode code) noexcept;

/// Everything known about a failure. Empty strings and zeros mean "does not apply".
struct Diagnostic {
    ErrorCode code = ErrorCode::internal;
    std::string message = {};     ///< one sentence: what is wrong, naming what was found
    std::string file = {};        ///< the path as the user gave it
    std::int64_t line = 0;        ///< 1-based
    std::int64_t column = 0;      ///< 1-based, in bytes
    std::string source_line = {}; ///< the offending line, shown with a caret under `column`
    std::string accepted = {};    ///< what would have been right
    std::string hint = {};        ///< what to try next
};

class Error : public std::exception {
  public:
    explicit Error(Diagnostic diagnostic);
    Error(ErrorCode code, std::string message, std::string hint = {});

    /// Several at once, as checking a program finds them; at least one. `left_out` counts those
    /// that were found beyond them.
    explicit Error(std::vector<Diagnostic> diagnostics, std::int64_t left_out = 0);

    /// The first, where there are several.
    const Diagnostic& diagnostic() const noexcept { return diagnostics_.front(); }
    const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }
    std::int64_t left_out() const noexcept { return left_out_; }
    ErrorCode code() const noexcept { return diagnostic().code; }

    /// "file:line:column: message", the source line with a caret, then "accepted:" and "try:"
    /// lines; one after the other where there are several.
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::vector<Diagnostic> diagnostics_;
    std::int64_t left_out_ = 0;
    std::string text_;
};

/// The text of a diagnostic as `Error::what` gives it.
std::string to_text(const Diagnostic& diagnostic);

} // namespace tropic
