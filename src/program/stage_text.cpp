#include "program/stage_text.h"

#include <algorithm>
#include <regex>

namespace tropic::program {

bool is_stage_text(std::string_view text) {
    // Blanks, comments and the names that MLIR gives to attributes (#name = ...) may come first.
    for (;;) {
        const auto begin = text.find_first_not_of(" \t\r\n");
        if (begin == std::string_view::npos) return false;
        text.remove_prefix(begin);
        if (!text.starts_with("//") && !text.starts_with('#')) break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    constexpr std::string_view word = "module";
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.starts_with('{') || text.starts_with('@') || text.starts_with("attributes");
}

std::vector<StageInput> inputs_of_stage(const std::string& text) {
    // Operations that read, and the list of loops, which have none.
    static const std::regex reads(R"re(ga\.read "([^"]*)")re");
    static const std::regex list(R"re(ga\.inputs = \[([^\]]*)\])re");
    static const std::regex names(R"re("([^"]*)")re");
    std::vector<StageInput> inputs;
    const auto add = [&](const std::string& name, std::ptrdiff_t at) {
        const bool known =
            std::ranges::any_of(inputs, [&](const auto& i) { return i.name == name; });
        if (known) return;
        const auto before = text.begin() + at;
        const auto line = std::count(text.begin(), before, '\n') + 1;
        const auto last = text.rfind('\n', static_cast<std::size_t>(at));
        const auto column =
            at - (last == std::string::npos ? -1 : static_cast<std::ptrdiff_t>(last));
        inputs.push_back({name, {static_cast<int>(line), static_cast<int>(column)}});
    };
    using Matches = std::sregex_iterator;
    for (Matches match(text.begin(), text.end(), reads); match != Matches(); ++match) {
        add((*match)[1].str(), match->position(0));
    }
    for (Matches match(text.begin(), text.end(), list); match != Matches(); ++match) {
        const std::string inside = (*match)[1].str();
        for (Matches name(inside.begin(), inside.end(), names); name != Matches(); ++name) {
            add((*name)[1].str(), match->position(0));
        }
    }
    return inputs;
}

} // namespace tropic::program
