// Tables of results as files.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/algorithm_columns.h"
#include "cli/outputs.h"
#include "graph/files/byte_sink.h"
#include "graph/files/compressor.h"
#include "support/letter_case.h"
#include "tropic/error.h"

namespace tropic::cli {

namespace {

constexpr Index lines_at_once = 1 << 14;

using Columns = std::vector<const ResultColumn*>;

void write_separated(ByteSink& sink, const Columns& columns, char separator,
                     const Context& context) {
    std::string header;
    for (const std::string& name : columns.front()->key_names()) {
        header += name + separator;
    }
    for (const ResultColumn* column : columns) {
        for (const std::string& name : column->value_names()) header += name + separator;
    }
    header.back() = '\n';
    sink.write(header);
    write_pieces(sink, columns.front()->size(), lines_at_once, context, "writing results",
                 [&](Index begin, Index end, std::string& out) {
                     for (Index row = begin; row < end; ++row) {
                         for (const Index id : columns.front()->key(row)) {
                             out += std::to_string(id) + separator;
                         }
                         for (const ResultColumn* column : columns) {
                             for (int lane = 0; lane < column->lanes(); ++lane) {
                                 out += column->text(row, lane, true) + separator;
                             }
                         }
                         out.back() = '\n';
                     }
                 });
}

void write_json(ByteSink& sink, const Columns& columns, const Context& context) {
    sink.write("[\n");
    write_pieces(sink, columns.front()->size(), lines_at_once, context, "writing results",
                 [&](Index begin, Index end, std::string& out) {
                     for (Index row = begin; row < end; ++row) {
                         out += columns_json(columns, {row})[0].dump();
                         out += row + 1 < columns.front()->size() ? ",\n" : "\n";
                     }
                 });
    sink.write("]\n");
}

/// A value; nothing where there is none and the file need not say so.
std::string matrix_value(const ResultColumn& column, Index row, int lane) {
    if (column.lanes() == 0) return "1";
    if (column.values().type() == ElementType::boolean) {
        return column.number(row, lane) != 0 ? "1" : "0";
    }
    std::string text = column.text(row, lane, true);
    return column.is_none(row, lane) && text != "inf" ? std::string() : text;
}

/// Whole numbers have no infinity in a file; reals do.
bool is_real(const ResultColumn& column) {
    return is_float(column.values().type()) || column.has_infinity();
}

/// A value for every row: vectors and tables.
void write_array(ByteSink& sink, const ResultColumn& column, const Context& context) {
    const bool real = is_real(column);
    const Index rows = column.matrix_rows();
    const Index width = column.matrix_columns() / column.lanes();
    sink.write(fmt::format("%%MatrixMarket matrix array {} general\n%{}\n{} {}\n",
                           real ? "real" : "integer", column.name(), rows,
                           column.matrix_columns()));
    for (Index line = 0; line < column.matrix_columns(); ++line) { // column by column
        const int lane = static_cast<int>(line % column.lanes());
        write_pieces(sink, rows, lines_at_once, context, "writing results",
                     [&](Index begin, Index end, std::string& out) {
                         for (Index row = begin; row < end; ++row) {
                             const std::string value =
                                 matrix_value(column, row * width + line / column.lanes(), lane);
                             out += value.empty() ? "-1" : value;
                             out += '\n';
                         }
                     });
    }
}

/// The entries that have a value, or the members of a set or sparse vector.
void write_coordinates(ByteSink& sink, const ResultColumn& column, const Context& context) {
    if (column.lanes() > 1) {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("{} has {} numbers for each entry; .mtx has one",
                                            column.name(), column.lanes()),
                     .accepted = ".csv, .tsv, .json"});
    }
    const bool real = is_real(column);
    Index there = 0;
    for (Index row = 0; row < column.size(); ++row) {
        if (!matrix_value(column, row, 0).empty()) ++there;
    }
    sink.write(fmt::format("%%MatrixMarket matrix coordinate {} general\n%{}\n{} {} {}\n",
                           real ? "real" : "integer", column.name(), column.matrix_rows(),
                           column.rows() == Rows::entries ? column.matrix_columns() : 1, there));
    write_pieces(sink, column.size(), lines_at_once, context, "writing results",
                 [&](Index begin, Index end, std::string& out) {
                     for (Index row = begin; row < end; ++row) {
                         const std::string value = matrix_value(column, row, 0);
                         if (value.empty()) continue;
                         const auto [i, j] = column.place(row);
                         out += fmt::format("{} {} {}\n", i + 1, j + 1, value);
                     }
                 });
}

/// One column alone: an array with a row for each vertex, or a matrix of the entries.
void write_matrix_market(ByteSink& sink, const ResultColumn& column, const Context& context) {
    const bool listed = column.rows() == Rows::entries || column.is_sparse();
    listed ? write_coordinates(sink, column, context) : write_array(sink, column, context);
}

} // namespace

bool is_table_file(std::string_view path) {
    path = without_compression(path);
    return std::ranges::any_of(
        std::array<std::string_view, 5>{".csv", ".tsv", ".txt", ".json", ".mtx"},
        [&](std::string_view suffix) { return has_suffix(path, suffix); });
}

void require_table_file(const std::string& path) {
    if (is_table_file(path)) return;
    throw Error({.code = ErrorCode::usage,
                 .message = fmt::format("the suffix of {} names no form of results", path),
                 .accepted = ".csv, .tsv, .txt, .json, .mtx; each with .gz, .xz or .zst"});
}

std::vector<std::string> write_columns(const Columns& columns, const std::string& path,
                                       const Context& context) {
    Columns same;
    std::ranges::copy_if(columns, std::back_inserter(same), [&](const ResultColumn* column) {
        return column->rows() == columns.front()->rows() &&
               (column == columns.front() || !columns.front()->is_sparse());
    });
    const bool on_standard_output = is_standard_output(path);
    if (!on_standard_output) require_table_file(path);
    const auto sink = create_file(path, false, context);
    const std::string_view name = sink->path();
    if (on_standard_output || has_suffix(name, ".csv")) write_separated(*sink, same, ',', context);
    else if (has_suffix(name, ".tsv") || has_suffix(name, ".txt")) {
        write_separated(*sink, same, '\t', context);
    } else if (has_suffix(name, ".json")) {
        write_json(*sink, same, context);
    } else {
        write_matrix_market(*sink, *columns.front(), context);
    }
    sink->commit();
    std::vector<std::string> left_out;
    const auto written = [&](const ResultColumn* column) {
        return has_suffix(name, ".mtx") ? column == columns.front()
                                        : std::ranges::find(same, column) != same.end();
    };
    for (const ResultColumn* column : columns) {
        if (!written(column)) left_out.push_back(column->name());
    }
    return left_out;
}

std::string numbering_note(const ResultColumn& column, const std::string& path) {
    if (!has_suffix(without_compression(path), ".mtx") || !column.has_other_ids()) return {};
    return fmt::format("the rows of {} are counted from 1, not named by the ids of {}", path,
                       column.graph().name);
}

} // namespace tropic::cli
