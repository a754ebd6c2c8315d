// Programs: text in Tropic's language, compiled for this machine, run on graphs and tensors.
//
//     Program program = Program::from_text("def main() { ... }");
//     program.bind("A", "kron:16");
//     RunResult result = program.run();
//     const Tensor& c = result.tensor("C");
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tropic/context.h"
#include "tropic/error.h"
#include "tropic/graph.h"
#include "tropic/tensor.h"

namespace tropic {

struct ProgramOptions {
    /// Variables whose final values are wanted. Empty: those that are assigned but never used.
    /// What is not wanted may be computed without ever being stored.
    std::vector<std::string> outputs = {};

    /// 64-bit coordinates and positions: for tensors with 2^31 entries or more.
    bool wide = false;

    /// Compiled programs are kept and found again: in `cache_directory`, or, if that is empty, in
    /// $TROPIC_CACHE_DIR, $XDG_CACHE_HOME/tropic or ~/.cache/tropic.
    bool cache = true;
    std::string cache_directory = {};
};

struct RunOptions {
    std::uint64_t seed = 1; ///< of random tensors, and of generator expressions without one

    /// Takes what the program prints, as it prints it; none: RunResult::printed collects it.
    std::function<void(std::string_view)> print = {};

    bool time_statements = false; ///< fills RunResult::times
};

/// How long a statement took, in all its runs.
struct StatementTime {
    std::string place; ///< "line 4, column 3"
    std::string text;
    double seconds = 0;
    Index runs = 0;
};

/// The final values of the variables that were wanted.
struct RunResult {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, double> numbers;        ///< scalars of every type
    std::map<std::string, std::int64_t> integers; ///< scalars of integer types, exactly

    std::string printed;
    std::vector<StatementTime> times; ///< in the order in which statements first ran

    /// The value of that name; throws Error(not_found) naming those there are.
    const Tensor& tensor(const std::string& name) const;
    double number(const std::string& name) const;
    std::int64_t integer(const std::string& name) const;
};

/// The forms a program takes on its way to the machine.
enum class ProgramStage : std::uint8_t { syntax_tree, algebra, index_trees, loops, llvm, assembly };

/// A checked program with what is bound to its inputs. It is compiled, or found in the cache, when
/// first run. Not to be used from several threads at once.
class Program {
  public:
    /// Throws Error with everything that is wrong with the text; `name` is used in messages.
    static Program from_text(std::string text, ProgramOptions options = {},
                             std::string name = "program");
    static Program from_file(const std::string& path, ProgramOptions options = {});

    ~Program();
    Program(Program&&) noexcept;
    Program& operator=(Program&&) noexcept;

    /// What the program reads, in the order it does: "0", "1" for comet_read(0), comet_read(1); the
    /// names of tensors that are used but never assigned.
    const std::vector<std::string>& inputs() const noexcept;

    /// Where the text reads that input: a diagnostic with a place and no message.
    Diagnostic place_of_input(const std::string& input) const;

    /// Binds an input without copying; a path or generator expression is read when the program
    /// runs. Throws Error(usage) if the program has no such input.
    Program& bind(const std::string& input, Tensor tensor);
    Program& bind(const std::string& input, const Graph& graph);
    Program& bind(const std::string& input, const std::string& path_or_expression);
    Program& bind(const std::string& input, const char* path_or_expression);

    /// Compiles the program or finds it in the cache, if that has not happened yet.
    void compile();

    /// Runs the program. Throws Error(not_found) if an input is not bound, and what goes wrong on
    /// the way.
    RunResult run(const Context& context = {}, const RunOptions& options = {});

    /// Where the compiled program came from, what was fused and chosen and why: a line each. Empty
    /// before `compile`.
    const std::vector<std::string>& explanation() const noexcept;

    /// The text of a stage.
    std::string show(ProgramStage stage) const;

    /// Writes the compiled program as a shared object.
    void write_shared_object(const std::string& path) const;

  private:
    struct State;
    explicit Program(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace tropic
