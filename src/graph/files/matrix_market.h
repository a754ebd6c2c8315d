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

/// The type that values are read as. Integers without a declared type are read as the narrowest,
/// and again as a wider one if that was too narrow.
struct Reading {
    ElementType type = ElementType::pattern;
    bool guessed = false;   ///< the file does not declare it
    bool last = true;       ///< no wider type is tried
    Index beyond_int64 = 0; ///< a line whose value int64 does not hold, if that is why it is wider
};

/// The body. Returns the line of the first value that does not fit a type that was guessed, where
/// there is a wider one to try; 0 if all was read.
Index read_coordinates(TextFile& file, const Header& header, const Reading& reading,
                       FileContent& content);
Index read_array(TextFile& file, const Header& header, const Reading& reading,
                 FileContent& content);

} // namespace tropic::matrix_market
