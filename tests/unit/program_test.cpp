// Programs through the public interface, with a compiler that always makes the same program.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "language/check.h"
#include "program/compiler_library.h"
#include "program/variables.h"
#include "small_matrices.h"
#include "temporary_folder.h"
#include "tropic/error.h"
#include "tropic/program.h"

namespace tropic {

namespace {

namespace fs = std::filesystem;

constexpr const char* text = R"(def main() {
    IndexLabel [i] = [?];
    IndexLabel [j] = [?];
    Tensor<double> A([i, j], {CSR});
    A[i, j] = comet_read(0);
    var x = SUM(A[i, j]);
}
)";

int compilations = 0;

void fake_compile(const language::Program&, const compile::CompileOptions& options,
                  compile::CompileResult& result) {
    ++compilations;
    if (options.stage != compile::Stage::shared_object) {
        result.text = "stage " + std::to_string(static_cast<int>(options.stage));
        return;
    }
    fs::copy_file(TROPIC_FAKE_PROGRAM, options.output);
    result.explained = {"nothing was fused", "one loop"};
}

void failing_compile(const language::Program&, const compile::CompileOptions&,
                     compile::CompileResult&) {
    throw Error(ErrorCode::unsupported, "not today");
}

struct ProgramTest : ::testing::Test {
    ProgramTest() {
        compilations = 0;
        program::replace_compiler(fake_compile);
        options.cache_directory = folder.file("cache");
    }
    ~ProgramTest() override { program::replace_compiler(nullptr); }

    test::TemporaryFolder folder;
    ProgramOptions options;
    Tensor matrix =
        testing::csr(3, 3, {{0, 1, 2}, {0, 2, 3}, {2, 0, 4}}, {.type = ElementType::int32});
};

TEST_F(ProgramTest, RunsOnWhatIsBound) {
    for (const bool cache : {true, false}) {
        options.cache = cache;
        Program program = Program::from_text(text, options);
        EXPECT_THAT(program.inputs(), ::testing::ElementsAre("0"));
        const RunResult result = program.bind("0", matrix).run();
        EXPECT_EQ(result.printed, "data = \n5,0,4,\n");
        EXPECT_EQ(result.tensor("y").values().value_at(0), 5);
        EXPECT_EQ(result.integer("n"), 3);
        EXPECT_EQ(result.number("n"), 3);
        EXPECT_EQ(result.number("x"), 0.5);
        EXPECT_THROW(result.tensor("z"), Error);
        EXPECT_THROW(result.integer("x"), Error);
    }
}

TEST_F(ProgramTest, CompilesOnceAndFindsItAgain) {
    for (int round = 0; round < 3; ++round) {
        Program program = Program::from_text(text, options);
        program.bind("0", matrix);
        program.run();
        program.run();
        EXPECT_THAT(
            program.explanation()[0],
            ::testing::StartsWith(round == 0 ? "compiled and kept" : "compiled program found"));
        EXPECT_THAT(program.explanation(), ::testing::Contains("nothing was fused"));
        EXPECT_THAT(program.explanation(), ::testing::Contains("one loop"));
    }
    EXPECT_EQ(compilations, 1);
    options.wide = true;
    Program::from_text(text, options).compile();
    EXPECT_EQ(compilations, 2);
    options.outputs = {"x"};
    Program::from_text(text, options).compile();
    options.outputs = {"x", "A"};
    Program::from_text(text, options).compile();
    EXPECT_EQ(compilations, 3);
    options.cache = false;
    Program::from_text(text, options).compile();
    Program::from_text(text, options).compile();
    EXPECT_EQ(compilations, 5);
}

TEST_F(ProgramTest, DamagedEntriesAreCompiledAgain) {
    Program::from_text(text, options).compile();
    for (const auto& file : fs::directory_iterator(folder.file("cache"))) {
        std::ofstream(file.path(), std::ios::app) << "x";
    }
    Program program = Program::from_text(text, options);
    EXPECT_EQ(program.bind("0", matrix).run().integer("n"), 3);
    EXPECT_EQ(compilations, 2);
}

