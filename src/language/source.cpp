#include "language/source.h"

#include <algorithm>

namespace tropic::language {

Source::Source(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
    }
}

std::string_view Source::line(int number) const {
    const auto index = static_cast<std::size_t>(number) - 1;
    if (number < 1 || index >= line_starts_.size()) return {};
    const std::size_t begin = line_starts_[index];
    std::size_t end = index + 1 < line_starts_.size() ? line_starts_[index + 1] - 1 : text_.size();
    if (end > begin && text_[end - 1] == '\r') --end;
    return std::string_view(text_).substr(begin, end - begin);
}

Place Source::place(std::size_t begin, std::size_t length) const {
    begin = std::min(begin, text_.size());
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), begin);
    const auto number = static_cast<int>(after - line_starts_.begin());
    const std::size_t column = begin - *(after - 1);
    const std::size_t size = line(number).size();
    const std::size_t rest = size > column ? size - column : 1;
    return {.line = number,
            .column = static_cast<int>(column) + 1,
            .length = static_cast<int>(std::clamp<std::size_t>(length, 1, rest))};
}

} // namespace tropic::language
