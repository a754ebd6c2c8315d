// Arbitrary text as a generator expression. The limit is small enough that every graph that is made
// is made at once.
#include "cpu_limit.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    static const tropic::Context context({.threads = 1, .memory_limit = 2 << 20});
    const std::string_view expression(reinterpret_cast<const char*>(data), size);
    try {
        const tropic::Graph graph = tropic::generate(expression, {}, context);
        graph.tensor.check(context);
    } catch (const tropic::Error&) {
    }
    return 0;
}
