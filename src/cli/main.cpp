// The program: parses arguments, runs one command, turns failures into messages and exit codes.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include "cli/commands.h"
#include "support/nearest.h"

namespace tropic::cli {

namespace {

enum ExitCode { succeeded = 0, failed = 1, misused = 2, interrupted_by_user = 130 };

/// The first interrupt asks for a clean stop, which removes unfinished files; the second ends the
/// program at once.
void on_interrupt(int) {
    // Who sends a signal to a process and to its group, as timeout(1) does, means one interrupt.
    constexpr std::int64_t together = 200'000'000; // nanoseconds
    static std::atomic<std::int64_t> first{0};
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    const std::int64_t now = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    std::int64_t before = 0;
    if (first.compare_exchange_strong(before, now)) interrupted()->store(true);
    else if (now - before > together) _exit(interrupted_by_user);
}

volatile std::sig_atomic_t pipe_closed = 0;

/// Whoever read from us has gone: a clean stop, after which the program ends as it would have.
void on_closed_pipe(int) {
    pipe_closed = 1;
    interrupted()->store(true);
}

void configure(CLI::App& program, Shared& shared, std::string_view word) {
    program.description("Tropic: graph algorithms as algebra.");
    program.set_version_flag("--version", "tropic " TROPIC_VERSION);
    program.require_subcommand(1);
    program.get_formatter()->column_width(34);
    add_info(program, shared);
    add_convert(program, shared);
    add_generate(program, shared);
    add_partition(program, shared);
    add_check(program, shared);
    add_run(program, shared);
    add_compile(program, shared);
    add_cache(program, shared);
    add_algorithms(program, shared, word);
    add_spgemm(program, shared);
    add_graph500(program, shared);
    add_report(program, shared);
    add_machines(program);
    add_formats(program);
    add_generators(program);
    program.footer(R"(Examples:
  tropic info kron:16                  look at a generated graph
  tropic convert web.txt.gz web.tg     read any format, write any format
  tropic partition mesh.graph 8        cut a mesh into eight parts
  tropic pagerank web.mtx --top 20     run an algorithm of the library
  tropic run mine.tropic -i web.tg     run a program of your own

tropic COMMAND --help explains a command with examples.)");
}

/// A wrong first word is named, with the command it may have been meant to be.
void check_command(const CLI::App& program, std::string_view word) {
    if (word.starts_with('-')) return;
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({})) {
        if (command->get_name() == word) return;
        names.push_back(command->get_name());
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view meant = nearest(word, candidates);
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("there is no command '{}'", word),
                 .accepted = fmt::format("{}", fmt::join(names, ", ")),
                 .hint = meant.empty() ? "tropic --help" : fmt::format("did you mean {}?", meant)});
}

/// What the argument parser complains of, with an unknown option named before its value.
Diagnostic misuse(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
    const auto given = program.get_subcommands();
    const std::string command = given.empty() ? "" : given[0]->get_name();
    Diagnostic diagnostic{
        .code = ErrorCode::usage,
        .message = error.what(),
        .hint = fmt::format("tropic {}{}--help", command, command.empty() ? "" : " ")};
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const bool superfluous = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (command.empty() || (!missing && !superfluous)) return diagnostic;
    std::vector<std::string> known;
    for (const CLI::Option* option : given[0]->get_options()) {
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    for (int a = 2; a < argc; ++a) {
        const std::string_view word(argv[a]);
        const std::string_view name = word.substr(0, word.find('='));
        if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
        diagnostic.message = fmt::format("{} has no option {}", command, name);
        if (const std::string_view meant = nearest(name, candidates); !meant.empty()) {
            diagnostic.hint = fmt::format("did you mean {}? tropic {} --help", meant, command);
        }
        break;
    }
    return diagnostic;
}

/// Installs a handler, unless nohup and the like told us to ignore the signal.
void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action{};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
    action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, nullptr);
}

int exit_code_for(const Error& error) {
    if (error.code() == ErrorCode::cancelled) return interrupted_by_user;
    return error.code() == ErrorCode::usage ? misused : failed;
}

/// Runs what the arguments ask for, which may be help alone.
void perform(CLI::App& program, int argc, char** argv) {
    if (argc == 1) {
        fmt::print("{}", program.help());
        return;
    }
    check_command(program, argv[1]);
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& help) {
        program.exit(help);
    }
}

/// What was printed may still be on its way, and getting it there may fail.
bool output_failed() {
    std::cout.flush();
    std::fflush(stdout);
    return !std::cout || std::ferror(stdout) != 0;
}

int run(int argc, char** argv) {
    CLI::App program("", "tropic");
    Shared shared;
    // Arguments that cannot be parsed are told in the form that they ask for, too.
    const bool json = std::any_of(
        argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
    const auto tell = [&](const auto& error) {
        if (pipe_closed == 0) print_error(error, json || shared.run.json);
    };
    // Waiting that an interrupt broke off looks like a failure of the system.
    const auto tell_of_system = [&](const Diagnostic& diagnostic) {
        const bool broken_off = interrupted()->load();
        tell(broken_off ? Diagnostic{.code = ErrorCode::cancelled, .message = "cancelled"}
                        : diagnostic);
        return broken_off ? interrupted_by_user : failed;
    };
    const Diagnostic unwritten{.code = ErrorCode::io, .message = "cannot write to standard output"};
    try {
        configure(program, shared, argc > 1 ? argv[1] : "");
        perform(program, argc, argv);
        if (!output_failed()) return succeeded;
        return tell_of_system(unwritten);
    } catch (const CLI::ParseError& error) {
        tell(misuse(program, error, argc, argv));
        return misused;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::io) return tell_of_system(error.diagnostic());
        tell(error);
        return exit_code_for(error);
    } catch (const std::bad_alloc&) {
        tell(Diagnostic{.code = ErrorCode::out_of_memory,
                        .message = "the system has no memory left",
                        .hint = "set a limit with --memory, or work on a smaller graph"});
    } catch (const std::exception& error) {
        if (output_failed()) return tell_of_system(unwritten);
        tell(Diagnostic{.code = ErrorCode::internal,
                        .message = fmt::format("a mistake of Tropic's own: {}", error.what()),
                        .hint = "report it with the command and its input"});
    }
    return failed;
}

/// After an interrupt, when all that was unfinished is gone: nothing is waited for on the way out,
/// neither somebody who does not read what was printed last nor what libraries do at the end of a
/// process, such as the search for leaks of an instrumented one.
[[noreturn]] void leave_at_once(int code) {
    pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
    if (std::ferror(stdout) == 0 && ::poll(&output, 1, 0) == 1) std::fflush(stdout);
    _exit(code);
}

} // namespace

} // namespace tropic::cli

int main(int argc, char** argv) {
    static_cast<void>(tropic::cli::interrupted());
    // What waits in the system is not resumed after an interrupt: nobody might ever end it.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        tropic::cli::handle(signal, tropic::cli::on_interrupt, 0);
    }
    tropic::cli::handle(SIGPIPE, tropic::cli::on_closed_pipe, SA_RESTART);
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow makes writing fail, which is told
    const int code = tropic::cli::run(argc, argv);
    if (tropic::cli::pipe_closed == 0) {
        if (code == tropic::cli::interrupted_by_user) tropic::cli::leave_at_once(code);
        return code;
    }
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return code;
}
