// Tensors: shapes over elements of variables. Every operation makes another view; no data moves.
//
// A view is either strided (one variable, an offset and a stride for each dimension, as matrices
// and their slices and shuffles are) or a window into a list of runs (as joined pieces are). Both
// stand for a sequence of elements in row-major order of the shape.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machines/tile/codelet.h"
#include "machines/tile/run.h"

namespace tropic::tile {

using Shape = std::vector<std::int64_t>;

std::int64_t elements_of(std::span<const std::int64_t> shape);
/// "[2,3]".
std::string to_text(const Shape& shape);

class Tensor {
  public:
    Tensor() = default;
    /// A whole variable.
    Tensor(VariableId variable, ElementType type, Shape shape, bool constant = false);

    ElementType type() const { return type_; }
    const Shape& shape() const { return shape_; }
    std::size_t rank() const { return shape_.size(); }
    std::int64_t elements() const { return elements_; }
    /// Some of what it was made of are constants.
    bool has_constants() const { return constant_; }

    // Each throws TileError (shape or index) for what is not in this tensor.
    Tensor index(std::int64_t i) const;
    Tensor slice(std::int64_t begin, std::int64_t end, std::size_t dimension) const;
    Tensor reshape(Shape shape) const;
    Tensor flatten() const { return reshape({elements_}); }
    Tensor shuffle(std::span<const std::size_t> permutation) const;
    Tensor reverse(std::size_t dimension) const;
    /// Every `step`-th entry.
    Tensor sub_sample(std::int64_t step, std::size_t dimension) const;
    /// The whole repeated `n` times along a dimension.
    Tensor broadcast(std::int64_t n, std::size_t dimension) const;
    /// Each entry repeated `n` times.
    Tensor repeat_entries(std::int64_t n, std::size_t dimension) const;
    /// A type of the same size.
    Tensor reinterpret(ElementType type) const;
    static Tensor concat(std::span<const Tensor> tensors, std::size_t dimension);
    /// As many elements as the shape has.
    static Tensor of_runs(ElementType type, Shape shape, std::vector<Run> runs, bool constant);

    /// Calls `visit(run)` in row-major order. Runs that could be joined may come apart.
    template <class Visit> void for_each_run(const Visit& visit) const;
    /// Joined as far as they go.
    std::vector<Run> runs() const;
    /// All elements side by side in one variable: its first.
    std::optional<Run> single_run() const;

    friend bool operator==(const Tensor& a, const Tensor& b);

  private:
    struct Strided {
        VariableId variable = 0;
        std::int64_t offset = 0;
        std::vector<std::int64_t> strides;
    };

    bool strided() const { return list_ == nullptr; }
    static Tensor from_runs(const Tensor& like, Shape shape, std::vector<Run> runs);
    Tensor as_list() const;
    std::optional<std::vector<std::int64_t>> strides_for(const Shape& shape) const;
    Tensor with_repeat(std::int64_t n, std::size_t before) const;
    void check_dimension(std::size_t dimension) const;
    /// The runs of the flat positions [begin, begin + count).
    void append_window(std::vector<Run>& runs, std::int64_t begin, std::int64_t count) const;

    ElementType type_ = ElementType::float32;
    bool constant_ = false;
    Shape shape_;
    std::int64_t elements_ = 1;
    Strided view_;
    std::shared_ptr<const RunList> list_; ///< null: strided
    std::int64_t window_ = 0;             ///< where this tensor begins in the list
};

template <class Visit> void Tensor::for_each_run(const Visit& visit) const {
    if (elements_ == 0) return;
    if (!strided()) {
        list_->for_each(window_, window_ + elements_, visit);
        return;
    }
    // Dimensions that continue each other count as one; the innermost is the run.
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
        if (shape_[d] == 1) continue;
        if (!extents.empty() && strides.back() == view_.strides[d] * shape_[d]) {
            extents.back() *= shape_[d];
            strides.back() = view_.strides[d];
        } else {
            extents.push_back(shape_[d]);
            strides.push_back(view_.strides[d]);
        }
    }
    if (extents.empty()) {
        visit(Run{view_.variable, 1, view_.offset, 1});
        return;
    }
    const std::int64_t count = extents.back();
    const std::int64_t stride = strides.back();
    extents.pop_back();
    strides.pop_back();
    std::vector<std::int64_t> at(extents.size(), 0);
    std::int64_t begin = view_.offset;
    while (true) {
        visit(Run{view_.variable, stride, begin, count});
        std::size_t d = extents.size();
        while (d > 0 && at[d - 1] + 1 == extents[d - 1]) {
            begin -= strides[d - 1] * at[d - 1];
            at[d - 1] = 0;
            --d;
        }
        if (d == 0) return;
        ++at[d - 1];
        begin += strides[d - 1];
    }
}

} // namespace tropic::tile
