#include "support/counted.h"

#include <fmt/format.h>

namespace tropic {

namespace {

/// Of the plurals that messages use.
std::string singular(std::string_view things) {
    const auto without = [&](std::string_view ending) {
        return std::string(things.substr(0, things.size() - ending.size()));
    };
    if (things.ends_with("ices")) return without("ices") + "ex";
    if (things.ends_with("ies")) return without("ies") + "y";
    return things.ends_with("s") ? without("s") : std::string(things);
}

} // namespace

std::string counted(Index count, std::string_view things) {
    return count == 1 ? "1 " + singular(things) : fmt::format("{} {}", count, things);
}

} // namespace tropic
