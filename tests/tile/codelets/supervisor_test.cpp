// Supervisors that start workers in all the ways programs write it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

namespace {

/// A worker that notes what it was, and a supervisor with the given body around it.
std::string with_body(const std::string& body, const std::string& before = "") {
    return R"(
#include <arch/gc_tile_defines.h>
#include <poplar/Vertex.hpp>
using namespace poplar;
namespace ns {
class Note : public Vertex {
  public:
    InOut<Vector<int>> seen;
    Output<int> total;
    bool compute() {
        unsigned worker = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK;
        for (unsigned i = 0; i <= worker; ++i) seen[worker] += 1;
        return true;
    }
};
template <class T, bool b> class Typed : public Vertex {
  public:
    InOut<Vector<int>> seen;
    Output<int> total;
    bool compute() {
        seen[__builtin_ipu_get(CSR_W_WSR__INDEX) & 7] = 100;
        return true;
    }
};
template class Typed<unsigned int, true>;
} // namespace ns
)" + before +
           R"(
class Start : public SupervisorVertex {
  public:
    InOut<Vector<int>> seen;
    Output<int> total;
    __attribute__((target("supervisor"))) bool compute() {
)" + body + R"(
        int sum = 0;
        for (unsigned i = 0; i < seen.size(); ++i) sum += seen[i];
        total = sum;
        return true;
    }
};
)";
}

struct Result {
    std::vector<int> seen = std::vector<int>(6);
    int total = 0;
    Cost cost = 0;
};

Result run(const std::string& source) {
    Result result;
    VertexState state(compile_text(source), "Start");
    state.connect("seen", result.seen).connect("total", result.total);
    result.cost = state.run();
    return result;
}

struct Way {
    const char* name;
    const char* body;
    std::vector<int> seen;
    const char* before = "";
};

void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}

const std::vector<Way> ways = {
    {"OneStatement",
     R"(
        __asm__ volatile("setzi $m1, __runCodelet_ns__Note\n"
                         "runall $m1, $m0, 0\n"
                         "sync %[zone]\n" ::[zone] "i"(TEXCH_SYNCZONE_LOCAL));)",
     {1, 2, 3, 4, 5, 6}},
    {"SpacesAndComments",
     R"(
        asm volatile("\tsetzi\t$m5 ,__runCodelet_ns__Note // the worker\n\n"
                     "  runall $m5,$m0,0;sync 0x0 # wait\n");)",
     {1, 2, 3, 4, 5, 6}},
    {"SeveralStatements",
     R"(
        asm volatile("setzi $m1, __runCodelet_ns__Note");
        asm volatile("runall $m1, $m0, 0");
        asm volatile("sync 0");)",
     {1, 2, 3, 4, 5, 6}},
    {"Clobbers",
     R"(
        __asm__ __volatile__("setzi $m1, __runCodelet_ns__Note\nrunall $m1, $m0, 0\nsync 0"
                             : : : "$m0", "$m1", "$m10", "memory");)",
     {1, 2, 3, 4, 5, 6}},
    {"Operands",
     R"(
        unsigned *worker;
        asm volatile(" setzi %[worker], __runCodelet_ns__Note\n" : [worker] "=r"(worker));
        asm volatile(" runall %[worker], %[state], 0\n" : : [worker] "r"(worker), [state] "r"(this));
        asm volatile(" sync %[zone]" : : [zone] "i"(TEXCH_SYNCZONE_LOCAL));)",
     {1, 2, 3, 4, 5, 6}},
    {"RegisterOf32Bits",
     R"(
        unsigned worker;
        asm volatile("setzi %0, __runCodelet_ns__Note" : "=r"(worker));
        runAll(worker, this);
        asm volatile("sync 0");)",
     {1, 2, 3, 4, 5, 6},
     R"(static __attribute__((target("supervisor"))) void runAll(unsigned w, void *state) {
            asm volatile("runall %0, %1, 0" :: "r"(w), "r"(state));
        })"},
    {"SingleWorkers",
     R"(
        asm volatile("setzi $m1, __runCodelet_ns__Note\n"
                     "run $m1, $m0, 1\n"
                     "run $m1, $m0, 4\n"
                     "sync 0");)",
     {0, 2, 0, 0, 5, 0}},
    {"Twice",
     R"(
        asm volatile("setzi $m1, __runCodelet_ns__Note\nrunall $m1, $m0, 0\nsync 0\n"
                     "setzi $m2, __runCodelet_ns__Note\nrunall $m2, $m0, 0\nsync 0");)",
     {2, 4, 6, 8, 10, 12}},
    {"Template",
     R"(
        asm volatile("setzi $m1, __runCodelet_ns__Typed___unsigned_int_true\n"
                     "mov $m2, $m0\nrunall $m1, $m2, 0\nnop\nsync 0");)",
     {100, 100, 100, 100, 100, 100}},
    {"InAHelper",
     R"(
        go();)",
     {1, 2, 3, 4, 5, 6},
     nullptr},
    {"Barrier",
     R"(
        asm volatile("" ::: "memory");)",
     {0, 0, 0, 0, 0, 0}},
};

