// Checked codelets tell what they load and store, and stop when they are told to or cannot go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tropic/error.h"
#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* source = R"(#include <poplar/Vertex.hpp>
#include <cstring>
using namespace poplar;
class Shift : public Vertex {
  public:
    Input<Vector<int>> in;
    Output<Vector<short>> out;
    Vector<Input<Vector<float>>> list;
    Vector<int> scratch;
    int by;
    bool compute() {
        int local[4] = {by, 2, 3, 4};
        static const int table[3] = {7, 8, 9};
        for (unsigned i = 0; i < out.size(); ++i)
            out[i] = short(in[i + by] + local[(in[i] + by) & 3]
                           + table[in[i] & 1]);
        scratch[0] =
            int(list[1][0]);
        return true;
    }
};
class Fill : public Vertex {
  public:
    Input<Vector<int>> in;
    Output<Vector<int>> out;
    void compute() {
        std::memcpy(&out[0], &in[0], in.size() * sizeof(int));
    }
};
)";

struct Access {
    char what;
    std::ptrdiff_t at;
    std::uint32_t bytes;
    std::uint32_t line;
    bool operator==(const Access&) const = default;
};

void PrintTo(const Access& access, std::ostream* out) {
    *out << access.what << " at " << access.at << ", " << access.bytes << " bytes, line "
         << access.line;
}

/// Notes accesses relative to what they are accesses to.
class Recorder : public AccessObserver {
  public:
    std::vector<Access> accesses;
    const void* refused = nullptr;

    void watch(char what, const void* begin, std::size_t bytes) {
        places_.push_back({what, static_cast<const char*>(begin), bytes});
    }
    void on_load(const void* address, std::uint32_t bytes, std::uint32_t line) override {
        note(address, bytes, line, false);
    }
    void on_store(const void* address, std::uint32_t bytes, std::uint32_t line) override {
        note(address, bytes, line, true);
    }
    void on_worker(int) override {}

  private:
    struct Place {
        char what;
        const char* begin;
        std::size_t bytes;
    };
    void note(const void* address, std::uint32_t bytes, std::uint32_t line, bool store) {
        if (address == refused) throw Error(ErrorCode::range, "refused");
        const auto* byte = static_cast<const char*>(address);
        for (const Place& place : places_) {
            if (byte < place.begin || byte >= place.begin + place.bytes) continue;
            const char what = store ? static_cast<char>(place.what - 'a' + 'A') : place.what;
            accesses.push_back({what, byte - place.begin, bytes, line});
            return;
        }
        accesses.push_back({'?', 0, bytes, line});
    }
    std::vector<Place> places_;
};

struct CheckedCodelets : ::testing::Test {
    std::vector<int> in = {1, 2, 3, 4};
    std::vector<std::int16_t> out = std::vector<std::int16_t>(2);
    std::vector<std::vector<float>> list = {{1.0F}, {5.0F}};
    std::vector<int> scratch = {0};
    Recorder recorder;
    VertexState state{compile_text(source, true), "Shift"};

    CheckedCodelets() {
        state.connect("in", in).connect("out", out).connect("list", list);
        state.connect("scratch", scratch).set("by", 1);
        recorder.watch('i', in.data(), in.size() * sizeof(int));
        recorder.watch('o', out.data(), out.size() * sizeof(std::int16_t));
        recorder.watch('l', list[1].data(), sizeof(float));
        recorder.watch('s', scratch.data(), sizeof(int));
    }
};

TEST_F(CheckedCodelets, ReportWhatIsReadAndWritten) {
    state.run(0, &recorder);
    EXPECT_THAT(out, ElementsAre(2 + 3 + 8, 3 + 4 + 7));
    EXPECT_EQ(scratch[0], 5);
    // Not the stack, the table, the state or where the list's vectors are.
    EXPECT_THAT(recorder.accesses,
                testing::UnorderedElementsAre(Access{'i', 4, 4, 15}, Access{'i', 0, 4, 15},
                                              Access{'O', 0, 2, 15}, Access{'i', 8, 4, 15},
                                              Access{'i', 4, 4, 15}, Access{'O', 2, 2, 15},
                                              Access{'l', 0, 4, 18}, Access{'S', 0, 4, 17}));
}

