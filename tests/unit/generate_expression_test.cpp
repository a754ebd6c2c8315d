// The text of generator expressions: what is accepted, and what is said about the rest.
#include <gtest/gtest.h>

#include "graph/generators/expression.h"
#include "tropic/generate.h"
#include "unit/generate_helpers.h"

namespace tropic::testing {
namespace {

using generators::generate_edges;
using generators::parse_whole;

TEST(GeneratorExpression, WholeNumbers) {
    struct Row {
        const char* text;
        Index value; ///< -1: no number, -2: too large
    };
    const Row table[] = {
        {"0", 0},
        {"7", 7},
        {"2^18", 262144},
        {"1e6", 1000000},
        {"1E3", 1000},
        {"64k", 64000},
        {"64K", 64000},
        {"3M", 3000000},
        {"2G", 2000000000},
        {"10^0", 1},
        {"0^5", 0},
        {"1^999999999999", 1},
        {"0e999999999999", 0},
        {"007", 7},
        {"", -1},
        {"k", -1},
        {"-1", -1},
        {"+1", -1},
        {"1.5", -1},
        {"2^", -1},
        {"^2", -1},
        {"e6", -1},
        {"1e", -1},
        {"1e-3", -1},
        {"2^3^4", -1},
        {"1 ", -1},
        {" 1", -1},
        {"0x10", -1},
        {"1m", -1},
        {"2^10k", -1},
        {"9223372036854775807", std::numeric_limits<Index>::max()},
        {"9223372036854775808", -2},
        {"2^63", -2},
        {"1e19", -2},
        {"10000000000G", -2},
        {"99999999999999999999k", -2},
        {"2^99999999999999999999", -2},
    };
    for (const Row& row : table) {
        Index value = 0;
        bool too_large = false;
        const bool ok = parse_whole(row.text, value, too_large);
        EXPECT_EQ(ok, row.value >= 0) << row.text;
        EXPECT_EQ(too_large, row.value == -2) << row.text;
        if (ok) EXPECT_EQ(value, row.value) << row.text;
    }
}

TEST(GeneratorExpression, IsRecognised) {
    EXPECT_TRUE(is_generator_expression("kron:16"));
    EXPECT_TRUE(is_generator_expression("grid:"));
    EXPECT_FALSE(is_generator_expression("kron"));
    EXPECT_FALSE(is_generator_expression("krom:16"));
    EXPECT_FALSE(is_generator_expression("data/kron:16"));
    EXPECT_FALSE(is_generator_expression(""));
    EXPECT_FALSE(is_generator_expression(":"));
}

struct Fault {
    const char* expression;
    Index column;
    const char* message;
    const char* hint;
};

TEST(GeneratorExpression, FaultsAreNamedAndPointedAt) {
    const Fault table[] = {
        {"", 1, "a generator expression has a colon behind the generator's name", ""},
        {"kron", 5, "a generator expression has a colon behind the generator's name", ""},
        {"krn:16", 1, "there is no generator \"krn\"", "kron:16"},
        {"Kron:16", 1, "there is no generator \"Kron\"", "kron:16"},
        {"gird:2x3,torus", 1, "there is no generator \"gird\"", "grid:2x3,torus"},
        {"del:100", 1, "there is no generator \"del\"", "delaunay:100"},
        {"quantum:3", 1, "there is no generator \"quantum\"", "kron:16"},
        {":3", 1, "there is no generator \"\"", "kron:16"},
        {"kron:", 6, "kron needs its scale", "kron:16"},
        {"kron:seed=3", 12, "kron needs its scale", "kron:16"},
        {"grid:", 6, "grid needs its size", "grid:1000x1000,remove=0.1"},
        {"road:raw", 9, "road needs its number of vertices", "road:1M"},
        {"kron:,16", 6, "there is an empty argument here", ""},
        {"kron:16,", 9, "there is an empty argument here", ""},
        {"kron:16,,raw", 9, "there is an empty argument here", ""},
        {"kron:-3", 6, "scale \"-3\" is no whole number", "kron:16"},
        {"kron:1.5", 6, "scale \"1.5\" is no whole number", "kron:16"},
        {"kron:16x", 6, "scale \"16x\" is no whole number", "kron:16"},
        {"kron: 16", 6, "scale \" 16\" is no whole number", "kron:16"},
        {"kron:49", 6, "scale 49 is too large", "kron:16"},
        {"kron:1e99", 6, "scale 1e99 is too large", "kron:16"},
        {"kron:16,0", 9, "edge factor 0 is too small", "kron:16"},
        {"kron:16,16,16", 12, "\"16\" is one argument too many", "kron:16"},
        {"kron:16,seed=x", 14, "seed \"x\" is no whole number", "kron:16"},
        {"kron:16,seed=", 14, "the seed is missing", "kron:16"},
        {"kron:16,seed=2^64", 14, "seed 2^64 is too large", "kron:16"},
        {"kron:16,seed", 9, "seed needs a value", "kron:16"},
        {"kron:16,raw=1", 9, "raw takes no value", "kron:16"},
        {"kron:16,raw,raw", 13, "raw is given twice", "kron:16"},
        {"kron:16,weights,weights=1..2", 17, "weights is given twice", "kron:16"},
        {"kron:16,sed=3", 9, "kron has no option \"sed\"", "seed"},
        {"kron:16,torus", 9, "kron has no option \"torus\"", "kron:16"},
        {"kron:16,=3", 9, "kron has no option \"\"", "kron:16"},
        {"delaunay:9,directed", 12, "delaunay has no option \"directed\"", "delaunay:2^16"},
        {"rmat:5,a=2", 10, "a 2 is out of range", "rmat:16,8,a=0.5,b=0.2,c=0.2"},
        {"rmat:5,a=nan", 10, "a \"nan\" is no number", "rmat:16,8,a=0.5,b=0.2,c=0.2"},
        {"rmat:5,a=.9,b=.2", 17, "a, b and c add up to more than 1", "rmat:16,8,a=0.5,b=0.2,c=0.2"},
        {"grid:10", 6, "\"10\" has 1 size where 2 or 3 are expected", "grid:1000x1000,remove=0.1"},
        {"grid:1x2x3x4", 6, "\"1x2x3x4\" has 4 sizes where 2 or 3 are expected",
         "grid:1000x1000,remove=0.1"},
        {"grid:10x", 9, "the size is missing", "grid:1000x1000,remove=0.1"},
        {"grid:10xx3", 9, "the size is missing", "grid:1000x1000,remove=0.1"},
        {"grid:10xb", 9, "size \"b\" is no whole number", "grid:1000x1000,remove=0.1"},
        {"grid:9x9,remove=1.5", 17, "remove 1.5 is out of range", "grid:1000x1000,remove=0.1"},
        {"grid:9x9,remove=inf", 17, "remove \"inf\" is no number", "grid:1000x1000,remove=0.1"},
        {"grid:2^40x2^40", 6,
         "1099511627776 times 1099511627776 vertices are more than any machine can hold",
         "grid:1000x1000,remove=0.1"},
        {"butterfly:0", 11, "dimension 0 is too small", "butterfly:12"},
        {"butterfly:43", 11, "dimension 43 is too large", "butterfly:12"},
        {"tree:10,0", 9, "number of branches 0 is too small", "tree:1000,3"},
        {"rgg:10,-1", 8, "radius -1 is out of range", "rgg:2^16"},
        {"bipartite:3", 11, "\"3\" has 1 size where 2 are expected", "bipartite:1000x500,0.01"},
        {"bipartite:3x3,2", 15, "probability 2 is out of range", "bipartite:1000x500,0.01"},
        {"ring:5,weights=5", 16, "\"5\" is no range of weights",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=", 16, "\"\" is no range of weights",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=9..1", 16, "the range 9..1 runs backwards",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=1.0..0", 16, "the range 1.0..0 runs backwards",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=1..2^31", 19, "\"2^31\" is no whole number of 32 bits",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=..5", 16, "\"\" is no whole number of 32 bits",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=0.0..x", 21, "\"x\" is no finite number",
         "weights=1..255 or weights=0.0..1.0"},
        {"ring:5,weights=-1.7e308..1.7e308", 16, "the range -1.7e308..1.7e308 is too wide",
         "weights=1..255 or weights=0.0..1.0"},
    };
    for (const Fault& row : table) {
        SCOPED_TRACE(row.expression);
        try {
            generate_edges(row.expression, {}, Context());
            ADD_FAILURE() << "accepted";
        } catch (const Error& error) {
            const Diagnostic& d = error.diagnostic();
            EXPECT_EQ(d.code, ErrorCode::usage);
            EXPECT_EQ(d.message, row.message);
            EXPECT_EQ(d.source_line, row.expression);
            EXPECT_EQ(d.line, 1);
            EXPECT_EQ(d.column, row.column);
            EXPECT_EQ(d.hint, row.hint);
            EXPECT_FALSE(d.accepted.empty());
        }
    }
}

TEST(GeneratorExpression, SaysWhatIsAccepted) {
    try {
        generate_edges("kron:99", {}, Context());
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "scale 99 is too large\n"
                     "  1 | kron:99\n"
                     "    |      ^\n"
                     "  accepted: scale: a whole number from 0 to 48, such as 1000, 64k, 1e6 or "
                     "2^18\n"
                     "  try: kron:16");
    }
}

TEST(GeneratorExpression, NoTextDoesHarm) {
    const std::string_view alphabet("kron:grid,=x.^e19-seed \0\xff", 25);
    std::uint64_t state = 1;
    for (int round = 0; round < 20000; ++round) {
        std::string text = round % 2 == 0 ? "grid:" : "kron:2,";
        const int length = round % 12;
        for (int i = 0; i < length; ++i) {
            state = state * 6364136223846793005 + 1442695040888963407;
            text += alphabet[(state >> 33) % alphabet.size()];
        }
        try {
            generate_edges(text, {}, Context({.threads = 1, .memory_limit = 1 << 20}));
        } catch (const Error& error) {
            EXPECT_TRUE(error.code() == ErrorCode::usage ||
                        error.code() == ErrorCode::out_of_memory)
                << error.what();
        }
    }
}

TEST(GeneratorHelp, ExamplesWorkAndUsagesNameTheirGenerator) {
    EXPECT_EQ(generator_help().size(), 15u);
    for (const GeneratorHelp& help : generator_help()) {
        EXPECT_TRUE(is_generator_expression(help.example)) << help.example;
        EXPECT_EQ(help.usage.substr(0, help.usage.find(':')),
                  help.example.substr(0, help.example.find(':')));
        EXPECT_FALSE(help.meaning.empty());
        EXPECT_NO_THROW(generate_edges(help.example, {}, Context())) << help.example;
    }
}

} // namespace
} // namespace tropic::testing
