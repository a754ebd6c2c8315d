// Constants are worked out when a text is checked: to what the program itself makes of the same
// numbers in variables of the same types.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tropic/algorithm.h"

namespace tropic {
namespace {

/// A number that a program can write as a constant, or make from the arguments a and b.
struct Number {
    std::string constant;
    std::string variable;
};

struct Typed {
    const char* type;
    std::vector<Number> numbers;
};

/// The sum of two that the text can say; of reals, whose sums the machine may make in another
/// order, the first.
Number made_of(const char* type, const std::string& a, const std::string& b) {
    if (b.empty()) {
        return {fmt::format("{}({})", type, a), fmt::format("{}(zero + {})", type, a)};
    }
    const auto sum = [&](const std::string& left, const std::string& right) {
        return fmt::format("({0}({1}) + {0}({2}))", type, left, right);
    };
    return {sum(a, b), sum(fmt::format("zero + {}", a), fmt::format("zero + {}", b))};
}

std::vector<Typed> typed_numbers() {
    const std::string most = "9223372036854775807";
    const auto all = [](const char* type,
                        const std::vector<std::pair<std::string, std::string>>& of) {
        Typed typed{type, {}};
        for (const auto& [a, b] : of) typed.numbers.push_back(made_of(type, a, b));
        return typed;
    };
    const std::vector<std::pair<std::string, std::string>> small = {
        {"0", "1"}, {"1", "2"}, {"60", "67"}, {"100", "100"}};
    return {
        all("int8", small),
        all("uint8", small),
        all("int16", {{"3", "4"}, {"30000", "2767"}, {"30000", "30000"}}),
        all("uint16", {{"3", "4"}, {"60000", "5535"}, {"60000", "60000"}}),
        all("int32",
            {{"3", "4"}, {"2147483647", "0"}, {"2147483647", "1"}, {"2147483647", "2147483647"}}),
        all("uint32", {{"3", "4"}, {"4294967295", "0"}, {"4294967295", "2"}}),
        all("int64", {{"3", "4"}, {most, "0"}, {most, "1"}, {"9007199791611905", "0"}}),
        all("uint64",
            {{"3", "4"}, {most, "0"}, {most, most}, {most, "1025"}, {"9007199791611905", "0"}}),
        all("float32", {{"0.1", ""}, {"16777216", ""}, {"16777217", ""}}),
        all("float64", {{"0.1", ""}, {"16777217", ""}}),
    };
}

TEST(AlgorithmConstants, AreWhatTheProgramWouldMakeOfThem) {
    for (const Typed& typed : typed_numbers()) {
        std::string constants;
        std::string checks;
        std::vector<std::string> asked;
        const auto check = [&](const std::string& type, const auto& formula) {
            const std::string number = std::to_string(asked.size());
            constants += fmt::format("const C{} = {};\n", number, formula(&Number::constant));
            checks += fmt::format(
                "c{0}: {1} = C{0}; v{0}: {1} = {2}; if (c{0} != v{0} && first < 0) first = {0};\n",
                number, type, formula(&Number::variable));
            asked.push_back(formula(&Number::constant));
        };
        const bool real = std::string_view(typed.type).starts_with("float");
        for (const Number& a : typed.numbers) {
            for (const Number& b : typed.numbers) {
                for (const char* const operation : {"+", "-", "*", "/", "%"}) {
                    if (real && *operation == '%') continue;
                    check(typed.type, [&](auto of) {
                        return fmt::format("{} {} {}", a.*of, operation, b.*of);
                    });
                }
                for (const char* const function : {"min", "max"}) {
                    check(typed.type, [&](auto of) {
                        return fmt::format("{}({}, {})", function, a.*of, b.*of);
                    });
                }
            }
            check(typed.type, [&](auto of) { return fmt::format("-{}", a.*of); });
            check("float64", [&](auto of) { return fmt::format("float64({})", a.*of); });
            check("float64", [&](auto of) { return fmt::format("float64(float32({}))", a.*of); });
            check("float64",
                  [&](auto of) { return fmt::format("float32({}) - float32(16777216)", a.*of); });
            if (real) continue;
            for (const char* const type : {"int8", "uint16", "int64", "uint64"}) {
                check(type, [&](auto of) { return fmt::format("{}({})", type, a.*of); });
            }
        }
        const std::string text =
            fmt::format("{}def f(zero: {}) -> first: int64 {{ first = -1;\n{}}}\n", constants,
                        real ? "float64" : "int64", checks);
        const Algorithm algorithm = Algorithm::from_text(text);
        const std::int64_t first = algorithm.run({{"zero", 0}}).integer("first");
        EXPECT_EQ(first, -1) << typed.type << ": "
                             << asked.at(
                                    static_cast<std::size_t>(std::max<std::int64_t>(first, 0)));
    }
}

struct Refused {
    const char* text;
    const char* message;
};

TEST(AlgorithmConstants, ThatNoTypeHoldsAreRefused) {
    const std::string large = "const large = uint64(9223372036854775807) + 1;\n";
    for (const auto& [text, message] :
         {Refused{"def f() -> n: int64 { n = large; }", "9223372036854775808 does not fit int64"},
          Refused{"def f() -> n: int8 { n = 128; }", "128 does not fit int8"}}) {
        try {
            Algorithm::from_text(large + text);
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.diagnostic().message, message) << text;
        }
    }
}

} // namespace
} // namespace tropic
