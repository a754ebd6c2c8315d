// What is found out about the fields of a vertex, and that each kind reaches its data.
#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

constexpr const char* every_kind = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

enum class Mode : unsigned short { plain, doubled };

class Kinds : public Vertex {
  public:
    Input<float> scalar;
    Output<int> result;
    InOut<unsigned> counter;
    Input<Vector<float>> span;
    Output<Vector<float, VectorLayout::ONE_PTR>> pointer;
    InOut<Vector<half, VectorLayout::SPAN, 8>> aligned;
    Vector<Input<Vector<int>>> list;
    Input<VectorList<int, VectorListLayout::DELTAN>> deltas;
    Output<Vector<Vector<int>>> nested;
    Vector<InOut<Vector<short, VectorLayout::ONE_PTR>>> pointers;
    Vector<float> scratch;
    Vector<int, VectorLayout::ONE_PTR> scratch_pointer;
    Input<Vector<float2>> pairs;
    Mode mode;

  private:
    bool flag;
    unsigned table[3];
    static const int factor = 10;

  public:
    void compute() const {
        float sum = *scalar + scalar;
        for (float x : span) sum += x;
        for (unsigned i = 0; i < span.size(); ++i) pointer[i] = span[i] * 2;
        for (auto& x : aligned) x = x + half(1);
        for (unsigned i = 0; i < list.size(); ++i)
            for (unsigned j = 0; j < list[i].size(); ++j) nested[i][j] = list[i][j] + deltas[i][j];
        for (unsigned i = 0; i < pointers.size(); ++i) pointers[i][0] += factor;
        scratch[0] = sum;
        scratch_pointer[1] = flag ? table[2] : 0;
        *result = int(scratch[0]) + scratch_pointer[1] + int(mode);
        counter += span.size();
        ++*counter;
        for (auto p : pairs) result = *result + int(p[0] * p[1]);
    }
};
)";

TEST(CodeletFields, EveryKindIsDescribed) {
    const VertexState vertex(compile_text(every_kind), "Kinds");
    struct Expected {
        const char* name;
        FieldRole role;
        FieldShape shape;
        ElementType type;
        std::uint32_t width;
        std::uint32_t alignment;
        std::uint32_t elements;
        std::size_t host_bytes;
        std::size_t tile_bytes;
    };
    using enum FieldRole;
    using enum FieldShape;
    using enum ElementType;
    const std::vector<Expected> expected = {
        {"scalar", input, scalar, float32, 1, 4, 1, 8, 4},
        {"result", output, scalar, int32, 1, 4, 1, 8, 4},
        {"counter", in_out, scalar, uint32, 1, 4, 1, 8, 4},
        {"span", input, span, float32, 1, 4, 1, 16, 8},
        {"pointer", output, pointer, float32, 1, 4, 1, 8, 4},
        {"aligned", in_out, span, float16, 1, 8, 1, 16, 8},
        {"list", input, list, int32, 1, 4, 1, 16, 8},
        {"deltas", input, list, int32, 1, 4, 1, 16, 8},
        {"nested", output, list, int32, 1, 4, 1, 16, 8},
        {"pointers", in_out, list, int16, 1, 2, 1, 16, 8},
        {"scratch", scratch, span, float32, 1, 4, 1, 16, 8},
        {"scratch_pointer", scratch, pointer, int32, 1, 4, 1, 8, 4},
        {"pairs", input, span, float32, 2, 8, 1, 16, 8},
        {"mode", state, scalar, uint16, 1, 2, 1, 2, 2},
        {"flag", state, scalar, boolean, 1, 1, 1, 1, 1},
        {"table", state, scalar, uint32, 1, 4, 3, 12, 12},
    };
    ASSERT_EQ(vertex.type().fields.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Field& field = vertex.type().fields[i];
        SCOPED_TRACE(expected[i].name);
        EXPECT_EQ(field.name, expected[i].name);
        EXPECT_EQ(field.role, expected[i].role);
        EXPECT_EQ(field.shape, expected[i].shape);
        EXPECT_EQ(field.type, expected[i].type);
        EXPECT_EQ(field.vector_width, expected[i].width);
        EXPECT_EQ(field.alignment, expected[i].alignment);
        EXPECT_EQ(field.elements, expected[i].elements);
        EXPECT_EQ(field.host_bytes, expected[i].host_bytes);
        EXPECT_EQ(field.tile_bytes, expected[i].tile_bytes);
        EXPECT_LE(field.offset + field.host_bytes, vertex.type().host_bytes);
    }
    EXPECT_TRUE(vertex.field("list").inner_has_size);
    EXPECT_FALSE(vertex.field("pointers").inner_has_size);
    EXPECT_EQ(vertex.type().kind, VertexKind::worker);
    EXPECT_EQ(vertex.type().source_file, "codelets.cpp");
    EXPECT_EQ(vertex.type().tile_bytes, 100U);
    EXPECT_GT(vertex.type().code_bytes, 100U);
    EXPECT_LT(vertex.type().code_bytes, 2000U);
}

