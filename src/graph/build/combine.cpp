#include "graph/build/combine.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "support/counted.h"
#include "support/parallel.h"
#include "tropic/error.h"

namespace tropic {

namespace {

constexpr std::array<std::string_view, 6> names = {"keep", "sum", "min", "max", "first", "last"};

} // namespace

std::string_view name_of(Duplicates rule) noexcept {
    return names[static_cast<std::size_t>(rule)];
}

bool parse_duplicates(std::string_view name, Duplicates& rule) noexcept {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return false;
    rule = static_cast<Duplicates>(found - names.begin());
    return true;
}

namespace building {

void require_no_overflow(Index overflows, ElementType type, std::string file) {
    if (overflows == 0) return;
    const bool widest = type == ElementType::int64 || type == ElementType::uint64;
    throw Error({.code = ErrorCode::range,
                 .message = fmt::format("values that are to be added up leave the range of {}, in "
                                        "{}",
                                        name_of(type), counted(overflows, "additions")),
                 .file = std::move(file),
                 .hint = fmt::format("a wider type with --type {}, or another rule: min, max, "
                                     "first, last",
                                     widest ? "float64" : "int64")});
}

void warn_of_lost_counts(Graph& graph, Duplicates rule, Index merged) {
    if (rule != Duplicates::sum || merged == 0 || !graph.tensor.is_pattern()) return;
    graph.warnings.emplace_back("repeated entries have no values to add up, and how often each was "
                                "there is lost: --type int64 counts them");
}

void Gaps::sort() {
    const auto earlier = [](const Gap& a, const Gap& b) { return a.begin < b.begin; };
    if (!std::is_sorted(gaps_.begin(), gaps_.end(), earlier)) {
        std::sort(gaps_.begin(), gaps_.end(), earlier);
    }
}

void Gaps::close(Array& array) {
    if (gaps_.empty()) return;
    sort();
    const Index size = array.size();
    const std::size_t width = size_of(array.type());
    if (width > 0) {
        auto* data = static_cast<std::byte*>(array.mutable_data());
        Index to = gaps_.front().begin;
        for (std::size_t g = 0; g < gaps_.size(); ++g) {
            const Index from = gaps_[g].end;
            const Index end = g + 1 < gaps_.size() ? gaps_[g + 1].begin : size;
            std::memmove(data + to * width, data + from * width, (end - from) * width);
            to += end - from;
        }
    }
    array.shrink(size - dropped_);
}

void Gaps::move_positions(Array& positions, const Context& context) {
    if (gaps_.empty()) return;
    sort();
    visit_index(positions.type(), [&](auto tag) {
        using Pos = typename decltype(tag)::type;
        const auto pos = positions.mutable_as<Pos>();
        parallel_ranges(context, positions.size(), 1 << 16, [&](Index begin, Index end) {
            std::size_t gap = 0;
            Index dropped = 0;
            for (Index i = begin; i < end; ++i) {
                while (gap < gaps_.size() && gaps_[gap].end <= pos[i]) {
                    dropped += gaps_[gap].end - gaps_[gap].begin;
                    ++gap;
                }
                pos[i] = static_cast<Pos>(pos[i] - dropped);
            }
        });
    });
}

} // namespace building

} // namespace tropic
