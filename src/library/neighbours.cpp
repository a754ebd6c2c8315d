#include "library/families.h"

#include <algorithm>

namespace tropic::library {

namespace {

Verdict check_triangles(const Outcome& o, const Context& context) {
    return verify::triangles(o.graph, o.result.integer("triangles"), context);
}

Verdict check_clustering(const Outcome& o, const Context& context) {
    const Array& coefficient = o.array("coefficient");
    double sum = 0;
    for (Index v = 0; v < coefficient.size(); ++v) sum += coefficient.value_at(v);
    const double mean = coefficient.empty() ? 0 : sum / static_cast<double>(coefficient.size());
    return with_number(verify::clustering(o.graph, coefficient, context), o, "mean", mean, 1e-9);
}

Verdict check_cores(const Outcome& o, const Context& context) {
    const Index degeneracy = std::max<Index>(0, largest_of(o, "core"));
    return with_number(verify::core_numbers(o.graph, o.array("core"), context), o, "degeneracy",
                       static_cast<double>(degeneracy));
}

Verdict check_truss(const Outcome& o, const Context& context) {
    return with_number(
        verify::truss(o.graph, static_cast<int>(o.option("k")), o.array("support"), context), o,
        "edges_left", static_cast<double>(count_set(o, "support")) / 2);
}

Verdict check_jaccard(const Outcome& o, const Context& context) {
    return verify::jaccard(o.graph, o.array("similarity"), context);
}

Method triangle_method(std::string_view name, std::string_view summary) {
    return {.name = name,
            .function = name,
            .summary = summary,
            .columns = {},
            .verify = check_triangles};
}

} // namespace

void add_neighbours(std::vector<Entry>& entries) {
    entries.push_back(
        {.name = "triangles",
         .theme = Theme::neighbours,
         .summary = "The number of triangles",
         .methods = {triangle_method(
                         "fastest",
                         "rows compared, or edges that lead one way, as degrees suggest"),
                     triangle_method("burkhardt", "sum(A A .* A) / 6"),
                     triangle_method("cohen", "sum(L U .* A) / 2"),
                     triangle_method("sandia_ll", "sum(L L .* L)"),
                     triangle_method("sandia_uu", "sum(U U .* U)")},
         .shape = Shape::simple,
         .examples = "  tropic triangles kron:16\n"
                     "  tropic triangles web.mtx --method cohen --verify\n"});
    entries.push_back(
        {.name = "clustering",
         .theme = Theme::neighbours,
         .summary = "Local clustering coefficient: how many neighbours are neighbours",
         .methods = {{.name = "marks",
                      .function = "clustering",
                      .summary = "neighbours marked, vertex by vertex",
                      .columns = {{"coefficient", Summary::values}},
                      .verify = check_clustering}},
         .shape = Shape::simple,
         .examples = "  tropic clustering karate.graph -o clustering.csv\n"});
    entries.push_back({.name = "k_core",
                       .theme = Theme::neighbours,
                       .summary = "Core numbers: how dense a part of the graph a vertex is in",
                       .methods = {{.name = "peeling",
                                    .function = "k_core",
                                    .summary = "vertices taken away in the order of their degrees",
                                    .columns = {{"core", Summary::values}},
                                    .verify = check_cores}},
                       .shape = Shape::simple,
                       .ranking = true,
                       .examples = "  tropic k_core web.mtx --top 20\n"});
    entries.push_back({.name = "k_truss",
                       .theme = Theme::neighbours,
                       .summary = "The k-truss: edges that all close at least k - 2 triangles",
                       .methods = {{.name = "rounds",
                                    .function = "k_truss",
                                    .summary = "weak edges dropped round by round",
                                    .columns = {{"support", Summary::levels}},
                                    .verify = check_truss,
                                    .options = {"k"}}},
                       .options = {{"k", "3", "which truss", whole_from(2)}},
                       .shape = Shape::simple,
                       .examples = "  tropic k_truss karate.graph --k 4 -o truss.csv\n"});
    entries.push_back({.name = "jaccard",
                       .theme = Theme::neighbours,
                       .summary = "Similarity of the two ends of every edge",
                       .methods = {{.name = "marks",
                                    .function = "jaccard",
                                    .summary = "common neighbours over all neighbours",
                                    .columns = {{"similarity", Summary::values}},
                                    .verify = check_jaccard}},
                       .shape = Shape::simple,
                       .ranking = true,
                       .examples = "  tropic jaccard karate.graph --top 10\n"});
}

} // namespace tropic::library
