// Tensors over the machine's views.
#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>

#include "core.h"
#include "machines/tile/fault.h"
#include "translate.h"

namespace poplar {

namespace {

namespace tile = tropic::tile;
using core::translated;

std::vector<tile::Tensor> views_of(ArrayRef<Tensor> ts) {
    std::vector<tile::Tensor> views;
    views.reserve(ts.size());
    for (const Tensor& t : ts) views.push_back(t.view());
    return views;
}

void check_rank(const tile::Tensor& view, std::size_t end) {
    if (end > view.rank()) {
        tile::fail(tile::Fault::index, "dimension " + std::to_string(end) +
                                           " of a tensor of shape " + tile::to_text(view.shape()));
    }
}

/// The elements a tensor shows, as sorted ranges of each variable.
std::map<tile::VariableId, std::vector<std::pair<std::int64_t, std::int64_t>>>
ranges_of(const tile::Tensor& view) {
    std::map<tile::VariableId, std::vector<std::pair<std::int64_t, std::int64_t>>> ranges;
    view.for_each_run([&](const tile::Run& run) {
        auto& of_variable = ranges[run.variable];
        if (run.contiguous()) {
            of_variable.emplace_back(run.begin, run.begin + run.count);
        } else {
            for (std::int64_t i = 0; i < run.count; ++i) {
                of_variable.emplace_back(run.at(i), run.at(i) + 1);
            }
        }
    });
    for (auto& [variable, of_variable] : ranges) std::sort(of_variable.begin(), of_variable.end());
    return ranges;
}

} // namespace

Tensor::Tensor(tile::Tensor view) : impl_(std::make_shared<const tile::Tensor>(std::move(view))) {}

const tile::Tensor& Tensor::view() const {
    if (!impl_) throw poplar_error("the tensor was made by no graph");
    return *impl_;
}

Type Tensor::elementType() const {
    return core::from_tile(view().type());
}
unsigned Tensor::rank() const {
    return static_cast<unsigned>(view().rank());
}

std::size_t Tensor::dim(unsigned i) const {
    translated([&] { check_rank(view(), std::size_t{i} + 1); });
    return static_cast<std::size_t>(view().shape()[i]);
}

std::vector<std::size_t> Tensor::shape() const {
    return {view().shape().begin(), view().shape().end()};
}

std::size_t Tensor::numElements() const {
    return static_cast<std::size_t>(view().elements());
}

Tensor Tensor::operator[](std::size_t i) const {
    return translated([&] { return Tensor(view().index(static_cast<std::int64_t>(i))); });
}

Tensor Tensor::index(ArrayRef<std::size_t> indices) const {
    Tensor result = *this;
    for (const std::size_t i : indices) result = result[i];
    return result;
}

Tensor Tensor::slice(std::size_t begin, std::size_t end, unsigned dimension) const {
    return translated([&] {
        return Tensor(view().slice(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end),
                                   dimension));
    });
}

Tensor Tensor::slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const {
    if (begin.size() != end.size()) throw index_error("as many ends of a slice as beginnings");
    Tensor result = *this;
    for (unsigned d = 0; d < begin.size(); ++d) result = result.slice(begin[d], end[d], d);
    return result;
}

std::vector<Tensor> Tensor::slices(ArrayRef<Interval> intervals, unsigned dimension) const {
    std::vector<Tensor> result;
    result.reserve(intervals.size());
    for (const Interval& interval : intervals) result.push_back(slice(interval, dimension));
    return result;
}

std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>>& intervals,
                                   unsigned dimension) const {
    std::vector<Tensor> result;
    result.reserve(intervals.size());
    for (const std::vector<Interval>& list : intervals) {
        result.push_back(list.empty()
                             ? slice(0, 0, dimension)
                             : concat(slices(ArrayRef<Interval>(list), dimension), dimension));
    }
    return result;
}

std::vector<Tensor> Tensor::slices(const std::vector<unsigned>& indices, unsigned dimension) const {
    std::vector<Tensor> result;
    result.reserve(indices.size());
    for (const unsigned i : indices) result.push_back(slice(i, i + 1, dimension));
    return result;
}

Tensor Tensor::flatten() const {
    return translated([&] { return Tensor(view().flatten()); });
}

