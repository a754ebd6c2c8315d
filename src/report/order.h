// Sorting that keeps equals in the order they had. (std::stable_sort of the standard library here
// uses a function that it deprecates itself.)
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace tropic::report {

/// Largest key first.
template <class Element, class Key>
void sort_by_descending(std::vector<Element>& list, const Key& key) {
    using Keyed = std::pair<decltype(key(list.front())), std::size_t>;
    std::vector<Keyed> order;
    order.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) order.emplace_back(key(list[i]), i);
    std::ranges::sort(order, [](const Keyed& a, const Keyed& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<Element> sorted;
    sorted.reserve(list.size());
    for (const Keyed& keyed : order) sorted.push_back(std::move(list[keyed.second]));
    list = std::move(sorted);
}

} // namespace tropic::report
