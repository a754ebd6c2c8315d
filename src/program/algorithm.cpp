// The public interface to algorithms: checks the text, finds or makes the compiled code, runs it.
#include "tropic/algorithm.h"

#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/algorithm/check.h"
#include "language/algorithm/parser.h"
#include "language/algorithm/visit.h"
#include "language/source.h"
#include "machines/cpu/algorithm/algorithm_session.h"
#include "machines/cpu/kernel_cache.h"
#include "program/algorithm_arguments.h"
#include "program/algorithm_results.h"
#include "program/compiled_code.h"
#include "program/compiler_library.h"
#include "program/given_number.h"
#include "program/library_files.h"
#include "program/program_text.h"
#include "program/signature.h"
#include "support/nearest.h"
#include "tropic/error.h"

namespace tropic {

namespace la = language::algorithm;

struct Algorithm::State {
    AlgorithmOptions options;
    la::Algorithm checked;
    std::vector<AlgorithmVariable> parameters;
    std::vector<AlgorithmVariable> results;

    mutable std::mutex mutex; ///< of what follows
    mutable program::CompiledCode code;
    mutable cpu::SharingMemory sharing; ///< has a lock of its own
};

namespace {

std::string key_of(const la::Algorithm& algorithm, const AlgorithmOptions& options) {
    cpu::CacheKey key;
    key.add("algorithm");
    key.add(cpu::algorithm_runtime_version);
    // Places in the text are part of the compiled code: its messages name them.
    key.add(algorithm.text);
    key.add(algorithm.name);
    key.add(la::to_text(algorithm)); // what the checker made of it, whatever its version
    key.add(options.wide ? 1 : 0);
    key.add(options.check ? 1 : 0);
    key.add(options.types.size());
    for (const auto& [name, type] : options.types) {
        key.add(name);
        key.add(type);
    }
    key.add(cpu::processor_identity());
    key.add(program::compiler_identity());
    return key.text();
}

void check_every_index(la::Algorithm& algorithm) {
    for (la::Statement& statement : algorithm.statements) {
        la::for_each_expression(statement, [](la::Expression& expression) {
            using Kind = la::Expression::Kind;
            if (expression.kind == Kind::element || expression.kind == Kind::member ||
                expression.kind == Kind::neighbour) {
                expression.checked = true;
            }
        });
    }
}

} // namespace

std::optional<double> Argument::number() const noexcept {
    const auto number = program::number_of(*this);
    return number ? std::optional(number->number) : std::nullopt;
}

Arguments::Arguments(std::initializer_list<std::pair<const std::string, Argument>> list) {
    for (const auto& [name, value] : list) {
        if (values_.emplace(name, value).second) continue;
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("parameter {} is given twice", name),
                     .hint = "set(name, value) changes what was given before"});
    }
}

Algorithm::Algorithm(std::unique_ptr<State> state) : state_(std::move(state)) {}
Algorithm::~Algorithm() = default;
Algorithm::Algorithm(Algorithm&&) noexcept = default;
Algorithm& Algorithm::operator=(Algorithm&&) noexcept = default;

bool Algorithm::is_algorithm(std::string_view text) {
    return la::is_algorithm(language::Source(std::string(text), ""));
}

Algorithm Algorithm::from_text(std::string text, AlgorithmOptions options, std::string name) {
    auto state = std::make_unique<State>();
    state->checked = la::check_algorithm(std::move(text), std::move(name),
                                         la::CheckOptions{.function = options.function,
                                                          .types = options.types,
                                                          .optimise = options.optimise});
    if (options.check) check_every_index(state->checked);
    state->parameters = program::describe(state->checked, state->checked.parameters);
    state->results = program::describe(state->checked, state->checked.results);
    state->options = std::move(options);
    return Algorithm(std::move(state));
}

Algorithm Algorithm::from_file(const std::string& path, AlgorithmOptions options) {
    return from_text(program::read_text(path), std::move(options), path);
}

Algorithm Algorithm::from_library(const std::string& name, AlgorithmOptions options) {
    return from_file(program::library_file(name), std::move(options));
}

std::vector<std::string> Algorithm::library() {
    return program::library_names();
}

std::string Algorithm::library_folder() {
    return program::library_folder();
}

