#include "cli/algorithm_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text_output.h"
#include "support/counted.h"
#include "tropic/coordinates.h"
#include "tropic/generate.h"

namespace tropic::cli {

using library::Summary;

namespace {

Rows rows_of(const AlgorithmVariable& variable) {
    if (variable.kind == AlgorithmVariable::Kind::table) {
        if (!variable.over_vertices) return Rows::positions;
        return variable.type.find("vertices(") != std::string::npos ? Rows::pairs : Rows::cells;
    }
    if (variable.type.find("edges(") != std::string::npos) return Rows::entries;
    if (variable.type.find("columns(") != std::string::npos) return Rows::columns;
    return variable.over_vertices ? Rows::vertices : Rows::positions;
}

/// The largest value of an integer type stands for infinity.
bool is_infinite(const Array& values, Index i) {
    return visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T value = values.as<T>()[i];
        if constexpr (std::is_floating_point_v<T>) {
            return value == std::numeric_limits<T>::infinity();
        } else return sizeof(T) >= 4 && value == std::numeric_limits<T>::max();
    });
}

/// An integer with all its digits.
std::string digits(const Array& values, Index i) {
    return visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_floating_point_v<T>) return std::string();
        else return std::to_string(values.as<T>()[i]);
    });
}

/// Whether element `a` is less than `b`, with all their digits.
bool is_less(const Array& values, Index a, Index b) {
    return visit_type(values.type(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        return values.as<T>()[a] < values.as<T>()[b];
    });
}

/// An element with all its digits. Infinities and NaN are written as null.
Json exact_json(const Array& values, Index i) {
    return is_float(values.type()) ? Json(values.value_at(i)) : Json::parse(digits(values, i));
}

} // namespace

ResultColumn::ResultColumn(const Graph& graph, const AlgorithmVariable& variable,
                           const Tensor& tensor, Summary summary, const Context& context)
    : name_(variable.name), graph_(&graph), values_(tensor.values()), lanes_(variable.lanes),
      vertex_(variable.vertex), rows_(rows_of(variable)), summary_(summary) {
    if (rows_ == Rows::entries) csr_ = convert(graph.tensor, Format::csr(), context);
    if (variable.kind == AlgorithmVariable::Kind::table) width_ = std::max<Index>(1, tensor.dim(1));
    if (variable.kind == AlgorithmVariable::Kind::set ||
        variable.kind == AlgorithmVariable::Kind::sparse) {
        members_ = tensor.level(0).crd;
        size_ = members_.size();
        sparse_ = true;
        space_ = tensor.dim(0);
        if (variable.kind == AlgorithmVariable::Kind::set) lanes_ = 0;
    } else {
        size_ = values_.size() / lanes_;
    }
}

std::vector<std::string> ResultColumn::key_names() const {
    if (rows_ == Rows::vertices) return {graph_->is_square() ? "vertex" : "row"};
    if (rows_ == Rows::columns) return {"column"};
    if (rows_ == Rows::positions) {
        return width_ > 1 ? std::vector<std::string>{"row", "column"}
                          : std::vector<std::string>{"index"};
    }
    if (rows_ == Rows::cells) return {graph_->is_square() ? "vertex" : "row", "index"};
    return {"from", "to"};
}

bool ResultColumn::has_infinity() const {
    if (summary_ != Summary::distances || vertex_) return false;
    for (Index i = 0; i < values_.size(); ++i) {
        if (is_infinite(values_, i)) return true;
    }
    return false;
}

Index ResultColumn::matrix_rows() const {
    if (rows_ == Rows::entries) return csr_.dim(0);
    return sparse_ ? space_ : size_ / width_;
}

Index ResultColumn::matrix_columns() const {
    return rows_ == Rows::entries ? csr_.dim(1) : width_ * lanes_;
}

std::pair<Index, Index> ResultColumn::place(Index row) const {
    if (sparse_) row = members_.index_at(row);
    if (rows_ != Rows::entries) return {row / width_, row % width_};
    return visit_csr(csr_, [&](const auto& view) -> std::pair<Index, Index> {
        const auto above = std::upper_bound(view.pos.begin(), view.pos.end(), row);
        return {above - view.pos.begin() - 1, view.crd[row]};
    });
}

