// A running algorithm: what the functions that compiled code calls work on. It owns the variables,
// the workers and what the run leaves behind.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "language/algorithm/algorithm.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"
#include "machines/cpu/algorithm/sets.h"
#include "machines/cpu/algorithm/storage.h"
#include "machines/cpu/algorithm/survey.h"
#include "machines/cpu/algorithm/workers.h"
#include "machines/cpu/team.h"
#include "support/memory.h"
#include "tropic/algorithm.h"
#include "tropic/error.h"

namespace tropic::cpu {

struct AlgorithmSessionOptions {
    Context context;
    bool wide = false;
    bool time_statements = false;
    bool record_rounds = false;
    double timeout = 0;

    /// What earlier runs have learned, and where this one's goes; may be null.
    SharingMemory* memory = nullptr;

    /// Takes what the algorithm prints.
    std::function<void(std::string_view)> print = {};

    /// Nanoseconds; tests make them tiny. Work below which a loop is one chunk, that a chunk has
    /// at least, and that is worth waking threads for.
    double smallest_loop = 30'000;
    double smallest_chunk = 12'000;
    double waking = 50'000;
    /// How much less work is enough where the loop claims members without locking.
    double claiming = 0.1;

    /// How much more time than pushing pulling may take and is still chosen, in ordered frontiers;
    /// tests make it large.
    double pulling = 1;
};

/// What is remembered of a choice from round to round.
struct ChoiceState {
    Index iteration = 0;
    Index last_count = 0;
    double seen_edges = 0; ///< that left the frontiers so far
    bool pulling = false;
    Index edges = -1; ///< of this round
    Index count = 0;
    double began = 0;
};

struct AlgorithmSession {
    /// `algorithm` must outlive the session.
    AlgorithmSession(const language::algorithm::Algorithm& algorithm,
                     AlgorithmSessionOptions options);
    ~AlgorithmSession();
    AlgorithmSession(const AlgorithmSession&) = delete;
    AlgorithmSession& operator=(const AlgorithmSession&) = delete;

    /// Runs compiled code; parameters have been set.
    void run(AlgorithmEntry entry);

    const Context& context() const noexcept { return options.context; }
    const language::algorithm::Type& type_of(std::int64_t variable) const {
        return algorithm.variables[static_cast<std::size_t>(variable)].type;
    }
    SetTools set_tools() { return {*team, options.context, options.wide}; }
    std::size_t element_bytes(const language::algorithm::Type& type) const {
        return layout_of(type, algorithm.records, options.wide).bytes;
    }

    /// Throws Error(cancelled) if the caller or the clock says so, and tells the caller every now
    /// and then how far the program is.
    void check_cancelled();

    const language::algorithm::Algorithm& algorithm;
    AlgorithmSessionOptions options;
    Survey survey;
    PagePool::Use pool; ///< algorithms make vectors of the same sizes again and again
    BorrowedTeam team;
    std::chrono::steady_clock::time_point deadline;

    std::vector<void*> slots;
    Frame frame;

    std::vector<std::unique_ptr<LoopWorker>> workers;
    LoopState loop;
    std::vector<ChoiceState> choices;

    std::vector<AlgorithmRound> rounds;
    std::int64_t recorded_buckets = 0; ///< of them
    std::vector<StatementTime> times;
    std::vector<std::string> notes;

  private:
    void report_progress();

    std::thread::id runner_; ///< the program's own thread, the only one that reports
    bool reports_ = false;
    std::string phase_; ///< what the text is called
    std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<StoredScalar>> scalars_;
    std::vector<std::unique_ptr<StoredVector>> vectors_;
    std::vector<std::unique_ptr<StoredSet>> sets_;
    std::vector<std::unique_ptr<StoredStack>> stacks_;
    std::vector<std::unique_ptr<StoredGraph>> graphs_;
};

/// The table of all functions, as compiled code gets it.
const AlgorithmRuntime& algorithm_runtime_table() noexcept;

/// A mistake found at a statement: `place` is "line 4, column 3", as embedded in the code.
[[noreturn]] void fail_at(const AlgorithmSession& session, const char* place, ErrorCode code,
                          std::string message, std::string hint = {});

/// Seconds of a clock that only goes forward.
double seconds_now();

/// Adds a run of a statement to the times of --time.
void add_time(AlgorithmSession& session, const char* place, const char* text, double began);

/// Shows a graph to compiled code as variable `variable` wants it.
void bind_graph(AlgorithmSession& session, std::int64_t variable,
                std::shared_ptr<derived::GraphCache> graph);

/// Sizes that are worked out, by the program or from its arguments: the run fails below 0.
void require_size(const AlgorithmSession& session, std::int64_t variable, std::int64_t size,
                  std::int64_t columns);

/// A vector of that many elements of the variable's type, not set.
void make_vector(AlgorithmSession& session, StoredVector& vector,
                 const language::algorithm::Type& type, std::int64_t size, std::int64_t columns);

// Loops (each.cpp, buckets.cpp, choose.cpp).
std::int64_t each(Frame* frame, const EachView* view, std::int64_t count);
void flush(Frame* frame, WorkerView* worker, std::int64_t insert);
void* algorithm_workspace(Frame* frame, WorkerView* worker, std::int64_t slot, std::int64_t bytes);
void more_rows(Frame* frame, WorkerView* worker);
void sort_list(Frame* frame, WorkerView* worker, void* list, std::int64_t count, std::int64_t size);
void copy_whole(void* to, const void* from, const void* element, std::int64_t bytes);
std::int64_t replace_whole(void* element, void* before, const void* after, std::int64_t bytes);
void buckets(Frame* frame, const BucketsView* view, std::int64_t width);
void bucket_push(Frame* frame, WorkerView* worker, std::int64_t bucket, std::int64_t item);
std::int64_t choose(Frame* frame, const ChooseView* view);
void chosen(Frame* frame, const ChooseView* view);

// Whole variables (variables.cpp, derive.cpp, order.cpp).
void create(Frame* frame, std::int64_t variable, std::int64_t size, std::int64_t columns,
            const void* reset);
void reserve(Frame* frame, std::int64_t variable, std::int64_t size, std::int64_t columns);
void clear(Frame* frame, std::int64_t variable);
void mark(Frame* frame, std::int64_t variable);
void members(Frame* frame, std::int64_t variable, const std::int64_t* items, std::int64_t count,
             const char* place);
void assign(Frame* frame, std::int64_t variable, std::int64_t other);
void combine(Frame* frame, std::int64_t variable, std::int64_t other, std::int64_t operation);
void push(Frame* frame, std::int64_t stack, std::int64_t set);
void pop(Frame* frame, std::int64_t stack, std::int64_t set, const char* place);
void derive(Frame* frame, std::int64_t variable, const char* name, std::int64_t other,
            std::int64_t argument, const char* place);
void sort(Frame* frame, std::int64_t variable, std::int64_t other);
void scan(Frame* frame, std::int64_t variable, std::int64_t other);
void extreme(Frame* frame, std::int64_t graph, std::int64_t largest, void* value);
std::int64_t insert(Frame* frame, std::int64_t variable, std::int64_t item, const char* place);

// Printing (print_values.cpp).
void print_value(Frame* frame, const void* value, std::int64_t type, std::int64_t vertex,
                 std::int64_t lanes, std::int64_t record);
void print_variable(Frame* frame, std::int64_t variable);

} // namespace tropic::cpu
