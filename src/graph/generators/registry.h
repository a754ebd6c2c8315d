// The table of all generators: name, help, what each accepts, and the function that makes it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph/generators/edge_list.h"
#include "tropic/generate.h"

namespace tropic::generators {

/// Which way the edges of a family can point.
enum class Direction : std::uint8_t {
    undirected, ///< always
    either,     ///< undirected unless `directed` is given
    directed,   ///< always
};

struct Generator {
    std::string_view name;
    GeneratedEdges (*make)(const Request& request, const Context& context);
    GeneratorHelp help;
    std::size_t positional;                   ///< arguments by position, at most
    std::vector<std::string_view> flags = {}; ///< beyond those all have
    std::vector<std::string_view> keys = {};  ///< beyond those all have
    Direction direction = Direction::undirected;
};

const std::vector<Generator>& all_generators();

/// The generator of that name, or nullptr.
const Generator* find_generator(std::string_view name) noexcept;

/// The edges of an expression, before they are built into a graph.
GeneratedEdges generate_edges(std::string_view expression, const GenerateOptions& options,
                              const Context& context, const Layout& layout = {});

} // namespace tropic::generators
