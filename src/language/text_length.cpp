#include "language/text_length.h"

#include <fmt/format.h>

#include "tropic/error.h"

namespace tropic::language {

void require_short(const Source& source) {
    constexpr std::size_t longest_text = std::size_t{1} << 20;
    if (source.text().size() <= longest_text) return;
    throw Error({.code = ErrorCode::range,
                 .message = fmt::format("a program of {} bytes; {} are allowed",
                                        source.text().size(), longest_text),
                 .file = source.file()});
}

} // namespace tropic::language
