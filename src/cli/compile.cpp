// tropic compile: what becomes of a program on its way to the machine.
#include <fmt/format.h>

#include "cli/commands.h"
#include "graph/files/byte_sink.h"
#include "program/compiled_code.h"
#include "program/program_text.h"
#include "tropic/algorithm.h"
#include "tropic/program.h"

namespace tropic::cli {

namespace {

struct CompileArguments {
    std::string program;
    std::string emit = "so";
    std::string output;
    std::vector<std::string> results;
    std::string function;
    bool wide = false;
};

const std::map<std::string, ProgramStage>& stages() {
    static const std::map<std::string, ProgramStage> names = {
        {"ast", ProgramStage::syntax_tree}, {"ga", ProgramStage::algebra},
        {"it", ProgramStage::index_trees},  {"loops", ProgramStage::loops},
        {"llvm", ProgramStage::llvm},       {"asm", ProgramStage::assembly},
    };
    return names;
}

const std::map<std::string, AlgorithmStage>& algorithm_stages() {
    static const std::map<std::string, AlgorithmStage> names = {
        {"ast", AlgorithmStage::syntax_tree},
        {"algorithm", AlgorithmStage::algorithm},
        {"llvm", AlgorithmStage::llvm},
        {"asm", AlgorithmStage::assembly},
    };
    return names;
}

void write_text(const std::string& text, const std::string& path) {
    if (path.empty() || path == "-") {
        fmt::print("{}", text);
        return;
    }
    const auto file = create_file(path, true, Context({.cancelled = interrupted()}));
    file->write(text);
    file->commit();
}

/// Waiting for the other end of a pipe is given up here, where an interrupt is seen.
template <class Compiled> void write_object(const Compiled& compiled, const std::string& path) {
    program::write_through(path, Context({.cancelled = interrupted()}),
                           [&](const std::string& aside) { compiled.write_shared_object(aside); });
}

/// triangles.tropic becomes triangles.so, beside where the user stands.
std::string object_beside(const std::string& program) {
    const std::string name = program.substr(program.rfind('/') + 1);
    return name.substr(0, name.rfind('.')) + ".so";
}

[[noreturn]] void refuse_stage(const std::string& stage, const char* kind, const char* accepted) {
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("{} has no stage '{}'", kind, stage),
                 .accepted = accepted});
}

void compile_algorithm(const std::string& text, const CompileArguments& arguments) {
    AlgorithmOptions options;
    options.wide = arguments.wide;
    options.function = arguments.function;
    const Algorithm algorithm = Algorithm::from_text(text, options, arguments.program);
    if (const auto stage = algorithm_stages().find(arguments.emit);
        stage != algorithm_stages().end()) {
        write_text(algorithm.show(stage->second), arguments.output);
    } else if (arguments.emit == "so") {
        write_object(algorithm, arguments.output.empty() ? object_beside(arguments.program)
                                                         : arguments.output);
    } else {
        refuse_stage(arguments.emit, "an algorithm", "ast, algorithm, llvm, asm, so");
    }
}

void run_compile(const CompileArguments& arguments) {
    const std::string text = program::read_text(arguments.program);
    if (Algorithm::is_algorithm(text)) {
        compile_algorithm(text, arguments);
        return;
    }
    if (arguments.emit == "algorithm") {
        refuse_stage(arguments.emit, "a program of tensors", "ast, ga, it, loops, llvm, asm, so");
    }
    ProgramOptions options;
    options.outputs = arguments.results;
    options.wide = arguments.wide;
    const Program program = Program::from_text(text, options, arguments.program);
    if (const auto stage = stages().find(arguments.emit); stage != stages().end()) {
        write_text(program.show(stage->second), arguments.output);
        return;
    }
    const std::string output =
        arguments.output.empty() ? object_beside(arguments.program) : arguments.output;
    write_object(program, output);
    // Who did not name the file wants to know its name.
    if (arguments.output.empty()) fmt::print("{}\n", output);
}

} // namespace

void add_compile(CLI::App& program, Shared&) {
    auto arguments = std::make_shared<CompileArguments>();
    CLI::App* command = program.add_subcommand(
        "compile", "Show what becomes of a program, or compile it to a file");
    command
        ->add_option("PROGRAM", arguments->program,
                     "A file in Tropic's language, or what compile --emit ga, it or loops gave")
        ->required();
    command
        ->add_option("--emit", arguments->emit,
                     "ast: the syntax tree; ga: graph algebra; it: index trees, one for each "
                     "kernel; loops; algorithm: loops over members and edges; llvm; asm: "
                     "assembly; so: a shared object")
        ->check(CLI::IsMember({"ast", "ga", "it", "loops", "algorithm", "llvm", "asm", "so"})
                    .description(""))
        ->type_name("ast|ga|it|loops|algorithm|llvm|asm|so");
    command->add_option("-o,--output", arguments->output,
                        "The file to write; texts go to standard output otherwise");
    command
        ->add_option("--result", arguments->results,
                     "A variable whose final value is wanted; otherwise those that are assigned "
                     "but never used")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command->add_option("--function", arguments->function, "Algorithms: the function to compile")
        ->type_name("NAME");
    command->add_flag("--wide", arguments->wide, "64-bit indices, for 2^31 entries or more");
    command->footer(R"(Examples:
  tropic compile triangles.tropic --emit ga      the program as operations on whole tensors
  tropic compile triangles.tropic --emit it      its kernels after fusion
  tropic compile bfs.tropic --emit algorithm     an algorithm as loops over members and edges
  tropic compile triangles.tropic --emit asm -o triangles.s
  tropic compile triangles.ga --emit it          on from a stage that was written to a file
  tropic compile triangles.tropic                triangles.so, for this machine

TROPIC_PROCESSOR=x86-64, x86-64-v2, x86-64-v3 or x86-64-v4 in the environment compiles for such a
processor instead of this machine's, here and wherever a program is run.)");
    command->callback([arguments] { run_compile(*arguments); });
}

} // namespace tropic::cli
