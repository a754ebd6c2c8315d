#include <mutex>

#include <tbb/global_control.h>

#include "support/arena.h"
#include "support/memory.h"
#include "tropic/context.h"
#include "tropic/error.h"

namespace tropic {

namespace {

/// Contexts may ask for more threads than there are cores (tests do, to find races). oneTBB would
/// print a warning of its own and give fewer; a library is silent.
void allow_more_threads_than_cores() {
    constexpr std::size_t most = 256;
    static const tbb::global_control control(tbb::global_control::max_allowed_parallelism, most);
}

} // namespace

struct Context::State {
    explicit State(ContextOptions given)
        : options(std::move(given)),
          threads(options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency()),
          budget(std::make_shared<MemoryBudget>(options.memory_limit > 0 ? options.memory_limit
                                                                         : available_memory())),
          arena(threads) {
        if (threads > tbb::this_task_arena::max_concurrency()) allow_more_threads_than_cores();
    }

    ContextOptions options;
    int threads;
    std::shared_ptr<MemoryBudget> budget;
    tbb::task_arena arena;
    std::mutex progress_mutex;
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
}

void Context::run(const std::function<void()>& work) const {
    state_->arena.execute(work);
}

struct ContextAccess {
    static tbb::task_arena& arena(const Context& context) { return context.state_->arena; }
};

tbb::task_arena& arena_of(const Context& context) {
    return ContextAccess::arena(context);
}

} // namespace tropic