TEST_F(ProgramTest, UnusableCacheIsExplained) {
    fs::create_directory(folder.file("cache"));
    fs::permissions(folder.file("cache"), fs::perms::all);
    Program program = Program::from_text(text, options);
    EXPECT_EQ(program.bind("0", matrix).run().integer("n"), 3);
    EXPECT_THAT(program.explanation()[0], ::testing::HasSubstr("can be written to by others"));
    EXPECT_TRUE(fs::is_empty(folder.file("cache")));
}

TEST_F(ProgramTest, ReadsFilesAndGenerators) {
    const std::string file = folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                   "2 2 2\n1 1 1.5\n2 1 2\n");
    Program program = Program::from_text(text, options);
    EXPECT_EQ(program.bind("0", file).run().printed, "data = \n1.5,2,\n");
    EXPECT_EQ(program.bind("0", "path:3").run().printed, "data = \n1,2,1,\n");
    EXPECT_EQ(program.bind("0", testing::graph_of(matrix)).run().printed, "data = \n5,0,4,\n");
    EXPECT_THROW(program.bind("0", folder.file("nothing.mtx")).run(), Error);
}

TEST_F(ProgramTest, SinkAndTimes) {
    Program program = Program::from_text(text, options);
    std::string printed;
    RunOptions run;
    run.print = [&](std::string_view part) { printed += part; };
    run.time_statements = true;
    const RunResult result = program.bind("0", matrix).run({}, run);
    EXPECT_EQ(printed, "data = \n5,0,4,\n");
    EXPECT_EQ(result.printed, "");
    ASSERT_EQ(result.times.size(), 1u);
    EXPECT_EQ(result.times[0].text, "A[i, j] = comet_read(0)");
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(ProgramTest, SaysWhatIsMissing) {
    Program program = Program::from_text(text, options, "count.tropic");
    EXPECT_THAT(message_of([&] { program.bind("1", matrix); }),
                ::testing::HasSubstr("the program has no input 1"));
    EXPECT_THAT(message_of([&] { program.run(); }),
                ::testing::StartsWith("count.tropic:5:5: nothing is bound to input 0"));
    EXPECT_THAT(message_of([&] { Program::from_file(folder.file("none.tropic")); }),
                ::testing::HasSubstr("there is no such program"));
    EXPECT_THAT(message_of([&] { Program::from_file(folder.file("")); }),
                ::testing::HasSubstr("cannot be read"));
    EXPECT_THROW(Program::from_text("def main() { x = ; }", options), Error);
    program::replace_compiler(failing_compile);
    options.wide = true;
    EXPECT_THAT(message_of([&] { Program::from_text(text, options).compile(); }),
                ::testing::HasSubstr("not today"));
}

TEST_F(ProgramTest, ShowsItsStages) {
    const Program program = Program::from_text(text, options);
    EXPECT_EQ(program.show(ProgramStage::algebra), "stage 0");
    EXPECT_EQ(program.show(ProgramStage::assembly), "stage 4");
    EXPECT_NE(program.show(ProgramStage::syntax_tree), "");
    program.write_shared_object(folder.file("out.so"));
    EXPECT_TRUE(fs::exists(folder.file("out.so")));
}

TEST(ProgramVariables, ResultsAreWhatNothingUses) {
    const language::Program checked = language::check_program(R"(def main() {
    IndexLabel [i, j, k] = [4];
    Tensor<double> A([i, j], Dense);
    Tensor<double> B([j, k], Dense);
    Tensor<double> C([i, k], Dense);
    Tensor<double> D([i, k], Dense);
    A[i, j] = 1.0;
    B[j, k] = 2.0;
    C[i, k] = A[i, j] * B[j, k];
    D[i, k] = A[i, j] * B[j, k];
    print(D);
    var s = SUM(A[i, j]);
}
)",
                                                              "test");
    std::vector<std::string> names;
    for (const auto id : program::unused_variables(checked)) {
        names.push_back(checked.variables[id].name);
    }
    EXPECT_THAT(names, ::testing::ElementsAre("C", "s"));
    EXPECT_TRUE(program::inputs_of(checked).empty());
}

} // namespace

} // namespace tropic
