// Edges, a vector of them at a time: which ones can matter at all is found with gathers and
// comparisons; only those go through the code of one edge, which looks again. Most edges of most
// algorithms change nothing: their end has been seen, or is nearer already.
#pragma once

#include "compile/algorithm/lanes.h"

namespace tropic::compile {

/// What decides whether an edge matters: all of these hold, or nothing is done for it.
struct EdgeFilter {
    std::vector<EdgeTest> tests;
    EdgeGroup group;
};

/// What must hold of a member of a loop over a space, as far as vectors of members can find it
/// out; empty if they cannot.
std::vector<EdgeTest> member_tests(const Unit& unit, const alg::Statement& each, const Uses& uses);

/// The filter of a loop over neighbours, if it has one.
std::optional<EdgeFilter> filter_of(const Unit& unit, const alg::Statement& neighbours);

} // namespace tropic::compile
