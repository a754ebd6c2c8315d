#include "reference/table.h"

#include <algorithm>

namespace tropic::reference {

namespace {

/// Adds zeros until every dense level at the end of the format is whole wherever it has anything.
void fill_last_dense_levels(Table& table, const Format& format) {
    std::vector<Index> block_shape;
    std::vector<int> block_dimensions;
    for (std::size_t level = format.levels.size(); level-- > 0;) {
        if (format.levels[level] != LevelKind::dense) break;
        block_dimensions.push_back(format.order[level]);
        block_shape.push_back(table.shape[format.order[level]]);
    }
    if (block_shape.empty()) return;
    const std::map<Coordinates, Number> given = table.entries;
    for (const auto& [at, value] : given) {
        for (const Coordinates& offset : all_coordinates(block_shape)) {
            Coordinates place = at;
            for (std::size_t b = 0; b < offset.size(); ++b) place[block_dimensions[b]] = offset[b];
            table.entries.emplace(place, Number{});
        }
    }
}

} // namespace

std::vector<Coordinates> all_coordinates(const std::vector<Index>& shape) {
    std::vector<Coordinates> result = {{}};
    for (const Index size : shape) {
        std::vector<Coordinates> longer;
        for (const Coordinates& prefix : result) {
            for (Index c = 0; c < size; ++c) {
                longer.push_back(prefix);
                longer.back().push_back(c);
            }
        }
        result = std::move(longer);
    }
    return result;
}

Table constant_table(ElementType element, const std::vector<Index>& shape, const Number& value) {
    Table table{element, shape, true, {}};
    for (const Coordinates& at : all_coordinates(shape)) table.entries[at] = value;
    return table;
}

Table unassigned(ElementType element, const std::vector<Index>& shape, bool dense) {
    if (dense) return constant_table(element, shape, {});
    return {element, shape, false, {}};
}

bool is_dense(const Format& format) {
    return std::all_of(format.levels.begin(), format.levels.end(),
                       [](LevelKind kind) { return kind == LevelKind::dense; });
}

Table stored_as(const Table& table, const Format& format) {
    Table result = unassigned(table.element, table.shape, is_dense(format));
    for (const auto& [at, value] : table.entries) {
        const bool left_out = !result.dense && table.dense && is_zero(value, table.element);
        if (!left_out) result.entries[at] = value;
    }
    if (!result.dense) fill_last_dense_levels(result, format);
    return result;
}

Format inferred_format(const Table& table) {
    if (table.dense) return Format::dense(table.rank());
    return table.rank() == 2 ? Format::csr() : Format::csf(table.rank());
}

} // namespace tropic::reference