TEST_F(CheckedCodelets, StopBeforeTheAccessThatIsRefused) {
    recorder.refused = &out[1];
    out = {-1, -1};
    EXPECT_THROW(state.run(0, &recorder), Error);
    EXPECT_THAT(out, ElementsAre(13, -1));
    recorder.refused = nullptr;
    state.run(0, &recorder);
    EXPECT_THAT(out, ElementsAre(13, 14));
}

TEST_F(CheckedCodelets, ReportCopiesWhole) {
    std::vector<int> target(4);
    recorder.watch('t', target.data(), 16);
    VertexState fill(compile_text(source, true), "Fill");
    const Cost four = fill.connect("in", in).connect("out", target).run(0, &recorder);
    EXPECT_EQ(target, in);
    EXPECT_THAT(recorder.accesses, ElementsAre(Access{'i', 0, 16, 27}, Access{'T', 0, 16, 27}));
    in.resize(2);
    fill.connect("in", in);
    EXPECT_EQ(four - fill.run(0, &recorder), 2U);
}

TEST_F(CheckedCodelets, RunUnwatchedToo) {
    state.run();
    EXPECT_THAT(out, ElementsAre(13, 14));
}

constexpr const char* stopping = R"(#include <poplar/Vertex.hpp>
#include <cassert>
using namespace poplar;
__attribute__((noinline)) int next(int x) { return x + 1; }
class Stops : public Vertex {
  public:
    Input<int> how;
    InOut<int> value;
    Output<unsigned> result;
    void compute() {
        switch (*how) {
        case 0:
            while (*value != 0) *value = *value | 1;
            break;
        case 1:
            for (;;) *value = next(*value) | 1;
        case 2:
            *result = 7 / *value;
            break;
        case 3:
            *result = 7 % unsigned(*value);
            break;
        case 4:
            *value = (-2147483647 - 1) / *value;
            break;
        case 5:
            assert(*value > 100);
            break;
        case 6:
            __builtin_trap();
        case 7:
            *result = 8 / *value;
        }
    }
};
class Forgets : public Vertex {
  public:
    Output<int> value;
    bool compute() { *value = 3; }
};
)";

TEST(StoppedCodelets, SayWhyAndWhere) {
    struct Row {
        int how;
        int value;
        const char* message;
    };
    const std::vector<Row> rows = {
        {0, 1, "loop in line 13 does not end"},
        {1, 1, "loop in line 16 does not end"},
        {2, 0, "divides by zero"},
        {3, 0, "in line 21"},
        {4, -1, "overflows by dividing"},
        {5, 1, "'*value > 100' in line 27"},
        {6, 1, "stopped itself in line 30"},
    };
    struct Numbers {
        int how;
        int value;
    };
    for (const bool checked : {false, true}) {
        for (const Row& row : rows) {
            SCOPED_TRACE(row.message);
            unsigned result = 0;
            VertexState state(compile_text(stopping, checked), "Stops");
            state.connect("result", result);
            const auto give = [&](Numbers& numbers) {
                state.connect("how", numbers.how).connect("value", numbers.value);
            };
            Numbers stops = {row.how, row.value};
            give(stops);
            try {
                state.run(0, nullptr, nullptr, 100'000);
                ADD_FAILURE() << "did not stop";
            } catch (const Error& error) {
                EXPECT_THAT(error.what(), HasSubstr(row.message));
            }
            Numbers goes_on = {7, 2};
            give(goes_on);
            state.run();
            EXPECT_EQ(result, 4U);
        }
    }
}

TEST(StoppedCodelets, ForgettingToReturnIsHarmless) {
    int value = 0;
    VertexState(compile_text(stopping), "Forgets").connect("value", value).run();
    EXPECT_EQ(value, 3);
}

TEST(ReturningCodelets, TellWhenTheyReturnFalse) {
    const auto library = compile_text(R"(#include <poplar/Vertex.hpp>
using namespace poplar;
class Truth : public Vertex {
  public:
    Input<int> in;
    bool compute() { return *in > 0; }
};
class Nothing : public Vertex {
  public:
    Input<int> in;
    void compute() {}
};
class Chief : public SupervisorVertex {
  public:
    Input<int> in;
    bool compute() { return *in > 0; }
};
)");
    for (const char* name : {"Truth", "Nothing", "Chief"}) {
        for (int in : {0, 1}) {
            VertexState state(library, name);
            state.connect("in", in);
            bool returned = true;
            state.run_telling(returned);
            EXPECT_EQ(returned, in == 1 || std::string_view(name) == "Nothing") << name << in;
        }
    }
}

} // namespace

} // namespace tropic::tile::test
