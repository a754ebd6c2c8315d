#include "graph/files/text_file.h"

#include <atomic>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

namespace tropic {
namespace {

/// Gives a few bytes at a time, as a slow decompressor might.
class Trickle final : public ByteSource {
  public:
    Trickle(std::string text, std::size_t step)
        : ByteSource("trickle"), text_(std::move(text)), step_(step) {}
    std::size_t read(char* out, std::size_t size) override {
        const std::size_t count = std::min({size, step_, text_.size() - at_});
        text_.copy(out, count, at_);
        at_ += count;
        return count;
    }
    void rewind() override { at_ = 0; }
    std::uint64_t stored_bytes_read() const override { return at_; }
    std::uint64_t stored_bytes() const override { return text_.size(); }
    std::string_view compression() const override { return ""; }

  private:
    std::string text_;
    std::size_t step_;
    std::size_t at_ = 0;
};

TextFile open_text(std::string_view text, std::size_t chunk, const Context& context = {}) {
    return {open_memory(text, "text"), chunk, context};
}

/// Lines of random lengths, empty ones and ones with a carriage return among them.
std::string random_text(std::mt19937& random, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
        text.append(random() % 4 == 0 ? 0 : random() % 40, static_cast<char>('a' + i % 26));
        if (random() % 5 == 0) text += '\r';
        if (i + 1 < lines || random() % 2 == 0) text += '\n';
    }
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = text.find('\n', begin);
        if (end == text.npos) end = text.size();
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
        begin = end + 1;
    }
    return lines;
}

/// Checks that blocks are whole lines, as large as they may be, in order, with the right numbers.
void expect_blocks(TextFile& file, const std::string& text, std::size_t begin, Index line,
                   std::size_t chunk) {
    TextBuffer buffer;
    TextBlock block;
    while (file.next_block(buffer, block)) {
        ASSERT_EQ(block.text, std::string_view(text).substr(begin, block.text.size()));
        EXPECT_EQ(block.first_line, line);
        EXPECT_EQ(*(block.text.data() + block.text.size()), '\n');
        begin += block.text.size();
        EXPECT_TRUE(block.text.ends_with('\n') || begin == text.size());
        if (block.text.size() > chunk) {
            EXPECT_EQ(std::count(block.text.begin(), block.text.end() - 1, '\n'), 0)
                << "only a single line may be longer than a chunk";
        }
        line += std::count(block.text.begin(), block.text.end(), '\n');
    }
    EXPECT_EQ(begin, text.size());
}

TEST(TextFile, CutsTextIntoBlocksOfWholeLines) {
    std::mt19937 random(1);
    for (int round = 0; round < 40; ++round) {
        const std::string text = random_text(random, static_cast<int>(random() % 60));
        for (const std::size_t chunk : {1, 2, 7, 64, 1 << 20}) {
            TextFile file = open_text(text, chunk);
            expect_blocks(file, text, 0, 1, chunk);
            TextFile slow(std::make_unique<Trickle>(text, 3), chunk, {});
            expect_blocks(slow, text, 0, 1, chunk);
        }
    }
}

TEST(TextFile, CutsTextLongerThanItsBuffers) {
    std::mt19937 random(2);
    std::string text = random_text(random, 20'000);
    text.insert(text.find('\n', 100'000) + 1, std::string(300'000, 'x') + "\n");
    for (const std::size_t chunk : {1000, 65'536, 100'000, 1 << 20}) {
        TextFile file = open_text(text, chunk);
        expect_blocks(file, text, 0, 1, chunk);
        file.rewind();
        expect_blocks(file, text, 0, 1, chunk);
    }
}

TEST(TextFile, GivesLinesThenBlocks) {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        const std::string text = random_text(random, 30);
        const std::vector<std::string> lines = lines_of(text);
        const std::size_t header = random() % 32;
        TextFile file(std::make_unique<Trickle>(text, 5), 1 + random() % 100, {});
        std::size_t begin = 0;
        std::string_view line;
        for (std::size_t i = 0; i < header; ++i) {
            ASSERT_EQ(file.next_line(line), i < lines.size());
            if (i >= lines.size()) break;
            EXPECT_EQ(line, lines[i]);
            EXPECT_TRUE(line.data()[line.size()] == '\n' || line.data()[line.size()] == '\r');
            EXPECT_EQ(file.line_number(), static_cast<Index>(i) + 1);
            begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
        }
        expect_blocks(file, text, begin, file.line_number() + 1, 100);
    }
}

