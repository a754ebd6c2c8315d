// grid: vertices in a box of two or three dimensions, joined to their next neighbours along each
// axis; as a torus the last of a line is joined to the first. A share of edges can be removed.
#include <array>

#include "graph/generators/families.h"

namespace tropic::generators {

GeneratedEdges make_grid(const Request& request, const Context& context) {
    std::vector<Index> sizes = request.sizes(0, "size", 2, 3, most_vertices);
    if (sizes.size() == 2) sizes.push_back(1);
    const Index area = request.product(sizes[0], sizes[1], "vertices");
    const Index vertices = request.product(area, sizes[2], "vertices");
    const bool torus = request.flag("torus");
    const double removed = request.real_of("remove", 0, 1, 0);
    const Chance removal(removed);
    const Random random = request.random(Stream::removal);

    // A torus line of two vertices would join them twice; one of one has no edge.
    const bool doubled = torus && (sizes[0] == 2 || sizes[1] == 2 || sizes[2] == 2);
    const EdgeSource source{.vertices = vertices,
                            .items = vertices,
                            .edges_per_item = sizes[2] > 1 ? 3 : 2,
                            .random = removed > 0,
                            .repeats = doubled};
    const std::array<Index, 3> strides = {1, sizes[0], area};
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        std::array<Index, 3> place = {begin % sizes[0], begin / sizes[0] % sizes[1], begin / area};
        for (Index v = begin; v < end; ++v) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                Index next = v + strides[axis];
                if (place[axis] + 1 == sizes[axis]) {
                    if (!torus || sizes[axis] == 1) continue;
                    next = v - place[axis] * strides[axis];
                }
                const auto number = 3 * static_cast<std::uint64_t>(v) + axis;
                if (removed > 0 && removal.happens(random.at(number))) continue;
                emit(v, next);
            }
            for (std::size_t axis = 0; axis < 3 && ++place[axis] == sizes[axis]; ++axis) {
                place[axis] = 0;
            }
        }
    });
}

} // namespace tropic::generators
