#include "graph/files/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic {
namespace {

ErrorCode code_of_opening(const std::string& path) {
    try {
        MappedFile::open(path);
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().file, path);
        return error.code();
    }
    ADD_FAILURE() << "opened " << path;
    return ErrorCode::internal;
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
    const test::TemporaryFolder folder;
    for (const std::size_t size : {std::size_t{1}, std::size_t{4095}, std::size_t{4096},
                                   std::size_t{4097}, std::size_t{1} << 20}) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7);
        const auto file = MappedFile::open(folder.write("a", bytes));
        MappedFile::populate(file->bytes());
        MappedFile::populate(file->bytes().substr(size / 2));
        EXPECT_EQ(file->bytes(), bytes) << size;
    }
}

TEST(MappedFile, AnEmptyFileHasNoBytes) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(MappedFile::open(folder.write("empty", ""))->bytes().empty());
}

TEST(MappedFile, OutlivesTheNameOfTheFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("a", "old content");
    const auto file = MappedFile::open(path);
    const std::string aside = folder.write("b", "new");
    std::filesystem::rename(aside, path);
    EXPECT_EQ(file->bytes(), "old content");
    EXPECT_EQ(MappedFile::open(path)->bytes(), "new");
    std::filesystem::remove(path);
    EXPECT_EQ(file->bytes(), "old content");
}

TEST(MappedFile, SaysWhyAFileCannotBeMapped) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(code_of_opening(folder.file("absent")), ErrorCode::not_found);
    EXPECT_EQ(code_of_opening(folder.file("")), ErrorCode::io);
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(code_of_opening(pipe), ErrorCode::unsupported);
    EXPECT_EQ(code_of_opening("/dev/null"), ErrorCode::unsupported);
}

} // namespace
} // namespace tropic