std::vector<Index> ResultColumn::key(Index row) const {
    const auto& ids = graph_->ids;
    const auto [first, second] = place(row);
    switch (rows_) {
    case Rows::vertices:
        return {ids[0][first]};
    case Rows::columns:
        return {ids[1][first]};
    case Rows::pairs:
        return {ids[0][first], ids[0][second]};
    case Rows::entries:
        return {ids[0][first], ids[1][second]};
    case Rows::cells:
        return {ids[0][first], second};
    case Rows::positions:
        break;
    }
    return width_ > 1 ? std::vector<Index>{first, second} : std::vector<Index>{first};
}

bool ResultColumn::has_other_ids() const {
    // Nobody knows the vertices of a generated graph by other numbers yet.
    const bool generated = is_generator_expression(graph_->name);
    const auto other = [&](const VertexIds& ids) {
        return !ids.counts_from_zero_or_one() || (ids.offset() == 0 && !generated);
    };
    if (rows_ == Rows::positions || matrix_rows() == 0) return false;
    if (rows_ == Rows::columns) return other(graph_->ids[1]);
    return other(graph_->ids[0]) || (rows_ == Rows::entries && other(graph_->ids[1]));
}

std::vector<std::string> ResultColumn::value_names() const {
    if (lanes_ == 1) return {name_};
    if (lanes_ == 0) return {};
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(lanes_));
    for (int lane = 0; lane < lanes_; ++lane) names.push_back(fmt::format("{}_{}", name_, lane));
    return names;
}

bool ResultColumn::is_none(Index row, int lane) const {
    if (vertex_) return number(row, lane) < 0;
    if (summary_ == Summary::levels) return number(row, lane) < 0;
    return summary_ == Summary::distances && is_infinite(values_, row * lanes_ + lane);
}

std::string ResultColumn::text(Index row, int lane, bool exact) const {
    if (is_none(row, lane)) {
        return vertex_ ? "none" : summary_ == Summary::distances ? "inf" : "-1";
    }
    const double value = number(row, lane);
    if (vertex_) return std::to_string(graph_->ids[0][static_cast<Index>(value)]);
    if (values_.type() == ElementType::boolean) return value != 0 ? "true" : "false";
    if (!is_float(values_.type())) return digits(values_, row * lanes_ + lane);
    if (!exact) return fmt::format("{:.6g}", value);
    return values_.type() == ElementType::float32 ? fmt::format("{}", static_cast<float>(value))
                                                  : fmt::format("{}", value);
}

Json ResultColumn::json(Index row, int lane) const {
    if (is_none(row, lane)) return nullptr;
    const double value = number(row, lane);
    if (vertex_) return graph_->ids[0][static_cast<Index>(value)];
    if (values_.type() == ElementType::boolean) return value != 0;
    return exact_json(values_, row * lanes_ + lane);
}

Json ResultColumn::summary_json() const {
    const Index count = values_.size();
    if (summary_ == Summary::labels) {
        std::unordered_map<Index, Index> groups;
        Index largest = 0;
        for (Index i = 0; i < count; ++i) {
            largest = std::max(largest, ++groups[static_cast<Index>(values_.value_at(i))]);
        }
        return {{"different", groups.size()}, {"largest group", largest}};
    }
    Index there = 0;
    double sum = 0;
    Index least = -1; // which elements they are
    Index largest = -1;
    for (Index row = 0; row < size(); ++row) {
        for (int lane = 0; lane < lanes_; ++lane) {
            if (is_none(row, lane)) continue;
            const double value = number(row, lane);
            if (summary_ == Summary::truths && value == 0) continue;
            ++there;
            sum += value;
            if (value != value) continue;
            const Index element = row * lanes_ + lane;
            if (least < 0 || is_less(values_, element, least)) least = element;
            if (largest < 0 || is_less(values_, largest, element)) largest = element;
        }
    }
    switch (summary_) {
    case Summary::truths:
        return {{"true", there}, {"of", count}};
    case Summary::vertices:
        return {{"set", there}, {"of", count}};
    case Summary::levels:
    case Summary::distances: {
        Json json = {{"reached", there}, {"of", count}};
        if (largest >= 0) json["largest"] = exact_json(values_, largest);
        return json;
    }
    default:
        break;
    }
    if (largest < 0) return Json::object();
    return {{"least", exact_json(values_, least)},
            {"mean", sum / static_cast<double>(there)},
            {"largest", exact_json(values_, largest)}};
}

