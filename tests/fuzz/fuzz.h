// The common body of the fuzzers: reads bytes as a file in one format, under a small memory limit,
// and verifies what comes out. A tropic::Error is a good answer; anything else is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tropic/tropic.h"

namespace tropic::fuzz {

/// One thread, so that runs repeat exactly, and a limit that keeps honest but large graphs fast.
inline const Context& small_context() {
    static const Context context({.threads = 1, .memory_limit = 8 << 20});
    return context;
}

/// The first byte chooses the size of text blocks (small ones put a block boundary everywhere) and
/// how duplicates are treated; the rest is the file.
inline int read(const std::uint8_t* data, std::size_t size, const std::string& name,
                std::optional<FileFormat> format, ReadOptions options = {}) {
    if (size == 0) return 0;
    const unsigned choice = data[0];
    options.format = format;
    options.chunk_bytes = choice % 4 == 0 ? std::size_t{1} << 20 : choice / 4 % 16 + 1;
    options.duplicates = static_cast<Duplicates>(choice % 6);
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        const Graph graph = read_graph_from_memory(bytes, name, options, small_context());
        graph.tensor.check(small_context());
    } catch (const Error&) {
    }
    return 0;
}

} // namespace tropic::fuzz
