// What people see: errors, warnings and progress on standard error, colour only on a terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tropic/context.h"
#include "tropic/error.h"

namespace tropic::cli {

/// Whether standard error is a terminal that wants colour (NO_COLOR and TERM=dumb are honoured).
bool error_stream_has_colour();

void print_error(const Diagnostic& diagnostic, bool json);

/// All that it carries. In JSON, `errors` lists them where there are several.
void print_error(const Error& error, bool json);

void print_warning(std::string_view text);

/// One line of progress, redrawn in place and cleared at the end; silent unless on a terminal.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Progress& progress);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool enabled_;
    bool drawn_ = false;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_ = started_;
    std::string phase_;
};

} // namespace tropic::cli
