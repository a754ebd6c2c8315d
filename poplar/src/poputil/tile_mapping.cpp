// Spreading tensors over tiles in equal consecutive parts, and regions over workers.
#include <poputil/TileMapping.hpp>

#include <algorithm>
#include <cstddef>

#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using Mapping = std::vector<std::vector<Interval>>;

Mapping calcLinearTileMapping(const Graph& graph, poplar::ArrayRef<std::size_t> shape,
                              unsigned minElementsPerTile, unsigned grainSize, unsigned offset,
                              bool ascendingOrder) {
    const std::size_t tiles = graph.getTarget().getNumTiles();
    std::size_t elements = 1;
    for (const std::size_t extent : shape) elements *= extent;
    const std::size_t grain = std::max(1U, grainSize);
    const std::size_t least = std::max<std::size_t>(1, minElementsPerTile);
    const std::size_t share = roundUp(std::max(least, ceilDiv(elements, tiles)), grain);
    Mapping mapping(tiles);
    std::size_t part = 0;
    for (std::size_t begin = 0; begin < elements; begin += share, ++part) {
        const std::size_t step = (part + offset) % tiles;
        const std::size_t tile = ascendingOrder ? step : tiles - 1 - step;
        mapping[tile].emplace_back(begin, std::min(elements, begin + share));
    }
    return mapping;
}

Mapping calcLinearTileMapping(const Graph& graph, const Tensor& t, unsigned offset,
                              bool ascendingOrder) {
    const poplar::Target& target = graph.getTarget();
    const unsigned size = target.getTypeSize(t.elementType());
    // A tile with less than 128 bytes is not worth the exchange, and vectors should stay whole.
    return calcLinearTileMapping(graph, t.shape(), 128 / size,
                                 target.getVectorWidth(t.elementType()), offset, ascendingOrder);
}

void mapTensorLinearly(Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize) {
    graph.setTileMapping(t, calcLinearTileMapping(graph, t.shape(), minElementsPerTile, grainSize));
}

void mapTensorLinearly(Graph& graph, const Tensor& t) {
    graph.setTileMapping(t, calcLinearTileMapping(graph, t));
}

std::pair<unsigned, bool> mapTensorLinearlyWithOffset(Graph& graph, const Tensor& t,
                                                      unsigned offset, bool ascendingOrder) {
    const Mapping mapping = calcLinearTileMapping(graph, t, offset, ascendingOrder);
    graph.setTileMapping(t, mapping);
    const auto used = static_cast<unsigned>(std::count_if(
        mapping.begin(), mapping.end(), [](const auto& regions) { return !regions.empty(); }));
    const auto tiles = static_cast<unsigned>(mapping.size());
    return {(offset + used) % tiles, ascendingOrder};
}

unsigned getTileImbalance(const Graph::TileToTensorMapping& mapping, unsigned minElementsPerTile,
                          unsigned grainSize) {
    std::size_t all = 0;
    std::size_t most = 0;
    for (const auto& regions : mapping) {
        std::size_t mine = 0;
        for (const Interval& region : regions) mine += region.size();
        all += mine;
        most = std::max(most, mine);
    }
    if (mapping.empty()) return 0;
    const std::size_t share =
        roundUp(std::max<std::size_t>(minElementsPerTile, ceilDiv(all, mapping.size())),
                std::size_t{std::max(1U, grainSize)});
    return static_cast<unsigned>(most > share ? most - share : 0);
}

unsigned getTileImbalance(const Graph& graph, const Tensor& t, unsigned minElementsPerTile,
                          unsigned grainSize) {
    return getTileImbalance(graph.getTileMapping(t), minElementsPerTile, grainSize);
}

Tensor cloneToIpu(Graph& graph, const Tensor& t, unsigned dstIpu,
                  const poplar::DebugContext& debugContext) {
    const std::size_t tiles = graph.getTarget().getTilesPerIPU();
    if (dstIpu >= graph.getTarget().getNumIPUs()) {
        throw poplibs_error("there is no chip " + std::to_string(dstIpu) + " to clone to");
    }
    const Mapping from = graph.getTileMapping(t);
    Mapping to(from.size());
    for (std::size_t tile = 0; tile < from.size(); ++tile) {
        auto& regions = to[dstIpu * tiles + tile % tiles];
        regions.insert(regions.end(), from[tile].begin(), from[tile].end());
    }
    Tensor clone = graph.clone(t, debugContext);
    graph.setTileMapping(clone, to);
    return clone;
}

Tensor copyToIpu(Graph& graph, const Tensor& t, poplar::program::Sequence& prog, unsigned dstIpu,
                 const poplar::DebugContext& debugContext) {
    Tensor copy = cloneToIpu(graph, t, dstIpu, debugContext);
    prog.add(poplar::program::Copy(t, copy));
    return copy;
}

Mapping splitRegions(const std::vector<Interval>& regions, unsigned grainSize,
                     unsigned maxPartitions, unsigned minElementsPerPartition,
                     unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
    std::size_t elements = 0;
    for (const Interval& region : regions) elements += region.size();
    const std::size_t grain = std::max(1U, grainSize);
    std::size_t share = ceilDiv(elements, std::size_t{std::max(1U, maxPartitions)});
    share = std::max<std::size_t>({share, minElementsPerPartition, 1});
    share = std::min<std::size_t>(share, std::max(1U, maxElementsPerPartition));
    share = roundUp(share, grain);
    Mapping parts;
    std::size_t room = 0;
    for (const Interval& region : regions) {
        for (std::size_t begin = region.begin(); begin < region.end();) {
            if (room == 0) {
                parts.emplace_back();
                room = share;
            }
            const std::size_t longest = std::min<std::size_t>(room, maxElementsPerRegion);
            const std::size_t end = std::min(region.end(), begin + longest);
            parts.back().emplace_back(begin, end);
            room -= end - begin;
            begin = end;
        }
    }
    return parts;
}

Mapping splitRegionsBetweenWorkers(const poplar::Target& target,
                                   const std::vector<Interval>& regions, unsigned grainSize,
                                   unsigned minElementsPerPartition,
                                   unsigned maxElementsPerPartition,
                                   unsigned maxElementsPerRegion) {
    return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                        maxElementsPerPartition, maxElementsPerRegion);
}

} // namespace poputil
