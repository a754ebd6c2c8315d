#include "cli/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/json_output.h"
#include "support/printable.h"

namespace tropic::cli {

namespace {

/// Work shorter than this shows no progress at all, so that quick commands do not flicker.
constexpr std::chrono::milliseconds first_drawn_after{400};
constexpr std::chrono::milliseconds redrawn_after{100};

std::string coloured(std::string_view text, std::string_view code) {
    if (!error_stream_has_colour()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

/// How wide standard error is: as COLUMNS says, else as the terminal does; without either, lines
/// may be as long as they are.
std::size_t error_stream_width() {
    constexpr std::size_t narrowest = 40;
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    if (const char* columns = std::getenv("COLUMNS")) {
        const std::string_view text(columns);
        std::size_t width = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), width);
        if (error == std::errc() && stop == text.data() + text.size() && width > 0) {
            return std::max(width, narrowest);
        }
    }
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return unlimited;
    return std::max<std::size_t>(size.ws_col, narrowest);
}

/// The words of a line on as many lines as it takes, those after the first indented. `begun` says
/// how many columns stand before it.
std::string wrapped(std::string_view line, std::size_t begun) {
    constexpr std::string_view indent = "    ";
    const std::size_t width = error_stream_width();
    std::string out;
    std::size_t column = begun;
    while (!line.empty()) {
        const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
        const std::size_t size = std::min(line.find(' ', blanks), line.size());
        const std::string_view word = line.substr(blanks, size - blanks);
        const std::size_t wide = printable(word).width;
        if (column + blanks + wide > width && column > indent.size()) {
            out += fmt::format("\n{}{}", indent, word);
            column = indent.size() + wide;
        } else {
            out += line.substr(0, size);
            column += blanks + wide;
        }
        line.remove_prefix(size);
    }
    return out;
}

/// The text of a diagnostic with its sentences and lists wrapped; the line of the source and the
/// caret under it stay as they are.
std::string wrapped_text(std::string_view text, std::size_t begun) {
    std::string out;
    bool first = true;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, size);
        if (!first) out += '\n';
        const bool prose = line.starts_with("  accepted: ") || line.starts_with("  try: ");
        out += first || prose ? wrapped(line, first ? begun : 0) : std::string(line);
        text.remove_prefix(std::min(size + 1, text.size()));
        first = false;
    }
    return out;
}

} // namespace

bool error_stream_has_colour() {
    static const bool colour = [] {
        const char* terminal = std::getenv("TERM");
        return isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr &&
               terminal != nullptr && std::string_view(terminal) != "dumb";
    }();
    return colour;
}

void print_error(const Diagnostic& diagnostic, bool json) {
    if (json) {
        fmt::print(stderr, "{}\n", dump({{"error", to_json(diagnostic)}}));
        return;
    }
    constexpr std::string_view mark = "error:";
    fmt::print(stderr, "{} {}\n", coloured(mark, "1;31"),
               wrapped_text(to_text(diagnostic), mark.size() + 1));
}

void print_error(const Error& error, bool json) {
    const auto& diagnostics = error.diagnostics();
    if (!json) {
        for (const Diagnostic& diagnostic : diagnostics) print_error(diagnostic, false);
        if (error.left_out() > 0) fmt::print(stderr, "{} more errors\n", error.left_out());
        return;
    }
    if (diagnostics.size() == 1) return print_error(diagnostics.front(), true);
    Json all = Json::array();
    for (const Diagnostic& diagnostic : diagnostics) all.push_back(to_json(diagnostic));
    Json result = {{"error", to_json(diagnostics.front())}, {"errors", std::move(all)}};
    if (error.left_out() > 0) result["more"] = error.left_out();
    fmt::print(stderr, "{}\n", dump(result));
}

void print_warning(std::string_view text) {
    constexpr std::string_view mark = "warning:";
    fmt::print(stderr, "{} {}\n", coloured(mark, "1;33"), wrapped(text, mark.size() + 1));
}

ProgressLine::ProgressLine() : enabled_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::show(const Progress& progress) {
    if (!enabled_) return;
    const auto now = Clock::now();
    if (now - started_ < first_drawn_after || (drawn_ && now - last_ < redrawn_after)) return;
    last_ = now;
    drawn_ = true;
    phase_ = progress.phase;
    if (progress.total > 0) {
        const double share =
            static_cast<double>(progress.done) / static_cast<double>(progress.total);
        fmt::print(stderr, "\r\x1b[K{} {:3.0f} %", phase_, 100 * std::min(share, 1.0));
    } else {
        fmt::print(stderr, "\r\x1b[K{} ...", phase_);
    }
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

} // namespace tropic::cli
