#include "machines/tile/tile_map.h"

#include <algorithm>
#include <unordered_map>

namespace tropic::tile {

void TileMap::assign(std::int64_t begin, std::int64_t end, std::uint32_t tile) {
    if (begin >= end) return;
    const std::uint32_t behind = std::prev(begins_.upper_bound(end))->second;
    if (end < elements_) begins_.insert_or_assign(end, behind);
    begins_.erase(begins_.lower_bound(begin), begins_.lower_bound(end));
    begins_.insert_or_assign(begin, tile);
}

void TileMap::assign(const Run& run, std::uint32_t tile) {
    if (run.contiguous()) {
        assign(run.begin, run.begin + run.count, tile);
    } else if (run.stride == 0) {
        assign(run.begin, run.begin + 1, tile);
    } else {
        for (std::int64_t i = 0; i < run.count; ++i) assign(run.at(i), run.at(i) + 1, tile);
    }
}

std::vector<Segment> TileMap::segments() const {
    std::vector<Segment> result;
    for (auto it = begins_.begin(); it != begins_.end(); ++it) {
        const auto next = std::next(it);
        const std::int64_t end = next == begins_.end() ? elements_ : next->first;
        if (it->first >= end) continue;
        if (!result.empty() && result.back().tile == it->second) {
            result.back().end = end;
        } else {
            result.push_back({it->first, end, it->second, 0});
        }
    }
    std::unordered_map<std::uint32_t, std::int64_t> kept;
    for (Segment& segment : result) {
        std::int64_t& before = kept[segment.tile];
        segment.local = before;
        before += segment.end - segment.begin;
    }
    return result;
}

std::size_t FrozenMap::find(std::int64_t element) const {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), element,
                         [](std::int64_t e, const Segment& s) { return e < s.begin; });
    return static_cast<std::size_t>(after - segments_.begin()) - 1;
}

} // namespace tropic::tile
