#include "support/printable.h"

#include <gtest/gtest.h>

#include "tropic/error.h"

namespace tropic {
namespace {

TEST(Printable, ShowsValidTextAndDotsForTheRest) {
    struct Case {
        std::string_view text;
        std::string_view shown;
        std::size_t width;
    };
    constexpr Case cases[] = {
        {"", "", 0},
        {"a\tb", "a b", 3},
        {"zw\xc3\xb6lf", "zw\xc3\xb6lf", 5},
        {"e\xcc\x81t", "e\xcc\x81t", 2},                             // a combining accent
        {"\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad\xe6\x96\x87", 4}, // two wide letters
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2},
        {"\x1b[31m", ".[31m", 5},
        {"\xff\xfe", "..", 2},
        {"a\xc3", "a.", 2},              // cut within a letter
        {"\xc0\xaf", "..", 2},           // overlong
        {"\xed\xa0\x80", "...", 3},      // a surrogate
        {"\xf4\x90\x80\x80", "....", 4}, // beyond the last character
        {"\xe2\x80\xae"
         "abc",
         ".abc", 4}, // turns the direction of the line
        {"\xc2\x9b"
         "31m",
         ".31m", 4}, // a control character of two bytes
    };
    for (const Case& c : cases) {
        const Printable found = printable(c.text);
        EXPECT_EQ(found.text, c.shown);
        EXPECT_EQ(found.width, c.width) << c.shown;
        EXPECT_EQ(found.bytes, c.text.size()) << c.shown;
    }
}

TEST(Printable, StopsBetweenLetters) {
    EXPECT_EQ(printable("\xc3\xb6\xc3\xb6\xc3\xb6", 2).text, "\xc3\xb6\xc3\xb6");
    EXPECT_EQ(printable("\xe4\xb8\xad\xe6\x96\x87", 3).text, "\xe4\xb8\xad");
    EXPECT_EQ(printable("\xe4\xb8\xad\xe6\x96\x87", 3).bytes, 3u);
    EXPECT_EQ(printable("abc", 0).text, "");
}

/// The part of a message behind its first line.
std::string shown(std::string line, std::int64_t column) {
    const std::string text = to_text({.message = "wrong",
                                      .file = "f",
                                      .line = 7,
                                      .column = column,
                                      .source_line = std::move(line)});
    return text.substr(text.find('\n') + 1);
}

TEST(ErrorText, PutsTheCaretUnderTheLetter) {
    EXPECT_EQ(shown("1 x", 3), "  7 | 1 x\n    |   ^");
    EXPECT_EQ(shown("\xc3\xa4\xc3\xb6 x", 6), "  7 | \xc3\xa4\xc3\xb6 x\n    |    ^");
    EXPECT_EQ(shown("\xe4\xb8\xad x", 5), "  7 | \xe4\xb8\xad x\n    |    ^");
    EXPECT_EQ(shown("1", 9), "  7 | 1\n    |  ^");
}

TEST(ErrorText, ShowsTheSurroundingsOfTheColumn) {
    std::string umlauts;
    for (int i = 0; i < 200; ++i) umlauts += "\xc3\xbc";
    for (const std::int64_t column : {401, 402}) {
        const std::string text = shown(umlauts + "(x", column);
        EXPECT_EQ(text.find("(x") != std::string::npos, true) << text;
        EXPECT_EQ(text.find(".."), std::string::npos) << "letters are not cut: " << text;
    }
    const std::string far = shown(std::string(1000, 'a') + "b" + std::string(1000, 'c'), 1001);
    EXPECT_EQ(far.find('b') - far.find('a'), far.find('^') - far.rfind("| ") - 2);
    EXPECT_LE(far.find('\n'), 106u);
}

} // namespace
} // namespace tropic
