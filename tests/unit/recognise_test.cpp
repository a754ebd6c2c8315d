#include "graph/files/recognise.h"

#include <gtest/gtest.h>

#include "file_test_helpers.h"

namespace tropic::test {
namespace {

using enum FileFormat;
using namespace std::string_view_literals;

struct Case {
    std::string name;
    std::string_view text;
    FileFormat format;
};

constexpr std::string_view triangle = "3 3\n2 3\n1 3\n1 2\n";
constexpr std::string_view gset_text = "4 3\n1 2 1\n2 3 -1\n3 4 1\n";
constexpr std::string_view bare_market = "% sizes\n3 3 2\n1 1 0.5\n3 2 1.5\n";

TEST(Recognise, GoesByContentFirst) {
    const Case cases[] = {
        {"a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 0\n", matrix_market},
        {"a.txt", "%%matrixmarket matrix coordinate real general\n1 1 0\n", matrix_market},
        {"a.graph", "%%MatrixMarket matrix coordinate real general\n1 1 0\n", matrix_market},
        {"a.txt", "c hello\np sp 2 1\na 1 2 3\n", dimacs},
        {"a.mtx", "p tw 2 1\n1 2\n", dimacs},
        {"a", "c\nc p sp\n\np edge 2 1\ne 1 2\n", dimacs},
        {"a.csv", "a 1 2 3\n", dimacs},
        {"a", " \r\r\n  c x\n p sp 1 0\n", dimacs},
        {"a.mtx", "# Directed graph\n# Nodes: 2 Edges: 1\n1\t2\n", edge_list},
        {"a.mtx", "1 2\n2 3\n5 6\n", edge_list},
        {"a.mtx", "0 2 5\n2 3 1\n5 6 9\n", edge_list},
        {"a.graph", "# x\n1 2\n", edge_list},
        {"a.graph", "0 1\n1 2\n2 3\n", edge_list},
        {"a.gr", "source,target\n1,2\n", edge_list},
        {"a.txt", "1,2\n2,3\n", edge_list},
        {"a.txt", "1::2::5::964982703\n", edge_list},
        {"a", "1 2\n2 3\n", edge_list},
        {"a", "1 2 0.5\n2 3 1e3\n", edge_list},
        {"a", "source target\n1 2\n", edge_list},
        {"a", "alice bob\nbob carol\n", edge_list},
        {"a", "% asym unweighted\n1 2\n", edge_list},
        {"a", "// x\n1 2\n", edge_list},
        {"a", "# nothing but a comment", edge_list},
        {"a", "\xef\xbb\xbfsource,target\n1,2\n", edge_list},
        {"a", triangle, metis},
        {"a.dat", triangle, metis},
        {"a.el", "3 2\n2\n1 3\n2\n", metis},
        {"a.txt", "3 2\n2\n1 3\n2\n", metis},
        {"a", "3 2\n2\n1 3\n2\n", metis},
        {"a", "3 1\n2\n1\n\n", metis},
        {"a.txt", gset_text, gset},
        {"a.el", gset_text, gset},
        {"a", bare_market, matrix_market},
        {"a.dat", "3 3 2\n1 1 0.5\n3 2 1.5\n", matrix_market},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(recognise_text(c.text, true, c.name), c.format) << c.name << ":\n" << c.text;
    }
}

TEST(Recognise, AsksTheSuffixWhereSeveralFormatsFit) {
    constexpr std::string_view two = "2 1\n1 2\n";
    constexpr std::string_view four = "1 1 1 2.5\n2 1 3 4\n";
    const Case cases[] = {
        {"a.el", triangle, edge_list},
        {"a.wel.gz", "3 3\n2 3\n1 3\n1 2", edge_list},
        {"a.csv", triangle, edge_list},
        {"a.tsv", triangle, edge_list},
        {"a.snap", triangle, edge_list},
        {"a.txt", triangle, edge_list},
        {"a.txt.xz", triangle, edge_list},
        {"a.graph.txt", triangle, metis},
        {"a.txt", "3 3 2\n1 1 0.5\n3 2 1.5\n", edge_list},
        {"a.el", two, edge_list},
        {"a", two, edge_list},
        {"a.gset", two, gset},
        {"a.gset.txt", two, gset},
        {"a.gset.gz", two, gset},
        {"x/a.b/a", two, edge_list},
        {"a.tns", four, frostt},
        {"a.TNS.zst", four, frostt},
        {"a.tns", "# c\n1 1 1 2.5\n", frostt},
        {"a.txt", four, edge_list},
        {"a.wel", "3 3 2\n1 1 5\n3 2 1\n", edge_list},
        {"a.mtx", "3 3 9\n1 1 5\n3 2 1\n", matrix_market},
        {"a.gr", "1 2\n2 3\n", dimacs},
        {"a.graph", "3 3\n2 3\n1 3\n", metis},
        {"a.graph", "4 2 011\n1 2 3\n", metis},
        {"a.metis", "0 0\n", metis},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(recognise_text(c.text, true, c.name), c.format) << c.name << ":\n" << c.text;
    }
}

TEST(Recognise, TellsBinaryFormatsFromGarbage) {
    EXPECT_EQ(recognise_text("\x89TRG\r\n\x1a\n\0\0"sv, true, "a"), FileFormat::tropic);
    EXPECT_EQ(recognise_text("\0\x05\0\0\0"sv, true, "a.sg"), gap_serialized);
    EXPECT_EQ(recognise_text("1 2\n", true, "a.sg"), edge_list);
}

TEST(Recognise, NamesWhatItDoesNotRead) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"", "the file is empty"},
        {" \n\n", "the file holds only blank lines"},
        {"\0\1\2\3"sv, "this looks like a binary file of no known format"},
        {"1 2\n3 \0 4\n"sv, "this looks like a binary file of no known format"},
        {"PK\x03\x04xx", "this looks like a zip archive, which is not read here"},
        {"\x89PNG\r\n", "this looks like a PNG image, which is not read here"},
        {"%PDF-1.4\n", "this looks like a PDF document, which is not read here"},
        {"<!DOCTYPE html>\n<p>", "this looks like an HTML page, which is not read here"},
        {"\n  {\"nodes\": []}", "this looks like JSON, which is not read here"},
        {"digraph { 1 -> 2 }", "this looks like a Graphviz drawing, which is not read here"},
        {"*Vertices 3\n", "this looks like a Pajek network, which is not read here"},
        {"Once upon a time there was a graph.\nIt had no edges at all, poor thing.\n",
         "this is text, but not a graph in any known format"},
    };
    for (const auto& [text, message] : cases) {
        const Diagnostic found = failure_of([&] { recognise_text(text, true, "a.txt"); });
        EXPECT_EQ(found.message, message);
        EXPECT_EQ(found.file, "a.txt");
        EXPECT_NE(found.accepted.find("Matrix Market"), std::string::npos);
    }
}

