// One file per fault: each must be refused with the message beside it.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machines/tile/codelet.h"
#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic::tile::test {

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(TROPIC_CODELET_TEST_DIR) / "faults";

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cpp") found.push_back(entry.path().stem().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// The message, with the folder's path left out.
std::string refusal(const CodeletOptions& options) {
    try {
        load_codelets(options);
    } catch (const Error& error) {
        std::string text = error.what();
        const std::string path = folder.string() + "/";
        for (auto at = text.find(path); at != std::string::npos; at = text.find(path)) {
            text.erase(at, path.size());
        }
        return text;
    }
    return "accepted";
}

class CodeletFaults : public ::testing::TestWithParam<std::string> {};

TEST_P(CodeletFaults, AreRefusedWithTheirMessage) {
    CodeletOptions options;
    options.files = {(folder / (GetParam() + ".cpp")).string()};
    std::string expected = content_of(folder / (GetParam() + ".expected"));
    while (expected.ends_with('\n')) expected.pop_back();
    std::string message = refusal(options);
    while (message.ends_with('\n')) message.pop_back();
    EXPECT_EQ(message, expected);
}

INSTANTIATE_TEST_SUITE_P(Codelets, CodeletFaults, ::testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

TEST(CodeletFiles, MustBeThereAndBeSource) {
    CodeletOptions options;
    EXPECT_THAT(refusal(options), testing::HasSubstr("no codelet to compile"));
    options.files = {"no/such/file.cpp"};
    EXPECT_THAT(refusal(options), testing::HasSubstr("no/such/file.cpp cannot be read"));
    options.files = {folder.string()};
    EXPECT_THAT(refusal(options), testing::HasSubstr("cannot be read"));
    options.files = {"vendor.gp"};
    EXPECT_THAT(refusal(options), testing::HasSubstr("vendor.gp is not C++"));
}

TEST(CodeletFiles, AreCompiledTogether) {
    const tropic::test::TemporaryFolder own;
    const std::string vertex = "class NAME : public poplar::Vertex {\n"
                               "  public:\n"
                               "    poplar::Output<int> out;\n"
                               "    void compute() { *out = helper(); }\n"
                               "};\n";
    const auto with_name = [&](const std::string& name) {
        return std::string(vertex).replace(vertex.find("NAME"), 4, name);
    };
    const std::string head = "#include <poplar/Vertex.hpp>\n#include \"shared.h\"\n";
    own.write("shared.h", "int helper();\n");
    CodeletOptions options;
    options.files = {
        own.write("a.cpp", head + with_name("A")),
        own.write("b.cpp", head + "int helper() { return VALUE; }\n" + with_name("B"))};
    options.flags = {"-DVALUE=1"};
    // A function of one file may be used in the other only if it is in a header: each file must be
    // complete, so that what its code costs is known.
    EXPECT_THAT(refusal(options), testing::HasSubstr("codelets cannot call 'helper'"));

    own.write("shared.h", "inline int helper() { return VALUE; }\n");
    options.files = {own.write("a.cpp", head + with_name("A")),
                     own.write("b.cpp", head + with_name("B"))};
    const auto library = load_codelets(options);
    EXPECT_NE(library->find("A"), nullptr);
    EXPECT_NE(library->find("B"), nullptr);
    EXPECT_EQ(library->find("A")->source_file, options.files[0]);

    options.files.push_back(own.write("c.cpp", head + with_name("A")));
    const std::string message = refusal(options);
    EXPECT_THAT(message, testing::HasSubstr("vertex A is defined in"));
    EXPECT_THAT(message, testing::HasSubstr("a.cpp and in"));
}

} // namespace

} // namespace tropic::tile::test
