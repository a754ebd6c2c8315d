// From paths, expressions and bytes to graphs and back: the parts that all formats share.
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "graph/files/compressor.h"
#include "temporary_folder.h"
#include "tropic/error.h"
#include "tropic/formats.h"
#include "tropic/generate.h"

namespace tropic {
namespace {

using testing::HasSubstr;

constexpr std::string_view small = "%%MatrixMarket matrix coordinate integer general\n"
                                   "3 4 4\n1 2 5\n3 4 6\n1 1 7\n1 2 8\n";

Diagnostic failure(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.diagnostic();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

std::vector<Index> indices(const Array& array) {
    std::vector<Index> result;
    for (Index i = 0; i < array.size(); ++i) result.push_back(array.index_at(i));
    return result;
}

TEST(ReadGraph, BuildsWhatTheFileSays) {
    const Graph graph = read_graph_from_memory(small, "small.mtx");
    EXPECT_EQ(graph.name, "small.mtx");
    EXPECT_EQ(graph.source, "matrix market, coordinate integer general");
    EXPECT_EQ(graph.tensor.format(), Format::csr());
    EXPECT_EQ(indices(graph.tensor.level(1).pos), (std::vector<Index>{0, 3, 3, 4}));
    EXPECT_EQ(indices(graph.tensor.level(1).crd), (std::vector<Index>{0, 1, 1, 3}));
    EXPECT_EQ(indices(graph.tensor.values()), (std::vector<Index>{7, 5, 8, 6}));
    EXPECT_EQ(graph.ids.at(0)[2], 3);
    ASSERT_EQ(graph.steps.size(), 1u);
    EXPECT_EQ(graph.steps[0].what, "read matrix market");
}

TEST(ReadGraph, MergesDuplicatesAndSaysSo) {
    const Graph graph = read_graph_from_memory(small, "small.mtx", {.duplicates = Duplicates::sum});
    EXPECT_EQ(indices(graph.tensor.values()), (std::vector<Index>{7, 13, 6}));
    ASSERT_EQ(graph.steps.size(), 2u);
    EXPECT_EQ(graph.steps[1].what, "merged duplicates (sum)");
    EXPECT_EQ(graph.steps[1].counts[1], (std::pair<std::string, Index>("merged", 1)));
}

TEST(ReadGraph, StoresAsAsked) {
    for (const Format& format : {Format::csc(), Format::coo(), Format::dcsr(), Format::dense(2)}) {
        const Graph graph = read_graph_from_memory(
            small, "small.mtx", {.storage = format, .duplicates = Duplicates::sum});
        EXPECT_EQ(graph.tensor.format(), format);
        graph.tensor.check();
    }
    const Graph dense =
        read_graph_from_memory("%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n4\n", "a");
    EXPECT_EQ(dense.tensor.format(), Format::dense(2));
    const Graph sparse =
        read_graph_from_memory("%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n4\n", "a",
                               {.storage = Format::csr()});
    EXPECT_EQ(sparse.entries(), 2);
}

TEST(ReadGraph, DoesNotStoreAir) {
    const Graph huge = read_graph_from_memory("%%MatrixMarket matrix coordinate pattern general\n"
                                              "1000000000000000000 10 2\n5 5\n5 6\n",
                                              "huge.mtx");
    EXPECT_EQ(huge.tensor.format(), Format::dcsr());
    EXPECT_EQ(huge.entries(), 2);
    EXPECT_EQ(huge.vertices(), 1'000'000'000'000'000'000);
    const Graph tensor = read_graph_from_memory("1 1 1 2.5\n2 3 4 1\n", "cube.tns");
    EXPECT_EQ(tensor.tensor.format(), Format::coo(3));
}

TEST(ReadGraph, UnpacksOnTheWay) {
    for (const auto& [kind, name] : {std::pair(Compression::gzip, "gzip"),
                                     {Compression::xz, "xz"},
                                     {Compression::zstd, "zstd"}}) {
        const Graph graph = read_graph_from_memory(compress(small, kind), "small");
        EXPECT_EQ(graph.entries(), 4);
        EXPECT_THAT(graph.source, HasSubstr(name));
    }
}

TEST(ReadGraph, PrefersAFileToAnExpression) {
    const test::TemporaryFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.file("."));
    EXPECT_EQ(read_graph("ring:5").vertices(), 5);
    folder.write("ring:5", small);
    const Index rows = read_graph("ring:5").vertices();
    std::filesystem::current_path(before);
    EXPECT_EQ(rows, 3);
    const Graph stored = read_graph("ring:6", {.storage = Format::coo()});
    EXPECT_EQ(stored.tensor.format(), Format::coo());
}

TEST(ReadGraph, HelpsWithWrongNames) {
    const test::TemporaryFolder folder;
    folder.write("network.mtx", small);
    Diagnostic found = failure([&] { read_graph(folder.file("netwrok.mtx")); });
    EXPECT_EQ(found.code, ErrorCode::not_found);
    EXPECT_THAT(found.hint, HasSubstr("network.mtx"));
    EXPECT_THAT(failure([] { read_graph("krno:16"); }).hint, HasSubstr("kron:16"));
    EXPECT_THAT(failure([] { read_graph("kron"); }).hint, HasSubstr("kron:16"));
    EXPECT_EQ(failure([&] { read_graph(folder.file("nowhere/x.mtx")); }).code,
              ErrorCode::not_found);
    EXPECT_EQ(failure([] { read_graph(""); }).code, ErrorCode::not_found);
    EXPECT_EQ(failure([&] { read_graph(folder.file(".")); }).code, ErrorCode::io);
}

TEST(ReadGraph, RefusesEmptyFiles) {
    EXPECT_EQ(failure([] { read_graph_from_memory("", "empty.mtx"); }).message,
              "the file is empty");
    const std::string packed = compress("", Compression::gzip);
    EXPECT_EQ(failure([&] { read_graph_from_memory(packed, "empty.mtx.gz"); }).message,
              "the file is empty");
}

TEST(ReadGraph, RefusesCarriageReturnsThatEndNoLine) {
    struct Case {
        const char* name;
        std::string header;
        std::string line;
    };
    const Case cases[] = {
        {"a.el", "", "1 2"},
        {"a.wel", "", "1 2 0.5"},
        {"a.csv", "source,target\n", "1,2"},
        {"a.mtx", "%%MatrixMarket matrix coordinate real general\n9 9 20000\n", "1 2 0.5"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n20000 1\n", "3"},
        {"a.gr", "p sp 9 20000\n", "a 1 2 5"},
        {"a.gset", "9 20000\n", "1 2 5"},
        {"a.graph", "20000 20000\n", "1 2"},
        {"a.tns", "", "1 2 3 0.5"},
    };
    constexpr Index lines = 20000;
    for (const Case& c : cases) {
        const auto text = [&](std::string_view end, Index other, std::string_view other_end) {
            std::string out = c.header;
            for (Index line = 0; line < lines; ++line) {
                out += c.line;
                out += line == other ? other_end : end;
            }
            return out;
        };
        const Index before = std::ranges::count(c.header, '\n');
        // Among the first lines and far behind them, both ways of ending the others.
        for (const Index other : {Index{1}, lines - 2}) {
            for (const std::string_view end : {"\n", "\r\n"}) {
                SCOPED_TRACE(testing::Message() << c.name << " " << c.line << " " << other);
                const Diagnostic found =
                    failure([&] { read_graph_from_memory(text(end, other, "\r"), c.name); });
                // Far down a METIS file a line is missing, and that is the fault.
                if (c.name == std::string_view("a.graph") && other > 1) {
                    EXPECT_THAT(found.message, HasSubstr("the file has 19999"));
                    continue;
                }
                EXPECT_EQ(found.message, "a carriage return that does not end the line");
                EXPECT_EQ(found.line, before + other + 1);
                EXPECT_EQ(found.column, static_cast<Index>(c.line.size()) + 1);
                EXPECT_THAT(found.hint, HasSubstr("tr '\\r' '\\n'"));
            }
        }
        if (c.name == std::string_view("a.graph")) continue; // the lines do not make a graph
        EXPECT_EQ(read_graph_from_memory(text("\r\n", 1, "\r\r\n"), c.name).entries(),
                  read_graph_from_memory(text("\n", 1, "\n"), c.name).entries());
    }
    for (const std::string_view text : {"1 2\r2 3\r", "# c\r1 2\r2 3\r", "1 2\n# c\r2 3\n"}) {
        for (const std::optional<FileFormat> format :
             {std::optional<FileFormat>(), {FileFormat::edge_list}}) {
            EXPECT_EQ(failure([&] { read_graph_from_memory(text, "a", {.format = format}); }).code,
                      ErrorCode::syntax);
        }
    }
    EXPECT_EQ(read_graph_from_memory("1 2\r\n2 3\r", "a").entries(), 2);
}

TEST(ReadGraph, RefusesCompressedBinaryFiles) {
    const test::TemporaryFolder folder;
    write_graph(read_graph("ring:5"), folder.file("ring.tg"));
    EXPECT_EQ(read_graph(folder.file("ring.tg")).vertices(), 5);
    const std::string packed =
        folder.write("ring.tg.gz", compress(folder.read("ring.tg"), Compression::gzip));
    const Diagnostic found = failure([&] { read_graph(packed); });
    EXPECT_EQ(found.code, ErrorCode::unsupported);
    EXPECT_THAT(found.accepted, HasSubstr("only text formats are read compressed"));
    EXPECT_EQ(failure([&] { write_graph(read_graph("ring:5"), folder.file("r.tg.gz")); }).code,
              ErrorCode::usage);
}

TEST(ReadGraph, ReadsPipes) {
    const test::TemporaryFolder folder;
    write_graph(read_graph("ring:5"), folder.file("ring.tg"));
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& bytes :
         {std::string(small), compress(small, Compression::xz), folder.read("ring.tg")}) {
        std::thread writer([&] { folder.write("pipe", bytes); });
        const Graph graph = read_graph(pipe);
        writer.join();
        EXPECT_GE(graph.entries(), 4);
    }
}

TEST(WriteGraph, GoesBySuffixAndReadsBack) {
    const test::TemporaryFolder folder;
    const Graph graph = read_graph("grid:4x3,weights=1..9");
    for (const char* name :
         {"g.mtx",   "g.el",    "g.wel",    "g.txt",      "g.csv",    "g.tsv",  "g.snap", "g.edges",
          "g.graph", "g.metis", "g.mgraph", "g.gr",       "g.dimacs", "g.gset", "g.rud",  "g.wsg",
          "g.tns",   "g.tg",    "g.mtx.gz", "g.graph.xz", "g.el.zst", "G.MTX"}) {
        SCOPED_TRACE(name);
        write_graph(graph, folder.file(name));
        const Graph back = read_graph(folder.file(name));
        EXPECT_EQ(back.entries(), graph.entries());
    }
}

TEST(WriteGraph, AsksForAFormatItKnows) {
    const Graph graph = read_graph("ring:5");
    const test::TemporaryFolder folder;
    for (const char* name : {"graph.xyz", "graph", "graph.gz", ".mtxx"}) {
        const Diagnostic found = failure([&] { write_graph(graph, folder.file(name)); });
        EXPECT_EQ(found.code, ErrorCode::usage) << name;
        EXPECT_THAT(found.accepted, HasSubstr(".mtx .el .wel"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.file(".")));
    write_graph(graph, folder.file("graph.xyz"), {.format = FileFormat::matrix_market});
    EXPECT_THAT(folder.read("graph.xyz"), testing::StartsWith("%%MatrixMarket"));
}

TEST(FileFormats, HaveNamesThatAreRead) {
    for (int code = 0; code <= static_cast<int>(FileFormat::tropic); ++code) {
        const auto format = static_cast<FileFormat>(code);
        FileFormat found{};
        EXPECT_TRUE(parse_file_format(name_of(format), found));
        EXPECT_EQ(found, format);
    }
    FileFormat found{};
    EXPECT_TRUE(parse_file_format("Matrix-Market", found));
    EXPECT_EQ(found, FileFormat::matrix_market);
    EXPECT_TRUE(parse_file_format("snap", found));
    EXPECT_EQ(found, FileFormat::edge_list);
    EXPECT_FALSE(parse_file_format("hdf5", found));
    EXPECT_FALSE(parse_file_format("", found));
}

} // namespace
} // namespace tropic
