// Spreading tensors over tiles.
#pragma once

#include <utility>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace poputil {

/// Consecutive parts of about equal size on consecutive tiles.
std::vector<std::vector<poplar::Interval>>
calcLinearTileMapping(const poplar::Graph& graph, poplar::ArrayRef<std::size_t> shape,
                      unsigned minElementsPerTile, unsigned grainSize, unsigned offset = 0,
                      bool ascendingOrder = true);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 const poplar::Tensor& t,
                                                                 unsigned offset = 0,
                                                                 bool ascendingOrder = true);

void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                       unsigned grainSize);
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t);
std::pair<unsigned, bool> mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t,
                                                      unsigned offset, bool ascendingOrder = true);

/// How much of a tensor is on the fullest tile beyond its fair share, in elements.
unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);
unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t,
                          unsigned minElementsPerTile = 0, unsigned grainSize = 1);

/// A variable spread as `t` is.
poplar::Tensor cloneToIpu(poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIpu,
                          const poplar::DebugContext& debugContext = {});
poplar::Tensor copyToIpu(poplar::Graph& graph, const poplar::Tensor& t,
                         poplar::program::Sequence& prog, unsigned dstIpu,
                         const poplar::DebugContext& debugContext = {});

/// The regions of each tile, cut so that its workers have about the same to do.
std::vector<std::vector<poplar::Interval>>
splitRegions(const std::vector<poplar::Interval>& regions, unsigned grainSize,
             unsigned maxPartitions, unsigned minElementsPerPartition = 0,
             unsigned maxElementsPerPartition = 0xffffffffU,
             unsigned maxElementsPerRegion = 0xffffffffU);
std::vector<std::vector<poplar::Interval>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<poplar::Interval>& regions, unsigned grainSize,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = 0xffffffffU,
    unsigned maxElementsPerRegion = 0xffffffffU);

} // namespace poputil
