// ring, path, star, tree, complete: small textbook graphs, of any size.
#include "graph/generators/families.h"

namespace tropic::generators {

GeneratedEdges make_ring(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const EdgeSource source{
        .vertices = n, .items = n, .loops = n == 1, .repeats = n == 2 && !request.directed()};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) emit(v, v + 1 == n ? 0 : v + 1);
    });
}

GeneratedEdges make_path(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const EdgeSource source{.vertices = n, .items = std::max<Index>(0, n - 1)};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) emit(v, v + 1);
    });
}

GeneratedEdges make_star(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const EdgeSource source{.vertices = n, .items = std::max<Index>(0, n - 1)};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index leaf = begin; leaf < end; ++leaf) emit(0, leaf + 1);
    });
}

GeneratedEdges make_tree(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const Index branches = request.whole_or(1, "number of branches", 1, most_vertices, 2);
    const EdgeSource source{.vertices = n, .items = std::max<Index>(0, n - 1)};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index v = begin; v < end; ++v) emit(v / branches, v + 1);
    });
}

GeneratedEdges make_complete(const Request& request, const Context& context) {
    const Index n = request.whole(0, "number of vertices", 0, most_vertices);
    const Index pairs = n % 2 == 0 ? request.product(n / 2, n - 1, "edges")
                                   : request.product(n, (n - 1) / 2, "edges");
    // Pairs by their distance around a circle: edge k joins k mod n with the vertex k / n + 1
    // further on. For even n the last distance has only n / 2 pairs, and they are the last ones.
    const EdgeSource source{.vertices = n, .items = n == 0 ? 0 : pairs};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        Index distance = begin / n + 1;
        Index v = begin % n;
        for (Index k = begin; k < end; ++k) {
            const Index other = v + distance;
            emit(v, other < n ? other : other - n);
            if (++v == n) {
                v = 0;
                ++distance;
            }
        }
    });
}

} // namespace tropic::generators
