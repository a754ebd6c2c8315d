// Compression of a piece of output by itself. gzip, xz and zstd files may consist of any number of
// complete streams, so pieces can be compressed on all threads and simply written one after the
// other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tropic {

enum class Compression : std::uint8_t { none, gzip, xz, zstd };

/// By the suffix of the path: .gz, .xz, .zst.
Compression compression_of(std::string_view path) noexcept;

/// The path without a compression suffix.
std::string_view without_compression(std::string_view path) noexcept;

/// `bytes` as one complete gzip member, xz stream or zstd frame.
std::string compress(std::string_view bytes, Compression compression);

} // namespace tropic
