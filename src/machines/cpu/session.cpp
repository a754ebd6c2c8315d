#include "machines/cpu/session.h"

#include <chrono>

#include <fmt/format.h>

#include "machines/cpu/entries.h"
#include "machines/cpu/place_error.h"
#include "tropic/error.h"

namespace tropic::cpu {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t plan(Session* session, std::int64_t count, const void* pos, double cost) {
    return session->loops.plan(count, pos, cost);
}

std::int64_t plan_ranges(Session* session, std::int64_t count, std::int64_t entries) {
    return session->loops.plan_ranges(count, entries);
}

void run(Session* session, KernelBody body, void* const* frame) {
    session->loops.run(body, frame);
}

void* scratch(Session* session, std::int64_t bytes) {
    session->scratch.push_back(Array::allocate(ElementType::uint8, std::max<Index>(bytes, 1),
                                               session->context(), "scratch memory"));
    return session->scratch.back().mutable_data();
}

void release_scratch(Session* session, void* memory) {
    std::erase_if(session->scratch, [=](const Array& array) { return array.data() == memory; });
}

void require_equal(Session* session, std::int64_t a, std::int64_t b, const char* label,
                   const char* first, const char* second, const char* place) {
    if (a == b) return;
    fail_at(*session, place, ErrorCode::inconsistent,
            fmt::format("label {} has two sizes: {} is {}, {} is {}", label, first, a, second, b));
}

void check_cancelled(Session* session) {
    session->context().check_cancelled();
}

double time(Session*) {
    return now();
}

void tensor_result(Session* session, const char* name, TensorView* tensor, std::int64_t,
                   const FormatView*) {
    stored(tensor).own_values = false;
    session->tensor_results[name] = stored(tensor).tensor;
}

void real_result(Session* session, const char* name, double value) {
    session->real_results[name] = value;
}

void integer_result(Session* session, const char* name, std::int64_t value) {
    session->integer_results[name] = value;
}

void begin_statement(Session* session, const char* place, const char* text) {
    session->running = place;
    if (!session->options.time_statements) return;
    auto& times = session->statement_times;
    std::size_t index = 0;
    while (index < times.size() && times[index].place != place) ++index;
    if (index == times.size()) times.push_back({place, text});
    session->running_statements.emplace_back(index, now());
}

void end_statement(Session* session) {
    session->running = nullptr;
    if (!session->options.time_statements || session->running_statements.empty()) return;
    const auto [index, began] = session->running_statements.back();
    session->running_statements.pop_back();
    session->statement_times[index].seconds += now() - began;
    ++session->statement_times[index].runs;
}

} // namespace

Session::Session(SessionOptions given)
    : options(std::move(given)), pool(options.context.budget()->pool()),
      loops(options.context, options.wide) {}
Session::~Session() = default;

void Session::run(ProgramEntry program) {
    try {
        options.context.run([&] { program(&runtime_table(), this); });
    } catch (const Error& error) {
        // Who asks for memory does not know the program.
        const bool unplaced = running != nullptr && error.diagnostic().file.empty();
        if (error.code() != ErrorCode::out_of_memory || !unplaced) throw;
        fail_at(*this, running, error.code(), error.diagnostic().message, error.diagnostic().hint);
    }
}

void fail_at(const Session& session, const char* place, ErrorCode code, std::string message,
             std::string hint) {
    fail_in(session.options.file, session.options.text, place, code, std::move(message),
            std::move(hint));
}

const Runtime& runtime_table() noexcept {
    static constexpr Runtime table = {
        .read = read,
        .dense = dense,
        .uniform = uniform,
        .empty = empty,
        .like = like,
        .take_over = take_over,
        .random = random,
        .convert = convert,
        .repeat = repeat,
        .presence = presence,
        .rows_filled = rows_filled,
        .retain = retain,
        .release = release,
        .compact = compact,
        .expand = expand,
        .plan = plan,
        .plan_ranges = plan_ranges,
        .run = run,
        .workspace = workspace,
        .sort_coordinates = sort_coordinates,
        .scratch = scratch,
        .release_scratch = release_scratch,
        .begin_entries = begin_entries,
        .entry_buffer = entry_buffer,
        .grow = grow,
        .end_entries = end_entries,
        .require_equal = require_equal,
        .check_cancelled = check_cancelled,
        .print_tensor = print_tensor,
        .print_real = print_real,
        .print_integer = print_integer,
        .print_elapsed = print_elapsed,
        .time = time,
        .tensor_result = tensor_result,
        .real_result = real_result,
        .integer_result = integer_result,
        .begin_statement = begin_statement,
        .end_statement = end_statement,
    };
    return table;
}

} // namespace tropic::cpu
