#include "cli/terminal.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/json_output.h"

namespace tropic::cli {

namespace {

/// Work shorter than this shows no progress at all, so that quick commands do not flicker.
constexpr std::chrono::milliseconds first_drawn_after{400};
constexpr std::chrono::milliseconds redrawn_after{100};

std::string coloured(std::string_view text, std::string_view code) {
    if (!error_stream_has_colour()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
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
    fmt::print(stderr, "{} {}\n", coloured("error:", "1;31"), to_text(diagnostic));
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
    fmt::print(stderr, "{} {}\n", coloured("warning:", "1;33"), text);
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
