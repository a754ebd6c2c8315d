// GAP's serialized graphs as they lie in the file, without padding, in the byte order of x86:
//
//   directed (1 byte) | entries (int64) | vertices (int64)
//   | offsets of the rows (vertices + 1 int64) | neighbours (entries)
//   and, if directed, offsets and neighbours of the incoming edges.
//
// A neighbour is an int32 vertex in .sg and an int32 vertex with an int32 weight in .wsg. `entries`
// counts stored neighbours, so that an undirected edge counts twice.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "tropic/types.h"

namespace tropic::gap {

inline constexpr std::uint64_t header_bytes = 17;
inline constexpr std::uint64_t offset_bytes = 8;

/// Vertices are numbered by an int32, and so is one behind the last.
inline constexpr Index most_vertices = std::numeric_limits<std::int32_t>::max();

struct Header {
    std::uint8_t directed = 0;
    Index entries = 0;
    Index vertices = 0;
};

/// The number at a place of any alignment.
template <class T> T load(const char* at) noexcept {
    T number;
    std::memcpy(&number, at, sizeof(T));
    return number;
}

/// `bytes` are at least `header_bytes`.
inline Header load_header(std::string_view bytes) noexcept {
    return {.directed = load<std::uint8_t>(bytes.data()),
            .entries = load<Index>(bytes.data() + 1),
            .vertices = load<Index>(bytes.data() + 9)};
}

/// Bytes of one neighbour.
constexpr std::uint64_t neighbour_bytes(bool weighted) noexcept {
    return weighted ? 8 : 4;
}

/// Bytes of the offsets and neighbours of one direction. Of a header that passed `plausible`.
constexpr std::uint64_t half_bytes(const Header& header, bool weighted) noexcept {
    return offset_bytes * (static_cast<std::uint64_t>(header.vertices) + 1) +
           neighbour_bytes(weighted) * static_cast<std::uint64_t>(header.entries);
}

constexpr std::uint64_t file_bytes(const Header& header, bool weighted) noexcept {
    return header_bytes + half_bytes(header, weighted) * (header.directed != 0 ? 2 : 1);
}

/// Whether the numbers are within their limits, so that sizes can be computed from them.
constexpr bool plausible(const Header& header) noexcept {
    return header.directed <= 1 && header.vertices >= 0 && header.vertices <= most_vertices &&
           header.entries >= 0 && header.entries <= (Index{1} << 56);
}

/// A number for an entry such that sums over two lists of entries agree only, as good as certainly,
/// if the lists hold the same entries in any order: tells whether one list is the transpose of
/// another in one pass over each.
constexpr std::uint64_t fingerprint(std::int32_t row, std::int32_t col,
                                    std::int32_t weight) noexcept {
    std::uint64_t x = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(row)) << 32) |
                      static_cast<std::uint32_t>(col);
    x ^= static_cast<std::uint32_t>(weight) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

/// The part of an entry in the sum that is zero for a symmetric matrix.
constexpr std::uint64_t symmetry_fingerprint(std::int32_t row, std::int32_t col) noexcept {
    if (row < col) return fingerprint(row, col, 0);
    if (row > col) return ~fingerprint(col, row, 0) + 1;
    return 0;
}

} // namespace tropic::gap
