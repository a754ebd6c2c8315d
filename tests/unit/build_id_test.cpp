// Compiled code is kept for the builds that it was made by and for.
#include <fstream>

#include <gtest/gtest.h>

#include "program/build_id.h"
#include "program/compiler_library.h"
#include "temporary_folder.h"

namespace tropic::program {
namespace {

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(BuildId, IsThatOfTheLinker) {
    const std::string id = build_id_of(compiler_path());
    ASSERT_GE(id.size(), 16U);
    // The bytes are in the file.
    std::string bytes;
    for (std::size_t i = 0; i < id.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
    }
    EXPECT_NE(content_of(compiler_path()).find(bytes), std::string::npos);
    EXPECT_NE(compiler_identity().find(id), std::string::npos);
}

TEST(BuildId, TellsFilesOfOneSizeAndTimeApart) {
    const test::TemporaryFolder folder;
    std::string content = content_of("/proc/self/exe");
    const std::string own = build_id_of("/proc/self/exe");
    ASSERT_FALSE(own.empty());
    std::string bytes;
    for (std::size_t i = 0; i < own.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(own.substr(i, 2), nullptr, 16));
    }
    content[content.find(bytes)] ^= 1;
    const std::string other = folder.file("other");
    std::ofstream(other, std::ios::binary) << content;
    EXPECT_EQ(build_id_of(other).size(), own.size());
    EXPECT_NE(build_id_of(other), own);
}

TEST(BuildId, IsNothingOfOtherFiles) {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("text");
    std::ofstream(file) << "no program at all";
    EXPECT_EQ(build_id_of(file), "");
    EXPECT_NE(identity_of(file), "none");
    EXPECT_EQ(identity_of(file + "missing"), "none");
    // Cut off anywhere, a program is no reason to fail.
    const std::string content = content_of(compiler_path()).substr(0, 4096);
    for (std::size_t size = 0; size < content.size(); size += 37) {
        std::ofstream(file, std::ios::binary) << content.substr(0, size);
        EXPECT_NO_THROW(build_id_of(file));
    }
}

} // namespace
} // namespace tropic::program
