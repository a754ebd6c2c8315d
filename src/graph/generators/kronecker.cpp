// kron: the Kronecker graph of the Graph500 benchmark (http://graph500.org, kernel 0), undirected
// and with permuted vertices. rmat: the same recursion, directed, unpermuted, with probabilities of
// the user's (Chakrabarti, Zhan, Faloutsos: R-MAT, SDM 2004).
#include <cmath>

#include "graph/generators/families.h"
#include "graph/generators/quadrants.h"

namespace tropic::generators {

namespace {

struct Size {
    int scale;
    Index edges;
};

Size size_of_request(const Request& request) {
    const Index scale = request.whole(0, "scale", 0, most_scale);
    const Index factor = request.whole_or(1, "edge factor", 1, most_edge_factor, 16);
    return {static_cast<int>(scale), request.product(Index{1} << scale, factor, "edges")};
}

EdgeSource source_of(const Size& size) {
    return {.vertices = Index{1} << size.scale,
            .items = size.edges,
            .random = true,
            .loops = true,
            .repeats = true};
}

/// Edges `begin` to `end`, drawn a few hundred at a time: enough to keep the loops apart, few
/// enough to stay in the nearest cache.
template <class Visit>
void for_each_edge(const QuadrantTable& table, const Random& random, int scale, Index begin,
                   Index end, const Visit& visit) {
    std::array<Edge, 256> buffer;
    for (Index k = begin; k < end; k += static_cast<Index>(buffer.size())) {
        const auto count = std::min(end - k, static_cast<Index>(buffer.size()));
        const std::span<Edge> edges(buffer.data(), static_cast<std::size_t>(count));
        table.edges(random, k, scale, edges);
        for (const Edge& edge : edges) visit(edge);
    }
}

/// A probability in billionths: decimal fractions become exact, so that the three and the rest add
/// up to one.
std::uint32_t billionths(const Request& request, std::string_view key, std::uint32_t absent) {
    const double value = request.real_of(key, 0, 1, absent * 1e-9);
    return static_cast<std::uint32_t>(std::lround(value * 1e9));
}

} // namespace

GeneratedEdges make_kron(const Request& request, const Context& context) {
    const Size size = size_of_request(request);
    const QuadrantTable table({});
    const Random random = request.random(Stream::edges);
    const Scramble scramble(size.scale, request.random(Stream::permutation));
    return write_edges(source_of(size), request, context, [&](Index begin, Index end, auto& emit) {
        for_each_edge(table, random, size.scale, begin, end, [&](const Edge& edge) {
            emit(static_cast<Index>(scramble(edge.from)), static_cast<Index>(scramble(edge.to)));
        });
    });
}

GeneratedEdges make_rmat(const Request& request, const Context& context) {
    const Size size = size_of_request(request);
    Quadrants quadrants;
    quadrants.a = billionths(request, "a", quadrants.a);
    quadrants.b = billionths(request, "b", quadrants.b);
    quadrants.c = billionths(request, "c", quadrants.c);
    if (Index{quadrants.a} + quadrants.b + quadrants.c > 1'000'000'000) {
        request.refuse(nullptr, "a, b and c add up to more than 1",
                       "probabilities a, b and c with a + b + c at most 1 (absent ones are 0.57, "
                       "0.19 and 0.19)");
    }
    const QuadrantTable table(quadrants);
    const Random random = request.random(Stream::edges);
    return write_edges(source_of(size), request, context, [&](Index begin, Index end, auto& emit) {
        for_each_edge(table, random, size.scale, begin, end, [&](const Edge& edge) {
            emit(static_cast<Index>(edge.from), static_cast<Index>(edge.to));
        });
    });
}

} // namespace tropic::generators
