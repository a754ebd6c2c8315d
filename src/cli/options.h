// The options that commands share: what a run may use, and how a graph is read and shaped.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/terminal.h"
#include "graph/files/byte_sink.h"
#include "tropic/tropic.h"

namespace tropic::cli {

/// Numbers that an option takes, without the ends of what a double can hold in the message.
CLI::Validator zero_or_more();
CLI::Validator more_than_zero();

/// Given to every command.
struct RunOptions {
    bool json = false;
    int threads = 0;
    std::string memory;
    std::uint64_t seed = 1;
    bool quiet = false;

    void add_to(CLI::App& command);
};

/// How a graph is read and what is done to it before use, in the order of the members.
struct ShapeOptions {
    std::string format;
    std::string base;
    bool bipartite = false;
    bool two_kinds = false; ///< no option: the command reads edge lists as bipartite by itself
    std::string weighted;
    std::string duplicates;
    bool symmetrise = false;
    std::string conflicts;
    bool drop_loops = false;
    std::string triangle;
    bool drop_isolated = false;
    std::string permute;
    bool transpose = false;
    std::string type;
    std::string storage;

    void add_reading_to(CLI::App& command);
    void add_shaping_to(CLI::App& command);
};

/// How long a command may take, for those that have --timeout.
struct TimeLimit {
    double seconds = 0; ///< 0: as long as it takes
    std::string what;   ///< what did not end in time
    std::string hint = "give it more time";

    static void add_option(CLI::App& command, double& seconds);
};

/// A run of one command: its context, with progress on the terminal and Ctrl-C as cancellation. The
/// time it may take begins with it.
class Run {
  public:
    explicit Run(const RunOptions& options, const TimeLimit& limit = {});

    const Context& context() const noexcept { return context_; }
    const RunOptions& options() const noexcept { return options_; }

    /// Reads `path_or_expression` and applies the shape options.
    Graph load(const std::string& path_or_expression, const ShapeOptions& shape,
               bool verify = true);

    /// Makes the files that were written appear, all of them or, if the run is interrupted or fails
    /// before this call, none.
    void show_files() { files_.appear(context_); }

    /// Takes the progress line away before something is printed.
    void finish_progress() { progress_->clear(); }

    /// Prints warnings to standard error, unless they go into JSON.
    void warn(const std::vector<std::string>& warnings);

  private:
    RunOptions options_;
    std::shared_ptr<ProgressLine> progress_;
    Context context_;
    FilesTogether files_;
};

/// "4GB", "512MiB", "2e9": bytes; throws Error(usage).
std::uint64_t parse_bytes(const std::string& text);

/// Set by the SIGINT and SIGTERM handler; every Run's context watches it.
const std::shared_ptr<std::atomic<bool>>& interrupted();

} // namespace tropic::cli
