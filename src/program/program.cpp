// The public interface to programs: checks the text, finds or makes the compiled program, runs it.
#include "tropic/program.h"

#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/check.h"
#include "language/source.h"
#include "machines/cpu/kernel_cache.h"
#include "machines/cpu/loaded_program.h"
#include "machines/cpu/session.h"
#include "program/compiled_code.h"
#include "program/compiler_library.h"
#include "program/program_text.h"
#include "program/stage_text.h"
#include "program/variables.h"
#include "support/nearest.h"
#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/generate.h"

namespace tropic {

namespace fs = std::filesystem;

struct Program::State {
    ProgramOptions options;
    language::Program checked;
    bool resumed = false; ///< `checked` is nothing but a text, that of a stage
    std::vector<std::string> inputs;
    std::map<std::string, std::variant<Tensor, std::string>> bound;
    std::unique_ptr<cpu::LoadedProgram> loaded;
    std::vector<std::string> explanation;

    compile::CompileResult compile_to(compile::Stage stage, const std::string& path = {}) const {
        return program::compile(
            checked, {.stage = stage, .output = path, .wide = options.wide, .resume = resumed});
    }
};

namespace {

std::string key_of(const language::Program& program, bool wide, bool resumed) {
    cpu::CacheKey key;
    key.add(resumed ? 1 : 0);
    // Places in the text are part of the compiled program: its messages name them.
    key.add(program.text);
    key.add(program.outputs.size());
    for (const language::VariableId id : program.outputs) key.add(program.variables[id].name);
    key.add(wide ? 1 : 0);
    key.add(cpu::processor_identity());
    key.add(program::compiler_identity());
    return key.text();
}

/// A program that goes on from a stage: what it does is known to the compiler alone.
language::Program resumed_program(std::string text, std::string name,
                                  const std::vector<std::string>& outputs) {
    if (!outputs.empty()) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("the results of a stage are settled, and {} cannot be "
                                            "asked for",
                                            outputs.front()),
                     .file = name,
                     .hint = "ask for it where the stage is made: tropic compile --result NAME"});
    }
    language::Program program;
    program.text = std::move(text);
    program.file = std::move(name);
    return program;
}

Tensor load_input(const std::string& path, std::uint64_t seed, const Context& context) {
    std::error_code error;
    if (!fs::exists(path, error) && is_generator_expression(path)) {
        return generate(path, {.seed = seed}, context).tensor;
    }
    return read_graph(path, {}, context).tensor;
}

template <class Map>
const typename Map::mapped_type& find_result(const Map& map, const std::string& name,
                                             const char* kind) {
    if (const auto found = map.find(name); found != map.end()) return found->second;
    std::vector<std::string> names;
    names.reserve(map.size());
    for (const auto& [each, value] : map) names.push_back(each);
    throw Error({.code = ErrorCode::not_found,
                 .message = fmt::format("the program left no {} {}", kind, name),
                 .accepted = fmt::format("{}", fmt::join(names, ", ")),
                 .hint = "programs leave what ProgramOptions::outputs names, algorithms what "
                         "stands behind '->'"});
}

} // namespace

const Tensor& RunResult::tensor(const std::string& name) const {
    return find_result(tensors, name, "tensor");
}
double RunResult::number(const std::string& name) const {
    return find_result(numbers, name, "number");
}
std::int64_t RunResult::integer(const std::string& name) const {
    return find_result(integers, name, "integer");
}

Program::Program(std::unique_ptr<State> state) : state_(std::move(state)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

Program Program::from_text(std::string text, ProgramOptions options, std::string name) {
    auto state = std::make_unique<State>();
    if (program::is_stage_text(text)) {
        state->resumed = true;
        for (auto& input : program::inputs_of_stage(text)) state->inputs.push_back(input.name);
        state->checked = resumed_program(std::move(text), std::move(name), options.outputs);
        state->options = std::move(options);
        return Program(std::move(state));
    }
    state->checked =
        language::check_program(std::move(text), std::move(name), {.outputs = options.outputs});
    if (options.outputs.empty()) {
        state->checked.outputs = program::unused_variables(state->checked);
    }
    state->inputs = program::inputs_of(state->checked);
    state->options = std::move(options);
    return Program(std::move(state));
}

Program Program::from_file(const std::string& path, ProgramOptions options) {
    return from_text(program::read_text(path), std::move(options), path);
}

const std::vector<std::string>& Program::inputs() const noexcept {
    return state_->inputs;
}

Diagnostic Program::place_of_input(const std::string& input) const {
    const language::Program& checked = state_->checked;
    language::Place place;
    if (state_->resumed) {
        for (const auto& known : program::inputs_of_stage(checked.text)) {
            if (known.name == input) place = known.place;
        }
    } else {
        place = program::place_of_input(checked, input);
    }
    const language::Source source(checked.text, checked.file);
    Diagnostic diagnostic;
    diagnostic.file = checked.file;
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    diagnostic.source_line = source.line(place.line);
    return diagnostic;
}

namespace {

void require_input(const std::vector<std::string>& inputs, const std::string& name) {
    if (std::ranges::find(inputs, name) != inputs.end()) return;
    const std::vector<std::string_view> names(inputs.begin(), inputs.end());
    const std::string_view meant = nearest(name, names);
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("the program has no input {}", name),
                 .accepted = inputs.empty() ? "no inputs at all"
                                            : fmt::format("{}", fmt::join(inputs, ", ")),
                 .hint = meant.empty() ? "" : fmt::format("did you mean {}?", meant)});
}

} // namespace

