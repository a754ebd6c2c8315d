// The results of an algorithm as columns of a table whose rows are vertices, entries or pairs,
// named by the ids of the graph's file.
#pragma once

#include <string>
#include <vector>

#include "cli/json_output.h"
#include "library/catalogue.h"

namespace tropic::cli {

/// What the rows of a column are.
enum class Rows : std::uint8_t {
    vertices,
    columns,
    entries,
    pairs,     ///< a vertex and a vertex
    cells,     ///< a vertex and a number from 0
    positions, ///< a number from 0
};

class ResultColumn {
  public:
    ResultColumn(const Graph& graph, const AlgorithmVariable& variable, const Tensor& tensor,
                 library::Summary summary, const Context& context);

    const std::string& name() const noexcept { return name_; }
    Rows rows() const noexcept { return rows_; }
    Index size() const noexcept { return size_; }
    /// Values in a row; none for members of a set.
    int lanes() const noexcept { return lanes_; }
    /// Whether rows are those of a set or a sparse vector.
    bool is_sparse() const noexcept { return sparse_; }
    /// Rows and columns of the whole as a matrix.
    Index matrix_rows() const;
    Index matrix_columns() const;
    /// Where a row of entries is in it.
    std::pair<Index, Index> place(Index row) const;
    const Array& values() const noexcept { return values_; }

    /// "vertex", or "from" and "to".
    std::vector<std::string> key_names() const;
    /// The ids that name a row.
    std::vector<Index> key(Index row) const;
    /// Whether these are not the numbers from 1 that name the rows of a matrix in a file.
    bool has_other_ids() const;
    const Graph& graph() const noexcept { return *graph_; }
    /// "rank", or "user_0" to "user_7".
    std::vector<std::string> value_names() const;

    double number(Index row, int lane = 0) const { return values_.value_at(row * lanes_ + lane); }
    /// Whether the element says that there is none: no path, no parent.
    bool is_none(Index row, int lane = 0) const;
    /// Whether one of the elements says that there is no path: `inf` in every file.
    bool has_infinity() const;
    /// An element as text, in six digits or in as many as are needed to read it back.
    std::string text(Index row, int lane, bool exact) const;
    Json json(Index row, int lane) const;

    /// "reached 1000 of 1024, largest 7".
    std::string summary_text() const;
    Json summary_json() const;

    /// "0, 1, 1, 2, ... 1024 in all": the first rows, in a line.
    std::string preview() const;

    /// The rows with the largest numbers, of equal ones the first.
    std::vector<Index> largest(Index count) const;

  private:
    std::string name_;
    const Graph* graph_;
    Array values_;
    Array members_; ///< sets and sparse vectors: who is there
    bool sparse_ = false;
    Index space_ = 0; ///< sparse: how many there could be
    Index size_ = 0;
    Index width_ = 1; ///< tables: their columns
    int lanes_ = 1;
    bool vertex_ = false;
    Rows rows_ = Rows::vertices;
    library::Summary summary_;
    Tensor csr_; ///< entries: whose
};

/// Whether files of that name are written as tables.
bool is_table_file(std::string_view path);

/// Throws Error(usage) if they are not.
void require_table_file(const std::string& path);

/// The first of these columns and all others with the same rows, as a table to a file: .csv, .tsv,
/// .txt, .mtx or .json.
std::vector<std::string> write_columns(const std::vector<const ResultColumn*>& columns,
                                       const std::string& path, const Context& context);

/// What there is to say of rows that the file does not name by their ids, or nothing.
std::string numbering_note(const ResultColumn& column, const std::string& path);

/// The rows given, under their names, aligned.
std::string columns_text(const std::vector<const ResultColumn*>& columns,
                         const std::vector<Index>& rows);
Json columns_json(const std::vector<const ResultColumn*>& columns, const std::vector<Index>& rows);

} // namespace tropic::cli
