#include "machines/tile/race_check.h"

#include <algorithm>

namespace tropic::tile {

namespace {

constexpr std::uint64_t word_bytes = 4;

} // namespace

void RaceCheck::begin_vertex(std::span<const FieldRegion> regions) {
    begin_phase();
    first_.clear();
    std::size_t words = 0;
    for (const FieldRegion& region : regions) {
        first_.push_back(words);
        if (!region.writable) continue;
        const auto bytes =
            static_cast<std::uint64_t>(region.end - region.begin) + region.word_offset;
        words += static_cast<std::size_t>((bytes + word_bytes - 1) / word_bytes);
    }
    if (words_.size() < words) words_.resize(words);
}

std::optional<Conflict> RaceCheck::note(std::size_t region, std::uint64_t offset,
                                        std::uint32_t bytes, int worker, std::uint32_t line,
                                        bool store) {
    const std::uint64_t end = offset + bytes;
    for (std::uint64_t w = offset / word_bytes; w * word_bytes < end; ++w) {
        std::uint8_t mask = 0;
        for (std::uint64_t b = 0; b < word_bytes; ++b) {
            const std::uint64_t at = w * word_bytes + b;
            if (at >= offset && at < end) mask |= static_cast<std::uint8_t>(1U << b);
        }
        Word& word = words_[first_[region] + static_cast<std::size_t>(w)];
        if (word.phase != phase_) {
            word = {};
            word.phase = phase_;
        }
        const bool other_wrote = word.written != 0 && word.writer != worker;
        const bool same_bytes = (word.written & mask) != 0;
        if (other_wrote && (store || same_bytes)) {
            return Conflict{word.writer, word.write_line, true, same_bytes};
        }
        if (!store) {
            word.several_readers =
                word.several_readers || (word.read != 0 && word.reader != worker);
            word.reader = static_cast<std::int8_t>(worker);
            word.read |= mask;
            word.read_line = line;
            continue;
        }
        if ((word.read & mask) != 0 && (word.reader != worker || word.several_readers)) {
            return Conflict{word.reader, word.read_line, false, true};
        }
        word.writer = static_cast<std::int8_t>(worker);
        word.written |= mask;
        word.write_line = line;
    }
    return std::nullopt;
}

} // namespace tropic::tile
