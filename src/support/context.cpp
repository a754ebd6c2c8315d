#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "support/arena.h"
#include "support/deadline.h"
#include "support/memory.h"
#include "support/progress.h"
#include "tropic/context.h"
#include "tropic/error.h"

namespace tropic {

namespace {

/// As many as the command line takes: systems refuse to make tens of thousands.
constexpr int most_threads = 256;

/// Contexts may ask for more threads than there are cores (tests do, to find races). oneTBB would
/// print a warning of its own and give fewer; a library is silent.
void allow_more_threads_than_cores() {
    static const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                             std::size_t{most_threads});
}

/// How many threads were asked for, 256 at most.
int threads_of(const ContextOptions& options) {
    if (options.threads < 0) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("there cannot be {} threads", options.threads),
                     .accepted = "1 to 256; 0: one for each core"});
    }
    return options.threads > 0 ? std::min(options.threads, most_threads)
                               : tbb::this_task_arena::max_concurrency();
}

} // namespace

struct Context::State {
    struct Deadline {
        std::chrono::steady_clock::time_point end;
        double seconds = 0;
        std::string what;
        std::string hint;
    };

    explicit State(ContextOptions given)
        : options(std::move(given)), threads(threads_of(options)),
          budget(std::make_shared<MemoryBudget>(options.memory_limit > 0 ? options.memory_limit
                                                                         : available_memory())),
          arena(threads) {
        if (threads > tbb::this_task_arena::max_concurrency()) allow_more_threads_than_cores();
    }

    State(const State& other, Deadline given)
        : options(other.options), threads(other.threads), budget(other.budget), arena(threads),
          deadline(std::move(given)) {}

    ContextOptions options;
    int threads;
    std::shared_ptr<MemoryBudget> budget;
    tbb::task_arena arena;
    std::mutex progress_mutex;
    std::optional<Deadline> deadline;
};

Context::Context() {
    static const auto whole_machine = std::make_shared<State>(ContextOptions{});
    state_ = whole_machine;
}

Context::Context(ContextOptions options) : state_(std::make_shared<State>(std::move(options))) {}
Context::~Context() = default;
Context::Context(const Context&) = default;
Context& Context::operator=(const Context&) = default;

int Context::threads() const noexcept {
    return state_->threads;
}

const std::shared_ptr<MemoryBudget>& Context::budget() const noexcept {
    return state_->budget;
}

void Context::report(std::string_view phase, std::uint64_t done, std::uint64_t total) const {
    if (!state_->options.progress) return;
    const std::scoped_lock lock(state_->progress_mutex);
    state_->options.progress(Progress{phase, done, total});
}

void Context::check_cancelled() const {
    if (state_->options.cancelled && state_->options.cancelled->load()) {
        throw Error(ErrorCode::cancelled, "cancelled");
    }
    const auto& deadline = state_->deadline;
    if (deadline && std::chrono::steady_clock::now() > deadline->end) {
        throw Error(ErrorCode::cancelled,
                    fmt::format("{} did not end within {} s", deadline->what, deadline->seconds),
                    deadline->hint);
    }
}

void Context::run(const std::function<void()>& work) const {
    state_->arena.execute(work);
}

struct ContextAccess {
    static Context limited(const Context& context, double seconds, std::string what,
                           std::string hint) {
        constexpr double most = 1e9;
        const auto time = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(std::min(seconds, most)));
        Context result = context;
        result.state_ = std::make_shared<Context::State>(
            *context.state_, Context::State::Deadline{std::chrono::steady_clock::now() + time,
                                                      seconds, std::move(what), std::move(hint)});
        return result;
    }
    static bool listened(const Context& context) {
        return static_cast<bool>(context.state_->options.progress);
    }
    static tbb::task_arena& arena(const Context& context) { return context.state_->arena; }
};

Context limited(const Context& context, double seconds, std::string what, std::string hint) {
    return ContextAccess::limited(context, seconds, std::move(what), std::move(hint));
}

bool is_listened_to(const Context& context) {
    return ContextAccess::listened(context);
}

tbb::task_arena& arena_of(const Context& context) {
    return ContextAccess::arena(context);
}

} // namespace tropic
