// urand: end points drawn uniformly and independently (Erdős-Rényi with a fixed number of draws, as
// in the GAP benchmark suite).
#include "graph/generators/families.h"

namespace tropic::generators {

GeneratedEdges make_urand(const Request& request, const Context& context) {
    const auto scale = static_cast<int>(request.whole(0, "scale", 0, most_scale));
    const Index factor = request.whole_or(1, "edge factor", 1, most_edge_factor, 16);
    const Index vertices = Index{1} << scale;
    const EdgeSource source{.vertices = vertices,
                            .items = request.product(vertices, factor, "edges"),
                            .random = true,
                            .loops = true,
                            .repeats = true};
    const Random random = request.random(Stream::edges);
    const std::uint64_t mask = static_cast<std::uint64_t>(vertices) - 1;
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index k = begin; k < end; ++k) {
            const auto number = static_cast<std::uint64_t>(k);
            if (scale <= 32) { // one draw has room for both ends
                const std::uint64_t bits = random.at(number);
                emit(static_cast<Index>(bits & mask), static_cast<Index>(bits >> 32 & mask));
            } else {
                emit(static_cast<Index>(random.at(2 * number) & mask),
                     static_cast<Index>(random.at(2 * number + 1) & mask));
            }
        }
    });
}

} // namespace tropic::generators
