// The results of an algorithm as columns of a table whose rows are vertices, entries or pairs,
// named by the ids of the graph's file.
#pragma once

#include <string>
#include <vector>

#include "cli/json_output.h"
#include "library/catalogue.h"

namespace tropic::cli {

/// What the rows of a column are.
enum class Rows : std::uint8_t { vertices, columns, entries, pairs };

class ResultColumn {
  public:
    ResultColumn(const Graph& graph, const AlgorithmVariable& variable, const Tensor& tensor,
                 library::Summary summary, const Context& context);

    const std::string& name() const noexcept { return name_; }
    Rows rows() const noexcept { return rows_; }
    Index size() const noexcept { return values_.size() / lanes_; }
    int lanes() const noexcept { return lanes_; }
    const Array& values() const noexcept { return values_; }

    /// "vertex", or "from" and "to".
    std::vector<std::string> key_names() const;
    /// The ids that name a row.
    std::vector<Index> key(Index row) const;
    /// "rank", or "user_0" to "user_7".
    std::vector<std::string> value_names() const;

    double number(Index row, int lane = 0) const { return values_.value_at(row * lanes_ + lane); }
    /// Whether the element says that there is none: no path, no parent.
    bool is_none(Index row, int lane = 0) const;
    /// An element as text, in six digits or in as many as are needed to read it back.
    std::string text(Index row, int lane, bool exact) const;
    Json json(Index row, int lane) const;

    /// "reached 1000 of 1024, largest 7".
    std::string summary_text() const;
    Json summary_json() const;

    /// The rows with the largest numbers, of equal ones the first.
    std::vector<Index> largest(Index count) const;

  private:
    std::string name_;
    const Graph* graph_;
    Array values_;
    int lanes_ = 1;
    bool vertex_ = false;
    Rows rows_ = Rows::vertices;
    library::Summary summary_;
    Tensor csr_; ///< entries: whose
};

/// The first of these columns and all others with the same rows, as a table to a file: .csv, .tsv,
/// .txt, .mtx or .json.
void write_columns(const std::vector<const ResultColumn*>& columns, const std::string& path,
                   const Context& context);

/// The rows given, under their names, aligned.
std::string columns_text(const std::vector<const ResultColumn*>& columns,
                         const std::vector<Index>& rows);
Json columns_json(const std::vector<const ResultColumn*>& columns, const std::vector<Index>& rows);

} // namespace tropic::cli
