// Writes matrices in Matrix Market's format and reads them back.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/files/reader.h"
#include "matrix_market_text.h"
#include "memory_sink.h"

namespace tropic {
namespace {

using test::count_in;

FileContent read(const std::string& text, std::size_t chunk) {
    return test::read_matrix_market_text(text, chunk);
}

template <class T> Array array_of(const std::vector<T>& elements) {
    return Array::copy_of<T>(elements, {}, "test");
}

template <class Crd>
Tensor csr(Index rows, Index cols, const std::vector<Crd>& pos, const std::vector<Crd>& crd,
           Array values, Format format = Format::csr()) {
    std::vector<Level> levels(2);
    levels[1] = {LevelKind::compressed, array_of(pos), array_of(crd)};
    return Tensor({rows, cols}, std::move(format), std::move(levels), std::move(values), true,
                  true);
}

Graph graph_of(Tensor tensor, EdgeKind kind = EdgeKind::directed) {
    Graph graph;
    graph.tensor = std::move(tensor);
    graph.kind = kind;
    graph.ids = {VertexIds(1), VertexIds(1)};
    return graph;
}

std::string written(const Graph& graph, std::vector<std::string>* notes = nullptr,
                    const Context& context = {}) {
    test::MemorySink sink("out.mtx");
    const auto found = write_matrix_market(graph, sink, {}, context);
    if (notes != nullptr) *notes = found;
    return sink.bytes();
}

const std::vector<std::int32_t> small_pos = {0, 2, 2, 4};
const std::vector<std::int32_t> small_crd = {0, 2, 1, 2};

TEST(MatrixMarketWriter, WritesEveryFormat) {
    const Array values = array_of<double>({1, 0.1, -2.5e-300, 1e300});
    std::vector<std::string> notes;
    EXPECT_EQ(written(graph_of(csr(3, 3, small_pos, small_crd, values)), &notes),
              "%%MatrixMarket matrix coordinate real general\n3 3 4\n"
              "1 1 1\n1 3 0.1\n3 2 -2.5e-300\n3 3 1e+300\n");
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(written(graph_of(csr(3, 3, small_pos, small_crd, values, Format::csc()))),
              "%%MatrixMarket matrix coordinate real general\n3 3 4\n"
              "1 1 1\n3 1 0.1\n2 3 -2.5e-300\n3 3 1e+300\n");
    const Array none = Array::allocate(ElementType::pattern, 4, {}, "test");
    EXPECT_EQ(written(graph_of(csr<std::int64_t>(3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, none))),
              "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 1\n1 3\n3 2\n3 3\n");
    // Coordinates and doubly compressed rows.
    std::vector<Level> coo(2);
    coo[0] = {LevelKind::compressed, array_of<std::int32_t>({0, 2}),
              array_of<std::int32_t>({4, 4})};
    coo[1] = {LevelKind::singleton, {}, array_of<std::int32_t>({0, 7})};
    const Array two = array_of<std::int32_t>({5, -6});
    EXPECT_EQ(written(graph_of(Tensor({5, 8}, Format::coo(), coo, two, true, true))),
              "%%MatrixMarket matrix coordinate integer general\n5 8 2\n5 1 5\n5 8 -6\n");
    std::vector<Level> dcsr(2);
    dcsr[0] = {LevelKind::compressed, array_of<std::int32_t>({0, 2}),
               array_of<std::int64_t>({3, 999'999'999'999})};
    dcsr[1] = {LevelKind::compressed, array_of<std::int32_t>({0, 1, 2}),
               array_of<std::int32_t>({0, 7})};
    EXPECT_EQ(
        written(graph_of(Tensor({1'000'000'000'000, 8}, Format::dcsr(), dcsr, two, true, true))),
        "%%MatrixMarket matrix coordinate integer general\n1000000000000 8 2\n4 1 5\n"
        "1000000000000 8 -6\n");
    // Dense: column by column.
    const Tensor dense({2, 3}, Format::dense(2), std::vector<Level>(2),
                       array_of<std::int8_t>({1, 2, 3, 4, 5, 6}), true, true);
    EXPECT_EQ(written(graph_of(dense)), "%%MatrixMarket matrix array integer general\n"
                                        "%%GraphBLAS type int8_t\n2 3\n1\n4\n2\n5\n3\n6\n");
}

TEST(MatrixMarketWriter, WritesTheLowerTriangleOfWhatIsSymmetric) {
    const std::vector<std::int32_t> pos = {0, 2, 4, 6};
    const std::vector<std::int32_t> crd = {0, 1, 0, 2, 1, 2};
    const auto even = array_of<std::int32_t>({9, 5, 5, -7, -7, 8});
    const std::string lower =
        "%%MatrixMarket matrix coordinate integer symmetric\n3 3 4\n1 1 9\n2 1 5\n3 2 -7\n3 3 8\n";
    EXPECT_EQ(written(graph_of(csr(3, 3, pos, crd, even), EdgeKind::undirected)), lower);
    EXPECT_THAT(written(graph_of(csr(3, 3, pos, crd, even))), testing::HasSubstr("general"));
    std::vector<std::string> notes;
    const auto uneven = array_of<std::int32_t>({9, 5, 5, -7, 7, 8});
    EXPECT_THAT(written(graph_of(csr(3, 3, pos, crd, uneven), EdgeKind::undirected), &notes),
                testing::HasSubstr("general\n3 3 6\n"));
    EXPECT_EQ(notes.size(), 1u);
    // An entry below without its twin above.
    const auto pattern_of = [](Index n) {
        return Array::allocate(ElementType::pattern, n, {}, "test");
    };
    EXPECT_THAT(written(graph_of(csr<std::int32_t>(2, 2, {0, 0, 1}, {0}, pattern_of(1)),
                                 EdgeKind::undirected)),
                testing::HasSubstr("general"));
    EXPECT_THAT(written(graph_of(csr<std::int32_t>(2, 2, {0, 1, 1}, {1}, pattern_of(1)),
                                 EdgeKind::undirected)),
                testing::HasSubstr("general"));
}

TEST(MatrixMarketWriter, WritesHalfOfWhatIsMirroredInEveryStorage) {
    const std::vector<std::int32_t> pos = {0, 2, 4, 6};
    const std::vector<std::int32_t> crd = {0, 1, 0, 2, 1, 2};
    const Tensor even = csr(3, 3, pos, crd, array_of<std::int32_t>({9, 5, 5, -7, -7, 8}));
    const std::vector<std::int32_t> skew_pos = {0, 1, 3, 4};
    const std::vector<std::int32_t> skew_crd = {1, 0, 2, 1};
    const Tensor skew = csr(3, 3, skew_pos, skew_crd, array_of<double>({-5, 5, 1, -1}));
    const Tensor not_skew = csr(3, 3, skew_pos, skew_crd, array_of<double>({-5, 5, 1, 1}));
    const Tensor zeros = csr(3, 3, skew_pos, skew_crd, array_of<double>({0.0, 0.0, 1, -1}));
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    for (const Format& format :
         {Format::csr(), Format::csc(), Format::dcsr(), Format::dcsc(), Format::coo()}) {
        SCOPED_TRACE(format.name());
        const auto stored = [&](const Tensor& tensor) { return convert(tensor, format); };
        EXPECT_THAT(written(graph_of(stored(even), EdgeKind::undirected)),
                    testing::StartsWith("%%MatrixMarket matrix coordinate integer symmetric\n"
                                        "3 3 4\n"));
        const std::string half = written(graph_of(stored(skew)));
        EXPECT_THAT(half, testing::StartsWith("%%MatrixMarket matrix coordinate real "
                                              "skew-symmetric\n3 3 2\n"));
        FileContent again = read(half, 1000);
        const Tensor built =
            build(std::move(again.list), Format::csr(), Duplicates::keep, Context());
        EXPECT_TRUE(std::ranges::equal(built.values().as<double>(), skew.values().as<double>()));
        const std::string general = "%%MatrixMarket matrix coordinate real general";
        EXPECT_EQ(first_line(written(graph_of(stored(not_skew)))), general);
        EXPECT_EQ(first_line(written(graph_of(stored(zeros)))), general) << "-0 is not 0";
    }
    // A diagonal, and one side alone.
    EXPECT_THAT(written(graph_of(csr<std::int32_t>(2, 2, {0, 1, 1}, {0}, array_of<double>({0})))),
                testing::HasSubstr("general"));
    EXPECT_THAT(written(graph_of(csr<std::int32_t>(2, 2, {0, 1, 1}, {1}, array_of<double>({3})))),
                testing::HasSubstr("general"));
    const Tensor dense({2, 2}, Format::dense(2), std::vector<Level>(2),
                       array_of<std::int32_t>({0, -4, 4, 0}), true, true);
    EXPECT_EQ(written(graph_of(dense)), "%%MatrixMarket matrix array integer skew-symmetric\n"
                                        "2 2\n4\n");
}

TEST(MatrixMarketWriter, SaysWhatIsLostAndRefusesNaN) {
    Graph graph = graph_of(csr(3, 3, small_pos, small_crd, array_of<double>({1, 2, 3, 4})));
    graph.ids = {VertexIds(7), VertexIds(7)};
    graph.vertex_weights = array_of<std::int32_t>({1, 2, 3});
    std::vector<std::string> notes;
    written(graph, &notes);
    EXPECT_EQ(notes.size(), 2u);
    const Array nan = array_of<double>({1, 2, NAN, 4});
    EXPECT_THROW(written(graph_of(csr(3, 3, small_pos, small_crd, nan))), Error);
    Graph cube;
    cube.tensor = Tensor({1, 1, 1}, Format::coo(3), std::vector<Level>(3), Array(), true, true);
    EXPECT_THROW(written(cube), Error);
}

/// Every element type survives writing and reading, to the last bit.
TEST(MatrixMarketWriter, ReadsBackExactly) {
    std::mt19937_64 random(2);
    for (int code = 0; code < element_type_count; ++code) {
        const auto type = static_cast<ElementType>(code);
        for (const Index n : {0, 1, 17, 3000}) {
            // Random rows of ascending columns.
            std::vector<std::int64_t> pos = {0};
            std::vector<std::int64_t> crd;
            for (Index i = 0; i < n; ++i) {
                for (auto j = static_cast<Index>(random() % 40); j < n;
                     j += 1 + static_cast<Index>(random() % 500)) {
                    crd.push_back(j);
                }
                pos.push_back(static_cast<Index>(crd.size()));
            }
            const auto count = static_cast<Index>(crd.size());
            Array values = Array::allocate(type, count, {}, "test");
            if (type != ElementType::pattern) {
                visit_type(type, [&](auto tag) {
                    using T = typename decltype(tag)::type;
                    for (T& value : values.mutable_as<T>()) {
                        if constexpr (std::is_same_v<T, bool>) {
                            value = random() % 2 == 0;
                        } else if constexpr (std::is_floating_point_v<T>) {
                            do {
                                const auto bits = random();
                                std::memcpy(&value, &bits, sizeof value);
                            } while (std::isnan(value));
                        } else {
                            value = static_cast<T>(random() >> random() % 64);
                        }
                    }
                });
            }
            for (const int threads : {1, 3}) {
                const std::string text = written(graph_of(csr(n, n, pos, crd, values)), nullptr,
                                                 Context({.threads = threads}));
                const FileContent content = read(text, 1000);
                ASSERT_EQ(content.list.value_type, type);
                ASSERT_EQ(count_in(content, "entries"), count);
                Index k = 0;
                Index row = 0;
                for (const CoordinateBlock& block : content.list.blocks) {
                    const std::size_t width = size_of(type);
                    if (width > 0) {
                        EXPECT_EQ(std::memcmp(block.values.data(),
                                              static_cast<const char*>(values.data()) +
                                                  static_cast<std::size_t>(k) * width,
                                              block.values.bytes()),
                                  0);
                    }
                    for (Index e = 0; e < block.size(); ++e, ++k) {
                        while (pos[row + 1] <= k) ++row;
                        ASSERT_EQ(block.coordinates[0].index_at(e), row);
                        ASSERT_EQ(block.coordinates[1].index_at(e), crd[k]);
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace tropic
