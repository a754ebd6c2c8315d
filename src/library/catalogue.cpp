#include "library/catalogue.h"

#include <algorithm>
#include <array>

#include "library/families.h"

namespace tropic::library {

std::string_view name_of(Theme theme) noexcept {
    switch (theme) {
    case Theme::paths:
        return "Paths";
    case Theme::parts:
        return "Parts of a graph";
    case Theme::ranks:
        return "Who matters";
    case Theme::neighbours:
        return "Triangles and neighbours";
    case Theme::choices:
        return "Choices";
    case Theme::matrices:
        return "Matrices, ratings and meshes";
    }
    return {};
}

const Method* Entry::method(std::string_view wanted) const {
    if (wanted.empty()) return &methods.front();
    const auto found = std::ranges::find(methods, wanted, &Method::name);
    return found == methods.end() ? nullptr : &*found;
}

std::span<const Entry> catalogue() {
    static const std::vector<Entry> entries = [] {
        std::vector<Entry> all;
        for (auto* family :
             {add_paths, add_parts, add_ranks, add_neighbours, add_choices, add_matrices}) {
            family(all);
        }
        return all;
    }();
    return entries;
}

std::string function_for(const Method& method, EdgeKind kind) {
    const bool both = kind == EdgeKind::undirected && !method.undirected.empty();
    return std::string(both ? method.undirected : method.function);
}

const Entry* find_entry(std::string_view name) {
    const auto entries = catalogue();
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? nullptr : &*found;
}

} // namespace tropic::library
