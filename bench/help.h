// What a benchmark can be asked for.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace tropic::bench {

/// Shows the text if one of the arguments is --help; true then.
inline bool showed_help(int argc, char** argv, const char* text) {
    const bool asked = std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
        return argument == "--help" || argument == "-h";
    });
    if (asked) std::fputs(text, stdout);
    return asked;
}

} // namespace tropic::bench
