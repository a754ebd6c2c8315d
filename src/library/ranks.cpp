#include "library/families.h"

#include <numeric>

namespace tropic::library {

namespace {

/// What one more round may change: nothing more than the last one did, and rounding.
double slack(const Outcome& o) {
    const double rounding = o.array("rank").type() == ElementType::float32 ? 1e-5 : 1e-12;
    return std::max(o.option("tolerance"), o.result.number("change")) + rounding;
}

Verdict check_pagerank(const Outcome& o, const Context& context) {
    return verify::pagerank(o.graph, o.array("rank"), o.option("damping"), -1, slack(o), context);
}

Verdict check_personalised(const Outcome& o, const Context& context) {
    return verify::pagerank(o.graph, o.array("rank"), o.option("damping"), o.source, slack(o),
                            context);
}

Verdict check_hits(const Outcome& o, const Context& context) {
    // The authorities belong to the hubs of the round before.
    const double change = std::max(o.option("tolerance"), o.result.number("change"));
    return verify::hits(o.graph, o.array("hub"), o.array("authority"), 4 * change + 1e-9, context);
}

Verdict check_katz(const Outcome& o, const Context& context) {
    return verify::katz(o.graph, o.array("centrality"), o.option("alpha"),
                        2 * o.option("tolerance") * static_cast<double>(o.graph.vertices()) + 1e-9,
                        context);
}

Verdict check_exact(const Outcome& o, const Context& context) {
    std::vector<Index> all(static_cast<std::size_t>(o.graph.vertices()));
    std::iota(all.begin(), all.end(), Index{0});
    return verify::betweenness(o.graph, all, 1, o.array("centrality"), context);
}

Verdict check_sampled(const Outcome& o, const Context& context) {
    const Array& source = o.array("source");
    std::vector<Index> sources;
    sources.reserve(static_cast<std::size_t>(source.size()));
    for (Index k = 0; k < source.size(); ++k) sources.push_back(source.index_at(k));
    const double scale = sources.empty() ? 1
                                         : static_cast<double>(o.graph.vertices()) /
                                               static_cast<double>(sources.size());
    return verify::betweenness(o.graph, sources, scale, o.array("centrality"), context);
}

Verdict check_closeness(const Outcome& o, const Context& context) {
    return verify::closeness(o.graph, o.array("centrality"), context);
}

} // namespace

void add_ranks(std::vector<Entry>& entries) {
    entries.push_back(
        {.name = "pagerank",
         .theme = Theme::ranks,
         .summary = "PageRank: where a walker along random edges spends its time",
         .methods = {{.name = "pull",
                      .function = "pagerank",
                      .summary = "every vertex gathers from those that lead to it",
                      .columns = {{"rank", Summary::values}},
                      .verify = check_pagerank,
                      .options = {"damping", "tolerance", "limit"}}},
         .options = {{"damping", "0.85", "how often the walker follows an edge", from_below(0, 1)},
                     {"tolerance", "1e-4", "end when a round changes the ranks by less in all",
                      from(0)},
                     {"limit", "100", "the number of rounds at most", whole_from(1)}},
         .type = "real",
         .ranking = true,
         .examples = "  tropic pagerank web.mtx --top 20\n"
                     "  tropic pagerank web.mtx --tolerance 1e-9 -o ranks.csv\n"});
    entries.push_back(
        {.name = "personalised_pagerank",
         .theme = Theme::ranks,
         .summary = "PageRank as seen from one vertex",
         .methods = {{.name = "pull",
                      .function = "personalised_pagerank",
                      .summary = "jumps lead back to the source",
                      .columns = {{"rank", Summary::values}},
                      .verify = check_personalised,
                      .options = {"damping", "tolerance", "limit"}}},
         .options = {{"damping", "0.85", "how often the walker follows an edge", from(0, 1)},
                     {"tolerance", "1e-6", "end when a round changes the ranks by less in all",
                      from(0)},
                     {"limit", "200", "the number of rounds at most", whole_from(1)}},
         .source = true,
         .ranking = true,
         .examples = "  tropic personalised_pagerank web.mtx --source 17 --top 20\n"});
    entries.push_back(
        {.name = "hits",
         .theme = Theme::ranks,
         .summary = "Hubs and authorities",
         .methods = {{.name = "power",
                      .function = "hits",
                      .summary = "hubs and authorities in turn",
                      .columns = {{"hub", Summary::values}, {"authority", Summary::values}},
                      .verify = check_hits,
                      .options = {"tolerance", "limit"}}},
         .options = {{"tolerance", "1e-6", "end when a round changes the hubs by less in all",
                      from(0)},
                     {"limit", "200", "the number of rounds at most", whole_from(1)}},
         .ranking = true,
         .examples = "  tropic hits web.mtx --top 20\n"});
    entries.push_back(
        {.name = "katz",
         .theme = Theme::ranks,
         .summary = "Katz centrality: all walks that end in a vertex, long ones for less",
         .methods = {{.name = "rounds",
                      .function = "katz",
                      .summary = "walks one edge longer in every round",
                      .columns = {{"centrality", Summary::values}},
                      .verify = check_katz,
                      .options = {"alpha", "beta", "tolerance", "limit"}}},
         .options = {{"alpha", "0",
                      "what an edge of a walk costs (0: 0.85 over the largest in-degree)", from(0)},
                     {"beta", "1", "what every vertex has to begin with", above(0)},
                     {"tolerance", "1e-9", "end when a round changes a vertex by less, on average",
                      from(0)},
                     {"limit", "1000", "the number of rounds at most", whole_from(1)}},
         .ranking = true,
         .examples = "  tropic katz web.mtx --alpha 0.01 --top 20\n"});
    entries.push_back(
        {.name = "betweenness",
         .theme = Theme::ranks,
         .summary = "Betweenness centrality: shortest paths that pass through a vertex",
         .methods = {{.name = "exact",
                      .function = "exact",
                      .summary = "paths from every vertex",
                      .columns = {{"centrality", Summary::values}},
                      .verify = check_exact},
                     {.name = "sampled",
                      .function = "sampled",
                      .summary = "paths from some random vertices, scaled up",
                      .columns = {{"centrality", Summary::values}},
                      .verify = check_sampled,
                      .options = {"samples", "seed"}}},
         .options = {{"samples", "4", "sampled: how many vertices to start from", whole_from(1)},
                     {"seed", "1", "sampled: of the choice"}},
         .ranking = true,
         .examples = "  tropic betweenness karate.graph --top 5\n"
                     "  tropic betweenness web.mtx --method sampled --samples 64\n"});
    entries.push_back({.name = "closeness",
                       .theme = Theme::ranks,
                       .summary = "Closeness: how near a vertex is to all that reach it",
                       .methods = {{.name = "lanes",
                                    .function = "closeness",
                                    .summary = "sixteen searches at once",
                                    .columns = {{"centrality", Summary::values}},
                                    .verify = check_closeness}},
                       .ranking = true,
                       .examples = "  tropic closeness karate.graph --top 5\n"});
}

} // namespace tropic::library
