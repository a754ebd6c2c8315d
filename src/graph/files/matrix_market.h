// What the banner and the size line of a Matrix Market file say, for the parts of its reader.
#pragma once

#include "graph/files/reader.h"
#include "tropic/error.h"

namespace tropic::matrix_market {

enum class Layout : std::uint8_t { coordinate, array };
enum class Field : std::uint8_t { real, integer, pattern };
enum class Symmetry : std::uint8_t { general, symmetric, skew_symmetric };

std::string_view name_of(Layout layout) noexcept;
std::string_view name_of(Field field) noexcept;
std::string_view name_of(Symmetry symmetry) noexcept;

struct Header {
    Layout layout = Layout::coordinate;
    Field field = Field::real;
    Symmetry symmetry = Symmetry::general;
    std::optional<ElementType> type; ///< of a "%%GraphBLAS type" comment
    Index rows = 0;
    Index cols = 0;
    Index entries = 0; ///< lines announced; never trusted for an allocation
    Index size_line = 0;
    std::vector<std::string> warnings;
};

/// Reads up to and including the size line.
Header read_header(TextFile& file);

/// The body, with values of `type`. Sets `too_narrow` instead of failing if `type` was a guess (an
/// integer field without a declared type) and a value does not fit it.
void read_coordinates(TextFile& file, const Header& header, ElementType type, FileContent& content,
                      bool& too_narrow);
void read_array(TextFile& file, const Header& header, ElementType type, FileContent& content,
                bool& too_narrow);

} // namespace tropic::matrix_market
