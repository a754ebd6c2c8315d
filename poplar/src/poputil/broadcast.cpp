// Shapes brought together by numpy's rules.
#include <poputil/Broadcast.hpp>

#include <algorithm>

#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

std::string text_of(const Shape& shape) {
    std::string text = "[";
    for (const std::size_t extent : shape) {
        if (text.size() > 1) text += ",";
        text += std::to_string(extent);
    }
    return text + "]";
}

/// The shape that both grow to; false if one of them cannot.
bool common_shape(const Shape& a, const Shape& b, Shape& result) {
    result.assign(std::max(a.size(), b.size()), 1);
    for (std::size_t d = 0; d < result.size(); ++d) {
        const auto extent = [&](const Shape& shape) {
            const std::size_t missing = result.size() - shape.size();
            return d < missing ? std::size_t{1} : shape[d - missing];
        };
        const std::size_t x = extent(a);
        const std::size_t y = extent(b);
        if (x != y && x != 1 && y != 1) return false;
        result[d] = x == 1 ? y : x;
    }
    return true;
}

Shape require_common(const Shape& a, const Shape& b) {
    Shape result;
    if (!common_shape(a, b, result)) {
        throw poplibs_error("tensors of shapes " + text_of(a) + " and " + text_of(b) +
                            " do not broadcast to one shape");
    }
    return result;
}

} // namespace

void broadcastToMatch(Tensor& a, const Shape& shape) {
    if (require_common(a.shape(), shape) != shape) {
        throw poplibs_error("a tensor of shape " + text_of(a.shape()) +
                            " does not broadcast to shape " + text_of(shape));
    }
    if (a.rank() < shape.size()) a = a.expand(Shape(shape.size() - a.rank(), 0));
    for (unsigned d = 0; d < shape.size(); ++d) {
        if (a.dim(d) != shape[d]) a = a.broadcast(static_cast<unsigned>(shape[d]), d);
    }
}

void broadcastToMatch(Tensor& a, Tensor& b) {
    const Shape shape = require_common(a.shape(), b.shape());
    broadcastToMatch(a, shape);
    broadcastToMatch(b, shape);
}

void broadcastToMatch(Tensor& a, Tensor& b, Tensor& c) {
    const Shape shape = require_common(require_common(a.shape(), b.shape()), c.shape());
    broadcastToMatch(a, shape);
    broadcastToMatch(b, shape);
    broadcastToMatch(c, shape);
}

bool canBroadcastToMatch(const Tensor& a, const Tensor& b) {
    Shape shape;
    return common_shape(a.shape(), b.shape(), shape);
}

} // namespace poputil
