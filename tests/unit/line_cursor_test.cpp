#include "graph/files/line_cursor.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tropic {
namespace {

const std::string file_name = "input";

/// A block whose text ends exactly where its memory does, so that a sanitizer sees every byte read
/// behind it.
class Exact {
  public:
    explicit Exact(std::string_view text)
        : bytes_(new char[text.size() + 1]), block_{{bytes_.get(), text.size()}, 1, &file_name} {
        std::memcpy(bytes_.get(), text.data(), text.size());
        bytes_[text.size()] = '\n';
    }
    LineCursor cursor() const { return LineCursor(block_); }

  private:
    std::unique_ptr<char[]> bytes_;
    TextBlock block_;
};

Diagnostic failure(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.diagnostic();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

Index integer(std::string_view text) {
    const Exact exact(text);
    LineCursor cursor = exact.cursor();
    const auto value = cursor.integer<Index>("a number", INT64_MIN, INT64_MAX);
    cursor.skip_blanks();
    EXPECT_TRUE(cursor.at_line_end()) << text;
    return value;
}

template <class T = double> T real(std::string_view text) {
    const Exact exact(text);
    LineCursor cursor = exact.cursor();
    const T value = cursor.real<T>("a number");
    cursor.skip_blanks();
    EXPECT_TRUE(cursor.at_line_end()) << text;
    return value;
}

TEST(LineCursor, ReadsIntegersOfAllLengths) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20'000; ++round) {
        const auto bits = random() % 64;
        auto value = static_cast<Index>(random() >> bits);
        if (random() % 2 == 0) value = -value;
        const std::string text = std::to_string(value);
        EXPECT_EQ(integer(text), value);
        EXPECT_EQ(integer(text + " \r"), value);
    }
    EXPECT_EQ(integer("+17"), 17);
    EXPECT_EQ(integer("-0"), 0);
    EXPECT_EQ(integer("000000000000000000000000000012"), 12);
    EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
}

TEST(LineCursor, ReadsTheWholeRangeOfUnsignedIntegers) {
    const Exact exact("18446744073709551615 18446744073709551616");
    LineCursor cursor = exact.cursor();
    EXPECT_EQ(cursor.integer<std::uint64_t>("a number", 0, UINT64_MAX), UINT64_MAX);
    cursor.skip_blanks();
    EXPECT_EQ(failure([&] { cursor.integer<std::uint64_t>("a number", 0, UINT64_MAX); }).code,
              ErrorCode::range);
}

TEST(LineCursor, RefusesWhatIsNoInteger) {
    for (const std::string_view text : {"", "-", "+", "x", "1x", "1.0", "1e3", "--1", "0x10", "1,2",
                                        "12345678x", "123456789012345678901234567890x", "\x80"}) {
        EXPECT_EQ(failure([&] { integer(text); }).code, ErrorCode::syntax) << text;
    }
    for (const std::string_view text :
         {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"}) {
        EXPECT_EQ(failure([&] { integer(text); }).code, ErrorCode::range) << text;
    }
}

TEST(LineCursor, KnowsSeparators) {
    const Exact exact("12,-7,3\n");
    LineCursor cursor = exact.cursor();
    EXPECT_EQ(cursor.integer<int>("a number", -9, 99, ','), 12);
    cursor.move_to(cursor.position() + 1);
    EXPECT_EQ(cursor.integer<int>("a number", -9, 99, ','), -7);
    cursor.move_to(cursor.position() + 1);
    EXPECT_EQ(cursor.real<double>("a number", ','), 3);
}

/// strtod is the oracle: correctly rounded, and none of ours.
void expect_same_real(const std::string& text) {
    const double expected = std::strtod(text.c_str(), nullptr);
    const double found = real(text);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << text;
    const float narrow = std::strtof(text.c_str(), nullptr);
    if (narrow == 0 && expected != 0) {
        EXPECT_EQ(failure([&] { real<float>(text); }).code, ErrorCode::range) << text;
    } else if (std::isfinite(narrow)) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(real<float>(text)),
                  std::bit_cast<std::uint32_t>(narrow))
            << text;
    }
}

TEST(LineCursor, ReadsRealsToTheLastBit) {
    for (const char* text : {"0",
                             "-0",
                             "0.0",
                             "1",
                             "-1.5",
                             ".5",
                             "5.",
                             "+2.5",
                             "1e5",
                             "1E+05",
                             "1e-5",
                             "0.1",
                             "0.3",
                             "123456789012345678",
                             "9007199254740993",
                             "9007199254740992.5",
                             "0.000000000000000000001",
                             "1e22",
                             "1e23",
                             "1e-22",
                             "1e-23",
                             "12345678901234567890",
                             "1.7976931348623157e308",
                             "4.9e-324",
                             "2.2250738585072011e-308",
                             "123456789.12345678e-10",
                             "0.5000000000000000277555756156289135105907917022705078125",
                             "9999999999999999999e-27",
                             "1000000000000000000e-18",
                             "18014398509481984.5",
                             "0e400",
                             "00000000000000000000001.5"}) {
        expect_same_real(text);
    }
    std::mt19937_64 random(2);
    for (int round = 0; round < 60'000; ++round) {
        // Any double in its shortest form, and with a random number of digits.
        const auto value = std::bit_cast<double>(random());
        if (std::isfinite(value)) {
            expect_same_real(fmt::format("{}", value));
            expect_same_real(fmt::format("{:.{}e}", value, random() % 20));
        }
        // Usual weights.
        const double usual = static_cast<double>(random() >> 11) * 0x1p-53;
        expect_same_real(fmt::format("{}", usual));
        expect_same_real(fmt::format("{:.{}f}", usual * 1000, random() % 25));
        // Up to 19 digits with every exponent that the fast path takes, and beyond.
        expect_same_real(fmt::format("{}e{}", random() % 10'000'000'000'000'000'000u,
                                     static_cast<int>(random() % 70) - 35));
    }
}

