#include "graph/generators/registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "graph/generators/families.h"

namespace tropic::generators {

const std::vector<Generator>& all_generators() {
    static const std::vector<Generator> table = {
        {.name = "kron",
         .make = make_kron,
         .help = {"kron:S[,F][,directed]",
                  "Graph500 Kronecker graph: 2^S vertices, F * 2^S edges (F = 16) drawn with A=.57 "
                  "B=.19 C=.19 D=.05, vertices permuted; self loops are dropped, duplicates merged",
                  "kron:16"},
         .positional = 2,
         .direction = Direction::either},
        {.name = "rmat",
         .make = make_rmat,
         .help = {"rmat:S[,F][,a=A][,b=B][,c=C]",
                  "R-MAT: like kron but directed, with vertices as they come (the busiest first), "
                  "probabilities of your own (the fourth is the rest), and self loops kept; "
                  "duplicates are merged",
                  "rmat:16,8,a=0.5,b=0.2,c=0.2"},
         .positional = 2,
         .keys = {"a", "b", "c"},
         .direction = Direction::directed},
        {.name = "urand",
         .make = make_urand,
         .help = {"urand:S[,F][,directed]",
                  "uniform random graph: 2^S vertices, F * 2^S edges (F = 16) with independent "
                  "ends; self loops are dropped, duplicates merged",
                  "urand:16"},
         .positional = 2,
         .direction = Direction::either},
        {.name = "grid",
         .make = make_grid,
         .help = {"grid:WxH[xD][,torus][,remove=P][,directed]",
                  "box of W times H (times D) vertices, neighbours along the axes joined; torus "
                  "joins opposite sides, remove takes away that share of edges at random",
                  "grid:1000x1000,remove=0.1"},
         .positional = 1,
         .flags = {"torus"},
         .keys = {"remove"},
         .direction = Direction::either},
        {.name = "road",
         .make = make_road,
         .help = {"road:N",
                  "road network of N vertices: planar, connected, of mean degree 2.6 and high "
                  "diameter; weights are lengths unless weights= says otherwise",
                  "road:1M"},
         .positional = 1},
        {.name = "delaunay",
         .make = make_delaunay,
         .help = {"delaunay:N",
                  "Delaunay triangulation of N random points in the unit square (as in the DIMACS "
                  "challenge 10)",
                  "delaunay:2^16"},
         .positional = 1},
        {.name = "rgg",
         .make = make_rgg,
         .help = {"rgg:N[,R]",
                  "random geometric graph: N random points in the unit square, joined where at "
                  "most R apart (R = 0.55 sqrt(ln N / N))",
                  "rgg:2^16"},
         .positional = 2},
        {.name = "butterfly",
         .make = make_butterfly,
         .help = {"butterfly:K",
                  "wrapped butterfly network: K * 2^K vertices of degree 4 (for K = 1 and 2 "
                  "parallel edges collapse)",
                  "butterfly:12"},
         .positional = 1},
        {.name = "ccc",
         .make = make_ccc,
         .help = {"ccc:K",
                  "cube-connected cycles: K * 2^K vertices of degree 3 (for K = 1 and 2 parallel "
                  "edges collapse)",
                  "ccc:12"},
         .positional = 1},
        {.name = "ring",
         .make = make_ring,
         .help = {"ring:N[,directed]", "cycle of N vertices", "ring:1000"},
         .positional = 1,
         .direction = Direction::either},
        {.name = "path",
         .make = make_path,
         .help = {"path:N[,directed]", "N vertices in a line", "path:1000"},
         .positional = 1,
         .direction = Direction::either},
        {.name = "star",
         .make = make_star,
         .help = {"star:N[,directed]", "vertex 0 joined to N - 1 others", "star:1000"},
         .positional = 1,
         .direction = Direction::either},
        {.name = "tree",
         .make = make_tree,
         .help = {"tree:N[,B][,directed]",
                  "balanced tree of N vertices with B children each (B = 2), numbered level by "
                  "level",
                  "tree:1000,3"},
         .positional = 2,
         .direction = Direction::either},
        {.name = "complete",
         .make = make_complete,
         .help = {"complete:N", "N vertices, every pair joined", "complete:100"},
         .positional = 1},
        {.name = "bipartite",
         .make = make_bipartite,
         .help = {"bipartite:NxM[,P][,directed]",
                  "vertices 0 to N-1 joined to the M behind them, every pair or each with "
                  "probability P; directed from the first to the second",
                  "bipartite:1000x500,0.01"},
         .positional = 2,
         .direction = Direction::either},
    };
    return table;
}

const Generator* find_generator(std::string_view name) noexcept {
    for (const Generator& generator : all_generators()) {
        if (generator.name == name) return &generator;
    }
    return nullptr;
}

GeneratedEdges generate_edges(std::string_view expression, const GenerateOptions& options,
                              const Context& context, const Layout& layout) {
    Expression parsed = parse_expression(expression);
    const Generator* generator = find_generator(parsed.name);
    if (generator == nullptr) {
        std::vector<std::string_view> names;
        for (const Generator& known : all_generators()) names.push_back(known.name);
        const std::string_view near = nearest_name(parsed.name, names);
        fail(expression, 1, fmt::format("there is no generator \"{}\"", parsed.name),
             fmt::format("{}", fmt::join(names, ", ")),
             near.empty() ? "kron:16"
                          : fmt::format("{}{}", near, expression.substr(parsed.name.size())));
    }
    return generator->make(Request(*generator, std::move(parsed), options.seed, layout), context);
}

} // namespace tropic::generators
