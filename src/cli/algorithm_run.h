// Algorithms from files on the command line: run, checked, shown.
#pragma once

#include <string>
#include <vector>

#include "cli/json_output.h"
#include "cli/options.h"
#include "tropic/algorithm.h"

namespace tropic::cli {

/// What `tropic run` was told.
struct ProgramArguments {
    std::string program;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> settings;
    std::vector<std::string> types;
    std::string function;
    double timeout = 0;
    bool check = false;
    bool time = false;
    bool explain = false;
    bool no_cache = false;
    bool wide = false;
};

/// A program of one's own may be at fault where it takes too long.
TimeLimit time_limit(const ProgramArguments& arguments, std::string what);

/// What [NAME=]GRAPH may mean: the word itself, and what is behind its name.
std::vector<std::string> files_of_inputs(const std::vector<std::string>& words);

/// NAME=VALUE; throws Error(usage) saying what the option accepts.
struct NamedWord {
    std::string name;
    std::string word;
};
NamedWord parse_named(const std::string& text, const char* option, const char* accepted,
                      const char* hint);

void run_algorithm(const std::string& text, const ProgramArguments& arguments,
                   const RunOptions& run_options);

/// For `tropic check --json`.
Json describe(const Algorithm& algorithm, const std::string& file);

/// The choices between pushing and pulling, round by round.
std::string rounds_text(const std::vector<AlgorithmRound>& rounds);
Json rounds_json(const std::vector<AlgorithmRound>& rounds);

/// How long statements took, for people and for programs.
std::string times_text(const std::vector<StatementTime>& times);
Json times_json(const std::vector<StatementTime>& times);

} // namespace tropic::cli