const std::string& Algorithm::name() const noexcept {
    return state_->checked.name;
}
const std::string& Algorithm::comment() const noexcept {
    return state_->checked.comment;
}
const std::vector<AlgorithmVariable>& Algorithm::parameters() const noexcept {
    return state_->parameters;
}
const std::vector<AlgorithmVariable>& Algorithm::results() const noexcept {
    return state_->results;
}

const AlgorithmVariable& Algorithm::parameter(const std::string& name) const {
    std::vector<std::string_view> names;
    for (const AlgorithmVariable& variable : state_->parameters) {
        if (variable.name == name) return variable;
        names.push_back(variable.name);
    }
    const std::string_view meant = nearest(name, names);
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} has no parameter {}", state_->checked.name, name),
                 .accepted = names.empty() ? "no parameters at all"
                                           : fmt::format("{}", fmt::join(names, ", ")),
                 .hint = meant.empty() ? "" : fmt::format("did you mean {}?", meant)});
}

void Algorithm::compile() const {
    const State& state = *state_;
    const std::scoped_lock lock(state.mutex);
    if (state.code.loaded) return;
    state.code = program::find_or_compile(
        {.cache = state.options.cache,
         .cache_directory = state.options.cache_directory,
         .symbol = cpu::algorithm_symbol,
         .key = [&] { return key_of(state.checked, state.options); },
         .compile =
             [&](const std::string& path) {
                 return program::compile(state.checked, {.stage = compile::Stage::shared_object,
                                                         .output = path,
                                                         .wide = state.options.wide});
             }});
}

AlgorithmResult Algorithm::run(const Arguments& arguments, const Context& context,
                               const AlgorithmRunOptions& options) const {
    if (!(options.timeout >= 0)) {
        throw Error(
            {.code = ErrorCode::usage,
             .message = fmt::format("a run cannot end after {} s", options.timeout),
             .accepted = "a positive number of seconds; 0: it may take as long as it takes"});
    }
    compile();
    AlgorithmResult result;
    const double began = cpu::seconds_now();
    cpu::AlgorithmSession session(
        state_->checked,
        {.context = context,
         .wide = state_->options.wide,
         .time_statements = options.time_statements,
         .record_rounds = options.record_rounds,
         .timeout = options.timeout,
         .memory = &state_->sharing,
         .print = options.print ? options.print
                                : [&result](std::string_view text) { result.printed += text; }});
    session.notes = state_->checked.remarks;
    program::bind_arguments(session, arguments, options.seed);
    const double bound = cpu::seconds_now();
    session.run(state_->code.loaded->entry<cpu::AlgorithmEntry>());
    result.binding_seconds = bound - began;
    result.seconds = cpu::seconds_now() - bound;
    program::take_results(session, result);
    return result;
}

std::vector<std::string> Algorithm::explanation() const {
    const std::scoped_lock lock(state_->mutex);
    std::vector<std::string> lines = state_->code.explanation;
    if (lines.empty()) return lines;
    const auto& of_loops = state_->checked.explanations;
    lines.insert(lines.end(), of_loops.begin(), of_loops.end());
    return lines;
}

std::string Algorithm::show(AlgorithmStage stage) const {
    const la::Algorithm& checked = state_->checked;
    compile::CompileOptions options;
    options.wide = state_->options.wide;
    switch (stage) {
    case AlgorithmStage::syntax_tree:
        return la::print_algorithm_tree(checked.text, checked.file);
    case AlgorithmStage::algorithm:
        return la::to_text(checked);
    case AlgorithmStage::llvm:
        options.stage = compile::Stage::llvm;
        break;
    case AlgorithmStage::assembly:
        options.stage = compile::Stage::assembly;
        break;
    default:
        throw Error(
            {.code = ErrorCode::usage,
             .message = fmt::format("there is no stage of the number {}", static_cast<int>(stage)),
             .accepted = "syntax_tree, algorithm, llvm, assembly"});
    }
    return program::compile(checked, options).text;
}

void Algorithm::write_shared_object(const std::string& path) const {
    program::write_through(path, Context(), [&](const std::string& aside) {
        program::compile(state_->checked, {.stage = compile::Stage::shared_object,
                                           .output = aside,
                                           .wide = state_->options.wide});
    });
}

} // namespace tropic
