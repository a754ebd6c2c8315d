// Texts in Matrix Market's format, read from memory.
#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "graph/files/reader.h"

namespace tropic::test {

inline FileContent read_matrix_market_text(std::string_view text, std::size_t chunk = 1 << 20,
                                           const Context& context = {}) {
    TextFile file(open_memory(text, "input"), chunk, context);
    return read_matrix_market(file, {});
}

/// A count of the first step of what was read.
inline Index count_in(const FileContent& content, std::string_view name) {
    for (const auto& [what, count] : content.steps.at(0).counts) {
        if (what == name) return count;
    }
    ADD_FAILURE() << "no count of " << name;
    return -1;
}

} // namespace tropic::test
