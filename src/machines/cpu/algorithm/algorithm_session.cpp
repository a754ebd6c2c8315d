#include "machines/cpu/algorithm/algorithm_session.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "machines/cpu/place_error.h"
#include "support/progress.h"

namespace tropic::cpu {

namespace la = language::algorithm;

namespace {

void check_cancelled(Frame* frame) {
    frame->session->check_cancelled();
}

[[noreturn]] void fail(Frame* frame, const char* text, const char* place) {
    fail_at(*frame->session, place, ErrorCode::range, text);
}

[[noreturn]] void bad_index(Frame* frame, std::int64_t value, std::int64_t size, const char* name,
                            const char* place) {
    fail_at(*frame->session, place, ErrorCode::range,
            fmt::format("index {} is outside {}", value, name),
            size == 0 ? "it has no elements" : fmt::format("indices are 0 to {}", size - 1));
}

[[noreturn]] void division_by_zero(Frame* frame, const char* place) {
    fail_at(*frame->session, place, ErrorCode::range, "an integer is divided by zero",
            "test the divisor first, or divide real numbers");
}

double logarithm(double x) {
    return std::log(x);
}
double exponential(double x) {
    return std::exp(x);
}
double power(double x, double y) {
    return std::pow(x, y);
}

} // namespace

AlgorithmSession::AlgorithmSession(const la::Algorithm& given, AlgorithmSessionOptions with)
    : algorithm(given), options(std::move(with)), survey(given),
      pool(options.context.budget()->pool()), team(options.context.threads()),
      slots(given.variables.size()), frame{.runtime = &algorithm_runtime_table(),
                                           .session = this,
                                           .slots = slots.data(),
                                           .partials = nullptr,
                                           .rounds_done = 0,
                                           .rounds_total = 0,
                                           .built_columns = 0,
                                           .built_rows = nullptr},
      choices(static_cast<std::size_t>(given.choices)) {
    if (options.timeout > 0) {
        deadline = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                       std::chrono::duration<double>(std::min(options.timeout, 1e9)));
    }
    for (int number = 0; number < team->size(); ++number) {
        workers.push_back(std::make_unique<LoopWorker>(options.context));
        workers.back()->number = number;
        workers.back()->sorting.wide = options.wide;
    }
    for (std::size_t id = 0; id < slots.size(); ++id) {
        const la::Variable& variable = given.variables[id];
        if (variable.is_local) continue;
        using Shape = la::Type::Shape;
        switch (variable.type.shape) {
        case Shape::scalar:
            slots[id] = scalars_.emplace_back(std::make_unique<StoredScalar>())->bytes;
            break;
        case Shape::vector:
        case Shape::table: {
            auto& vector = *vectors_.emplace_back(std::make_unique<StoredVector>());
            vector.data = address_of(vector.memory);
            vector.columns = 1;
            slots[id] = static_cast<VectorView*>(&vector);
            break;
        }
        case Shape::sparse:
        case Shape::set:
            slots[id] =
                static_cast<SetView*>(sets_.emplace_back(std::make_unique<StoredSet>()).get());
            break;
        case Shape::stack:
            slots[id] = static_cast<StackView*>(
                stacks_.emplace_back(std::make_unique<StoredStack>()).get());
            break;
        case Shape::graph:
            slots[id] = static_cast<GraphView*>(
                graphs_.emplace_back(std::make_unique<StoredGraph>()).get());
            break;
        case Shape::unknown:
        case Shape::marks:
            break;
        }
    }
}

AlgorithmSession::~AlgorithmSession() = default;

void AlgorithmSession::run(AlgorithmEntry entry) {
    runner_ = std::this_thread::get_id();
    phase_ = std::filesystem::path(algorithm.file).stem().string();
    reports_ = is_listened_to(options.context);
    entry(&frame);
    if (options.memory == nullptr) return;
    for (const auto& [view, plan] : loop.plans) {
        options.memory->keep(view, team->size(), plan.sharing);
    }
}

void AlgorithmSession::report_progress() {
    constexpr auto between = std::chrono::milliseconds(50);
    if (std::this_thread::get_id() != runner_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ < between) return;
    reported_ = now;
    options.context.report(phase_, static_cast<std::uint64_t>(std::abs(frame.rounds_done)),
                           static_cast<std::uint64_t>(std::abs(frame.rounds_total)));
}

void AlgorithmSession::check_cancelled() {
    options.context.check_cancelled();
    if (reports_) report_progress();
    if (options.timeout > 0 && std::chrono::steady_clock::now() > deadline) {
        const std::string which = phase_.empty() || phase_ == algorithm.name
                                      ? algorithm.name
                                      : fmt::format("{} of {}", algorithm.name, phase_);
        throw Error(ErrorCode::cancelled,
                    fmt::format("{} did not end within {} s", which, options.timeout),
                    "give it more time, or look for a loop that does not end");
    }
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void add_time(AlgorithmSession& session, const char* place, const char* text, double began) {
    const double seconds = seconds_now() - began;
    for (StatementTime& time : session.times) {
        if (time.place != place) continue;
        time.seconds += seconds;
        ++time.runs;
        return;
    }
    session.times.push_back({place, text, seconds, 1});
}

void fail_at(const AlgorithmSession& session, const char* place, ErrorCode code,
             std::string message, std::string hint) {
    fail_in(session.algorithm.file, session.algorithm.text, place, code, std::move(message),
            std::move(hint));
}

const AlgorithmRuntime& algorithm_runtime_table() noexcept {
    static constexpr AlgorithmRuntime table = {
        .each = each,
        .buckets = buckets,
        .choose = choose,
        .chosen = chosen,
        .flush = flush,
        .bucket_push = bucket_push,
        .workspace = algorithm_workspace,
        .more_rows = more_rows,
        .sort_list = sort_list,
        .copy_whole = copy_whole,
        .replace_whole = replace_whole,
        .create = create,
        .reserve = reserve,
        .clear = clear,
        .mark = mark,
        .members = members,
        .assign = assign,
        .combine = combine,
        .push = push,
        .pop = pop,
        .derive = derive,
        .sort = sort,
        .scan = scan,
        .insert = insert,
        .extreme = extreme,
        .print_value = print_value,
        .print_variable = print_variable,
        .check_cancelled = check_cancelled,
        .fail = fail,
        .bad_index = bad_index,
        .division_by_zero = division_by_zero,
        .logarithm = logarithm,
        .exponential = exponential,
        .power = power,
    };
    return table;
}

} // namespace tropic::cpu
