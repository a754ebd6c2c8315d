#include "reference/print.h"

#include <algorithm>
#include <ostream>

namespace tropic::reference {

namespace {

using Entry = std::pair<Coordinates, Number>; ///< coordinates in the order of the levels

/// The entries below one position of a level.
using Group = std::vector<Entry>;

void print_array(std::ostream& out, const std::vector<Index>& array) {
    out << "data = \n";
    for (const Index element : array) out << element << ',';
    out << '\n';
}

Group in_level_order(const Table& table, const Format& format) {
    Group entries;
    for (const auto& [at, value] : table.entries) {
        Coordinates by_level;
        for (const int dimension : format.order) by_level.push_back(at[dimension]);
        entries.emplace_back(by_level, value);
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.first < b.first; });
    return entries;
}

/// One group for each coordinate of the level, with or without entries.
std::vector<Group> split_dense(const std::vector<Group>& parents, std::size_t level, Index size) {
    std::vector<Group> children;
    for (const Group& parent : parents) {
        for (Index c = 0; c < size; ++c) {
            Group& child = children.emplace_back();
            for (const Entry& entry : parent) {
                if (entry.first[level] == c) child.push_back(entry);
            }
        }
    }
    return children;
}

/// One group for each run of entries that agree in the levels from `level` to before `end`.
std::vector<Group> split_runs(const Group& parent, std::size_t level, std::size_t end) {
    std::vector<Group> children;
    Coordinates last;
    for (const Entry& entry : parent) {
        const Coordinates key(entry.first.begin() + static_cast<Index>(level),
                              entry.first.begin() + static_cast<Index>(end));
        if (children.empty() || key != last) children.emplace_back();
        children.back().push_back(entry);
        last = key;
    }
    return children;
}

void print_values(std::ostream& out, const std::vector<Group>& groups, ElementType type) {
    out << "data = \n";
    for (const Group& group : groups) {
        print(out, group.empty() ? Number{} : group.front().second, type);
        out << ',';
    }
    out << '\n';
}

} // namespace

void print(std::ostream& out, const Table& table, const Format& format) {
    const bool shows_levels = !is_dense(format);
    const std::size_t levels = format.levels.size();
    std::vector<Group> groups = {in_level_order(table, format)};
    for (std::size_t level = 0; level < levels; ++level) {
        const Index size = table.shape[format.order[level]];
        std::vector<Index> pos = {format.levels[level] == LevelKind::dense ? size : -1};
        std::vector<Index> crd = {-1};
        if (format.levels[level] == LevelKind::dense) {
            groups = split_dense(groups, level, size);
        } else if (format.levels[level] == LevelKind::singleton) {
            crd.clear();
            for (const Group& group : groups) crd.push_back(group.front().first[level]);
        } else {
            // Singletons right below store one coordinate for each of this level: so this one is
            // repeated as often as theirs change.
            std::size_t end = level + 1;
            while (end < levels && format.levels[end] == LevelKind::singleton) ++end;
            pos = {0};
            crd.clear();
            std::vector<Group> children;
            for (const Group& parent : groups) {
                for (const Group& child : split_runs(parent, level, end)) {
                    crd.push_back(child.front().first[level]);
                    children.push_back(child);
                }
                pos.push_back(static_cast<Index>(children.size()));
            }
            groups = std::move(children);
        }
        if (!shows_levels) continue;
        print_array(out, pos);
        print_array(out, crd);
    }
    print_values(out, groups, table.element);
}

} // namespace tropic::reference
