// Reads the real files of ../shared/data, as far as they are there.
#include <filesystem>

#include <fmt/format.h>

#include "file_test_helpers.h"
#include "graph/files/recognise.h"
#include "shared_data.h"

namespace tropic::test {
namespace {

struct RealFile {
    const char* name;
    FileFormat format;
    Index vertices;
    Index entries;
    EdgeKind kind = EdgeKind::undirected;
    ElementType values = ElementType::pattern;
};

void PrintTo(const RealFile& file, std::ostream* out) {
    *out << file.name;
}

class SharedData : public testing::TestWithParam<RealFile> {};

FileContent read(TextFile& file, FileFormat format) {
    switch (format) {
    case FileFormat::edge_list:
        return read_edge_list(file, {});
    case FileFormat::metis:
        return read_metis(file, {});
    case FileFormat::dimacs:
        return read_dimacs(file, {});
    case FileFormat::gset:
        return read_gset(file, {});
    default:
        throw std::logic_error("not a format of this test");
    }
}

TEST_P(SharedData, ReadsWithTheCountsOfItsSource) {
    const RealFile& expected = GetParam();
    const std::filesystem::path path = shared_data() / expected.name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    for (const int threads : {1, 2}) {
        for (const std::size_t chunk : {std::size_t{1000}, std::size_t{1} << 20}) {
            const Context context({.threads = threads});
            auto source = open_file(path, context);
            if (path.extension() == ".xz" && source->compression().empty()) {
                GTEST_SKIP() << "no decompression in this build";
            }
            TextFile file(std::move(source), chunk, context);
            ASSERT_EQ(recognise(file), expected.format);
            const FileContent content = read(file, expected.format);
            EXPECT_EQ(content.list.shape,
                      (std::vector<Index>{expected.vertices, expected.vertices}));
            EXPECT_EQ(content.list.entries(), expected.entries);
            EXPECT_EQ(content.kind, expected.kind);
            EXPECT_EQ(content.list.value_type, expected.values);
            if (expected.entries < 10000) {
                EXPECT_EQ(static_cast<Index>(flatten(content.list).size()), expected.entries);
            }
        }
    }
}

constexpr auto edge_list = FileFormat::edge_list;
constexpr auto metis = FileFormat::metis;
constexpr auto directed = EdgeKind::directed;
constexpr auto undirected = EdgeKind::undirected;

INSTANTIATE_TEST_SUITE_P(
    Files, SharedData,
    testing::Values(
        RealFile{"wiki-Vote.txt", edge_list, 7115, 103689, directed},
        RealFile{"facebook_combined.txt", edge_list, 4039, 88234, directed},
        RealFile{"formats/4.el", edge_list, 13, 256, directed},
        RealFile{"formats/4.wel", edge_list, 13, 256, directed, ElementType::int32},
        RealFile{"monaco.wel", edge_list, 1590, 4263, directed, ElementType::int32},
        RealFile{"spark_sample_movielens_ratings.txt", edge_list, 100, 1501, directed,
                 ElementType::int32},
        RealFile{"G43.gset.txt", FileFormat::gset, 1000, 19980, undirected, ElementType::int32},
        RealFile{"rome99.gr", FileFormat::dimacs, 3353, 8870, directed, ElementType::int32},
        RealFile{"formats/4.gr", FileFormat::dimacs, 14, 256, directed, ElementType::int32},
        RealFile{"road-NY.pace.gr.xz", FileFormat::dimacs, 264346, 365050,
                 EdgeKind::undirected_once},
        RealFile{"airfoil1.graph", metis, 4253, 24578},
        RealFile{"astro-ph.graph", metis, 16706, 242502},
        RealFile{"delaunay_n10.graph", metis, 1024, 6112},
        RealFile{"delaunay_n11.graph", metis, 2048, 12254},
        RealFile{"delaunay_n12.graph", metis, 4096, 24528},
        RealFile{"delaunay_n13.graph", metis, 8192, 49094},
        RealFile{"delaunay_n14.graph", metis, 16384, 98244},
        RealFile{"delaunay_n15.graph", metis, 32768, 196548},
        RealFile{"fe_4elt2.graph", metis, 11143, 65636}, RealFile{"jazz.graph", metis, 198, 5484},
        RealFile{"karate.graph", metis, 34, 156},
        RealFile{"lesmis.graph", metis, 77, 508, undirected, ElementType::int32},
        RealFile{"metis_test.mgraph", metis, 766, 2628},
        RealFile{"polblogs.graph", metis, 1490, 33430}, RealFile{"power.graph", metis, 4941, 13188},
        RealFile{"formats/4.graph", metis, 14, 43, directed},
        RealFile{"formats/4w.graph", metis, 14, 53, directed, ElementType::int32}));

} // namespace
} // namespace tropic::test
