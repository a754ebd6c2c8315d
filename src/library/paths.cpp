#include "library/families.h"
#include "verify/searches.h"

namespace tropic::library {

namespace {

Verdict check_levels(const Outcome& o, const Context& context) {
    return verify::bfs_levels(o.graph, o.source, o.array("level"), context);
}

Verdict check_parents(const Outcome& o, const Context& context) {
    return verify::bfs_parents(o.graph, o.source, o.array("parent"), context);
}

Verdict check_reached(const Outcome& o, const Context& context) {
    return verify::reachability(o.graph, o.source, o.array("reached"), context);
}

Verdict check_paths(const Outcome& o, const Context& context) {
    Verdict verdict = verify::path_counts(o.graph, o.source, o.array("paths"), context);
    if (verdict.correct()) {
        verdict.complaint =
            verify::bfs_levels(o.graph, o.source, o.array("level"), context).complaint;
    }
    return verdict;
}

Verdict check_distances(const Outcome& o, const Context& context) {
    return verify::shortest_paths(o.graph, o.source, o.array("dist"), context);
}

Verdict check_table(const Outcome& o, const Context& context) {
    return verify::all_shortest_paths(o.graph, o.array("D"), context);
}

Verdict check_order(const Outcome& o, const Context& context) {
    Verdict verdict = verify::topological_order(o.graph, o.array("position"), context);
    if (verdict.correct()) {
        verdict.complaint =
            verify::longest_path_complaint(o.graph, o.array("position"), o.array("level"), context);
    }
    return verdict;
}

Verdict check_forest(const Outcome& o, const Context& context) {
    const Index trees = o.graph.vertices() - count_set(o, "from");
    return with_number(verify::spanning_forest(o.graph, o.array("from"), o.array("to"),
                                               o.result.number("total"), context),
                       o, "trees", static_cast<double>(trees));
}

} // namespace

void add_paths(std::vector<Entry>& entries) {
    entries.push_back(
        {.name = "bfs",
         .theme = Theme::paths,
         .summary = "Breadth-first search: how far everything is from a vertex, in edges",
         .methods = {{.name = "levels",
                      .function = "levels",
                      .summary = "the number of edges to every vertex",
                      .columns = {{"level", Summary::levels}},
                      .verify = check_levels},
                     {.name = "parents",
                      .function = "parents",
                      .summary = "the vertex before each one on a shortest path",
                      .columns = {{"parent", Summary::vertices}},
                      .verify = check_parents},
                     {.name = "reachability",
                      .function = "reachability",
                      .summary = "whether there is a path at all",
                      .columns = {{"reached", Summary::truths}},
                      .verify = check_reached},
                     {.name = "path_counts",
                      .function = "path_counts",
                      .summary = "how many shortest paths there are",
                      .columns = {{"paths", Summary::values}, {"level", Summary::levels}},
                      .verify = check_paths,
                      .options = {"exact"}}},
         .options = {{"exact", "true",
                      "path_counts: refuse to count 2^53 paths or more, instead of rounding",
                      truth()}},
         .source = true,
         .examples = "  tropic bfs web.mtx --source 17            levels from vertex 17\n"
                     "  tropic bfs kron:16 --source 0 --method parents -o tree.csv\n"});
    entries.push_back(
        {.name = "sssp",
         .theme = Theme::paths,
         .summary = "Shortest paths from a vertex, by the sum of edge values",
         .methods = {{.name = "delta_stepping",
                      .function = "delta_stepping",
                      .summary = "in the order of distances; values of at least 0",
                      .columns = {{"dist", Summary::distances}},
                      .verify = check_distances,
                      .options = {"delta"}},
                     {.name = "bellman_ford",
                      .function = "bellman_ford",
                      .summary = "round by round; values may be negative",
                      .columns = {{"dist", Summary::distances}},
                      .verify = check_distances,
                      .negative = true}},
         .options = {{"delta", "0", "delta_stepping: the width of a step (0: by the edge values)",
                      from(0)}},
         .source = true,
         .type = "weight",
         .value_type = true,
         .examples = "  tropic sssp roads.gr --source 1 -o distances.csv\n"
                     "  tropic sssp grid:100x100,weights=1..9 --source 0 --verify\n"});
    entries.push_back(
        {.name = "apsp",
         .theme = Theme::paths,
         .summary = "Shortest paths between all pairs of vertices",
         .methods = {{.name = "by_source",
                      .function = "by_source",
                      .summary = "a search from every vertex; values of at least 0",
                      .columns = {{"D", Summary::distances}},
                      .verify = check_table},
                     {.name = "floyd_warshall",
                      .function = "floyd_warshall",
                      .summary = "every pair by way of every vertex; values may be negative",
                      .columns = {{"D", Summary::distances}},
                      .verify = check_table,
                      .negative = true}},
         .type = "weight",
         .examples = "  tropic apsp city.wel -o distances.csv\n"});
    entries.push_back(
        {.name = "topological_sort",
         .theme = Theme::paths,
         .summary = "An order in which every edge leads forwards",
         .methods = {{.name = "kahn",
                      .function = "topological_sort",
                      .summary = "level by level",
                      .columns = {{"position", Summary::values}, {"level", Summary::levels}},
                      .verify = check_order}},
         .directed = true,
         .examples = "  tropic topological_sort tasks.el -o order.csv\n"});
    entries.push_back(
        {.name = "spanning_tree",
         .theme = Theme::paths,
         .summary = "Minimum spanning tree: the cheapest edges that join everything",
         .methods = {{.name = "boruvka",
                      .function = "boruvka",
                      .summary = "all trees grow at once",
                      .columns = {{"from", Summary::vertices}, {"to", Summary::vertices}},
                      .verify = check_forest,
                      .negative = true},
                     {.name = "prim",
                      .function = "prim",
                      .summary = "Prim's as algebra: vertex by vertex, in quadratic time",
                      .columns = {{"from", Summary::vertices}, {"to", Summary::vertices}},
                      .verify = check_forest,
                      .negative = true}},
         .shape = Shape::undirected,
         .type = "weight",
         .finite = true,
         .examples = "  tropic spanning_tree grid:100x100,weights=1..255 --verify\n"});
}

} // namespace tropic::library
