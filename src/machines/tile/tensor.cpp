// Views and what can be made of them.
#include "machines/tile/tensor.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machines/tile/fault.h"

namespace tropic::tile {

namespace {

std::vector<std::int64_t> row_major(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= shape[d];
    }
    return strides;
}

/// How many elements lie before, along and behind a dimension.
struct Split {
    std::int64_t outer;
    std::int64_t extent;
    std::int64_t inner;
    Split(const Shape& shape, std::size_t dimension)
        : outer(elements_of(std::span(shape).first(dimension))), extent(shape[dimension]),
          inner(elements_of(std::span(shape).subspan(dimension + 1))) {}
};

} // namespace

std::int64_t elements_of(std::span<const std::int64_t> shape) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements)) {
            fail(Fault::shape, fmt::format("a tensor of shape [{}] has too many elements",
                                           fmt::join(shape, ",")));
        }
    }
    return elements;
}

std::string to_text(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

Tensor::Tensor(VariableId variable, ElementType type, Shape shape, bool constant)
    : type_(type), constant_(constant), shape_(std::move(shape)), elements_(elements_of(shape_)),
      view_{variable, 0, row_major(shape_)} {}

void Tensor::check_dimension(std::size_t dimension) const {
    if (dimension < rank()) return;
    fail(Fault::index,
         fmt::format("dimension {} of a tensor of shape {}", dimension, to_text(shape_)),
         rank() == 0 ? "a tensor of at least one dimension"
                     : fmt::format("a dimension from 0 to {}", rank() - 1));
}

Tensor Tensor::from_runs(const Tensor& like, Shape shape, std::vector<Run> runs) {
    return of_runs(like.type_, std::move(shape), std::move(runs), like.constant_);
}

Tensor Tensor::of_runs(ElementType type, Shape shape, std::vector<Run> runs, bool constant) {
    Tensor result;
    result.type_ = type;
    result.constant_ = constant;
    result.shape_ = std::move(shape);
    result.elements_ = elements_of(result.shape_);
    if (runs.size() == 1) {
        result.view_ = {runs[0].variable, runs[0].begin, row_major(result.shape_)};
        for (std::int64_t& stride : result.view_.strides) stride *= runs[0].stride;
    } else if (runs.empty()) {
        result.view_ = {0, 0, row_major(result.shape_)};
    } else {
        result.list_ = std::make_shared<const RunList>(std::move(runs));
    }
    return result;
}

Tensor Tensor::as_list() const {
    if (!strided()) return *this;
    Tensor result = *this;
    result.list_ = std::make_shared<const RunList>(runs());
    result.window_ = 0;
    return result;
}

void Tensor::append_window(std::vector<Run>& runs, std::int64_t begin, std::int64_t count) const {
    list_->for_each(window_ + begin, window_ + begin + count,
                    [&](const Run& run) { append_run(runs, run); });
}

std::vector<Run> Tensor::runs() const {
    std::vector<Run> result;
    for_each_run([&](const Run& run) { append_run(result, run); });
    return result;
}

std::optional<Run> Tensor::single_run() const {
    std::optional<Run> whole;
    bool single = true;
    for_each_run([&](const Run& run) {
        if (!single) return;
        if (!whole) {
            whole = run;
        } else if (run.variable == whole->variable && run.contiguous() &&
                   run.begin == whole->begin + whole->count) {
            whole->count += run.count;
        } else {
            single = false;
        }
        if (!run.contiguous()) single = false;
    });
    if (!single) return std::nullopt;
    if (whole) whole->stride = 1;
    return whole;
}

Tensor Tensor::index(std::int64_t i) const {
    Tensor row = slice(i, i + 1, 0);
    row.shape_.erase(row.shape_.begin());
    if (row.strided()) row.view_.strides.erase(row.view_.strides.begin());
    return row;
}

Tensor Tensor::slice(std::int64_t begin, std::int64_t end, std::size_t dimension) const {
    check_dimension(dimension);
    if (begin < 0 || begin > end || end > shape_[dimension]) {
        fail(Fault::index,
             fmt::format("[{},{}) of dimension {} of a tensor of shape {}", begin, end, dimension,
                         to_text(shape_)),
             fmt::format("a range within [0,{})", shape_[dimension]));
    }
    Tensor result;
    result.type_ = type_;
    result.constant_ = constant_;
    result.shape_ = shape_;
    result.shape_[dimension] = end - begin;
    result.elements_ = shape_[dimension] == 0 ? 0 : elements_ / shape_[dimension] * (end - begin);
    if (strided()) {
        result.view_ = view_;
        if (begin < end) result.view_.offset += begin * view_.strides[dimension];
        return result;
    }
    const Split split(shape_, dimension);
    if (split.outer == 1) {
        result.list_ = list_;
        result.window_ = window_ + begin * split.inner;
        return result;
    }
    std::vector<Run> runs;
    for (std::int64_t o = 0; o < split.outer; ++o) {
        append_window(runs, (o * split.extent + begin) * split.inner, (end - begin) * split.inner);
    }
    return from_runs(*this, std::move(result.shape_), std::move(runs));
}

std::optional<std::vector<std::int64_t>> Tensor::strides_for(const Shape& shape) const {
    // Old dimensions are taken in groups that a new dimension or several exactly cover.
    std::vector<std::int64_t> strides(shape.size(), 0);
    std::size_t from = 0;
    std::size_t to = 0;
    while (to < shape.size()) {
        std::int64_t covered = 1;
        const std::size_t first = from;
        while (from < rank() && shape_[from] == 1) ++from;
        std::int64_t wanted = shape[to];
        const std::size_t group = to;
        ++to;
        if (wanted == 1) {
            from = first;
            strides[group] = 1;
            continue;
        }
        if (from == rank()) return std::nullopt;
        std::int64_t stride = view_.strides[from];
        covered = shape_[from++];
        while (covered != wanted) {
            if (covered < wanted) {
                while (from < rank() && shape_[from] == 1) ++from;
                if (from == rank() || stride != view_.strides[from] * shape_[from]) {
                    return std::nullopt;
                }
                stride = view_.strides[from];
                covered *= shape_[from++];
            } else {
                if (to == shape.size()) return std::nullopt;
                wanted *= shape[to++];
            }
        }
        for (std::size_t d = to; d-- > group;) {
            strides[d] = stride;
            stride *= shape[d];
        }
    }
    return strides;
}

Tensor Tensor::reshape(Shape shape) const {
    if (elements_of(shape) != elements_) {
        fail(Fault::shape,
             fmt::format("a tensor of shape {} reshaped to {}", to_text(shape_), to_text(shape)),
             fmt::format("a shape of {} elements", elements_));
    }
    if (strided() && elements_ > 0) {
        if (auto strides = strides_for(shape)) {
            Tensor result = *this;
            result.shape_ = std::move(shape);
            result.view_.strides = std::move(*strides);
            return result;
        }
        return from_runs(*this, std::move(shape), runs());
    }
    Tensor result = *this;
    result.shape_ = std::move(shape);
    if (strided()) result.view_.strides = row_major(result.shape_);
    return result;
}

Tensor Tensor::shuffle(std::span<const std::size_t> permutation) const {
    std::vector<bool> seen(rank(), false);
    bool valid = permutation.size() == rank();
    for (const std::size_t d : permutation) {
        valid = valid && d < rank() && !seen[d];
        if (valid) seen[d] = true;
    }
    if (!valid) {
        fail(Fault::shape,
             fmt::format("dimensions of a tensor of shape {} in the order {}", to_text(shape_),
                         fmt::join(permutation, ",")),
             "every dimension once");
    }
    Tensor result = *this;
    for (std::size_t d = 0; d < rank(); ++d) result.shape_[d] = shape_[permutation[d]];
    if (strided()) {
        for (std::size_t d = 0; d < rank(); ++d) {
            result.view_.strides[d] = view_.strides[permutation[d]];
        }
        return result;
    }
    // Dimensions at the end that stay move as blocks.
    std::size_t moving = rank();
    while (moving > 0 && permutation[moving - 1] == moving - 1) --moving;
    if (moving == 0 || elements_ == 0) return result;
    const std::vector<std::int64_t> old_strides = row_major(shape_);
    const std::int64_t block = old_strides[moving - 1];
    std::vector<std::int64_t> at(moving, 0);
    std::vector<Run> runs;
    std::int64_t position = 0;
    while (true) {
        append_window(runs, position, block);
        std::size_t d = moving;
        while (d > 0 && at[d - 1] + 1 == result.shape_[d - 1]) {
            position -= at[d - 1] * old_strides[permutation[d - 1]];
            at[d - 1] = 0;
            --d;
        }
        if (d == 0) break;
        ++at[d - 1];
        position += old_strides[permutation[d - 1]];
    }
    return from_runs(*this, std::move(result.shape_), std::move(runs));
}

Tensor Tensor::reverse(std::size_t dimension) const {
    check_dimension(dimension);
    Tensor result = *this;
    const Split split(shape_, dimension);
    if (elements_ == 0) return result;
    if (strided()) {
        result.view_.offset += (split.extent - 1) * view_.strides[dimension];
        result.view_.strides[dimension] = -view_.strides[dimension];
        return result;
    }
    std::vector<Run> runs;
    for (std::int64_t o = 0; o < split.outer; ++o) {
        for (std::int64_t e = split.extent; e-- > 0;) {
            append_window(runs, (o * split.extent + e) * split.inner, split.inner);
        }
    }
    return from_runs(*this, shape_, std::move(runs));
}

Tensor Tensor::sub_sample(std::int64_t step, std::size_t dimension) const {
    check_dimension(dimension);
    if (step < 1) fail(Fault::index, "a sample of every 0th element", "a step of at least 1");
    const Split split(shape_, dimension);
    Shape shape = shape_;
    shape[dimension] = (split.extent + step - 1) / step;
    if (strided()) {
        Tensor result = *this;
        result.shape_ = std::move(shape);
        result.elements_ = elements_of(result.shape_);
        result.view_.strides[dimension] *= step;
        return result;
    }
    std::vector<Run> runs;
    for (std::int64_t o = 0; o < split.outer; ++o) {
        for (std::int64_t e = 0; e < split.extent; e += step) {
            append_window(runs, (o * split.extent + e) * split.inner, split.inner);
        }
    }
    return from_runs(*this, std::move(shape), std::move(runs));
}

Tensor Tensor::with_repeat(std::int64_t n, std::size_t before) const {
    Tensor result = *this;
    result.shape_.insert(result.shape_.begin() + static_cast<std::ptrdiff_t>(before), n);
    result.elements_ = elements_of(result.shape_);
    if (strided()) {
        result.view_.strides.insert(
            result.view_.strides.begin() + static_cast<std::ptrdiff_t>(before), 0);
        return result;
    }
    const std::int64_t outer = elements_of(std::span(shape_).first(before));
    const std::int64_t inner = outer == 0 ? 0 : elements_ / outer;
    std::vector<Run> runs;
    for (std::int64_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; i < n; ++i) append_window(runs, o * inner, inner);
    }
    return from_runs(*this, std::move(result.shape_), std::move(runs));
}

