// Feeds bytes to the reader of Tropic's binary format. Random bytes never pass its checksums, so
// each input is read twice: as it is, and with the checksums made right, which lets the fuzzer
// reach everything behind them.
#include <cstring>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cpu_limit.h"
#include "fuzz.h"
#include "graph/files/binary.h"
#include "graph/files/tropic_layout.h"
#include "tropic/error.h"
#include "walk.h"

namespace tropic::fuzz {
namespace {

void read_bytes(std::string_view bytes, bool verify) {
    try {
        const FileContent content =
            read_tropic_binary_from_memory(bytes, "fuzz.tg", {.verify = verify}, small_context());
        if (verify) {
            volatile double sum = walk(content);
            (void)sum;
        }
    } catch (const Error&) {
    }
}

/// Makes magic, sizes of the file and all checksums right where the rest makes sense.
std::string with_right_checksums(std::string bytes) {
    binary::Header header{};
    if (bytes.size() < sizeof(header)) return bytes;
    std::memcpy(&header, bytes.data(), sizeof(header));
    header.magic = binary::magic;
    header.byte_order = binary::byte_order_mark;
    header.file_bytes = bytes.size();
    const std::size_t room = bytes.size() - sizeof(header);
    if (header.table_bytes <= room && header.block_bytes > 0 &&
        header.sections <= header.table_bytes / sizeof(binary::Section)) {
        const std::size_t end_of_table = sizeof(header) + header.table_bytes;
        std::size_t checksum_at = sizeof(header) + header.sections * sizeof(binary::Section);
        for (std::uint32_t s = 0; s < header.sections; ++s) {
            binary::Section section; // all of it comes from the bytes
            std::memcpy(&section, bytes.data() + sizeof(header) + s * sizeof(section),
                        sizeof(section));
            // Blocks larger than the section: one checksum each keeps this simple.
            if (section.offset > bytes.size() || section.extent > bytes.size() - section.offset ||
                checksum_at + sizeof(std::uint64_t) > end_of_table) {
                break;
            }
            const auto sum = XXH3_64bits(bytes.data() + section.offset, section.extent);
            std::memcpy(bytes.data() + checksum_at, &sum, sizeof(sum));
            checksum_at += sizeof(sum);
        }
        header.table_checksum = XXH3_64bits(bytes.data() + sizeof(header), header.table_bytes);
    }
    header.checksum = XXH3_64bits(&header, sizeof(header) - sizeof(header.checksum));
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
}

} // namespace
} // namespace tropic::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    using namespace tropic;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    is_tropic_binary(bytes);
    fuzz::read_bytes(bytes, true);
    const std::string forged = fuzz::with_right_checksums(std::string(bytes));
    fuzz::read_bytes(forged, false);
    fuzz::read_bytes(forged, true);
    return 0;
}
