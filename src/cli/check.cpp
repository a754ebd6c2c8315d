// tropic check: whether a program makes sense, without running it.
#include <algorithm>

#include <fmt/format.h>

#include "cli/algorithm_run.h"
#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/program_file.h"
#include "language/algorithm/check.h"
#include "language/check.h"
#include "program/stage_text.h"

namespace tropic::cli {

namespace {

struct CheckArguments {
    std::string program;
    std::string emit;
    language::CheckOptions options;
};

Json describe(const language::Program& program) {
    Json variables = Json::array();
    for (const language::Variable& variable : program.variables) {
        Json json = {{"name", variable.name}, {"type", name_of(variable.element)}};
        if (variable.is_tensor) {
            json["shape"] = Json::array();
            for (const Index size : variable.shape) { // null: known when the program runs
                json["shape"].push_back(size < 0 ? Json() : Json(size));
            }
            if (variable.format) json["storage"] = variable.format->name();
        }
        variables.push_back(std::move(json));
    }
    return {{"program", program.file}, {"ok", true}, {"variables", variables}};
}

void check_algorithm(const std::string& text, const CheckArguments& arguments, bool json) {
    const auto remarks = language::algorithm::check_text(text, arguments.program);
    const Algorithm algorithm = Algorithm::from_text(text, {}, arguments.program);
    for (const std::string& wanted : arguments.options.outputs) {
        if (std::ranges::none_of(algorithm.results(),
                                 [&](const auto& result) { return result.name == wanted; })) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} has no result {}", algorithm.name(), wanted));
        }
    }
    if (!arguments.emit.empty()) {
        fmt::print("{}", algorithm.show(AlgorithmStage::syntax_tree));
        return;
    }
    if (json) {
        Json described = cli::describe(algorithm, arguments.program);
        if (!remarks.empty()) described["remarks"] = remarks;
        fmt::print("{}\n", dump(described));
        return;
    }
    for (const std::string& remark : remarks) fmt::print(stderr, "warning: {}\n", remark);
    fmt::print("{}: ok\n", arguments.program);
}

void run_check(const CheckArguments& arguments, bool json) {
    const std::string text = read_program(arguments.program);
    if (program::is_stage_text(text)) {
        throw Error({.code = ErrorCode::usage,
                     .message = "this is the text of a stage, and no program to check",
                     .file = arguments.program,
                     .hint = "tropic run and tropic compile read it, and say what is wrong"});
    }
    if (Algorithm::is_algorithm(text)) {
        check_algorithm(text, arguments, json);
        return;
    }
    if (!arguments.emit.empty()) {
        fmt::print("{}", language::print_tree(text, arguments.program));
        return;
    }
    const language::Program program =
        language::check_program(text, arguments.program, arguments.options);
    if (json) fmt::print("{}\n", dump(describe(program)));
    else fmt::print("{}: ok\n", arguments.program);
}

} // namespace

void add_check(CLI::App& program, Shared& shared) {
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App* command = program.add_subcommand("check", "Find the mistakes in a program");
    command->add_option("PROGRAM", arguments->program, "A .tropic or .ta file")->required();
    command->add_option("--output", arguments->options.outputs, "Variables it must have")
        ->type_name("NAME");
    command->add_option("--emit", arguments->emit, "Show the program as a syntax tree instead")
        ->check(CLI::IsMember({"ast"}).description(""))
        ->type_name("ast");
    command->add_flag("--json", shared.run.json, "Print the result as JSON");
    command->footer(R"(Examples:
  tropic check triangles.tropic               says "ok", or everything that is wrong
  tropic check triangles.tropic --json        the same for an editor or a program
  tropic check triangles.tropic --emit ast    how the program was understood)");
    command->callback([arguments, &shared] { run_check(*arguments, shared.run.json); });
}

} // namespace tropic::cli
