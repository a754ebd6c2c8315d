// Tensors: views of a graph's variables. Slicing, reshaping, shuffling and joining move no data.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>

namespace tropic::tile {
class Tensor;
}

namespace poplar {

enum class UpsampleMethod { REPEAT };

/// Elements of one variable that lie side by side.
struct VariableInterval {
    unsigned var = 0;
    Interval interval;
    friend bool operator==(const VariableInterval& l, const VariableInterval& r) {
        return l.var == r.var && l.interval == r.interval;
    }
    friend bool operator<(const VariableInterval& l, const VariableInterval& r) {
        return l.var != r.var ? l.var < r.var : l.interval < r.interval;
    }
};

class Tensor {
  public:
    Tensor() = default;
    explicit Tensor(tropic::tile::Tensor view);

    Type elementType() const;
    bool valid() const { return impl_ != nullptr; }
    unsigned rank() const;
    std::size_t dim(unsigned i) const;
    std::vector<std::size_t> shape() const;
    std::size_t numElements() const;

    Tensor operator[](std::size_t i) const;
    Tensor operator[](const Interval& region) const { return slice(region); }
    Tensor index(ArrayRef<std::size_t> indices) const;
    Tensor slice(std::size_t begin, std::size_t end, unsigned dimension = 0) const;
    Tensor slice(const Interval& region, unsigned dimension = 0) const {
        return slice(region.begin(), region.end(), dimension);
    }
    Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const;
    /// One tensor for each interval.
    std::vector<Tensor> slices(ArrayRef<Interval> intervals, unsigned dimension = 0) const;
    /// One tensor for each list of intervals, its parts joined.
    std::vector<Tensor> slices(const std::vector<std::vector<Interval>>& intervals,
                               unsigned dimension = 0) const;
    std::vector<Tensor> slices(const std::vector<unsigned>& indices, unsigned dimension = 0) const;

    Tensor flatten() const;
    Tensor flatten(unsigned dimBegin, unsigned dimEnd) const;
    Tensor reshape(ArrayRef<std::size_t> shape) const;
    Tensor reshapePartial(unsigned beginIndex, unsigned endIndex,
                          ArrayRef<std::size_t> newDims) const;
    Tensor dimShuffle(ArrayRef<unsigned> permutation) const;
    Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
    Tensor dimRoll(unsigned dimIdx, unsigned newIdx = 0) const;
    Tensor transpose() const;
    /// A dimension of size one before each of the given dimensions.
    Tensor expand(ArrayRef<std::size_t> newDims) const;
    Tensor squeeze(ArrayRef<std::size_t> dims) const;
    Tensor broadcast(unsigned n, unsigned dimension) const;
    Tensor subSample(unsigned stride, unsigned dimension) const;
    Tensor upsample(unsigned scale, unsigned dimension,
                    UpsampleMethod method = UpsampleMethod::REPEAT) const;
    Tensor reverse(unsigned dimension) const;
    Tensor reinterpret(const Type& type) const;

    bool isContiguous() const;
    bool containsAliases() const;
    bool containsConstant() const;
    bool isParallelWriteable() const { return !containsAliases() && !containsConstant(); }
    bool intersectsWith(const Tensor& other) const;
    /// In the order of this tensor's elements, flattened.
    std::vector<Interval> getContiguousRegions() const;
    std::vector<VariableInterval> getVarRegions() const;
    std::string shapeToString() const;
    std::string getDebugStr() const;
    std::string getName() const;
    std::ostream& output(std::ostream& os) const;
    std::ostream& outputRegions(std::ostream& os) const;
    void dump() const;
    void dumpRegions() const;

    const tropic::tile::Tensor& view() const;

    friend bool operator==(const Tensor& l, const Tensor& r);
    friend bool operator!=(const Tensor& l, const Tensor& r) { return !(l == r); }
    friend std::ostream& operator<<(std::ostream& os, const Tensor& t) { return t.output(os); }

  private:
    std::shared_ptr<const tropic::tile::Tensor> impl_;
};

Tensor concat(ArrayRef<Tensor> ts, unsigned dimension = 0);
Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension = 0);
/// `second` lacks `dimension` and becomes the last entry along it.
Tensor append(const Tensor& first, const Tensor& second, unsigned dimension);
Tensor append(const Tensor& first, const Tensor& second);

} // namespace poplar
