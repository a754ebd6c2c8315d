// The fixed parts of Tropic's binary format as they lie in the file; docs/binary-format.md is the
// same in words. Reader and writer share nothing else about the layout.
//
//   header | table: sections, checksums of blocks | section | section | ...
//
// Every byte is covered by a checksum: the header by its own, the table with its padding by the
// header's, and a section together with the padding behind it by those of its blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tropic::binary {

/// A byte no text has, three letters, and both kinds of line ends: a transfer that takes the file
/// for text breaks at least one of them.
inline constexpr std::array<unsigned char, 8> magic = {0x89, 'T', 'R', 'G', '\r', '\n', 0x1a, '\n'};

/// Numbers are stored in the byte order of the machine that wrote them; this one tells which.
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint32_t foreign_byte_order_mark = 0x04030201;

/// A reader refuses a newer major version and ignores what a newer minor version has added.
inline constexpr std::uint16_t major_version = 1;
inline constexpr std::uint16_t minor_version = 0;

/// Bytes under one checksum: small enough to share the verifying among threads.
inline constexpr std::uint32_t block_bytes = 4u << 20;

/// Sections start at multiples of a cache line, large ones at multiples of a page.
inline constexpr std::uint64_t alignment = 64;
inline constexpr std::uint64_t page_alignment = 4096;
inline constexpr std::uint64_t page_aligned_from = 64u << 10;

/// The first 128 bytes. They keep this shape, and their checksum, in every version to come.
struct Header {
    std::array<unsigned char, 8> magic;
    std::uint32_t byte_order;
    std::uint16_t major;
    std::uint16_t minor;
    std::uint64_t file_bytes;
    std::uint64_t table_bytes;    ///< from the end of the header to the first section
    std::uint64_t table_checksum; ///< of those bytes
    std::uint32_t sections;
    std::uint32_t block_bytes;
    std::array<unsigned char, 72> reserved;
    std::uint64_t checksum; ///< of all bytes above
};
static_assert(sizeof(Header) == 128);

enum class SectionKind : std::uint16_t {
    description = 1, ///< everything but arrays; always the first section
    positions = 2,   ///< Level::pos of level `part`
    coordinates = 3, ///< Level::crd of level `part`
    values = 4,
    ids = 5, ///< table `part` of vertex ids
    vertex_weights = 6,
    vertex_sizes = 7,
};

/// Sections follow each other without gaps: each begins where the extent of the one before ends.
struct Section {
    SectionKind kind;
    std::uint16_t part;
    std::uint32_t type; ///< ElementType
    std::uint64_t offset;
    std::uint64_t elements;
    std::uint64_t extent; ///< bytes of the elements and of the padding behind them
};
static_assert(sizeof(Section) == 32);

/// How many blocks a section of that many bytes has. The last one takes the padding along.
constexpr std::uint64_t blocks_of(std::uint64_t bytes, std::uint64_t block) noexcept {
    return std::max<std::uint64_t>(1, bytes / block + (bytes % block != 0 ? 1 : 0));
}

} // namespace tropic::binary
