// What `print` shows of tensors in every format, and of scalars.
#include <gtest/gtest.h>

#include "cpu_session.h"
#include "small_matrices.h"

namespace tropic::cpu {

namespace {

/// The matrix of the examples: 5 x 5, nine entries.
Tensor example() {
    return testing::csr(5, 5,
                        {{0, 0, 1},
                         {0, 3, 1.4},
                         {1, 1, 2},
                         {1, 4, 2.5},
                         {2, 2, 3},
                         {3, 0, 4.1},
                         {3, 3, 4},
                         {4, 1, 5.2},
                         {4, 4, 5}},
                        {.type = ElementType::float64});
}

std::string printed(const Tensor& tensor, const Format& format, ElementType type,
                    int presentation = 0, bool wide = false) {
    TestRun run(wide, 1, {{"A", tensor}});
    TensorView* const view = run.read("A", type, format);
    const TestFormat formats(format);
    run.table.print_tensor(&run.session, view, static_cast<std::int64_t>(type), formats.view(),
                           presentation);
    return run.printed;
}

std::string arrays(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "data = \n" + line + "\n";
    return text;
}

constexpr const char* values = "1,1.4,2,2.5,3,4.1,4,5.2,5,";

TEST(CpuPrint, EveryFormat) {
    const auto real = ElementType::float64;
    for (const bool wide : {false, true}) {
        EXPECT_EQ(printed(example(), Format::csr(), real, 0, wide),
                  arrays({"5,", "-1,", "0,2,4,5,7,9,", "0,3,1,4,2,0,3,1,4,", values}));
        EXPECT_EQ(printed(example(), Format::coo(2), real, 0, wide),
                  arrays({"0,9,", "0,0,1,1,2,3,3,4,4,", "-1,", "0,3,1,4,2,0,3,1,4,", values}));
        EXPECT_EQ(printed(example(), Format::dcsr(), real, 0, wide),
                  arrays({"0,5,", "0,1,2,3,4,", "0,2,4,5,7,9,", "0,3,1,4,2,0,3,1,4,", values}));
        EXPECT_EQ(printed(example(), Format::csc(), real, 0, wide),
                  arrays({"5,", "-1,", "0,2,4,5,7,9,", "0,3,1,4,2,0,3,1,4,",
                          "1,4.1,2,5.2,3,1.4,4,2.5,5,"}));
        EXPECT_EQ(printed(example(), Format::dense(2), real, 0, wide),
                  arrays({"1,0,0,1.4,0,0,2,0,0,2.5,0,0,3,0,0,4.1,0,0,4,0,0,5.2,0,0,5,"}));
    }
}

TEST(CpuPrint, TensorsOfHigherRank) {
    const Tensor tensor =
        build(naive::list_of({2, 3, 4}, {{{0, 1, 2}, 1}, {{0, 1, 3}, 2}, {{1, 0, 0}, 3}},
                             ElementType::int32, ElementType::float64, 9),
              Format::coo(3), Duplicates::keep);
    EXPECT_EQ(printed(tensor, Format::csf(3), ElementType::float64),
              arrays({"0,2,", "0,1,", "0,1,2,", "1,0,", "0,2,3,", "2,3,0,", "1,2,3,"}));
    EXPECT_EQ(printed(tensor, Format::coo(3), ElementType::int32),
              arrays({"0,3,", "0,0,1,", "-1,", "1,1,0,", "-1,", "2,3,0,", "1,2,3,"}));
    EXPECT_EQ(printed(tensor, Format::csf(3), ElementType::float64, 4),
              arrays({"0,2,", "0,1,", "-1,", "1,0,", "4,", "-1,", "0,0,1,2,3,0,0,0,"}));
}

TEST(CpuPrint, FormatsComputedOnAsAnother) {
    const Tensor matrix =
        testing::csr(3, 4, {{0, 1, 7}, {0, 3, 8}, {2, 0, 9}}, {.type = ElementType::float64});
    const auto shown = [&](int presentation) {
        return printed(matrix, Format::csr(), ElementType::float64, presentation);
    };
    EXPECT_EQ(shown(1),
              arrays({"3,", "-1,", "2,", "-1,", "-1,", "1,3,-1,-1,0,-1,", "7,8,0,0,9,0,"}));
    EXPECT_EQ(shown(2), arrays({"2,", "-1,", "0,2,3,", "0,1,0,", "2,", "-1,", "2,", "-1,",
                                "0,7,0,0,0,8,0,0,9,0,0,0,"}));
    EXPECT_EQ(shown(3), arrays({"2,", "-1,", "2,", "-1,", "0,1,2,3,3,", "0,0,0,", "-1,", "1,1,0,",
                                "7,8,9,"}));
    EXPECT_EQ(shown(4), arrays({"0,2,", "0,2,", "4,", "-1,", "0,7,0,8,9,0,0,0,"}));
}

TEST(CpuPrint, EmptyAndJumbled) {
    EXPECT_EQ(printed(testing::csr(2, 2, {}, {.type = ElementType::float64}), Format::csr(),
                      ElementType::float64),
              arrays({"2,", "-1,", "0,0,0,", "", ""}));
    TestRun run;
    const Tensor jumbled =
        testing::csr(1, 3, {{0, 2, 5}, {0, 0, 6}}, {.type = ElementType::float64, .sorted = false});
    const TestFormat csr(Format::csr());
    run.table.print_tensor(&run.session, adopt(run.session, jumbled), 11, csr.view(), 0);
    EXPECT_EQ(run.printed, arrays({"1,", "-1,", "0,2,", "0,2,", "6,5,"}));
}

TEST(CpuPrint, NumbersAsStreamsPrintThem) {
    TestRun run;
    for (const double value : {1.0, 0.1, 1.0 / 3, 123456.0, 1234567.0, 1e-5, 1e100, -2.5}) {
        run.printed.clear();
        run.table.print_real(&run.session, value);
        std::ostringstream expected;
        expected << value << '\n';
        EXPECT_EQ(run.printed, expected.str());
    }
    run.printed.clear();
    run.table.print_integer(&run.session, -1234567890123);
    run.table.print_real(&run.session, std::numeric_limits<double>::infinity());
    run.table.print_elapsed(&run.session, 0.25);
    EXPECT_EQ(run.printed, "-1234567890123\ninf\nELAPSED_TIME = 0.25\n");
}

TEST(CpuSession, ResultsAndTimes) {
    TestRun run;
    run.session.options.time_statements = true;
    for (int round = 0; round < 3; ++round) {
        run.table.begin_statement(&run.session, "line 2, column 5", "A[i] = x");
        run.table.end_statement(&run.session);
    }
    ASSERT_EQ(run.session.statement_times.size(), 1u);
    EXPECT_EQ(run.session.statement_times[0].runs, 3);
    EXPECT_EQ(run.session.statement_times[0].text, "A[i] = x");
    run.table.real_result(&run.session, "x", 2.5);
    run.table.integer_result(&run.session, "n", 7);
    EXPECT_EQ(run.session.real_results.at("x"), 2.5);
    EXPECT_EQ(run.session.integer_results.at("n"), 7);
    EXPECT_LE(run.table.time(&run.session), run.table.time(&run.session));
}

} // namespace

} // namespace tropic::cpu
