// Commands that only teach: the formats and the generators.
#include <fmt/format.h>

#include "cli/commands.h"

namespace tropic::cli {

namespace {

struct FormatHelp {
    std::string_view name;
    std::string_view suffixes;
    std::string_view meaning;
};

constexpr FormatHelp format_help[] = {
    {"mtx", ".mtx", "Matrix Market: coordinate and array; real, integer, pattern"},
    {"el", ".el .wel .txt .csv .tsv .snap .edges",
     "edge lists (SNAP, CSV, TSV, GAP), with or without weights"},
    {"metis", ".graph .metis .mgraph", "METIS adjacency lists, all weight codes"},
    {"dimacs", ".gr .dimacs", "DIMACS shortest paths (p sp), PACE (p tw), p edge"},
    {"gset", ".gset .rud", "Gset: vertices, edges, then one weighted edge a line"},
    {"gap", ".sg .wsg", "GAP serialized graphs (binary)"},
    {"tns", ".tns", "FROSTT tensors of any rank"},
    {"tg", ".tg", "Tropic's binary format: checksummed, memory-mapped"},
};

} // namespace

void add_formats(CLI::App& program) {
    CLI::App* command = program.add_subcommand("formats", "The file formats read and written");
    command->callback([] {
        for (const FormatHelp& help : format_help) {
            fmt::print("  {:<8}{:<38}{}\n", help.name, help.suffixes, help.meaning);
        }
        fmt::print("\nFormats are recognised by content; the suffix only decides where content is "
                   "ambiguous.\nText formats may be compressed: .gz, .xz, .zst.\n");
    });
}

void add_generators(CLI::App& program) {
    CLI::App* command =
        program.add_subcommand("generators", "Expressions that stand for generated graphs");
    command->callback([] {
        for (const GeneratorHelp& help : generator_help()) {
            fmt::print("  {}\n      {}\n      e.g. {}\n", help.usage, help.meaning, help.example);
        }
        fmt::print(R"(
Options of every generator:
  seed=N              the graph of another seed (default: that of --seed, or 1)
  weights             whole weights, uniform from 1 to 255
  weights=LOW..HIGH   others; with a decimal point reals, such as weights=0.0..1.0
  weights=none        none, where a generator gives weights by itself
  raw                 edges as they were drawn: in one direction, loops and duplicates kept

An expression is accepted wherever a graph file is: tropic info kron:16,8,seed=7,weights
)");
    });
}

} // namespace tropic::cli
