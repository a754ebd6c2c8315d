#include "machines/cpu/session.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "machines/cpu/entries.h"
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
    session->tensor_results[name] = stored(tensor).tensor;
}

void real_result(Session* session, const char* name, double value) {
    session->real_results[name] = value;
}

void integer_result(Session* session, const char* name, std::int64_t value) {
    session->integer_results[name] = value;
}

void begin_statement(Session* session, const char* place, const char* text) {
    if (!session->options.time_statements) return;
    auto& times = session->statement_times;
    std::size_t index = 0;
    while (index < times.size() && times[index].place != place) ++index;
    if (index == times.size()) times.push_back({place, text});
    session->running_statements.emplace_back(index, now());
}

void end_statement(Session* session) {
    if (!session->options.time_statements || session->running_statements.empty()) return;
    const auto [index, began] = session->running_statements.back();
    session->running_statements.pop_back();
    session->statement_times[index].seconds += now() - began;
    ++session->statement_times[index].runs;
}

/// The line of that number, without its end.
std::string line_of(std::string_view text, std::int64_t number) {
    for (std::int64_t line = 1; line < number; ++line) {
        const auto end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    return std::string(text.substr(0, text.find('\n')));
}

} // namespace

Session::Session(SessionOptions given)
    : options(std::move(given)), pool(options.context.budget()->pool()),
      loops(options.context, options.wide) {}
Session::~Session() = default;

void Session::run(ProgramEntry program) {
    options.context.run([&] { program(&runtime_table(), this); });
}

void fail_at(const Session& session, const char* place, ErrorCode code, std::string message,
             std::string hint) {
    Diagnostic diagnostic{.code = code,
                          .message = std::move(message),
                          .file = session.options.file,
                          .hint = std::move(hint)};
    // "line 4, column 3"
    const std::string_view text = place == nullptr ? "" : place;
    const auto line = text.find_first_of("0123456789");
    const auto column = text.find_last_of(' ');
    if (line != text.npos && column != text.npos && column > line) {
        std::from_chars(text.data() + line, text.data() + text.size(), diagnostic.line);
        std::from_chars(text.data() + column + 1, text.data() + text.size(), diagnostic.column);
        diagnostic.source_line = line_of(session.options.text, diagnostic.line);
    }
    throw Error(std::move(diagnostic));
}

const Runtime& runtime_table() noexcept {
    static constexpr Runtime table = {
        .read = read,
        .dense = dense,
        .uniform = uniform,
        .empty = empty,
        .like = like,
        .random = random,
        .convert = convert,
        .presence = presence,
        .rows_filled = rows_filled,
        .retain = retain,
        .release = release,
        .compact = compact,
        .expand = expand,
        .plan = plan,
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