Tensor Tensor::flatten(unsigned dimBegin, unsigned dimEnd) const {
    return translated([&] {
        check_rank(view(), dimEnd);
        if (dimBegin >= dimEnd) tile::fail(tile::Fault::index, "no dimensions to flatten");
        tile::Shape shape = view().shape();
        const std::int64_t joined = std::accumulate(
            shape.begin() + dimBegin, shape.begin() + dimEnd, std::int64_t{1}, std::multiplies<>());
        shape.erase(shape.begin() + dimBegin + 1, shape.begin() + dimEnd);
        shape[dimBegin] = joined;
        return Tensor(view().reshape(std::move(shape)));
    });
}

Tensor Tensor::reshape(ArrayRef<std::size_t> shape) const {
    return translated([&] { return Tensor(view().reshape(core::to_tile(shape))); });
}

Tensor Tensor::reshapePartial(unsigned beginIndex, unsigned endIndex,
                              ArrayRef<std::size_t> newDims) const {
    return translated([&] {
        check_rank(view(), endIndex);
        if (beginIndex > endIndex) tile::fail(tile::Fault::index, "dimensions in reverse");
        const tile::Shape& old = view().shape();
        tile::Shape shape(old.begin(), old.begin() + beginIndex);
        for (const std::size_t extent : newDims) shape.push_back(static_cast<std::int64_t>(extent));
        shape.insert(shape.end(), old.begin() + endIndex, old.end());
        return Tensor(view().reshape(std::move(shape)));
    });
}

Tensor Tensor::dimShuffle(ArrayRef<unsigned> permutation) const {
    return translated([&] {
        const std::vector<std::size_t> order(permutation.begin(), permutation.end());
        return Tensor(view().shuffle(order));
    });
}

Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const {
    return translated([&] {
        if (source.size() != destination.size()) {
            tile::fail(tile::Fault::shape, "as many destinations of dimensions as sources");
        }
        const std::size_t none = rank();
        std::vector<std::size_t> order(rank(), none);
        std::vector<bool> moved(rank(), false);
        for (std::size_t i = 0; i < source.size(); ++i) {
            check_rank(view(), std::size_t{source[i]} + 1);
            check_rank(view(), std::size_t{destination[i]} + 1);
            order[destination[i]] = source[i];
            moved[source[i]] = true;
        }
        std::size_t next = 0;
        for (std::size_t& d : order) {
            if (d != none) continue;
            while (next < rank() && moved[next]) ++next;
            d = next++;
        }
        return Tensor(view().shuffle(order));
    });
}

Tensor Tensor::dimRoll(unsigned dimIdx, unsigned newIdx) const {
    return dimShufflePartial({dimIdx}, {newIdx});
}

Tensor Tensor::transpose() const {
    if (rank() != 2) throw tensor_creation_failed("a transpose has two dimensions");
    return dimShuffle({1, 0});
}

Tensor Tensor::expand(ArrayRef<std::size_t> newDims) const {
    return translated([&] {
        tile::Shape shape;
        for (std::size_t d = 0; d <= rank(); ++d) {
            for (const std::size_t before : newDims) {
                check_rank(view(), before);
                if (before == d) shape.push_back(1);
            }
            if (d < rank()) shape.push_back(view().shape()[d]);
        }
        return Tensor(view().reshape(std::move(shape)));
    });
}

Tensor Tensor::squeeze(ArrayRef<std::size_t> dims) const {
    return translated([&] {
        tile::Shape shape;
        for (const std::size_t d : dims) check_rank(view(), d + 1);
        for (std::size_t d = 0; d < rank(); ++d) {
            if (std::find(dims.begin(), dims.end(), d) == dims.end()) {
                shape.push_back(view().shape()[d]);
            } else if (view().shape()[d] != 1) {
                tile::fail(tile::Fault::shape, "dimension " + std::to_string(d) +
                                                   " of a tensor of shape " +
                                                   tile::to_text(view().shape()) + " is not 1");
            }
        }
        return Tensor(view().reshape(std::move(shape)));
    });
}

Tensor Tensor::broadcast(unsigned n, unsigned dimension) const {
    return translated([&] { return Tensor(view().broadcast(n, dimension)); });
}