TEST(LineCursor, ReadsRealsHalfwayBetweenTwo) {
    // Midpoints of neighbouring doubles, exactly and one digit off: ties go to even.
    std::mt19937_64 random(3);
    for (int round = 0; round < 20'000; ++round) {
        const auto whole = (std::uint64_t{1} << 53) + random() % (std::uint64_t{1} << 53);
        const std::string middle = std::to_string(2 * whole + 1); // at most 18014398509481984 * 2
        for (const int shift : {0, 1, 5, 17, 22, 27}) {
            std::string digits = middle;
            if (static_cast<int>(digits.size()) > shift && shift > 0) {
                digits.insert(digits.size() - static_cast<std::size_t>(shift > 16 ? 16 : shift),
                              ".");
            }
            expect_same_real(digits);
        }
    }
    // m / 2^k written out: finite decimals that lie between two doubles.
    for (int k = 1; k <= 10; ++k) {
        for (int round = 0; round < 500; ++round) {
            const std::uint64_t odd = (std::uint64_t{1} << 53) + (random() % (1u << 30)) * 2 + 1;
            const std::string text = fmt::format("{:.{}f}", static_cast<double>(odd >> 1), 0) +
                                     fmt::format("{}", k % 2 == 0 ? ".5" : ".25");
            expect_same_real(text);
        }
    }
}

TEST(LineCursor, ReadsInfinitiesAndRefusesNaN) {
    EXPECT_EQ(real("inf"), HUGE_VAL);
    EXPECT_EQ(real("-Infinity"), -HUGE_VAL);
    EXPECT_EQ(real("+inf"), HUGE_VAL);
    EXPECT_EQ(failure([] { real("nan"); }).code, ErrorCode::range);
    EXPECT_EQ(failure([] { real("-NaN"); }).code, ErrorCode::range);
}

TEST(LineCursor, RefusesRealsThatAreTooLarge) {
    for (const std::string_view text : {"1e400", "-1e309", "1e99999999999999999999", "0.1e310"}) {
        EXPECT_EQ(failure([&] { real(text); }).code, ErrorCode::range) << text;
    }
    EXPECT_EQ(real(std::string(400, '0') + "1"), 1);
    EXPECT_EQ(failure([&] { real(std::string(400, '9')); }).code, ErrorCode::range);
    EXPECT_EQ(failure([] { real<float>("1e39"); }).code, ErrorCode::range);
}

TEST(LineCursor, RefusesRealsThatWouldBecomeZero) {
    for (const std::string_view text :
         {"1e-400", "-1e-400", "1e-99999999999999999999", "20e-326"}) {
        EXPECT_EQ(failure([&] { real(text); }).code, ErrorCode::range) << text;
    }
    EXPECT_EQ(failure([] { real("0." + std::string(400, '0') + "1"); }).code, ErrorCode::range);
    EXPECT_EQ(failure([] { real<float>("1e-60"); }).code, ErrorCode::range);
    for (const std::string_view text : {"0e-400", "0.000e99999999999999999999", "-0e-999999"}) {
        EXPECT_EQ(real(text), 0) << text;
    }
    EXPECT_EQ(real("4.9e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(LineCursor, RefusesWhatIsNoReal) {
    for (const std::string_view text : {"", ".", "-", "e5", "1e", "1e+", "1.2.3", "1,5", "x", "--1",
                                        "1.5x", "0.27860113025513866x", "1e5x", "in", "+-1"}) {
        EXPECT_EQ(failure([&] { real(text); }).code, ErrorCode::syntax) << text;
    }
}

TEST(LineCursor, PointsAtWhatIsWrong) {
    const Exact exact("1 2\n  3 four 5\n6");
    LineCursor cursor = exact.cursor();
    cursor.next_line();
    cursor.skip_blanks();
    EXPECT_EQ(cursor.integer<int>("a source", 0, 9), 3);
    cursor.skip_blanks();
    const Diagnostic found = failure([&] { cursor.integer<int>("a target", 0, 9); });
    EXPECT_EQ(found.message, "expected a target, found 'four'");
    EXPECT_EQ(found.file, "input");
    EXPECT_EQ(found.line, 2);
    EXPECT_EQ(found.column, 5);
    EXPECT_EQ(found.source_line, "  3 four 5");
    cursor.next_line();
    EXPECT_EQ(cursor.line(), 3);
    EXPECT_EQ(cursor.integer<int>("a source", 0, 9), 6);
    cursor.next_line();
    EXPECT_TRUE(cursor.done());
}

TEST(LineCursor, ShowsThePlaceInAVeryLongLine) {
    std::string line;
    for (int i = 0; i < 5000; ++i) line += "12 ";
    line += "bad";
    const Exact exact(line);
    LineCursor cursor = exact.cursor();
    const Diagnostic found = failure([&] {
        while (!cursor.at_line_end()) {
            cursor.integer<int>("a number", 0, 99);
            cursor.skip_blanks();
        }
    });
    EXPECT_EQ(found.column, 15'001);
    EXPECT_NE(to_text(found).find("12 bad"), std::string::npos) << to_text(found);
}

} // namespace
} // namespace tropic
