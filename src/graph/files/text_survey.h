// The first lines of a text as numbers, and whether they could be the body behind a header of some
// format. Recognition weighs these answers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tropic/types.h"

namespace tropic {

struct TextSurvey {
    bool complete = false;      ///< the whole text was seen
    bool hash_comments = false; ///< '#' or "//"
    bool percent_comments = false;
    bool konect = false;         ///< "% sym", "% asym" or "% bip", which open KONECT's edge lists
    std::string_view first_line; ///< the first that is neither blank nor comment
    std::string_view second_line;
    bool numeric = true; ///< the first line is one of numbers

    /// The numbers of each line that is not a comment, from the first that is not blank; reals as
    /// -1. Blank lines behind the last line with numbers are left out.
    std::vector<std::vector<Index>> rows;

    /// Lines of numbers behind the first, all with this many of them; 0: they differ (or none).
    std::size_t body_columns() const;

    /// "n m" and lines "i j w", or "i j" with two columns.
    bool fits_gset(std::size_t columns = 3) const;
    /// "rows columns entries" and lines of one or two coordinates in range, perhaps with a value.
    bool fits_matrix_market() const;
    /// "n m [fmt [ncon]]" and at most n lines of neighbours.
    bool fits_metis() const;
    /// The same, and its lines name each other, which those of an edge list hardly do.
    bool is_metis() const;

  private:
    enum class Ends : std::uint8_t { unknown, both, one };
    /// Whether lines without weights name each other as neighbours, as far as seen.
    Ends named_ends() const;
};

TextSurvey survey(std::string_view text, bool complete);

} // namespace tropic
