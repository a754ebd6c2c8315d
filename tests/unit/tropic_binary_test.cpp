#include <cstring>
#include <random>

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "graph/files/binary.h"
#include "graph/files/tropic_layout.h"
#include "memory_sink.h"
#include "support/memory.h"
#include "temporary_folder.h"
#include "tropic/error.h"

namespace tropic {
namespace {

template <class T> Array array_of(std::vector<T> elements) {
    return Array::copy_of<T>(std::span<const T>(elements), {}, "a test");
}

/// Values of any type with their bytes all over the place, and bools that are bools.
Array values_of(ElementType type, Index size) {
    Array values = Array::allocate(type, size, {}, "values");
    auto* bytes = static_cast<unsigned char*>(values.mutable_data());
    for (std::size_t i = 0; i < values.bytes(); ++i) {
        bytes[i] = static_cast<unsigned char>(type == ElementType::boolean ? i % 3 == 0 : i * 37);
    }
    return values;
}

std::vector<Level> levels_csr(ElementType index) {
    const bool narrow = index == ElementType::int32;
    return {Level{}, Level{.kind = LevelKind::compressed,
                           .pos = narrow ? array_of<std::int32_t>({0, 2, 2, 4, 5})
                                         : array_of<std::int64_t>({0, 2, 2, 4, 5}),
                           .crd = narrow ? array_of<std::int32_t>({0, 3, 1, 2, 0})
                                         : array_of<std::int64_t>({0, 3, 1, 2, 0})}};
}

/// A 4 by 4 matrix with 5 entries.
Tensor csr(ElementType type, ElementType index = ElementType::int32) {
    return {{4, 4}, Format::csr(), levels_csr(index), values_of(type, 5), true, true};
}

Tensor dcsr() {
    return {{1'000'000'000'000, 6},
            Format::dcsr(),
            {Level{.kind = LevelKind::compressed,
                   .pos = array_of<std::int32_t>({0, 2}),
                   .crd = array_of<std::int64_t>({17, 999'999'999'999})},
             Level{.kind = LevelKind::compressed,
                   .pos = array_of<std::int32_t>({0, 1, 3}),
                   .crd = array_of<std::int32_t>({5, 0, 4})}},
            values_of(ElementType::float32, 3),
            true,
            true};
}

Tensor coo3(bool unique, bool sorted) {
    return {
        {2, 3, 4},
        Format::coo(3),
        {Level{.kind = LevelKind::compressed,
               .pos = array_of<std::int32_t>({0, 4}),
               .crd = array_of<std::int32_t>({0, 0, 1, 1})},
         Level{
             .kind = LevelKind::singleton, .pos = {}, .crd = array_of<std::int32_t>({0, 2, 1, 2})},
         Level{
             .kind = LevelKind::singleton, .pos = {}, .crd = array_of<std::int32_t>({3, 1, 0, 3})}},
        values_of(ElementType::float64, 4),
        unique,
        sorted};
}

Tensor dense(ElementType type, std::vector<Index> shape) {
    Index size = 1;
    for (const Index extent : shape) size *= extent;
    const int rank = static_cast<int>(shape.size());
    return {std::move(shape),
            Format::dense(rank),
            std::vector<Level>(rank),
            values_of(type, size),
            true,
            true};
}

Graph graph_of(Tensor tensor) {
    Graph graph;
    graph.name = "a/path.mtx";
    graph.source = "matrix market";
    graph.ids.resize(tensor.shape().size(), VertexIds(1));
    graph.tensor = std::move(tensor);
    return graph;
}

/// A graph that uses every part of the format.
Graph full_graph() {
    Graph graph = graph_of(csr(ElementType::int16));
    graph.name = "kron:16,\"quoted\"\nsecond line \xc3\xa9";
    graph.kind = EdgeKind::undirected_once;
    const VertexIds ids(array_of<std::int64_t>({10, 1'000'000'000'000, -3, 7}));
    graph.ids = {ids, ids};
    graph.constraints = 2;
    graph.vertex_weights = array_of<std::int32_t>({1, 2, 3, 4, 5, 6, 7, 8});
    graph.vertex_sizes = array_of<std::int64_t>({4, 3, 2, 1});
    graph.steps = {{"read matrix market", {{"entries", 5}, {"lines", 12}}},
                   {"nothing", {}},
                   {"dropped self loops", {{"", -1}}}};
    graph.warnings = {"ids have gaps", "", std::string("\0zero", 5)};
    return graph;
}

std::string written(const Graph& graph, const Context& context = {}) {
    test::MemorySink sink("test.tg");
    write_tropic_binary_to(graph, sink, context);
    return sink.bytes();
}

FileContent read_back(std::string_view bytes, bool verify = true, const Context& context = {}) {
    return read_tropic_binary_from_memory(bytes, "test.tg", {.verify = verify}, context);
}

void expect_same(const Array& a, const Array& b, const char* what) {
    EXPECT_EQ(a.type(), b.type()) << what;
    ASSERT_EQ(a.size(), b.size()) << what;
    if (a.bytes() > 0) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0) << what;
    }
}

void expect_same(const Tensor& a, const Tensor& b) {
    EXPECT_EQ(a.shape(), b.shape());
    EXPECT_EQ(a.format(), b.format());
    EXPECT_EQ(a.unique(), b.unique());
    EXPECT_EQ(a.sorted(), b.sorted());
    expect_same(a.values(), b.values(), "values");
    ASSERT_EQ(a.levels().size(), b.levels().size());
    for (std::size_t l = 0; l < a.levels().size(); ++l) {
        EXPECT_EQ(a.levels()[l].kind, b.levels()[l].kind);
        expect_same(a.levels()[l].pos, b.levels()[l].pos, "pos");
        expect_same(a.levels()[l].crd, b.levels()[l].crd, "crd");
    }
}

void expect_same(const FileContent& content, const Graph& graph) {
    ASSERT_TRUE(content.tensor.has_value());
    expect_same(*content.tensor, graph.tensor);
    EXPECT_EQ(content.kind, graph.kind);
    EXPECT_EQ(content.name, graph.name);
    EXPECT_EQ(content.source, graph.source);
    EXPECT_EQ(content.constraints, graph.constraints);
    EXPECT_EQ(content.warnings, graph.warnings);
    ASSERT_EQ(content.ids.size(), graph.ids.size());
    for (std::size_t d = 0; d < graph.ids.size(); ++d) {
        EXPECT_EQ(content.ids[d].offset(), graph.ids[d].offset());
        expect_same(content.ids[d].table(), graph.ids[d].table(), "ids");
    }
    expect_same(content.vertex_weights, graph.vertex_weights, "vertex weights");
    expect_same(content.vertex_sizes, graph.vertex_sizes, "vertex sizes");
    ASSERT_EQ(content.steps.size(), graph.steps.size());
    for (std::size_t s = 0; s < graph.steps.size(); ++s) {
        EXPECT_EQ(content.steps[s].what, graph.steps[s].what);
        EXPECT_EQ(content.steps[s].counts, graph.steps[s].counts);
    }
}

void expect_round_trip(const Graph& graph) {
    const std::string bytes = written(graph);
    EXPECT_TRUE(is_tropic_binary(bytes));
    expect_same(read_back(bytes), graph);
    expect_same(read_back(bytes, false), graph);
    const Context one_thread({.threads = 1});
    EXPECT_EQ(written(graph, one_thread), bytes);
    // The same bytes from what was read: nothing is lost on the way.
    FileContent content = read_back(bytes, true, one_thread);
    Graph again;
    again.tensor = *content.tensor;
    again.kind = content.kind;
    again.ids = content.ids;
    again.vertex_weights = content.vertex_weights;
    again.constraints = content.constraints;
    again.vertex_sizes = content.vertex_sizes;
    again.name = content.name;
    again.source = content.source;
    again.steps = content.steps;
    again.warnings = content.warnings;
    EXPECT_EQ(written(again), bytes);
}

/// The error of reading; fails the test if there is none.
Diagnostic error_of(std::string_view bytes, bool verify = true) {
    try {
        read_back(bytes, verify);
    } catch (const Error& error) {
        EXPECT_EQ(error.diagnostic().file, "test.tg") << error.what();
        EXPECT_FALSE(error.diagnostic().message.empty());
        return error.diagnostic();
    }
    ADD_FAILURE() << "read a broken file";
    return {};
}

/// Changes the file and makes its header and table checksums right again: a lie, not damage.
class Forger {
  public:
    explicit Forger(std::string bytes) : bytes_(std::move(bytes)) {
        std::memcpy(&header, bytes_.data(), sizeof(header));
        sections.resize(std::clamp<std::size_t>(header.sections, 1, 8));
        std::memcpy(sections.data(), bytes_.data() + sizeof(header),
                    sections.size() * sizeof(binary::Section));
    }

    binary::Section& section(binary::SectionKind kind, int part = 0) {
        for (auto& section : sections) {
            if (section.kind == kind && section.part == part) return section;
        }
        throw std::runtime_error("no such section");
    }
    char* data(binary::SectionKind kind, int part = 0) {
        return bytes_.data() + section(kind, part).offset;
    }

    /// Sums up all blocks of all sections again (each of the small test files is one block).
    std::string forge() {
        const std::size_t table = sizeof(header);
        std::size_t checksum_at = table + sections.size() * sizeof(binary::Section);
        for (const auto& section : sections) {
            if (section.offset <= bytes_.size() &&
                section.extent <= bytes_.size() - section.offset) {
                const auto sum = XXH3_64bits(bytes_.data() + section.offset, section.extent);
                std::memcpy(bytes_.data() + checksum_at, &sum, sizeof(sum));
            }
            checksum_at += 8;
        }
        std::memcpy(bytes_.data() + table, sections.data(),
                    sections.size() * sizeof(binary::Section));
        if (header.table_bytes <= bytes_.size() - table) {
            header.table_checksum = XXH3_64bits(bytes_.data() + table, header.table_bytes);
        }
        header.checksum = XXH3_64bits(&header, sizeof(header) - 8);
        std::memcpy(bytes_.data(), &header, sizeof(header));
        return bytes_;
    }

    binary::Header header{};
    std::vector<binary::Section> sections;

  private:
    std::string bytes_;
};

TEST(TropicBinary, KeepsEveryElementType) {
    for (int type = 0; type < element_type_count; ++type) {
        for (const ElementType index : {ElementType::int32, ElementType::int64}) {
            SCOPED_TRACE(name_of(static_cast<ElementType>(type)));
            expect_round_trip(graph_of(csr(static_cast<ElementType>(type), index)));
        }
    }
}

TEST(TropicBinary, KeepsEveryFormat) {
    expect_round_trip(graph_of(dcsr()));
    expect_round_trip(graph_of(coo3(true, true)));
    expect_round_trip(graph_of(coo3(false, true)));
    expect_round_trip(graph_of(coo3(true, false)));
    expect_round_trip(graph_of(dense(ElementType::float64, {3, 4})));
    expect_round_trip(graph_of(dense(ElementType::boolean, {7})));
    expect_round_trip(graph_of(dense(ElementType::uint8, {2, 3, 5, 1})));
    expect_round_trip(graph_of(dense(ElementType::int32, {0, 1'000'000'000})));
    expect_round_trip(graph_of({{4, 4},
                                Format::csc(),
                                levels_csr(ElementType::int32),
                                values_of(ElementType::int8, 5),
                                true,
                                true}));
    expect_round_trip(graph_of({{9},
                                Format::sparse_vector(),
                                {Level{.kind = LevelKind::compressed,
                                       .pos = array_of<std::int64_t>({0, 2}),
                                       .crd = array_of<std::int32_t>({3, 8})}},
                                values_of(ElementType::pattern, 2),
                                true,
                                true}));
}

TEST(TropicBinary, KeepsEmptyThings) {
    expect_round_trip(Graph{});
    expect_round_trip(graph_of({{0, 0},
                                Format::csr(),
                                {Level{}, Level{.kind = LevelKind::compressed,
                                                .pos = array_of<std::int32_t>({0}),
                                                .crd = array_of<std::int32_t>({})}},
                                values_of(ElementType::float32, 0),
                                true,
                                true}));
    expect_round_trip(graph_of(
        {{0, 0, 5},
         Format::coo(3),
         {Level{.kind = LevelKind::compressed,
                .pos = array_of<std::int32_t>({0, 0}),
                .crd = array_of<std::int32_t>({})},
          Level{.kind = LevelKind::singleton, .pos = {}, .crd = array_of<std::int32_t>({})},
          Level{.kind = LevelKind::singleton, .pos = {}, .crd = array_of<std::int64_t>({})}},
         values_of(ElementType::pattern, 0),
         true,
         true}));
}

TEST(TropicBinary, KeepsIdsWeightsAndTheStory) {
    expect_round_trip(full_graph());
    Graph graph = full_graph();
    graph.ids[1] = VertexIds(array_of<std::int32_t>({1, 2, 3, 4}));
    expect_round_trip(graph);
    graph.ids = {VertexIds(-5), VertexIds(array_of<std::int32_t>({1, 2, 3, 4}))};
    expect_round_trip(graph);
    graph.ids.clear();
    expect_round_trip(graph);
}

TEST(TropicBinary, SharesOneTableOfIdsAmongDimensions) {
    const FileContent content = read_back(written(full_graph()));
    EXPECT_EQ(content.ids[0].table().data(), content.ids[1].table().data());
}

TEST(TropicBinary, UsesArraysWhereTheyLieInTheFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("graph.tg");
    const Index n = 300'000;
    std::vector<std::int32_t> pos(n + 1);
    std::vector<std::int32_t> crd(n);
    for (Index i = 0; i < n; ++i) {
        pos[i + 1] = static_cast<std::int32_t>(i + 1);
        crd[i] = static_cast<std::int32_t>((i * 7919) % n);
    }
    Graph graph = graph_of(
        {{n, n},
         Format::csr(),
         {Level{},
          Level{.kind = LevelKind::compressed, .pos = array_of(pos), .crd = array_of(crd)}},
         values_of(ElementType::float64, n),
         true,
         true});
    EXPECT_TRUE(write_tropic_binary(graph, path, {}, {}).empty());
    const Context small({.memory_limit = 100'000});
    const FileContent content = read_tropic_binary(path, {.verify = false}, small);
    expect_same(content, graph);
    EXPECT_EQ(small.budget()->used(), 0u);
    const Tensor& tensor = *content.tensor;
    for (const void* data :
         {tensor.level(1).pos.data(), tensor.level(1).crd.data(), tensor.values().data()}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 4096, 0u);
    }
    expect_same(read_tropic_binary(path, {}, {}), graph);
    // Written over the file it is read from: the old content lives on until the graph is gone.
    Graph mapped = graph_of(tensor);
    write_tropic_binary(mapped, path, {}, {});
    expect_same(tensor, graph.tensor);
    expect_same(read_tropic_binary(path, {}, {}), graph);
}

TEST(TropicBinary, ChecksumsOfManyBlocks) {
    // More than two blocks of 4 MiB, the last one not whole; a flip in each of them is found.
    const Index n = 2'500'000;
    const Graph graph = graph_of(dense(ElementType::float32, {n}));
    std::string bytes = written(graph);
    expect_same(read_back(bytes), graph);
    for (const std::size_t at :
         {std::size_t{5'000}, std::size_t{4} << 20, std::size_t{9'000'000}, bytes.size() - 1}) {
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        EXPECT_EQ(error_of(bytes).code, ErrorCode::corrupt) << at;
        EXPECT_NO_THROW(read_back(bytes, false));
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
    }
    EXPECT_NE(error_of([&] {
                  std::string broken = bytes;
                  broken[9'000'000] = static_cast<char>(~broken[9'000'000]);
                  return broken;
              }())
                  .message.find("values are damaged"),
              std::string::npos);
}

TEST(TropicBinary, NoticesEveryFlippedBit) {
    for (const Graph& graph : {full_graph(), Graph{}, graph_of(coo3(true, true)),
                               graph_of(dense(ElementType::boolean, {3, 3}))}) {
        const std::string bytes = written(graph);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            for (int bit = 0; bit < 8; ++bit) {
                std::string broken = bytes;
                broken[i] = static_cast<char>(broken[i] ^ (1 << bit));
                EXPECT_THROW(read_back(broken), Error) << "byte " << i << " bit " << bit;
            }
        }
    }
}

TEST(TropicBinary, NoticesEveryTruncation) {
    const std::string bytes = written(full_graph());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_EQ(error_of(bytes.substr(0, size)).code, ErrorCode::truncated) << size;
        EXPECT_EQ(error_of(bytes.substr(0, size), false).code, ErrorCode::truncated) << size;
    }
    EXPECT_EQ(error_of(bytes + '\0', false).code, ErrorCode::corrupt);
    EXPECT_EQ(error_of(bytes + bytes, false).code, ErrorCode::corrupt);
}

TEST(TropicBinary, SaysWhatIsWrong) {
    const std::string bytes = written(full_graph());
    std::string text = bytes;
    text.erase(4, 1);
    EXPECT_NE(error_of(text).message.find("as if it were text"), std::string::npos);
    EXPECT_NE(error_of("%%MatrixMarket").message.find("no Tropic file"), std::string::npos);
    EXPECT_FALSE(is_tropic_binary("%%MatrixMarket"));
    EXPECT_FALSE(is_tropic_binary(""));

    std::string foreign = bytes;
    std::reverse(foreign.begin() + 8, foreign.begin() + 12);
    EXPECT_EQ(error_of(foreign).code, ErrorCode::unsupported);
    EXPECT_NE(error_of(foreign).message.find("byte order"), std::string::npos);

    Forger newer(bytes);
    newer.header.major = 2;
    const Diagnostic version = error_of(newer.forge());
    EXPECT_EQ(version.code, ErrorCode::unsupported);
    EXPECT_EQ(version.message, "the file has version 2.0 of the format");
    EXPECT_EQ(version.hint, "read it with a newer Tropic");
    Forger zero(bytes);
    zero.header.major = 0;
    EXPECT_EQ(error_of(zero.forge()).code, ErrorCode::corrupt);
}

TEST(TropicBinary, IgnoresWhatANewerMinorVersionAdds) {
    Forger forger(written(full_graph()));
    forger.header.minor = 7;
    auto& added = forger.section(binary::SectionKind::vertex_sizes);
    // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): that is the test
    added.kind = static_cast<binary::SectionKind>(99);
    const FileContent content = read_back(forger.forge());
    EXPECT_TRUE(content.vertex_sizes.empty());
    ASSERT_EQ(content.warnings.size(), 4u);
    EXPECT_NE(content.warnings[3].find("newer Tropic"), std::string::npos);
    forger.header.minor = 0;
    EXPECT_EQ(error_of(forger.forge()).code, ErrorCode::corrupt);
}

TEST(TropicBinary, BelievesNoSizeInTheTable) {
    const std::string bytes = written(full_graph());
    const std::vector<std::uint64_t> lies = {0,
                                             1,
                                             63,
                                             64,
                                             65,
                                             4096,
                                             1u << 20,
                                             std::uint64_t{1} << 32,
                                             std::uint64_t{1} << 60,
                                             (std::uint64_t{1} << 61) + 1,
                                             std::uint64_t{1} << 63,
                                             ~std::uint64_t{0},
                                             ~std::uint64_t{63},
                                             bytes.size(),
                                             bytes.size() + 64};
    const std::size_t count = Forger(bytes).sections.size();
    for (const std::uint64_t lie : lies) {
        for (std::size_t s = 0; s < count; ++s) {
            for (int field = 0; field < 5; ++field) {
                Forger forger(bytes);
                binary::Section& section = forger.sections[s];
                const binary::Section before = section;
                if (field == 0) section.offset = lie;
                if (field == 1) section.elements = lie;
                if (field == 2) section.extent = lie;
                if (field == 3) section.type = static_cast<std::uint32_t>(lie);
                if (field == 4) section.part = static_cast<std::uint16_t>(lie);
                if (std::memcmp(&before, &section, sizeof(section)) == 0) continue;
                // Nothing else in the file says which type vertex weights and sizes have, or that
                // there are sizes at all.
                if (field == 3 && before.kind >= binary::SectionKind::vertex_weights) continue;
                if (field == 1 && before.kind == binary::SectionKind::vertex_sizes && lie == 0) {
                    continue;
                }
                EXPECT_THROW(read_back(forger.forge(), false), Error)
                    << "section " << s << " field " << field << " says " << lie;
            }
        }
        for (int field = 0; field < 4; ++field) {
            Forger forger(bytes);
            const binary::Header before = forger.header;
            if (field == 0) forger.header.file_bytes = lie;
            if (field == 1) forger.header.table_bytes = lie;
            if (field == 2) forger.header.sections = static_cast<std::uint32_t>(lie);
            if (field == 3) forger.header.block_bytes = static_cast<std::uint32_t>(lie);
            if (std::memcmp(&before, &forger.header, sizeof(before)) == 0) continue;
            const std::string forged = forger.forge();
            // A block may be larger than the file; all other lies are found.
            if (field == 3 && static_cast<std::uint32_t>(lie) >= bytes.size()) continue;
            EXPECT_THROW(read_back(forged, false), Error) << "header field " << field << lie;
        }
    }
}

TEST(TropicBinary, ChecksEveryByteOfTheDescription) {
    // With right checksums, any byte of the description may say anything: no crash, no lie that
    // arrays do not bear out.
    const std::string bytes = written(full_graph());
    const std::uint64_t size = Forger(bytes).section(binary::SectionKind::description).elements;
    for (std::uint64_t at = 0; at < size; ++at) {
        for (const int value : {0x00, 0x01, 0x02, 0x7f, 0x80, 0xff}) {
            Forger forger(bytes);
            forger.data(binary::SectionKind::description)[at] = static_cast<char>(value);
            for (const bool verify : {false, true}) {
                try {
                    const FileContent content = read_back(forger.forge(), verify);
                    EXPECT_EQ(content.tensor->entries(), 5);
                } catch (const Error& error) {
                    EXPECT_EQ(error.code(), ErrorCode::corrupt) << error.what();
                }
            }
        }
    }
}

TEST(TropicBinary, ChecksTheArraysAndNotOnlyTheirChecksums) {
    const std::string bytes = written(full_graph());
    using enum binary::SectionKind;
    Forger ends(bytes);
    ends.data(positions, 1)[4 * 4] = 6;
    EXPECT_NE(error_of(ends.forge(), false).message.find("do not fit together"), std::string::npos);
    Forger start(bytes);
    start.data(positions, 1)[0] = 1;
    EXPECT_EQ(error_of(start.forge(), false).code, ErrorCode::corrupt);

    Forger coordinate(bytes);
    coordinate.data(coordinates, 1)[0] = 4;
    EXPECT_EQ(error_of(coordinate.forge()).code, ErrorCode::corrupt);
    Forger position(bytes);
    position.data(positions, 1)[4] = 100;
    EXPECT_EQ(error_of(position.forge()).code, ErrorCode::corrupt);

    Forger boolean(written(graph_of(csr(ElementType::boolean))));
    boolean.data(values)[2] = 2;
    EXPECT_EQ(error_of(boolean.forge()).message, "a value of type bool is neither 0 nor 1");
}

TEST(TropicBinary, NeverCrashesOnRandomDamage) {
    const std::string bytes = written(full_graph());
    std::mt19937 random(1);
    for (int round = 0; round < 20'000; ++round) {
        std::string broken = bytes;
        const auto changes = 1 + random() % 8;
        for (unsigned c = 0; c < changes; ++c) {
            broken[random() % broken.size()] = static_cast<char>(random());
        }
        if (random() % 2 == 0) broken.resize(random() % (broken.size() * 2));
        if (random() % 2 == 0 && broken.size() == bytes.size()) {
            broken = Forger(broken).forge();
        }
        try {
            read_back(broken, random() % 2 == 0);
        } catch (const Error&) {
        }
    }
}

TEST(TropicBinary, RefusesToWriteWhatCouldNotBeRead) {
    test::MemorySink sink("test.tg");
    Graph graph = full_graph();
    graph.constraints = 3;
    EXPECT_THROW(write_tropic_binary_to(graph, sink, {}), Error);
    graph = full_graph();
    graph.ids.resize(1);
    EXPECT_THROW(write_tropic_binary_to(graph, sink, {}), Error);
    graph = full_graph();
    graph.tensor = {
        {5, 4}, Format::csr(), levels_csr(ElementType::int32), values_of(ElementType::int8, 5),
        true,   true};
    graph.ids = {VertexIds(0), VertexIds(0)};
    try {
        write_tropic_binary_to(graph, sink, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::inconsistent);
    }
    EXPECT_TRUE(sink.bytes().empty());
}

TEST(TropicBinary, CanBeCancelled) {
    const auto flag = std::make_shared<std::atomic<bool>>(true);
    const Context context({.cancelled = flag});
    EXPECT_THROW(written(full_graph(), context), Error);
    EXPECT_THROW(read_back(written(full_graph()), true, context), Error);
}

} // namespace
} // namespace tropic