Tensor Tensor::broadcast(std::int64_t n, std::size_t dimension) const {
    check_dimension(dimension);
    Shape shape = shape_;
    shape[dimension] *= n;
    return with_repeat(n, dimension).reshape(std::move(shape));
}

Tensor Tensor::repeat_entries(std::int64_t n, std::size_t dimension) const {
    check_dimension(dimension);
    Shape shape = shape_;
    shape[dimension] *= n;
    return with_repeat(n, dimension + 1).reshape(std::move(shape));
}

Tensor Tensor::reinterpret(ElementType type) const {
    if (bytes_of(type) != bytes_of(type_)) {
        fail(Fault::type,
             fmt::format("elements of type {} seen as {}", name_of(type_), name_of(type)),
             "a type of the same size");
    }
    Tensor result = *this;
    result.type_ = type;
    return result;
}

Tensor Tensor::concat(std::span<const Tensor> tensors, std::size_t dimension) {
    if (tensors.empty()) fail(Fault::shape, "no tensors to join", "at least one");
    const Tensor& first = tensors[0];
    first.check_dimension(dimension);
    Shape shape = first.shape_;
    shape[dimension] = 0;
    for (const Tensor& tensor : tensors) {
        bool fits = tensor.rank() == shape.size();
        for (std::size_t d = 0; fits && d < shape.size(); ++d) {
            fits = d == dimension || tensor.shape_[d] == shape[d];
        }
        if (!fits || tensor.type_ != first.type_) {
            fail(fits ? Fault::type : Fault::shape,
                 fmt::format("{}{} joined with {}{} along dimension {}", name_of(first.type_),
                             to_text(first.shape_), name_of(tensor.type_), to_text(tensor.shape_),
                             dimension),
                 "tensors of one type whose other dimensions agree");
        }
        shape[dimension] += tensor.shape_[dimension];
    }
    if (tensors.size() == 1) return first;
    std::vector<Run> runs;
    const std::int64_t outer = elements_of(std::span(shape).first(dimension));
    if (outer == 1) {
        for (const Tensor& tensor : tensors) {
            tensor.for_each_run([&](const Run& run) { append_run(runs, run); });
        }
    } else {
        std::vector<Tensor> lists;
        lists.reserve(tensors.size());
        for (const Tensor& tensor : tensors) lists.push_back(tensor.as_list());
        for (std::int64_t o = 0; o < outer; ++o) {
            for (const Tensor& list : lists) {
                const std::int64_t part = list.elements_ / outer;
                list.append_window(runs, o * part, part);
            }
        }
    }
    Tensor result = from_runs(first, std::move(shape), std::move(runs));
    result.constant_ = std::ranges::any_of(tensors, &Tensor::constant_);
    return result;
}

bool operator==(const Tensor& a, const Tensor& b) {
    return a.type_ == b.type_ && a.shape_ == b.shape_ && a.runs() == b.runs();
}

} // namespace tropic::tile
