#include <algorithm>
#include <ostream>

#include "reference/print.h"

namespace tropic::reference {

namespace {

/// Writes arrays in the form of `print`.
class Arrays {
  public:
    Arrays(std::ostream& out, ElementType element) : out_(out), element_(element) {}

    void indices(const std::vector<Index>& array) {
        out_ << "data = \n";
        for (const Index index : array) out_ << index << ',';
        out_ << '\n';
    }
    void values(const std::vector<Number>& array) {
        out_ << "data = \n";
        for (const Number& value : array) {
            print(out_, value, element_);
            out_ << ',';
        }
        out_ << '\n';
    }

  private:
    std::ostream& out_;
    ElementType element_;
};

Number value_at(const Table& table, const Coordinates& at) {
    const auto found = table.entries.find(at);
    return found == table.entries.end() ? Number{} : found->second;
}

void print_ell(Arrays& out, const Table& table) {
    const Index rows = table.shape[0];
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(rows));
    std::size_t slots = 0;
    for (const auto& [at, value] : table.entries) {
        columns[at[0]].push_back(at[1]);
        slots = std::max(slots, columns[at[0]].size());
    }
    std::vector<Index> shown;
    std::vector<Number> values;
    for (Index row = 0; row < rows; ++row) {
        columns[row].resize(slots, -1);
        for (const Index column : columns[row]) {
            shown.push_back(column);
            values.push_back(column < 0 ? Number{} : value_at(table, {row, column}));
        }
    }
    out.indices({rows});
    out.indices({-1});
    out.indices({static_cast<Index>(slots)});
    out.indices({-1});
    out.indices({-1});
    out.indices(shown);
    out.values(values);
}

/// Whether a block of a matrix, `side` rows and columns large, has an entry.
bool has_entry(const Table& table, Index block_row, Index block_column, Index side) {
    return std::any_of(table.entries.begin(), table.entries.end(), [&](const auto& entry) {
        return entry.first[0] / side == block_row && entry.first[1] / side == block_column;
    });
}

Index blocks_along(Index size, Index side) {
    return (size + side - 1) / side;
}

void print_bcsr(Arrays& out, const Table& table) {
    constexpr Index side = 2;
    const Index block_rows = blocks_along(table.shape[0], side);
    std::vector<Index> positions = {0};
    std::vector<Index> block_columns;
    std::vector<Number> values;
    for (Index r = 0; r < block_rows; ++r) {
        for (Index c = 0; c < blocks_along(table.shape[1], side); ++c) {
            if (!has_entry(table, r, c, side)) continue;
            block_columns.push_back(c);
            for (Index i = 0; i < side; ++i) {
                for (Index j = 0; j < side; ++j) {
                    values.push_back(value_at(table, {r * side + i, c * side + j}));
                }
            }
        }
        positions.push_back(static_cast<Index>(block_columns.size()));
    }
    out.indices({block_rows});
    out.indices({-1});
    out.indices(positions);
    out.indices(block_columns);
    for (int dimension = 0; dimension < 2; ++dimension) {
        out.indices({side});
        out.indices({-1});
    }
    out.values(values);
}

void print_csb(Arrays& out, const Table& table) {
    Index side = 1;
    while (side * side < std::max(table.shape[0], table.shape[1])) side *= 2;
    const Index block_rows = blocks_along(table.shape[0], side);
    const Index block_columns = blocks_along(table.shape[1], side);
    std::vector<Index> positions = {0};
    std::vector<Index> rows;
    std::vector<Index> columns;
    std::vector<Number> values;
    for (Index r = 0; r < block_rows; ++r) {
        for (Index c = 0; c < block_columns; ++c) {
            for (const auto& [at, value] : table.entries) {
                if (at[0] / side != r || at[1] / side != c) continue;
                rows.push_back(at[0] % side);
                columns.push_back(at[1] % side);
                values.push_back(value);
            }
            positions.push_back(static_cast<Index>(values.size()));
        }
    }
    out.indices({block_rows});
    out.indices({-1});
    out.indices({block_columns});
    out.indices({-1});
    out.indices(positions);
    out.indices(rows);
    out.indices({-1});
    out.indices(columns);
    out.values(values);
}

void print_mode_generic(Arrays& out, const Table& table) {
    const Index last = table.shape.back();
    std::map<Coordinates, std::vector<Number>> fibres;
    for (const auto& [at, value] : table.entries) {
        const Coordinates prefix(at.begin(), at.end() - 1);
        fibres[prefix].resize(static_cast<std::size_t>(last));
        fibres[prefix][at.back()] = value;
    }
    std::vector<Number> values;
    for (const auto& [at, fibre] : fibres) values.insert(values.end(), fibre.begin(), fibre.end());
    for (std::size_t d = 0; d + 1 < table.shape.size(); ++d) {
        out.indices(d == 0 ? Coordinates{0, static_cast<Index>(fibres.size())} : Coordinates{-1});
        std::vector<Index> coordinates;
        coordinates.reserve(fibres.size());
        for (const auto& [at, fibre] : fibres) coordinates.push_back(at[d]);
        out.indices(coordinates);
    }
    out.indices({last});
    out.indices({-1});
    out.values(values);
}

} // namespace

void print_presented(std::ostream& out, const Table& table, language::Presentation presentation) {
    Arrays arrays(out, table.element);
    switch (presentation) {
    case language::Presentation::ell:
        return print_ell(arrays, table);
    case language::Presentation::bcsr:
        return print_bcsr(arrays, table);
    case language::Presentation::csb:
        return print_csb(arrays, table);
    case language::Presentation::mode_generic:
        return print_mode_generic(arrays, table);
    case language::Presentation::plain:
        break;
    }
    throw Error(ErrorCode::internal, "a way to show storage that the reference does not know");
}

} // namespace tropic::reference
