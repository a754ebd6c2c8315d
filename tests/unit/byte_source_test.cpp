#include "graph/files/byte_source.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/files/compressor.h"
#include "support/memory.h"
#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic {
namespace {

std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return bytes;
}

/// Reads to the end in pieces of at most `step` bytes.
std::string drain(ByteSource& source, std::size_t step = 1000) {
    std::string text;
    std::string piece(step, '\0');
    while (const std::size_t got = source.read(piece.data(), step)) text.append(piece, 0, got);
    return text;
}

std::string unpack(std::string_view bytes, std::size_t step = 1000) {
    return drain(*open_memory(bytes, "memory"), step);
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

std::string numbers(std::size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::string text;
    while (text.size() < bytes) text += std::to_string(random() % 100000) + "\n";
    text.resize(bytes);
    return text;
}

constexpr Compression kinds[] = {Compression::gzip, Compression::xz, Compression::zstd};

// "1 2\n3 4\n" as the tools of that name write it.
struct Packed {
    std::string_view name;
    std::string_view hex;
};
constexpr Packed by_tools[] = {
    {"gzip", "1f8b0800000000000003335430e2325630e102005700d66108000000"},
    {"xz", "fd377a585a000004e6d6b4460200210116000000742fe5a30100073120320a3320340a00"
           "becc817654c0eb1f00012008bb19d9bb1fb6f37d010000000004595a"},
    {"zstd", "28b52ffd04584100003120320a3320340a8a8117cf"},
};

TEST(ByteSource, ReadsWhatTheToolsWrite) {
    for (const Packed& packed : by_tools) {
        const std::string bytes = from_hex(packed.hex);
        const auto source = open_memory(bytes, "memory");
        EXPECT_EQ(source->compression(), packed.name);
        EXPECT_EQ(drain(*source), "1 2\n3 4\n") << packed.name;
        EXPECT_EQ(source->stored_bytes(), bytes.size());
        EXPECT_EQ(source->stored_bytes_read(), bytes.size());
    }
}

TEST(ByteSource, LeavesPlainBytesAlone) {
    for (const std::string_view text : {"", "1", "\x1f", "1 2\n3 4\n"}) {
        const auto source = open_memory(text, "memory");
        EXPECT_EQ(source->compression(), "");
        EXPECT_EQ(drain(*source), text);
    }
}

TEST(ByteSource, UnpacksStreamsOfAllSizesInPiecesOfAllSizes) {
    for (const Compression kind : kinds) {
        for (const std::size_t size : {0, 1, 1000, 700'000}) {
            const std::string text = numbers(size, 1);
            const std::string packed = compress(text, kind);
            EXPECT_EQ(unpack(packed, 1 << 20), text);
            EXPECT_EQ(unpack(packed, 4099), text);
            if (size <= 1000) {
                EXPECT_EQ(unpack(packed, 1), text);
            }
        }
    }
}

TEST(ByteSource, JoinsStreamsThatFollowOneAnother) {
    for (const Compression kind : kinds) {
        const std::string first = numbers(200'000, 1);
        const std::string second = numbers(1000, 2);
        const std::string packed = compress(first, kind) + compress({}, kind) +
                                   compress(second, kind) + compress({}, kind);
        EXPECT_EQ(unpack(packed), first + second);
    }
}

TEST(ByteSource, StartsAgain) {
    for (const Compression kind : kinds) {
        const std::string text = numbers(100'000, 3);
        const std::string packed = compress(text, kind) + compress(text, kind);
        const auto source = open_memory(packed, "memory");
        std::string some(150'000, '\0');
        source->read(some.data(), some.size());
        source->rewind();
        EXPECT_EQ(drain(*source), text + text);
        source->rewind();
        EXPECT_EQ(drain(*source), text + text);
    }
}

TEST(ByteSource, SaysThatAStreamIsCutShortWhereverItIsCut) {
    for (const Compression kind : kinds) {
        const std::string packed = compress(numbers(500, 4), kind);
        for (std::size_t size = 6; size < packed.size(); ++size) {
            const std::string_view cut = std::string_view(packed).substr(0, size);
            EXPECT_EQ(failure([&] { unpack(cut); }), ErrorCode::truncated) << size;
        }
    }
}

TEST(ByteSource, KnowsAStreamOfOneByteByTheName) {
    for (const auto& [kind, suffix] :
         {std::pair(Compression::gzip, ".gz"), std::pair(Compression::xz, ".XZ"),
          std::pair(Compression::zstd, ".zst")}) {
        const std::string byte = compress("1 2\n", kind).substr(0, 1);
        EXPECT_EQ(failure([&] { drain(*open_memory(byte, std::string("a.mtx") + suffix)); }),
                  ErrorCode::truncated);
        EXPECT_EQ(drain(*open_memory(byte, "a.mtx")), byte);
    }
}

TEST(ByteSource, NeverUnpacksABrokenStreamToAnotherText) {
    for (const Compression kind : kinds) {
        const std::string text = numbers(500, 5);
        const std::string packed = compress(text, kind);
        int refused = 0;
        for (std::size_t at = 6; at < packed.size(); ++at) {
            std::string broken = packed;
            broken[at] = static_cast<char>(broken[at] ^ 0x10);
            try {
                EXPECT_EQ(unpack(broken), text) << at;
            } catch (const Error& error) {
                EXPECT_TRUE(error.code() == ErrorCode::corrupt ||
                            error.code() == ErrorCode::truncated ||
                            error.code() == ErrorCode::out_of_memory)
                    << error.what();
                ++refused;
            }
        }
        EXPECT_GT(refused, 10);
    }
}

TEST(ByteSource, RefusesWhatFollowsAStream) {
    for (const Compression kind : kinds) {
        const std::string packed = compress("1 2\n", kind);
        EXPECT_EQ(failure([&] { unpack(packed + "junk that is not compressed"); }),
                  ErrorCode::corrupt);
    }
    for (const Compression kind : kinds) {
        // A line end that an editor or an upload added, too short to be the start of anything.
        try {
            unpack(compress("1 2\n", kind) + "\n");
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::corrupt);
            EXPECT_NE(error.diagnostic().message.find("goes on with bytes that are not"),
                      std::string::npos)
                << error.what();
        }
    }
    const std::string xz = compress("1 2\n", Compression::xz);
    EXPECT_EQ(unpack(xz + std::string(8, '\0') + xz + std::string(4, '\0')), "1 2\n1 2\n");
    EXPECT_EQ(unpack(xz + std::string(400'000, '\0') + xz), "1 2\n1 2\n");
    EXPECT_EQ(failure([&] { unpack(xz + std::string(3, '\0')); }), ErrorCode::corrupt);
    EXPECT_EQ(failure([&] { unpack(xz + std::string(5, '\0') + xz); }), ErrorCode::corrupt);
    EXPECT_EQ(failure([&] { unpack(xz + "\xfd"); }), ErrorCode::truncated);
    const std::string gzip = compress("1 2\n", Compression::gzip);
    EXPECT_EQ(unpack(gzip + std::string(1000, '\0')), "1 2\n") << "tapes are filled with zeros";
    EXPECT_EQ(failure([&] { unpack(gzip + std::string(10, '\0') + "x"); }), ErrorCode::corrupt);
}

TEST(ByteSource, NamesTheFileAndHowFarItGot) {
    const std::string packed = compress(numbers(500'000, 6), Compression::gzip);
    try {
        drain(*open_memory(std::string_view(packed).substr(0, packed.size() / 2), "web.mtx.gz"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().file, "web.mtx.gz");
        EXPECT_TRUE(error.diagnostic().message.starts_with("the gzip stream ends early, after "))
            << error.what();
        EXPECT_NE(error.diagnostic().message.find("B of text"), std::string::npos);
    }
}

/// How much text came out, byte by byte, before the stream failed.
std::size_t text_before_failure(std::string_view packed) {
    const auto source = open_memory(packed, "memory");
    std::size_t count = 0;
    char c = 0;
    EXPECT_NE(failure([&] {
                  while (source->read(&c, 1) == 1) ++count;
              }),
              ErrorCode::internal);
    return count;
}

TEST(ByteSource, CountsTheTextOfTheCallThatFails) {
    const std::string text = numbers(600'000, 10);
    for (const Compression kind : kinds) {
        const std::string packed = compress(text, kind);
        std::string broken = packed;
        broken[packed.size() / 2] = static_cast<char>(broken[packed.size() / 2] ^ 0xff);
        std::string wrong_end = packed;
        wrong_end[packed.size() - 2] = static_cast<char>(wrong_end[packed.size() - 2] ^ 0xff);
        for (const std::string& faulty : {packed.substr(0, packed.size() / 2), broken, wrong_end}) {
            const std::string count = bytes_text(text_before_failure(faulty));
            try {
                unpack(faulty, 1 << 20);
                ADD_FAILURE() << "nothing was thrown";
            } catch (const Error& error) {
                EXPECT_NE(error.diagnostic().message.find(" after " + count + " of text"),
                          std::string::npos)
                    << count << ": " << error.what();
                EXPECT_NE(count, "0 B");
            }
        }
    }
}

TEST(ByteSource, StreamsABombWithoutKeepingIt) {
    const std::string zeros(16 << 20, '0');
    for (const Compression kind : kinds) {
        const std::string packed = compress(zeros, kind);
        ASSERT_LT(packed.size(), 200'000u);
        const Context context({.memory_limit = 8 << 20});
        const auto source = open_memory(packed, "bomb", context);
        std::string piece(1 << 16, '\0');
        std::size_t total = 0;
        while (const std::size_t got = source->read(piece.data(), piece.size())) total += got;
        EXPECT_EQ(total, zeros.size());
        EXPECT_LE(context.budget()->peak(), 8u << 20);
    }
}

TEST(ByteSource, AsksForTheDecodersMemoryBeforeTakingIt) {
    for (const Compression kind : {Compression::xz, Compression::zstd}) {
        const std::string packed = compress(numbers(1 << 20, 7), kind);
        const Context context({.memory_limit = 10'000});
        EXPECT_EQ(failure([&] { drain(*open_memory(packed, "memory", context)); }),
                  ErrorCode::out_of_memory);
        EXPECT_EQ(context.budget()->used(), 0u);
    }
}

TEST(ByteSource, ReadsStreamsThatEachWantMoreMemoryThanTheLast) {
    // liblzma chooses the dictionary by the length of the text; the first streams share a window.
    const std::string texts[] = {numbers(50, 1), numbers(5'000, 2), numbers(2'000'000, 3)};
    std::string packed;
    for (const std::string& text : texts) packed += compress(text, Compression::xz);
    for (const std::size_t step : {1u, 100u, 1u << 22}) {
        EXPECT_EQ(unpack(packed, step), texts[0] + texts[1] + texts[2]);
    }
}

TEST(ByteSource, NamesCompressionsItDoesNotRead) {
    for (const std::string_view bytes : {"BZh91AY&SY", "PK\x03\x04 and so on"}) {
        EXPECT_EQ(failure([&] { unpack(bytes); }), ErrorCode::unsupported);
    }
}

TEST(ByteSource, OpensFilesOfAllKinds) {
    const test::TemporaryFolder folder;
    const std::string text = numbers(100'000, 8);
    EXPECT_EQ(drain(*open_file(folder.write("plain", text), {})), text);
    EXPECT_EQ(drain(*open_file(folder.write("packed", compress(text, Compression::xz)), {})), text);
    EXPECT_EQ(drain(*open_file(folder.write("empty", ""), {})), "");
    EXPECT_EQ(failure([&] { open_file(folder.file("missing"), {}); }), ErrorCode::not_found);
    EXPECT_EQ(failure([&] { open_file(folder.file("."), {}); }), ErrorCode::io);
}

TEST(ByteSource, ReadsPipesIntoMemoryWithinTheLimit) {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_TRUE(is_read_once(pipe));
    const std::string text = numbers(500'000, 9);
    for (const bool packed : {false, true}) {
        std::thread writer(
            [&] { folder.write("pipe", packed ? compress(text, Compression::gzip) : text); });
        const auto source = open_file(pipe, {});
        EXPECT_EQ(drain(*source), text);
        writer.join();
        source->rewind();
        EXPECT_EQ(drain(*source), text) << "a pipe can be read again";
    }
    // A pipe whose reader gives up would end the writer by a signal: /dev/zero never ends instead.
    const Context context({.memory_limit = 1 << 20});
    const auto endless = open_file("/dev/zero", context);
    EXPECT_EQ(endless->stored_bytes(), 0u) << "nobody knows";
    EXPECT_FALSE(endless->ends_at(100));
    EXPECT_EQ(failure([&] { drain(*endless); }), ErrorCode::out_of_memory);
}

TEST(ByteSource, LooksNoFurtherIntoAPipeThanItIsAsked) {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { folder.write("pipe", "0123456789"); });
    const auto source = open_file(pipe, {});
    EXPECT_FALSE(source->ends_at(9));
    EXPECT_TRUE(source->ends_at(10));
    EXPECT_FALSE(source->ends_at(11));
    writer.join();
    EXPECT_EQ(drain(*source), "0123456789");
    EXPECT_EQ(text_of(read_all(*source, {})), "0123456789");
}

TEST(ByteSource, StopsWaitingForAPipeWhenCancelled) {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    // Open for both, so that the pipe has a writer who never writes.
    const int writer = ::open(pipe.c_str(), O_RDWR);
    ASSERT_GE(writer, 0);
    const auto stopped = std::make_shared<std::atomic<bool>>(false);
    std::thread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        *stopped = true;
    });
    EXPECT_EQ(failure([&] { drain(*open_file(pipe, Context({.cancelled = stopped}))); }),
              ErrorCode::cancelled);
    user.join();
    ::close(writer);
}

} // namespace
} // namespace tropic
