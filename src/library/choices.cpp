#include "library/families.h"

namespace tropic::library {

namespace {

Verdict check_set(const Outcome& o, const Context& context) {
    const Array& member = o.array("member");
    Index members = 0;
    for (Index v = 0; v < member.size(); ++v) members += member.value_at(v) != 0 ? 1 : 0;
    return with_number(verify::independent_set(o.graph, member, context), o, "members",
                       static_cast<double>(members));
}

Verdict check_colours(const Outcome& o, const Context& context) {
    return with_number(verify::colouring(o.graph, o.array("colour"), context), o, "colours",
                       static_cast<double>(largest_of(o, "colour") + 1));
}

Verdict check_matching(const Outcome& o, const Context& context) {
    return with_number(verify::matching(o.graph, o.array("partner"), context), o, "pairs",
                       static_cast<double>(count_set(o, "partner")) / 2);
}

const Option seed_option = {"seed", "1", "of the random numbers"};

} // namespace

void add_choices(std::vector<Entry>& entries) {
    entries.push_back({.name = "independent_set",
                       .theme = Theme::choices,
                       .summary = "A maximal independent set: no two members are neighbours",
                       .methods = {{.name = "luby",
                                    .function = "independent_set",
                                    .summary = "the largest random number around joins",
                                    .columns = {{"member", Summary::truths}},
                                    .verify = check_set,
                                    .options = {"seed"}}},
                       .options = {seed_option},
                       .shape = Shape::simple,
                       .examples = "  tropic independent_set mesh.graph -o members.csv\n"});
    entries.push_back({.name = "colouring",
                       .theme = Theme::choices,
                       .summary = "A colouring: neighbours have different colours",
                       .methods = {{.name = "jones_plassmann",
                                    .function = "colouring",
                                    .summary = "largest degrees first, the least colour free",
                                    .columns = {{"colour", Summary::labels}},
                                    .verify = check_colours,
                                    .options = {"seed"}}},
                       .options = {seed_option},
                       .shape = Shape::simple,
                       .examples = "  tropic colouring mesh.graph -o colours.csv\n"});
    entries.push_back({.name = "matching",
                       .theme = Theme::choices,
                       .summary = "A maximal matching: pairs of neighbours",
                       .methods = {{.name = "local_max",
                                    .function = "matching",
                                    .summary = "who wish for each other are matched",
                                    .columns = {{"partner", Summary::vertices}},
                                    .verify = check_matching,
                                    .options = {"seed"}}},
                       .options = {seed_option},
                       .shape = Shape::simple,
                       .examples = "  tropic matching mesh.graph -o pairs.csv\n"});
}

} // namespace tropic::library
