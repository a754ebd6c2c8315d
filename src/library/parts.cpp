#include "library/families.h"

namespace tropic::library {

namespace {

Verdict check_components(const Outcome& o, const Context& context) {
    return verify::components(o.graph, o.array("component"), context);
}

Verdict check_strong(const Outcome& o, const Context& context) {
    return verify::strong_components(o.graph, o.array("component"), context);
}

Verdict check_labels(const Outcome& o, const Context& context) {
    return verify::label_propagation(o.graph, static_cast<int>(o.option("limit")),
                                     o.graph.kind != EdgeKind::undirected, o.array("label"),
                                     context);
}

Verdict check_communities(const Outcome& o, const Context& context) {
    return verify::communities(o.graph, o.array("community"), o.result.number("modularity"),
                               context);
}

} // namespace

void add_parts(std::vector<Entry>& entries) {
    entries.push_back({.name = "components",
                       .theme = Theme::parts,
                       .summary = "Connected components, whatever the direction of edges",
                       .methods = {{.name = "afforest",
                                    .function = "components",
                                    .summary = "linked trees, most edges never looked at",
                                    .columns = {{"component", Summary::labels}},
                                    .verify = check_components,
                                    .undirected = "undirected"},
                                   {.name = "label_minimum",
                                    .function = "label_minimum",
                                    .summary = "least labels spread round by round",
                                    .columns = {{"component", Summary::labels}},
                                    .verify = check_components}},
                       .examples = "  tropic components web.mtx\n"
                                   "  tropic components web.mtx -o parts.csv --verify\n"});
    entries.push_back({.name = "strong_components",
                       .theme = Theme::parts,
                       .summary = "Strongly connected components: vertices that reach each other",
                       .methods = {{.name = "colours",
                                    .function = "strong_components",
                                    .summary = "forward and backward from a pivot, then by colour",
                                    .columns = {{"component", Summary::labels}},
                                    .verify = check_strong}},
                       .examples = "  tropic strong_components wiki-Vote.txt\n"});
    entries.push_back(
        {.name = "label_propagation",
         .theme = Theme::parts,
         .summary = "Communities by label propagation (CDLP)",
         .methods = {{.name = "votes",
                      .function = "label_propagation",
                      .summary = "neighbours vote; in a directed graph along both directions",
                      .columns = {{"label", Summary::labels}},
                      .verify = check_labels,
                      .options = {"limit"},
                      .undirected = "undirected"}},
         .options = {{"limit", "10", "the number of rounds at most", whole_from(0)}},
         .examples = "  tropic label_propagation karate.graph --limit 20\n"});
    entries.push_back(
        {.name = "louvain",
         .theme = Theme::parts,
         .summary = "Communities of large modularity, by the Louvain method",
         .methods = {{.name = "levels",
                      .function = "louvain",
                      .summary = "vertices move, then whole communities, level by level",
                      .columns = {{"community", Summary::labels}},
                      .verify = check_communities,
                      .options = {"tolerance"}}},
         .options = {{"tolerance", "1e-6",
                      "what a sweep must gain in modularity for another to follow",
                      from_below(0, 1)}},
         .shape = Shape::undirected,
         .weights = true,
         .examples = "  tropic louvain karate.graph --verify\n"
                     "  tropic louvain web.mtx -o communities.csv\n"});
}

} // namespace tropic::library
