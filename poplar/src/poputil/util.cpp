// Small helpers over intervals, indices and tensors.
#include <poputil/Util.hpp>

#include <algorithm>

#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Interval;

void mergeAdjacentRegions(std::vector<Interval>& regions) {
    std::sort(regions.begin(), regions.end());
    std::vector<Interval> merged;
    for (const Interval& region : regions) {
        if (region.empty()) continue;
        if (!merged.empty() && merged.back().end() >= region.begin()) {
            merged.back() =
                Interval(merged.back().begin(), std::max(merged.back().end(), region.end()));
        } else {
            merged.push_back(region);
        }
    }
    regions = std::move(merged);
}

void mergeAdjacentRegions(std::vector<std::vector<Interval>>& mapping) {
    for (auto& regions : mapping) mergeAdjacentRegions(regions);
}

std::vector<Interval> flattenIntervals(const std::vector<std::vector<Interval>>& lists) {
    std::vector<Interval> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

poplar::Tensor duplicate(poplar::Graph& graph, const poplar::Tensor& in,
                         poplar::program::Sequence& p, const poplar::DebugContext& debugContext,
                         poplar::TensorCloneMethod method) {
    poplar::Tensor copy = graph.clone(in, debugContext, method);
    p.add(poplar::program::Copy(in, copy));
    return copy;
}

std::size_t intervalSequenceNumElements(const std::vector<std::vector<Interval>>& seq) {
    std::size_t elements = 0;
    for (const auto& list : seq) {
        for (const Interval& interval : list) elements += interval.size();
    }
    return elements;
}

std::size_t flattenIndex(const std::vector<std::size_t>& shape,
                         const std::vector<std::size_t>& indices) {
    if (shape.size() != indices.size()) {
        throw poplibs_error("as many indices as dimensions are needed");
    }
    std::size_t index = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (indices[d] >= shape[d]) throw poplibs_error("an index is outside of its dimension");
        index = index * shape[d] + indices[d];
    }
    return index;
}

std::vector<std::size_t> unflattenIndex(const std::vector<std::size_t>& shape, std::size_t index) {
    std::vector<std::size_t> indices(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        indices[d] = index % shape[d];
        index /= shape[d];
    }
    if (index != 0) throw poplibs_error("the index is outside of the shape");
    return indices;
}

} // namespace poputil