TEST(TextFile, ShowsItsStartWithoutConsumingIt) {
    const std::string small = "1 2\n3 4";
    TextFile file = open_text(small, 1);
    EXPECT_EQ(file.preview().text, small);
    EXPECT_TRUE(file.preview().complete);
    expect_blocks(file, small, 0, 1, 1);
    std::mt19937 random(4);
    const std::string large = random_text(random, 50'000);
    TextFile other(std::make_unique<Trickle>(large, 1000), 1, {});
    EXPECT_GE(other.preview().text.size(), 64u << 10);
    EXPECT_FALSE(other.preview().complete);
    EXPECT_TRUE(large.starts_with(other.preview().text));
    expect_blocks(other, large, 0, 1, 1);
}

TEST(TextFile, SkipsAByteOrderMark) {
    TextFile file(std::make_unique<Trickle>("\xef\xbb\xbf"
                                            "1 2\n",
                                            1),
                  1, {});
    EXPECT_EQ(file.preview().text, "1 2\n");
    file.rewind();
    std::string_view line;
    ASSERT_TRUE(file.next_line(line));
    EXPECT_EQ(line, "1 2");
}

TEST(TextFile, KeepsLongLinesWithinTheLimit) {
    const std::string endless(4 << 20, 'x');
    const Context context({.memory_limit = 1 << 20});
    TextFile file = open_text(endless, 1000, context);
    TextBuffer buffer;
    TextBlock block;
    try {
        file.next_block(buffer, block);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    }
}

/// Real threads even where there are fewer cores, so that blocks do overtake one another.
class ParseBlocks : public testing::Test {
  private:
    tbb::global_control threads_{tbb::global_control::max_allowed_parallelism, 8};
};

std::string numbered_lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += std::to_string(i) + "\n";
    return text;
}

TEST_F(ParseBlocks, CollectsInFileOrderForEveryNumberOfThreads) {
    const std::string text = numbered_lines(5000);
    for (const int threads : {1, 2, 4, 7}) {
        for (const std::size_t chunk : {1, 100, 1 << 20}) {
            const Context context({.threads = threads});
            TextFile file = open_text(text, chunk, context);
            std::string collected;
            Index next_line = 1;
            parse_blocks(
                file, "reading",
                [](const TextBlock& block) {
                    // Blocks finish out of order.
                    if (block.first_line % 3 == 0) std::this_thread::yield();
                    return std::pair(block.first_line, std::string(block.text));
                },
                [&](std::pair<Index, std::string>&& result) {
                    EXPECT_EQ(result.first, next_line);
                    next_line += std::count(result.second.begin(), result.second.end(), '\n');
                    collected += result.second;
                });
            EXPECT_EQ(collected, text);
        }
    }
}

/// A result that notices if it is handed out again before it was collected.
struct Watched {
    std::atomic<bool> busy = false;
    TextBlock block;
    std::string copy;
};

TEST_F(ParseBlocks, NeverReusesAResultBeforeItWasCollected) {
    const std::string text = numbered_lines(20'000);
    const Context context({.threads = 4});
    TextFile file = open_text(text, 1, context);
    std::atomic<int> clashes = 0;
    std::size_t collected = 0;
    parse_blocks_into<Watched>(
        file, "reading",
        [&](const TextBlock& block, Watched& watched) {
            if (watched.busy.exchange(true)) ++clashes;
            watched.block = block;
            watched.copy = block.text;
            if (block.first_line % 5 == 0) std::this_thread::yield();
        },
        [&](Watched& watched) {
            if (watched.block.text != watched.copy) ++clashes;
            if (!watched.busy.exchange(false)) ++clashes;
            ++collected;
        });
    EXPECT_EQ(clashes, 0);
    EXPECT_EQ(collected, 20'000u);
}

TEST_F(ParseBlocks, ThrowsTheErrorNearestTheStart) {
    const std::string text = numbered_lines(3000);
    for (const int threads : {1, 4}) {
        for (int round = 0; round < 10; ++round) {
            const Context context({.threads = threads});
            TextFile file = open_text(text, 1, context);
            Index collected = 0;
            try {
                parse_blocks(
                    file, "reading",
                    [](const TextBlock& block) -> int {
                        if (block.first_line == 1500) {
                            std::this_thread::sleep_for(std::chrono::milliseconds(2));
                        }
                        if (block.first_line >= 1500) {
                            throw Error(ErrorCode::syntax, std::to_string(block.first_line));
                        }
                        return 0;
                    },
                    [&](int&&) { ++collected; });
                FAIL();
            } catch (const Error& error) {
                EXPECT_EQ(error.diagnostic().message, "1500");
            }
            EXPECT_EQ(collected, 1499);
        }
    }
}

TEST_F(ParseBlocks, StopsWhenCancelled) {
    const std::string text = numbered_lines(100'000);
    const auto flag = std::make_shared<std::atomic<bool>>(false);
    const Context context({.threads = 2, .cancelled = flag});
    TextFile file = open_text(text, 1, context);
    int collected = 0;
    EXPECT_THROW(parse_blocks(
                     file, "reading", [](const TextBlock&) { return 0; },
                     [&](int&&) {
                         if (++collected == 10) *flag = true;
                     }),
                 Error);
    EXPECT_LT(collected, 1000);
}

} // namespace
} // namespace tropic
