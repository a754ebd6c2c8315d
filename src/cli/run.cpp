// tropic run: a program on graphs, its results to files.
#include <cctype>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/algorithm_run.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/outputs.h"
#include "cli/program_results.h"
#include "cli/text_output.h"
#include "language/check.h"
#include "program/program_text.h"
#include "program/stage_text.h"

namespace tropic::cli {

namespace {

struct Output {
    std::string variable;
    std::string file;
};

std::vector<Output> parse_outputs(const std::vector<std::string>& words) {
    std::vector<Output> outputs;
    for (const std::string& word : words) {
        const auto sign = word.find('=');
        if (sign == 0 || sign == std::string::npos || sign + 1 == word.size()) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("-o does not understand '{}'", word),
                         .accepted = "NAME=FILE: a variable of the program and where to write it",
                         .hint = "such as -o C=result.mtx"});
        }
        outputs.push_back({word.substr(0, sign), word.substr(sign + 1)});
    }
    return outputs;
}

/// NAME=GRAPH for an input of that name; anything else is the graph of the next input that has
/// none. Generator expressions may contain = themselves.
void bind_inputs(Program& program, const std::vector<std::string>& words) {
    const std::vector<std::string>& inputs = program.inputs();
    std::vector<std::string> bound;
    std::vector<std::string> unnamed;
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const bool has_name =
            name.size() < word.size() &&
            std::ranges::all_of(
                name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
        if (!has_name) {
            unnamed.push_back(word);
            continue;
        }
        program.bind(name, word.substr(name.size() + 1));
        bound.push_back(name);
    }
    std::size_t next = 0;
    for (const std::string& input : inputs) {
        if (std::ranges::find(bound, input) != bound.end()) continue;
        if (next < unnamed.size()) {
            program.bind(input, unnamed[next++]);
        } else if (const char* const file = std::getenv(("SPARSE_FILE_NAME" + input).c_str())) {
            program.bind(input, file);
        } else {
            Diagnostic missing = program.place_of_input(input);
            missing.code = ErrorCode::usage;
            missing.message = fmt::format("input {} of the program is not given", input);
            missing.accepted = fmt::format("inputs {}", fmt::join(inputs, ", "));
            missing.hint =
                fmt::format("-i {}=FILE, or a generator such as -i {}=kron:10", input, input);
            throw Error(std::move(missing));
        }
    }
    if (next < unnamed.size()) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("'{}' is one input too many", unnamed[next]),
                     .accepted = inputs.empty()
                                     ? "no inputs"
                                     : fmt::format("inputs {}", fmt::join(inputs, ", "))});
    }
}

void print_to_standard_output(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

/// Options that only algorithms know.
void refuse_algorithm_options(const ProgramArguments& arguments) {
    const char* const option = !arguments.settings.empty()   ? "--set"
                               : !arguments.types.empty()    ? "--type"
                               : !arguments.function.empty() ? "--function"
                               : arguments.check             ? "--check"
                                                             : nullptr;
    if (option == nullptr) return;
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} is for algorithms, and {} is a program of tensors",
                                        option, arguments.program)});
}

/// What cannot be written is said before the run, not behind it. A number goes to any file.
void require_forms(const std::string& text, const std::string& name,
                   const std::vector<Output>& outputs) {
    language::CheckOptions wanted;
    for (const Output& output : outputs) wanted.outputs.push_back(output.variable);
    const language::Program program = language::check_program(text, name, wanted);
    for (const Output& output : outputs) {
        for (const language::VariableId id : program.outputs) {
            const language::Variable& variable = program.variables[id];
            if (variable.name != output.variable || !variable.is_tensor) continue;
            require_graph_form(output.file, variable.name, "",
                               fmt::format("such as -o {0}={0}.mtx", variable.name));
        }
    }
}

