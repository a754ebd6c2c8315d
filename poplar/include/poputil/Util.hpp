// Small helpers that programs use with the libraries.
#pragma once

#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

namespace poputil {

/// Consecutive elements are merged and the intervals sorted.
void mergeAdjacentRegions(std::vector<poplar::Interval>& regions);
void mergeAdjacentRegions(std::vector<std::vector<poplar::Interval>>& mapping);
std::vector<poplar::Interval> flattenIntervals(const std::vector<std::vector<poplar::Interval>>&);

poplar::Tensor duplicate(
    poplar::Graph& graph, const poplar::Tensor& in, poplar::program::Sequence& p,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
std::size_t intervalSequenceNumElements(const std::vector<std::vector<poplar::Interval>>& seq);
/// The index of an element in a tensor of that shape, and back.
std::size_t flattenIndex(const std::vector<std::size_t>& shape,
                         const std::vector<std::size_t>& indices);
std::vector<std::size_t> unflattenIndex(const std::vector<std::size_t>& shape, std::size_t index);

template <class T> T ceilDiv(T a, T b) {
    return (a + b - 1) / b;
}
template <class T> T roundUp(T a, T b) {
    return ceilDiv(a, b) * b;
}

} // namespace poputil