Program& Program::bind(const std::string& input, Tensor tensor) {
    require_input(state_->inputs, input);
    state_->bound.insert_or_assign(input, std::move(tensor));
    return *this;
}

Program& Program::bind(const std::string& input, const Graph& graph) {
    return bind(input, graph.tensor);
}

Program& Program::bind(const std::string& input, const std::string& path_or_expression) {
    require_input(state_->inputs, input);
    state_->bound.insert_or_assign(input, path_or_expression);
    return *this;
}

Program& Program::bind(const std::string& input, const char* path_or_expression) {
    return bind(input, std::string(path_or_expression));
}

void Program::compile() {
    State& state = *state_;
    if (state.loaded) return;
    program::CompiledCode code = program::find_or_compile(
        {.cache = state.options.cache,
         .cache_directory = state.options.cache_directory,
         .symbol = cpu::program_symbol,
         .key = [&] { return key_of(state.checked, state.options.wide, state.resumed); },
         .compile =
             [&](const std::string& path) {
                 return state.compile_to(compile::Stage::shared_object, path);
             }});
    state.loaded = std::move(code.loaded);
    state.explanation = std::move(code.explanation);
}

RunResult Program::run(const Context& context, const RunOptions& options) {
    compile();
    RunResult result;
    cpu::SessionOptions session_options{.context = context,
                                        .wide = state_->options.wide,
                                        .seed = options.seed,
                                        .time_statements = options.time_statements,
                                        .file = state_->checked.file,
                                        .text = state_->checked.text};
    session_options.input = [&](const std::string& name) -> std::optional<Tensor> {
        const auto found = state_->bound.find(name);
        if (found == state_->bound.end()) return {};
        if (const auto* tensor = std::get_if<Tensor>(&found->second)) return *tensor;
        return load_input(std::get<std::string>(found->second), options.seed, context);
    };
    session_options.print =
        options.print ? options.print : [&](std::string_view text) { result.printed += text; };
    cpu::Session session(std::move(session_options));
    session.run(state_->loaded->entry<cpu::ProgramEntry>());
    result.tensors = std::move(session.tensor_results);
    result.numbers = std::move(session.real_results);
    result.integers = std::move(session.integer_results);
    for (const auto& [name, value] : result.integers) {
        result.numbers.emplace(name, static_cast<double>(value));
    }
    result.times = std::move(session.statement_times);
    return result;
}

const std::vector<std::string>& Program::explanation() const noexcept {
    return state_->explanation;
}

std::string Program::show(ProgramStage stage) const {
    const State& state = *state_;
    switch (stage) {
    case ProgramStage::syntax_tree:
        if (state.resumed) {
            throw Error({.code = ErrorCode::usage,
                         .message = "the text is that of a stage, and has no syntax tree",
                         .file = state.checked.file,
                         .accepted = "the stage itself, those behind it, llvm, asm, so"});
        }
        return language::print_tree(state.checked.text, state.checked.file);
    case ProgramStage::algebra:
        return state.compile_to(compile::Stage::ga).text;
    case ProgramStage::index_trees:
        return state.compile_to(compile::Stage::it).text;
    case ProgramStage::loops:
        return state.compile_to(compile::Stage::loops).text;
    case ProgramStage::llvm:
        return state.compile_to(compile::Stage::llvm).text;
    case ProgramStage::assembly:
        return state.compile_to(compile::Stage::assembly).text;
    }
    throw Error(
        {.code = ErrorCode::usage,
         .message = fmt::format("there is no stage of the number {}", static_cast<int>(stage)),
         .accepted = "syntax_tree, algebra, index_trees, loops, llvm, assembly"});
}

void Program::write_shared_object(const std::string& path) const {
    program::write_through(path, Context(), [&](const std::string& aside) {
        state_->compile_to(compile::Stage::shared_object, aside);
    });
}

} // namespace tropic
