#include "machines/tile/print_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace tropic::tile {

namespace {

template <class Value> Value load(const std::byte* element) {
    Value value;
    std::memcpy(&value, element, sizeof(Value));
    return value;
}

template <class Visit>
auto visit_element(ElementType type, const std::byte* e, const Visit& visit) {
    switch (type) {
    case ElementType::boolean:
    case ElementType::uint8:
        return visit(load<std::uint8_t>(e));
    case ElementType::int8:
        return visit(load<std::int8_t>(e));
    case ElementType::int16:
        return visit(load<std::int16_t>(e));
    case ElementType::uint16:
        return visit(load<std::uint16_t>(e));
    case ElementType::int32:
        return visit(load<std::int32_t>(e));
    case ElementType::uint32:
        return visit(load<std::uint32_t>(e));
    case ElementType::int64:
        return visit(load<std::int64_t>(e));
    case ElementType::uint64:
        return visit(load<std::uint64_t>(e));
    case ElementType::float16:
        return visit(static_cast<float>(load<_Float16>(e)));
    case ElementType::float32:
        break;
    }
    return visit(load<float>(e));
}

class Printer {
  public:
    Printer(const Shape& shape, ElementType type, const std::byte* data, const PrintFormat& format)
        : shape_(&shape), type_(type), data_(data), format_(&format),
          summarise_(elements_of(shape) > format.summarise_threshold) {
        const bool floating = type == ElementType::float16 || type == ElementType::float32;
        if (floating && format.float_format == 0) {
            for (std::int64_t i = 0; i < elements_of(shape); ++i) {
                const double value = std::abs(
                    element_value(type, data + i * static_cast<std::int64_t>(bytes_of(type))));
                constexpr double large = 1e8;
                constexpr double small = 1e-4;
                if (std::isfinite(value) && value != 0 && (value >= large || value < small)) {
                    scientific_ = true;
                }
            }
        }
    }

    std::string run() {
        if (shape_->empty()) {
            add_element(0);
        } else {
            add_dimension(0, 0);
        }
        return std::move(text_);
    }

  private:
    void add_element(std::int64_t index) {
        const std::byte* element = data_ + index * static_cast<std::int64_t>(bytes_of(type_));
        if (type_ == ElementType::boolean) {
            text_ += element_integer(type_, element) != 0 ? "true" : "false";
        } else if (type_ == ElementType::float16 || type_ == ElementType::float32) {
            const double value = element_value(type_, element);
            constexpr int fixed = 1;
            constexpr int scientific = 2;
            constexpr int none = 3;
            if (format_->float_format == none) {
                text_ += fmt::format("{}", static_cast<float>(value));
            } else if (format_->float_format == scientific ||
                       (format_->float_format != fixed && scientific_)) {
                text_ += fmt::format("{:.{}e}", value, format_->digits);
            } else {
                text_ += fmt::format("{:.{}f}", value, format_->digits);
            }
        } else if (type_ == ElementType::uint64) {
            text_ += fmt::format("{}", load<std::uint64_t>(element));
        } else {
            text_ += fmt::format("{}", element_integer(type_, element));
        }
    }

    void add_dimension(std::size_t dimension, std::int64_t first) {
        const std::int64_t extent = (*shape_)[dimension];
        std::int64_t inner = 1;
        for (std::size_t d = dimension + 1; d < shape_->size(); ++d) inner *= (*shape_)[d];
        const bool innermost = dimension + 1 == shape_->size();
        const std::int64_t edge = format_->edge_items;
        text_ += format_->open;
        for (std::int64_t i = 0; i < extent; ++i) {
            if (i > 0) {
                text_ += format_->separator;
                if (innermost) {
                    break_line(dimension);
                } else {
                    text_ += '\n';
                    text_.append(dimension + 1, ' ');
                }
            }
            if (summarise_ && i == edge && extent > 2 * edge) {
                text_ += "...";
                i = extent - edge - 1;
                continue;
            }
            if (innermost) {
                add_element(first + i);
            } else {
                add_dimension(dimension + 1, first + i * inner);
            }
        }
        text_ += format_->close;
    }

    void break_line(std::size_t dimension) {
        const std::size_t line = text_.rfind('\n');
        const std::size_t width = text_.size() - (line == std::string::npos ? 0 : line + 1);
        if (width >= format_->line_width) {
            text_ += '\n';
            text_.append(dimension + 1, ' ');
        } else {
            text_ += ' ';
        }
    }

    const Shape* shape_;
    ElementType type_;
    const std::byte* data_;
    const PrintFormat* format_;
    bool summarise_;
    bool scientific_ = false;
    std::string text_;
};

} // namespace

double element_value(ElementType type, const std::byte* element) {
    return visit_element(type, element, [](auto value) { return static_cast<double>(value); });
}

std::int64_t element_integer(ElementType type, const std::byte* element) {
    return visit_element(type, element,
                         [](auto value) { return static_cast<std::int64_t>(value); });
}

std::string print_tensor(const Shape& shape, ElementType type, const std::byte* data,
                         const PrintFormat& format) {
    return Printer(shape, type, data, format).run();
}

} // namespace tropic::tile
