// A program's text with its lines, so that a place can be quoted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/program.h"

namespace tropic::language {

class Source {
  public:
    Source(std::string text, std::string file);

    const std::string& text() const noexcept { return text_; }
    const std::string& file() const noexcept { return file_; }

    /// Without its end; `number` is 1-based. Empty beyond the last line.
    std::string_view line(int number) const;

    /// Of the bytes from `begin`, at least one; cut at the end of the line.
    Place place(std::size_t begin, std::size_t length) const;

  private:
    std::string text_;
    std::string file_;
    std::vector<std::size_t> line_starts_;
};

} // namespace tropic::language
