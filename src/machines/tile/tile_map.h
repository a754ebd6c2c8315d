// Which tile holds each element of a variable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "machines/tile/run.h"

namespace tropic::tile {

inline constexpr std::uint32_t no_tile = 0xffffffff;

/// Consecutive elements on one tile. A tile keeps its segments of a variable one after the other.
struct Segment {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint32_t tile = no_tile;
    std::int64_t local = 0; ///< how many elements of the variable the tile keeps before these
};

/// Assignments in order; the last one wins.
class TileMap {
  public:
    explicit TileMap(std::int64_t elements) : elements_(elements) { begins_[0] = no_tile; }

    std::int64_t elements() const { return elements_; }
    void assign(std::int64_t begin, std::int64_t end, std::uint32_t tile);
    void assign(const Run& run, std::uint32_t tile);

    /// Calls `visit(begin, end, tile)` for the parts of [begin, end).
    template <class Visit>
    void for_each(std::int64_t begin, std::int64_t end, const Visit& visit) const {
        if (begin >= end) return;
        auto it = std::prev(begins_.upper_bound(begin));
        while (begin < end) {
            const std::uint32_t tile = it->second;
            ++it;
            const std::int64_t stop = it == begins_.end() ? end : std::min(end, it->first);
            visit(begin, stop, tile);
            begin = stop;
        }
    }

    /// All segments in order, neighbours on one tile joined, with `local` filled in.
    std::vector<Segment> segments() const;

  private:
    std::int64_t elements_;
    std::map<std::int64_t, std::uint32_t> begins_; ///< each up to the next
};

/// The segments of a map that does not change any more, for fast look-ups.
class FrozenMap {
  public:
    explicit FrozenMap(const TileMap& map) : segments_(map.segments()) {}

    const std::vector<Segment>& segments() const { return segments_; }

    /// Calls `visit(part)` for the parts of [begin, end), `local` moved along.
    template <class Visit>
    void for_each(std::int64_t begin, std::int64_t end, const Visit& visit) const {
        if (begin >= end) return;
        for (std::size_t s = find(begin); begin < end; ++s) {
            Segment part = segments_[s];
            part.local += begin - part.begin;
            part.begin = begin;
            part.end = std::min(end, part.end);
            begin = part.end;
            visit(part);
        }
    }

    /// The parts of a run in its order, element by element where it is not contiguous; a repeated
    /// element comes once for each repetition.
    template <class Visit> void for_each(const Run& run, const Visit& visit) const {
        if (run.contiguous()) {
            for_each(run.begin, run.begin + run.count, visit);
        } else {
            for (std::int64_t i = 0; i < run.count; ++i) {
                for_each(run.at(i), run.at(i) + 1, visit);
            }
        }
    }

  private:
    std::size_t find(std::int64_t element) const;

    std::vector<Segment> segments_;
};

} // namespace tropic::tile