TEST(Recognise, LooksAtTheStartOfALongFileOnly) {
    std::string gset_long = "1000 50000\n";
    std::string metis_long = "90000 90000\n";
    for (int i = 1; i <= 50000; ++i) gset_long += std::to_string(i % 999 + 1) + " 1000 1\n";
    // A ring: every line names two neighbours, as an edge list would.
    for (int i = 0; i < 90000; ++i) {
        metis_long += std::to_string((i + 89999) % 90000 + 1) + " " +
                      std::to_string((i + 1) % 90000 + 1) + "\n";
    }
    EXPECT_EQ(recognise_text(gset_long, true, "a.txt"), gset);
    EXPECT_EQ(recognise_text(metis_long, true, "a.txt"), edge_list);
    for (const std::string& name : {"a.dat", "a"}) {
        EXPECT_EQ(recognise_text(gset_long, true, name), gset);
        EXPECT_EQ(recognise_text(metis_long, true, name), metis);
        TextFile file(open_memory(metis_long, name), 1 << 20, {});
        EXPECT_EQ(recognise(file), metis);
    }
}

TEST(Recognise, SaysNothingOfWhatItHasNotSeen) {
    const std::string blanks(70'000, '\n');
    EXPECT_EQ(recognise_text(blanks + "1 2\n", true, "a.el"), edge_list);
    EXPECT_EQ(recognise_text(blanks + "1 2\n", true, "a.txt"), edge_list);
    EXPECT_EQ(recognise_text(blanks + "%%MatrixMarket\n", true, "a.mtx"), matrix_market);
    for (const char* name : {"a", "a.sg"}) {
        try {
            recognise_text(blanks + "1 2\n", true, name);
            ADD_FAILURE() << "recognised";
        } catch (const Error& error) {
            EXPECT_EQ(error.diagnostic().message, "the first 64 KB hold only blank lines");
        }
    }
    std::string comments;
    while (comments.size() < 70'000) comments += "c a line of comments\n";
    for (const char* name : {"a", "a.txt", "a.gr"}) {
        EXPECT_EQ(recognise_text(comments + "p sp 3 2\n", true, name), dimacs);
    }
}

TEST(Recognise, SurvivesEveryTruncation) {
    for (const std::string_view whole :
         {triangle, gset_text, bare_market, "c x\np sp 2 1\na 1 2 3\n"sv, "# a\n1,2\n"sv}) {
        for (std::size_t size = 1; size <= whole.size(); ++size) {
            for (const bool complete : {false, true}) {
                try {
                    recognise_text(whole.substr(0, size), complete, "a");
                } catch (const Error&) {
                }
            }
        }
    }
}

} // namespace
} // namespace tropic::test
