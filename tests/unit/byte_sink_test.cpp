#include "graph/files/byte_sink.h"

#include <atomic>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/files/byte_source.h"
#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic {
namespace {

std::string unpacked(const std::string& path) {
    const auto source = open_file(path, {});
    std::string text;
    std::string piece(5000, '\0');
    while (const std::size_t got = source->read(piece.data(), piece.size())) {
        text.append(piece, 0, got);
    }
    return text;
}

std::size_t files_in(const test::TemporaryFolder& folder) {
    const std::filesystem::directory_iterator files(folder.file("."));
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

ErrorCode failure(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    ADD_FAILURE() << "nothing was thrown";
    return ErrorCode::internal;
}

TEST(ByteSink, MakesTheFileAppearWholeOrNotAtAll) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("out.txt", "old");
    {
        const auto sink = create_file(path, false, {});
        EXPECT_EQ(sink->path(), path);
        sink->write("new");
        EXPECT_EQ(folder.read("out.txt"), "old");
    }
    EXPECT_EQ(folder.read("out.txt"), "old");
    EXPECT_EQ(files_in(folder), 1u) << "nothing is left behind";
    const auto sink = create_file(path, false, {});
    sink->write("new ");
    sink->write(std::string(10 << 20, 'x'));
    sink->write(" end");
    sink->commit();
    EXPECT_EQ(folder.read("out.txt"), "new " + std::string(10 << 20, 'x') + " end");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(FilesTogether, AppearTogetherOrNotAtAll) {
    const test::TemporaryFolder folder;
    const std::string first = folder.write("first", "old");
    const auto write = [](const std::string& path) {
        const auto sink = create_file(path, false, {});
        sink->write("new");
        sink->commit();
    };
    {
        const FilesTogether files;
        write(first);
        EXPECT_EQ(folder.read("first"), "old");
        EXPECT_EQ(failure([&] { write(folder.file("missing/second")); }), ErrorCode::io);
    }
    EXPECT_EQ(folder.read("first"), "old");
    EXPECT_EQ(files_in(folder), 1u) << "nothing is left behind";
    const auto stopped = std::make_shared<std::atomic<bool>>(true);
    {
        FilesTogether files;
        write(first);
        EXPECT_EQ(failure([&] { files.appear(Context({.cancelled = stopped})); }),
                  ErrorCode::cancelled);
    }
    EXPECT_EQ(folder.read("first"), "old");
    FilesTogether files;
    write(first);
    write(folder.file("second"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("second")));
    files.appear({});
    EXPECT_EQ(folder.read("first") + folder.read("second"), "newnew");
    EXPECT_EQ(files_in(folder), 2u);
}

TEST(ByteSink, IsNotCommittedAfterAnInterrupt) {
    const test::TemporaryFolder folder;
    const auto stopped = std::make_shared<std::atomic<bool>>(false);
    const auto sink = create_file(folder.file("out"), false, Context({.cancelled = stopped}));
    sink->write("text");
    *stopped = true;
    EXPECT_EQ(failure([&] { sink->commit(); }), ErrorCode::cancelled);
    EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST(ByteSink, LeavesNothingBehindAfterAnException) {
    const test::TemporaryFolder folder;
    const auto write = [&](int threads) {
        const Context context({.threads = threads});
        const auto sink = create_file(folder.file("out"), false, context);
        write_pieces(*sink, 1000, 10, context, "writing", [](Index begin, Index, std::string& out) {
            if (begin == 500) throw Error(ErrorCode::unsupported, "no");
            out = "text";
        });
        sink->commit();
    };
    EXPECT_EQ(failure([&] { write(1); }), ErrorCode::unsupported);
    EXPECT_EQ(failure([&] { write(3); }), ErrorCode::unsupported);
    EXPECT_EQ(files_in(folder), 0u);
}

TEST(ByteSink, CompressesByTheSuffix) {
    const test::TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + "\n";
    for (const auto& [suffix, kind] :
         {std::pair(".gz", "gzip"), std::pair(".xz", "xz"), std::pair(".zst", "zstd")}) {
        const std::string path = folder.file(std::string("out.mtx") + suffix);
        const auto sink = create_file(path, false, {});
        EXPECT_EQ(sink->path(), folder.file("out.mtx"));
        sink->write(text);
        sink->write("and more\n");
        sink->commit();
        EXPECT_EQ(open_file(path, {})->compression(), kind);
        EXPECT_EQ(unpacked(path), text + "and more\n");
        EXPECT_LT(std::filesystem::file_size(path), text.size() / 2);

        const auto empty = create_file(path, false, {});
        empty->commit();
        EXPECT_EQ(open_file(path, {})->compression(), kind) << "no text is a stream, too";
        EXPECT_EQ(unpacked(path), "");

        const auto binary = create_file(path, true, {});
        EXPECT_EQ(binary->path(), path);
        binary->write("as it is");
        binary->commit();
        EXPECT_EQ(unpacked(path), "as it is");
    }
}

TEST(ByteSink, CompressesWhateverTheCaseOfTheSuffix) {
    const test::TemporaryFolder folder;
    const auto sink = create_file(folder.file("OUT.MTX.GZ"), false, {});
    EXPECT_EQ(sink->path(), folder.file("OUT.MTX"));
    sink->write("text");
    sink->commit();
    EXPECT_EQ(open_file(folder.file("OUT.MTX.GZ"), {})->compression(), "gzip");
}

TEST(WritePieces, WritesInOrderForEveryNumberOfThreads) {
    const test::TemporaryFolder folder;
    for (const char* name : {"out", "out.gz", "out.xz", "out.zst"}) {
        for (const int threads : {1, 2, 5}) {
            for (const Index count : {0, 1, 7, 5000}) {
                std::string expected = "head\n";
                for (Index i = 0; i < count; ++i) expected += std::to_string(i) + "\n";
                const Context context({.threads = threads});
                const auto sink = create_file(folder.file(name), false, context);
                sink->write("head\n");
                write_pieces(*sink, count, 7, context, "writing",
                             [](Index begin, Index end, std::string& out) {
                                 EXPECT_TRUE(out.empty());
                                 for (Index i = begin; i < end; ++i) {
                                     out += std::to_string(i) + "\n";
                                 }
                             });
                sink->write("tail\n");
                sink->commit();
                EXPECT_EQ(unpacked(folder.file(name)), expected + "tail\n");
            }
        }
    }
}

TEST(ByteSink, RefusesPlacesItCannotWriteTo) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(failure([&] { create_file(folder.file("."), false, {}); }), ErrorCode::io);
    EXPECT_EQ(failure([&] { create_file(folder.file("none/out"), false, {}); }), ErrorCode::io);
    EXPECT_EQ(failure([&] { create_file("/proc/tropic/out", false, {}); }), ErrorCode::io);
    EXPECT_EQ(failure([&] { create_file("", false, {}); }), ErrorCode::io);
    using namespace std::string_literals;
    EXPECT_EQ(failure([&] { create_file(folder.file("a\0b"s), false, {}); }), ErrorCode::io);
    EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
}

TEST(ByteSink, TakesNamesAsLongAsTheSystemDoes) {
    const test::TemporaryFolder folder;
    for (const std::size_t size : {100, 101, 244, 255}) {
        const std::string name(size, 'n');
        const auto sink = create_file(folder.file(name), false, {});
        sink->write("text");
        sink->commit();
        EXPECT_EQ(folder.read(name), "text");
    }
    EXPECT_EQ(files_in(folder), 4u);
    // Refused before anything is written, not when it should appear.
    EXPECT_EQ(failure([&] { create_file(folder.file(std::string(256, 'n')), false, {}); }),
              ErrorCode::io);
}

TEST(ByteSink, SaysThatTheDiskIsFull) {
    if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
    const auto sink = create_file("/dev/full", false, {});
    try {
        sink->write("text");
        sink->commit();
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        EXPECT_NE(error.diagnostic().message.find("No space left"), std::string::npos);
        EXPECT_EQ(error.diagnostic().file, "/dev/full");
    }
}

TEST(ByteSink, WritesThroughToWhatIsNoFile) {
    const auto sink = create_file("/dev/null", false, {});
    sink->write("text");
    sink->commit();
    struct stat status{};
    ASSERT_EQ(stat("/dev/null", &status), 0);
    EXPECT_TRUE(S_ISCHR(status.st_mode)) << "/dev/null must not be replaced by a file";
}

TEST(ByteSink, FollowsLinksAndKeepsPermissions) {
    const test::TemporaryFolder folder;
    const std::string real = folder.write("real", "old");
    ASSERT_EQ(chmod(real.c_str(), 0640), 0);
    ASSERT_EQ(symlink("real", folder.file("link").c_str()), 0);
    const auto sink = create_file(folder.file("link"), false, {});
    sink->write("new");
    sink->commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(folder.read("real"), "new");
    struct stat status{};
    ASSERT_EQ(stat(real.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);

    const mode_t mask = umask(027);
    const auto fresh = create_file(folder.file("fresh"), false, {});
    fresh->commit();
    umask(mask);
    ASSERT_EQ(stat(folder.file("fresh").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(ByteSink, MakesWhatALinkPointsTo) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("below"));
    ASSERT_EQ(symlink("below/second", folder.file("first").c_str()), 0);
    ASSERT_EQ(symlink("real", folder.file("below/second").c_str()), 0);
    const auto sink = create_file(folder.file("first"), false, {});
    sink->write("new");
    sink->commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("first")));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("below/second")));
    EXPECT_EQ(folder.read("below/real"), "new");

    ASSERT_EQ(symlink("itself", folder.file("itself").c_str()), 0);
    EXPECT_EQ(failure([&] { create_file(folder.file("itself"), false, {}); }), ErrorCode::io);
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("itself")));
    ASSERT_EQ(symlink("none/file", folder.file("astray").c_str()), 0);
    EXPECT_EQ(failure([&] { create_file(folder.file("astray"), false, {}); }), ErrorCode::io);
}

TEST(ByteSink, MayReplaceTheFileThatIsBeingRead) {
    const test::TemporaryFolder folder;
    const std::string path = folder.write("graph", std::string(1 << 20, 'a'));
    const auto source = open_file(path, {});
    const auto sink = create_file(path, false, {});
    std::string piece(1000, '\0');
    while (const std::size_t got = source->read(piece.data(), piece.size())) {
        sink->write(std::string(got, 'b'));
    }
    sink->commit();
    EXPECT_EQ(folder.read("graph"), std::string(1 << 20, 'b'));
}

} // namespace
} // namespace tropic