std::string ResultColumn::summary_text() const {
    const Json json = summary_json();
    std::string out;
    for (const auto& [what, value] : json.items()) {
        const std::string number =
            value.is_number_float() ? short_number(value.get<double>()) : value.dump();
        if (what == "of") out += fmt::format(" of {}", number);
        else if (what == "different") out += number + " different";
        else out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, number);
        if (what == "different") continue;
    }
    return out.empty() ? "nothing" : out;
}

std::string ResultColumn::preview() const {
    constexpr Index shown = 10;
    const bool keyed = sparse_ || (rows_ != Rows::vertices && rows_ != Rows::columns &&
                                   (rows_ != Rows::positions || width_ > 1));
    std::string out;
    for (Index row = 0; row < std::min(size_, shown); ++row) {
        std::vector<std::string> cells;
        cells.reserve(static_cast<std::size_t>(lanes_));
        for (int lane = 0; lane < lanes_; ++lane) cells.push_back(text(row, lane, false));
        const std::string value = fmt::format("{}", fmt::join(cells, " "));
        if (row > 0) out += ", ";
        if (keyed) out += fmt::format("{}", fmt::join(key(row), " "));
        if (keyed && lanes_ > 0) out += ": ";
        out += lanes_ > 1 ? "(" + value + ")" : value;
    }
    if (size_ > shown) out += fmt::format(", ... {} in all", size_);
    return out.empty() ? "nothing" : out;
}

std::vector<Index> ResultColumn::largest(Index count) const {
    std::vector<Index> rows(static_cast<std::size_t>(size()));
    std::iota(rows.begin(), rows.end(), Index{0});
    const auto before = [&](Index a, Index b) {
        if (is_none(a) || is_none(b)) return is_none(a) == is_none(b) ? a < b : is_none(b);
        const Index x = a * lanes_; // the first of each
        const Index y = b * lanes_;
        if (is_less(values_, y, x)) return true;
        return !is_less(values_, x, y) && a < b;
    };
    const auto middle = rows.begin() + std::min(count, size());
    std::partial_sort(rows.begin(), middle, rows.end(), before);
    rows.erase(middle, rows.end());
    return rows;
}

std::string columns_text(const std::vector<const ResultColumn*>& columns,
                         const std::vector<Index>& rows) {
    std::vector<std::vector<std::string>> cells;
    std::vector<std::string> header = columns.front()->key_names();
    for (const ResultColumn* column : columns) {
        for (const std::string& name : column->value_names()) header.push_back(name);
    }
    cells.push_back(header);
    for (const Index row : rows) {
        std::vector<std::string> line;
        for (const Index id : columns.front()->key(row)) line.push_back(std::to_string(id));
        for (const ResultColumn* column : columns) {
            for (int lane = 0; lane < column->lanes(); ++lane) {
                line.push_back(column->text(row, lane, false));
            }
        }
        cells.push_back(std::move(line));
    }
    std::string out;
    for (const auto& line : cells) {
        std::string text;
        for (std::size_t c = 0; c < line.size(); ++c) {
            std::size_t width = 0;
            for (const auto& other : cells) width = std::max(width, other[c].size());
            text += fmt::format("  {:>{}}", line[c], width);
        }
        out += text + "\n";
    }
    return out;
}

Json columns_json(const std::vector<const ResultColumn*>& columns, const std::vector<Index>& rows) {
    Json list = Json::array();
    const std::vector<std::string> keys = columns.front()->key_names();
    for (const Index row : rows) {
        Json line = Json::object();
        const std::vector<Index> ids = columns.front()->key(row);
        for (std::size_t k = 0; k < keys.size(); ++k) line[keys[k]] = ids[k];
        for (const ResultColumn* column : columns) {
            const std::vector<std::string> names = column->value_names();
            for (int lane = 0; lane < column->lanes(); ++lane) {
                line[names[lane]] = column->json(row, lane);
            }
        }
        list.push_back(std::move(line));
    }
    return list;
}

} // namespace tropic::cli
