// Stands for a compiled program in tests of what goes on around one: reads input "0", counts its
// entries and adds up its rows.
#include "machines/cpu/runtime.h"

using namespace tropic::cpu;

namespace {

constexpr std::int64_t float64 = 11;
constexpr std::int8_t csr_kinds[] = {0, 1};
constexpr std::int8_t csr_order[] = {0, 1};
constexpr FormatView csr = {2, csr_kinds, csr_order};
constexpr FormatView dense = {1, csr_kinds, csr_order};

void add_rows(void* const* frame, std::int64_t, std::int64_t begin, std::int64_t end, Worker*) {
    const auto* a = static_cast<const TensorView*>(frame[0]);
    const auto* pos = static_cast<const std::int32_t*>(a->levels[1].pos);
    const auto* values = static_cast<const double*>(a->values);
    auto* sums = static_cast<double*>(static_cast<const TensorView*>(frame[1])->values);
    for (std::int64_t i = begin; i < end; ++i) {
        double sum = 0;
        for (std::int32_t p = pos[i]; p < pos[i + 1]; ++p) sum += values[p];
        sums[i] = sum;
    }
}

} // namespace

extern "C" [[gnu::visibility("default")]] void tropic_program(const Runtime* runtime,
                                                              Session* session) {
    const std::int64_t any[] = {-1, -1};
    runtime->begin_statement(session, "line 5, column 5", "A[i, j] = comet_read(0)");
    TensorView* const a = runtime->read(session, "0", 1, float64, &csr, any, "line 5, column 5");
    runtime->end_statement(session);
    TensorView* const sums = runtime->dense(session, float64, &dense, &a->levels[0].size);
    void* frame[] = {a, sums};
    runtime->plan(session, a->levels[0].size, a->levels[1].pos, 1);
    runtime->run(session, add_rows, frame);
    runtime->print_tensor(session, sums, float64, &dense, 0);
    runtime->tensor_result(session, "y", sums, float64, &dense);
    runtime->integer_result(session, "n", a->entries);
    runtime->real_result(session, "x", 0.5);
}
