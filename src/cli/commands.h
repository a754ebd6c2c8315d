// One function for each command: adds it to the program and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace tropic::cli {

/// What every command shares with `main`: whether errors are wanted as JSON.
struct Shared {
    RunOptions run;
};

void add_info(CLI::App& program, Shared& shared);
void add_convert(CLI::App& program, Shared& shared);
void add_generate(CLI::App& program, Shared& shared);
void add_partition(CLI::App& program, Shared& shared);
void add_check(CLI::App& program, Shared& shared);
void add_run(CLI::App& program, Shared& shared);
void add_compile(CLI::App& program, Shared& shared);
void add_cache(CLI::App& program, Shared& shared);
void add_spgemm(CLI::App& program, Shared& shared);
void add_graph500(CLI::App& program, Shared& shared);
void add_report(CLI::App& program, Shared& shared);
void add_machines(CLI::App& program);
/// One for each algorithm of the library; options only for the one that `word` names.
void add_algorithms(CLI::App& program, Shared& shared, std::string_view word);
void add_formats(CLI::App& program);
void add_generators(CLI::App& program);

} // namespace tropic::cli
