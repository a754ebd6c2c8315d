// Reads texts through the readers of formats and shows what they say in a form that is easy to
// compare.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/files/byte_sink.h"
#include "graph/files/reader.h"

namespace tropic::test {

using Reader = FileContent (*)(TextFile&, const ReadOptions&);

inline FileContent read_text(Reader reader, std::string_view text, const ReadOptions& options = {},
                             const Context& context = {}) {
    TextFile file(open_memory(text, "input"), options.chunk_bytes, context);
    return reader(file, options);
}

struct FlatEntry {
    std::vector<Index> at;
    double value = 1;

    bool operator==(const FlatEntry&) const = default;
    auto operator<=>(const FlatEntry&) const = default;
};

inline void PrintTo(const FlatEntry& entry, std::ostream* out) {
    *out << "(";
    for (const Index i : entry.at) *out << i << " ";
    *out << ": " << entry.value << ")";
}

/// Entries in list order; checks that all arrays agree with the list about types and sizes.
inline std::vector<FlatEntry> flatten(const CoordinateList& list) {
    std::vector<FlatEntry> entries;
    for (const CoordinateBlock& block : list.blocks) {
        EXPECT_EQ(block.values.type(), list.value_type);
        EXPECT_EQ(static_cast<int>(block.coordinates.size()), list.rank());
        for (Index e = 0; e < block.size(); ++e) {
            FlatEntry entry;
            for (int d = 0; d < list.rank(); ++d) {
                const Array& array = block.coordinates[d];
                EXPECT_EQ(array.type(), list.index_type);
                EXPECT_EQ(array.size(), block.size());
                entry.at.push_back(array.index_at(e));
                EXPECT_LT(entry.at.back(), list.shape[d]);
                EXPECT_GE(entry.at.back(), 0);
            }
            entry.value = block.values.value_at(e);
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

/// (source, target, weight) as the file names them.
inline std::vector<FlatEntry> in_file_ids(const FileContent& content) {
    auto entries = flatten(content.list);
    for (FlatEntry& entry : entries) {
        for (std::size_t d = 0; d < entry.at.size(); ++d) {
            entry.at[d] = content.ids[d][entry.at[d]];
        }
    }
    return entries;
}

/// What reading throws.
inline Diagnostic failure_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.diagnostic();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

/// A faulty text and what the message must say.
struct Fault {
    std::string_view text;
    ErrorCode code;
    Index line;
    Index column;
    std::string_view message;
    std::string_view advice = {}; ///< in what is accepted or what to try
};

inline void expect_fault(Reader reader, const Fault& fault, const ReadOptions& options = {}) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{1} << 20}) {
        ReadOptions used = options;
        used.chunk_bytes = chunk;
        SCOPED_TRACE(testing::Message() << "text \"" << fault.text << "\" in chunks of " << chunk);
        const Diagnostic found = failure_of([&] { read_text(reader, fault.text, used); });
        EXPECT_EQ(found.code, fault.code);
        EXPECT_EQ(found.line, fault.line);
        EXPECT_EQ(found.column, fault.column);
        EXPECT_EQ(found.message, fault.message);
        EXPECT_NE((found.accepted + "\n" + found.hint).find(fault.advice), std::string::npos)
            << found.accepted << "\n"
            << found.hint;
    }
}

/// Keeps what is written.
class MemorySink final : public ByteSink {
  public:
    explicit MemorySink(std::string path) : path_(std::move(path)) {}
    std::string_view path() const override { return path_; }
    void write(std::string_view bytes) override { text_ += bytes; }
    void commit() override {}
    const std::string& text() const { return text_; }

  private:
    std::string path_;
    std::string text_;
};

} // namespace tropic::test
