// What a benchmark can be asked for.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tropic::bench {

/// Shows the text if one of the arguments is --help; true then.
inline bool showed_help(int argc, char** argv, const char* text) {
    const bool asked = std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
        return argument == "--help" || argument == "-h";
    });
    if (asked) std::fputs(text, stdout);
    return asked;
}

/// The number an option was given; ends the program if it is none or too small.
template <typename Number = int>
Number number_of(std::string_view option, std::string_view text, Number least = 1) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() && number >= least) return number;
    std::fprintf(stderr, "%.*s wants a whole number from %lld on, not '%.*s'\n",
                 static_cast<int>(option.size()), option.data(), static_cast<long long>(least),
                 static_cast<int>(text.size()), text.data());
    std::exit(2);
}

/// Ends the program, which has no such option, or has it with a value.
[[noreturn]] inline void refuse_option(std::string_view option) {
    std::fprintf(stderr, "there is no option %.*s, or it wants a value; --help shows all\n",
                 static_cast<int>(option.size()), option.data());
    std::exit(2);
}

inline std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// The words an option was given; ends the program if one is not of those it knows, or there is
/// none.
inline std::vector<std::string> words_of(std::string_view option, const std::string& text,
                                         std::string_view known) {
    const std::vector<std::string> all = words_of(std::string(known));
    std::vector<std::string> words = words_of(text);
    if (words.empty()) words.emplace_back();
    for (const std::string& word : words) {
        if (std::find(all.begin(), all.end(), word) != all.end()) continue;
        std::fprintf(stderr, "%.*s takes some of %.*s, not '%s'\n", static_cast<int>(option.size()),
                     option.data(), static_cast<int>(known.size()), known.data(), word.c_str());
        std::exit(2);
    }
    return words;
}

} // namespace tropic::bench