Tensor Tensor::subSample(unsigned stride, unsigned dimension) const {
    return translated([&] { return Tensor(view().sub_sample(stride, dimension)); });
}

Tensor Tensor::upsample(unsigned scale, unsigned dimension, UpsampleMethod) const {
    return translated([&] { return Tensor(view().repeat_entries(scale, dimension)); });
}

Tensor Tensor::reverse(unsigned dimension) const {
    return translated([&] { return Tensor(view().reverse(dimension)); });
}

Tensor Tensor::reinterpret(const Type& type) const {
    return translated([&] { return Tensor(view().reinterpret(core::to_tile(type))); });
}

bool Tensor::isContiguous() const {
    return numElements() == 0 || view().single_run().has_value();
}

bool Tensor::containsAliases() const {
    for (const auto& [variable, ranges] : ranges_of(view())) {
        for (std::size_t i = 1; i < ranges.size(); ++i) {
            if (ranges[i].first < ranges[i - 1].second) return true;
        }
    }
    return false;
}

bool Tensor::containsConstant() const {
    return view().has_constants();
}

bool Tensor::intersectsWith(const Tensor& other) const {
    const auto mine = ranges_of(view());
    const auto others = ranges_of(other.view());
    for (const auto& [variable, ranges] : mine) {
        const auto found = others.find(variable);
        if (found == others.end()) continue;
        std::size_t j = 0;
        for (const auto& [begin, end] : ranges) {
            while (j < found->second.size() && found->second[j].second <= begin) ++j;
            if (j < found->second.size() && found->second[j].first < end) return true;
        }
    }
    return false;
}

std::vector<Interval> Tensor::getContiguousRegions() const {
    std::vector<Interval> regions;
    std::size_t at = 0;
    for (const tile::Run& run : view().runs()) {
        const std::int64_t pieces = run.contiguous() ? 1 : run.count;
        const auto size = static_cast<std::size_t>(run.count / pieces);
        for (std::int64_t i = 0; i < pieces; ++i) {
            regions.emplace_back(at, at + size);
            at += size;
        }
    }
    return regions;
}

std::vector<VariableInterval> Tensor::getVarRegions() const {
    std::vector<VariableInterval> regions;
    for (const tile::Run& run : view().runs()) {
        const std::int64_t pieces = run.contiguous() ? 1 : run.count;
        const std::int64_t size = run.count / pieces;
        for (std::int64_t i = 0; i < pieces; ++i) {
            const std::int64_t begin = run.at(i);
            regions.push_back({run.variable, Interval(static_cast<std::size_t>(begin),
                                                      static_cast<std::size_t>(begin + size))});
        }
    }
    return regions;
}

std::string Tensor::shapeToString() const {
    std::string text = "{";
    for (const std::size_t extent : shape()) {
        if (text.size() > 1) text += ',';
        text += std::to_string(extent);
    }
    return text + "}";
}

std::string Tensor::getName() const {
    return getDebugStr();
}
std::string Tensor::getDebugStr() const {
    return elementType().toString().cloneAsString() + shapeToString();
}

std::ostream& Tensor::output(std::ostream& os) const {
    return valid() ? os << getDebugStr() : os << "(no tensor)";
}

std::ostream& Tensor::outputRegions(std::ostream& os) const {
    for (const VariableInterval& region : getVarRegions()) {
        os << "variable " << region.var << ' ' << region.interval << '\n';
    }
    return os;
}

void Tensor::dump() const {
    output(std::cerr) << '\n';
}
void Tensor::dumpRegions() const {
    outputRegions(std::cerr);
}

bool operator==(const Tensor& l, const Tensor& r) {
    if (!l.impl_ || !r.impl_) return l.impl_ == r.impl_;
    return l.impl_ == r.impl_ || *l.impl_ == *r.impl_;
}

Tensor concat(ArrayRef<Tensor> ts, unsigned dimension) {
    return translated([&] { return Tensor(tile::Tensor::concat(views_of(ts), dimension)); });
}

Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension) {
    return concat({first, second}, dimension);
}

Tensor append(const Tensor& first, const Tensor& second, unsigned dimension) {
    return concat(first, second.expand({dimension}), dimension);
}

Tensor append(const Tensor& first, const Tensor& second) {
    return append(first, second, 0);
}

} // namespace poplar