class SupervisorWays : public ::testing::TestWithParam<Way> {};

TEST_P(SupervisorWays, StartsItsWorkers) {
    const Way& way = GetParam();
    std::string source = with_body(way.body, way.before == nullptr ? "" : way.before);
    if (way.before == nullptr) {
        const std::string helper = R"(    void go() {
        asm volatile("setzi $m1, __runCodelet_ns__Note\nrunall $m1, $m0, 0\nsync 0");
    }
)";
        const auto at = source.find("    __attribute__((target(\"supervisor\"))) bool compute()");
        source.insert(at, helper);
    }
    const Result result = run(source);
    EXPECT_EQ(result.seen, way.seen);
    int sum = 0;
    for (const int one : way.seen) sum += one;
    EXPECT_EQ(result.total, sum);
}

INSTANTIATE_TEST_SUITE_P(Codelets, SupervisorWays, ::testing::ValuesIn(ways),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Supervisor, CostsItsInstructionsAndTheSlowestWorker) {
    const std::string start = "asm volatile(\"setzi $m1, __runCodelet_ns__Note\\n"
                              "runall $m1, $m0, 0\\nsync 0\");";
    const Cost none = run(with_body("")).cost;
    const Cost once = run(with_body(start)).cost;
    const Cost twice = run(with_body(start + start)).cost;
    EXPECT_EQ(none % 6, 0U);
    EXPECT_EQ(twice - once, once - none);
    // setzi 1, runall 6 and sync 6 cycles, and six for each slot of the worker with most rounds.
    std::vector<int> seen(6);
    int total = 0;
    VertexState note(compile_text(with_body("")), "ns::Note");
    note.connect("seen", seen).connect("total", total);
    EXPECT_EQ(once - none, 13 + 6 * note.run(5));
}

TEST(Supervisor, WorksWhileItsWorkersDo) {
    const std::string start = "asm volatile(\"setzi $m1, __runCodelet_ns__Note\\n"
                              "run $m1, $m0, 5\");";
    const std::string wait = "asm volatile(\"sync 0\");";
    const std::string work = "int n = 0; for (unsigned i = 0; i < 3; ++i) n += seen[i]; total = n;";
    const Cost apart = run(with_body(start + wait + work)).cost;
    const Cost together = run(with_body(start + work + wait)).cost;
    EXPECT_LT(together, apart);
    EXPECT_GE(together, run(with_body(start + wait)).cost);
    // Whoever forgets to wait waits at the end.
    EXPECT_EQ(run(with_body(start)).seen[5], 6);
}

TEST(Supervisor, ReadsAndWritesStatusRegisters) {
    const Result result = run(with_body(R"(
        unsigned status;
        asm volatile("get %[status], %[index]" : [status] "=r"(status) : [index] "i"(CSR_W_WSR__INDEX));
        asm volatile("put %0, %1" : : "i"(CSR_W_WSR__INDEX), "r"(3));
        seen[0] = status + 40;)"));
    EXPECT_EQ(result.seen[0], 40);
}

TEST(Supervisor, TellsTheObserverWhoRuns) {
    struct Watcher : AccessObserver {
        std::vector<int> workers;
        void on_load(const void*, std::uint32_t, std::uint32_t) override {}
        void on_store(const void*, std::uint32_t, std::uint32_t) override {}
        void on_worker(int worker) override { workers.push_back(worker); }
    } watcher;
    std::vector<int> seen(6);
    int total = 0;
    VertexState state(compile_text(with_body("asm volatile(\"setzi $m1, __runCodelet_ns__Note\\n"
                                             "runall $m1, $m0, 0\\nsync 0\");"),
                                   true),
                      "Start");
    state.connect("seen", seen).connect("total", total).run(0, &watcher);
    EXPECT_THAT(watcher.workers, testing::ElementsAre(0, 1, 2, 3, 4, 5, -1));
}

} // namespace

} // namespace tropic::tile::test
