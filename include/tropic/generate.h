// Seeded graphs: the same expression and seed give the same graph on every machine and with every
// number of threads.
#pragma once

#include "tropic/graph.h"

namespace tropic {

struct GenerateOptions {
    std::uint64_t seed = 1; ///< unless the expression has its own seed=
};

/// True if the text has the form of a generator expression: a known name, a colon, arguments. A
/// file of that very name wins in read_graph.
bool is_generator_expression(std::string_view text);

/// The graph of an expression such as "kron:16", "kron:18,48",
/// "grid:1000x1000,weights=1..255,seed=7". Every generator takes seed=N; weights=LOW..HIGH
/// (uniform: int32, or float64 if written with a decimal point), weights (1..255) or weights=none;
/// and raw (edges as they are generated: duplicates, self loops, one direction). Throws
/// Error(usage) naming the position and what the generator accepts.
Graph generate(std::string_view expression, const GenerateOptions& options = {},
               const Context& context = {});

/// For help texts: every generator with its arguments, meaning and an example.
struct GeneratorHelp {
    std::string_view usage;
    std::string_view meaning;
    std::string_view example;
};
std::span<const GeneratorHelp> generator_help();

} // namespace tropic