void run_program(const ProgramArguments& arguments, const RunOptions& run_options) {
    const std::string text = program::read_text(arguments.program);
    if (Algorithm::is_algorithm(text)) {
        run_algorithm(text, arguments, run_options);
        return;
    }
    refuse_algorithm_options(arguments);
    Run run(run_options, time_limit(arguments, arguments.program));
    const std::vector<Output> outputs = parse_outputs(arguments.outputs);
    ProgramOptions program_options;
    std::vector<OutputFile> files;
    for (const Output& output : outputs) {
        program_options.outputs.push_back(output.variable);
        files.push_back({"-o " + output.variable, output.file});
    }
    // What a stage leaves behind nobody can choose any more: it is refused below.
    if (!outputs.empty() && !program::is_stage_text(text)) {
        require_forms(text, arguments.program, outputs);
    }
    check_outputs(files, run_options.json, run.context());
    require_not_read(files, files_of_inputs(arguments.inputs));
    program_options.wide = arguments.wide;
    program_options.cache = !arguments.no_cache;
    Program program = Program::from_text(text, program_options, arguments.program);
    bind_inputs(program, arguments.inputs);

    bool printed = false;
    tropic::RunOptions options;
    options.seed = run_options.seed;
    options.time_statements = arguments.time;
    if (!run_options.json) {
        options.print = [&](std::string_view text) {
            run.finish_progress();
            print_to_standard_output(text);
            printed = true;
        };
    }
    const RunResult result = program.run(run.context(), options);
    std::vector<std::string> remarks;
    for (const Output& output : outputs) {
        const auto more = write_result(result, output.variable, output.file, run.context());
        remarks.insert(remarks.end(), more.begin(), more.end());
    }
    run.show_files();
    run.finish_progress();
    if (run_options.json) {
        Json json = {{"program", arguments.program},
                     {"printed", result.printed},
                     {"results", describe_results(result)}};
        if (!remarks.empty()) json["remarks"] = remarks;
        if (arguments.explain) json["explanation"] = program.explanation();
        if (arguments.time) json["times"] = times_json(result.times);
        fmt::print("{}\n", dump(json));
        return;
    }
    run.warn(remarks);
    // A program that shows nothing of its own is told of in its stead.
    if (!printed && outputs.empty()) fmt::print("{}", results_text(result));
    for (const std::string& line : program.explanation()) {
        if (arguments.explain) fmt::print(stderr, "  {}\n", line);
    }
    if (arguments.time) fmt::print(stderr, "{}", times_text(result.times));
}

} // namespace

void add_run(CLI::App& program, Shared& shared) {
    auto arguments = std::make_shared<ProgramArguments>();
    CLI::App* command = program.add_subcommand("run", "Run a program on graphs");
    command
        ->add_option("PROGRAM", arguments->program,
                     "A file in Tropic's language, or what compile --emit ga, it or loops gave")
        ->required();
    command
        ->add_option("-i,--input", arguments->inputs,
                     "An input: NAME=GRAPH with the name of a tensor, or the number in "
                     "comet_read(number); without a name, the next input. GRAPH is a file or a "
                     "generator expression")
        ->type_name("[NAME=]GRAPH")
        ->allow_extra_args(false);
    command
        ->add_option("-o,--output", arguments->outputs,
                     "Write a variable's final value; the suffix of the file names the format")
        ->type_name("NAME=FILE")
        ->allow_extra_args(false);
    command
        ->add_option("--set", arguments->settings,
                     "Algorithms: a number, a truth or a vertex, which goes by its id in the file")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option("--function", arguments->function,
                     "Algorithms: the function to run (default: the one with the file's name, "
                     "else main, else the first)")
        ->type_name("NAME");
    command
        ->add_option("--type", arguments->types,
                     "Algorithms: what a type that the text declares stands for")
        ->type_name("NAME=TYPE")
        ->allow_extra_args(false);
    TimeLimit::add_option(*command, arguments->timeout);
    command->add_flag("--check", arguments->check,
                      "Algorithms: compare every index with its range");
    command->add_flag("--time", arguments->time, "Show how long each statement took");
    command->add_flag("--explain", arguments->explain,
                      "Show where the compiled program came from, what was fused and why");
    command->add_flag("--no-cache", arguments->no_cache, "Compile anew and keep nothing");
    command->add_flag("--wide", arguments->wide, "64-bit indices, for 2^31 entries or more");
    shared.run.add_to(*command);
    command->footer(R"(Examples:
  tropic run triangles.tropic -i kron:16        count the triangles of a generated graph
  tropic run product.ta -i 0=a.mtx -i 1=b.mtx -o C=c.mtx
                                                read a.mtx and b.mtx, write variable C
  tropic run pagerank.tropic -i A=web.tg --time --explain
                                                where the time goes, and why it runs as it does
  tropic run bfs.tropic -i web.mtx --set source=3 -o level=levels.mtx --timeout 60
                                                an algorithm, from the vertex that the file calls 3
  SPARSE_FILE_NAME0=a.mtx tropic run spmv.ta    inputs by environment, as COMET has them

What the program prints goes to standard output; --time and --explain to standard error. The first
run of a program compiles it; see tropic cache for where it is kept.)");
    command->callback([arguments, &shared] { run_program(*arguments, shared.run); });
}

} // namespace tropic::cli
