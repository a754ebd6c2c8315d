#include "support/nearest.h"

#include <algorithm>
#include <vector>

namespace tropic {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Edit distance with exchanges of neighbours; three rows of the usual table.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

} // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
    constexpr std::size_t longest = 64;
    if (word.size() > longest) return {};
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view candidate : words) {
        const std::size_t changes = distance(word, candidate);
        if (changes < best_distance) {
            best = candidate;
            best_distance = changes;
        }
    }
    return best;
}

} // namespace tropic
