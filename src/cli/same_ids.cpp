#include "cli/same_ids.h"

namespace tropic::cli {

namespace {

bool has_names(const Graph& graph) {
    return graph.source.starts_with("edge list");
}

} // namespace

Index first_other_id(const Graph& a, int d, const Graph& b, int e) {
    const VertexIds& first = a.ids[static_cast<std::size_t>(d)];
    const VertexIds& second = b.ids[static_cast<std::size_t>(e)];
    const bool counted = first.counts_from_zero_or_one() && second.counts_from_zero_or_one();
    if (counted && !(has_names(a) && has_names(b))) return -1;
    for (Index k = 0; k < a.tensor.dim(d); ++k) {
        if (first[k] != second[k]) return k;
    }
    return -1;
}

} // namespace tropic::cli