TEST(CodeletFields, EveryKindReachesItsData) {
    VertexState state(compile_text(every_kind), "Kinds");
    float scalar = 1.5F;
    int result = 0;
    unsigned counter = 100;
    std::vector<float> span = {1, 2, 3};
    std::vector<float> pointer(3);
    std::vector<std::uint16_t> aligned = {0x3C00, 0x4000}; // 1 and 2
    std::vector<std::vector<int>> list = {{1, 2}, {3}};
    std::vector<std::vector<int>> deltas = {{10, 20}, {30}};
    std::vector<std::vector<int>> nested = {{0, 0}, {0}};
    std::vector<std::vector<std::int16_t>> pointers = {{5}, {6}};
    std::vector<float> scratch(1);
    std::vector<int> scratch_pointer(2);
    alignas(8) static float pair_data[4] = {2, 3, 4, 5};
    std::vector<float> pairs(pair_data, pair_data + 4);
    state.connect("scalar", scalar)
        .connect("result", result)
        .connect("counter", counter)
        .connect("span", span)
        .connect("pointer", pointer)
        .connect("aligned", aligned)
        .connect("list", list)
        .connect("deltas", deltas)
        .connect("nested", nested)
        .connect("pointers", pointers)
        .connect("scratch", scratch)
        .connect("scratch_pointer", scratch_pointer)
        .connect("pairs", pairs)
        .set("mode", std::uint16_t{1})
        .set("flag", true)
        .set("table", std::array<unsigned, 3>{1, 2, 1000});
    state.run();
    EXPECT_EQ(result, 9 + 1000 + 1 + 6 + 20);
    EXPECT_EQ(counter, 104U);
    EXPECT_THAT(pointer, testing::ElementsAre(2, 4, 6));
    EXPECT_THAT(aligned, testing::ElementsAre(0x4000, 0x4200));
    EXPECT_THAT(nested[0], testing::ElementsAre(11, 22));
    EXPECT_THAT(nested[1], testing::ElementsAre(33));
    EXPECT_EQ(pointers[0][0], 15);
    EXPECT_EQ(pointers[1][0], 16);
    EXPECT_EQ(scratch[0], 9.0F);
}

// One template, every element type: each value is read, doubled and written.
constexpr const char* every_type = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
template <typename T> class Twice : public Vertex {
  public:
    Input<Vector<T>> in;
    Output<Vector<T>> out;
    T bias;
    bool compute();
};
template <typename T> bool Twice<T>::compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = T(in[i] + in[i] + bias);
    return true;
}
template class Twice<bool>;
template class Twice<char>;
template class Twice<signed char>;
template class Twice<unsigned char>;
template class Twice<short>;
template class Twice<unsigned short>;
template class Twice<int>;
template class Twice<unsigned>;
template class Twice<long long>;
template class Twice<unsigned long long>;
template class Twice<float>;
template class Twice<half>;
)";

template <class T> void expect_twice(const std::string& name, ElementType type, T in, T out) {
    SCOPED_TRACE(name);
    VertexState state(compile_text(every_type), "Twice<" + name + ">");
    EXPECT_EQ(state.field("in").type, type);
    EXPECT_EQ(state.field("bias").type, type);
    EXPECT_EQ(state.field("bias").host_bytes, sizeof(T));
    struct Elements {
        T values[2];
    } input = {{in, in}}, output = {};
    std::vector<std::uint8_t> in_bytes(sizeof(input));
    std::vector<std::uint8_t> out_bytes(sizeof(output));
    std::memcpy(in_bytes.data(), &input, sizeof(input));
    state.set("in", SpanField{in_bytes.data(), 2}).set("out", SpanField{out_bytes.data(), 2});
    state.run();
    std::memcpy(&output, out_bytes.data(), sizeof(output));
    EXPECT_EQ(output.values[0], out);
    EXPECT_EQ(output.values[1], out);
}

