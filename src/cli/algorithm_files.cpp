// Tables of results as files.
#include <algorithm>

#include <fmt/format.h>

#include "cli/algorithm_columns.h"
#include "graph/files/byte_sink.h"
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

/// The first column alone: an array with a row for each vertex, or a matrix of the entries.
void write_matrix_market(ByteSink& sink, const ResultColumn& column, const Context& context) {
    if (column.rows() == Rows::entries || column.rows() == Rows::pairs) {
        throw Error({.code = ErrorCode::unsupported,
                     .message = fmt::format("{} belongs to pairs of vertices; .mtx is written for "
                                            "results with one row for each vertex",
                                            column.name()),
                     .accepted = ".csv, .tsv, .json"});
    }
    const bool real = is_float(column.values().type());
    sink.write(fmt::format("%%MatrixMarket matrix array {} general\n%{}\n{} {}\n",
                           real ? "real" : "integer", column.name(), column.size(),
                           column.lanes()));
    for (int lane = 0; lane < column.lanes(); ++lane) { // column by column
        write_pieces(sink, column.size(), lines_at_once, context, "writing results",
                     [&](Index begin, Index end, std::string& out) {
                         for (Index row = begin; row < end; ++row) {
                             const Json value = column.json(row, lane);
                             if (value.is_null()) out += real ? "inf" : "-1";
                             else if (value.is_boolean()) out += value.get<bool>() ? "1" : "0";
                             else out += column.text(row, lane, true);
                             out += '\n';
                         }
                     });
    }
}

} // namespace

void write_columns(const Columns& columns, const std::string& path, const Context& context) {
    Columns same;
    std::ranges::copy_if(columns, std::back_inserter(same), [&](const ResultColumn* column) {
        return column->rows() == columns.front()->rows();
    });
    const auto sink = create_file(path, false, context);
    const std::string_view name = sink->path();
    if (name.ends_with(".csv")) write_separated(*sink, same, ',', context);
    else if (name.ends_with(".tsv") || name.ends_with(".txt")) {
        write_separated(*sink, same, '\t', context);
    } else if (name.ends_with(".json")) {
        write_json(*sink, same, context);
    } else if (name.ends_with(".mtx")) {
        write_matrix_market(*sink, *columns.front(), context);
    } else {
        throw Error({.code = ErrorCode::usage,
                     .message = fmt::format("the suffix of {} names no form of results", path),
                     .accepted = ".csv, .tsv, .txt, .json, .mtx; each with .gz, .xz or .zst"});
    }
    sink->commit();
}

} // namespace tropic::cli
