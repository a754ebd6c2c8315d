// What a call may use (threads, memory) and whom it tells (progress, cancellation). Every function
// that can take long or allocate much takes a Context last; the default one uses the whole machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace tropic {

class MemoryBudget;

/// A step of long work: `done` of `total` (0 if unknown) in the unit of the phase.
struct Progress {
    std::string_view phase; ///< "reading", "sorting edges"...
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

struct ContextOptions {
    int threads = 0;                ///< 0: one per core; 256 at most
    std::uint64_t memory_limit = 0; ///< bytes; 0: what the machine has available now
    std::function<void(const Progress&)> progress =
        {}; ///< may be called from any thread, never concurrently
    std::shared_ptr<const std::atomic<bool>> cancelled =
        {}; ///< set it to make the call throw Error(cancelled)
};

/// A cheap handle; copies share the same budget and threads. Safe to use from several threads.
class Context {
  public:
    Context();
    explicit Context(ContextOptions options);
    ~Context();
    Context(const Context&);
    Context& operator=(const Context&);

    int threads() const noexcept;
    const std::shared_ptr<MemoryBudget>& budget() const noexcept;

    /// Tells the progress callback, if any.
    void report(std::string_view phase, std::uint64_t done, std::uint64_t total) const;

    /// Throws Error(cancelled) once the caller's flag is set.
    void check_cancelled() const;

    /// Runs `work` so that all parallel loops inside it use this context's threads.
    void run(const std::function<void()>& work) const;

  private:
    friend struct ContextAccess;
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace tropic