TEST(CodeletFields, EveryElementType) {
    expect_twice<bool>("bool", ElementType::boolean, true, true);
    expect_twice<std::int8_t>("char", ElementType::int8, -5, -10);
    expect_twice<std::int8_t>("signed char", ElementType::int8, -5, -10);
    expect_twice<std::uint8_t>("unsigned char", ElementType::uint8, 200, 144);
    expect_twice<std::int16_t>("short", ElementType::int16, -300, -600);
    expect_twice<std::uint16_t>("unsigned short", ElementType::uint16, 40000, 14464);
    expect_twice<std::int32_t>("int", ElementType::int32, -100000, -200000);
    expect_twice<std::uint32_t>("unsigned int", ElementType::uint32, 3000000000U, 1705032704U);
    expect_twice<std::uint32_t>("unsigned", ElementType::uint32, 1, 2);
    expect_twice<std::int64_t>("long long", ElementType::int64, -5000000000, -10000000000);
    expect_twice<std::uint64_t>("unsigned long long", ElementType::uint64, 5000000000U,
                                10000000000U);
    expect_twice<float>("float", ElementType::float32, 1.25F, 2.5F);
    expect_twice<std::uint16_t>("half", ElementType::float16, 0x3C01, 0x4001);
}

TEST(CodeletFields, VectorsNeedNoMoreAlignmentThanTheirElements) {
    const auto library = compile_text(R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Quads : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<Vector<float>> out;
    void compute() {
        const float4* from = reinterpret_cast<const float4*>(&in[0]);
        float4* to = reinterpret_cast<float4*>(&out[0]);
        for (unsigned i = 0; i < in.size() / 4; ++i) to[i] = from[i] + from[i];
    }
};
)");
    std::vector<float> in = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<float> out(9);
    VertexState state(library, "Quads");
    state.set("in", SpanField{&in[1], 8}).set("out", SpanField{&out[1], 8}).run();
    EXPECT_THAT(out, testing::ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16));
}

TEST(CodeletFields, HalfRoundsToNearestEven) {
    const auto library = compile_text(R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Convert : public Vertex {
  public:
    Input<Vector<float>> in;
    Output<Vector<half>> out;
    Output<Vector<float>> back;
    void compute() {
        for (unsigned i = 0; i < in.size(); ++i) {
            out[i] = half(in[i]);
            back[i] = float(out[i]);
        }
    }
};
)");
    // Value, its half, and what that is as a float.
    struct Row {
        float value;
        std::uint16_t half;
        float back;
    };
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<Row> rows = {
        {0.0F, 0x0000, 0.0F},
        {-0.0F, 0x8000, -0.0F},
        {1.0F, 0x3C00, 1.0F},
        {-2.0F, 0xC000, -2.0F},
        {65504.0F, 0x7BFF, 65504.0F},
        {65519.0F, 0x7BFF, 65504.0F},
        {65520.0F, 0x7C00, infinity},
        {1e9F, 0x7C00, infinity},
        {-infinity, 0xFC00, -infinity},
        {2049.0F, 0x6800, 2048.0F}, // a tie goes to the even one
        {2051.0F, 0x6802, 2052.0F},
        {0x1p-24F, 0x0001, 0x1p-24F}, // the smallest
        {0x1p-25F, 0x0000, 0.0F},     // a tie
        {0x1.8p-24F, 0x0002, 0x1p-23F},
        {0x1.ffcp-15F, 0x0400, 0x1p-14F}, // a tie rounds up into an exponent
        {0.1F, 0x2E66, 0.0999755859375F},
    };
    std::vector<float> in;
    for (const Row& row : rows) in.push_back(row.value);
    std::vector<std::uint16_t> out(rows.size());
    std::vector<float> back(rows.size());
    VertexState state(library, "Convert");
    state.connect("in", in).connect("out", out).connect("back", back).run();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(out[i], rows[i].half) << rows[i].value;
        EXPECT_EQ(back[i], rows[i].back) << rows[i].value;
        EXPECT_EQ(std::signbit(back[i]), std::signbit(rows[i].back)) << rows[i].value;
    }
}

} // namespace

} // namespace tropic::tile::test
