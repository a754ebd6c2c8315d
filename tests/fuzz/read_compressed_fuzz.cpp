// Arbitrary bytes as a compressed edge list: streams that are cut short, broken or endless.
#include "cpu_limit.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    if (size == 0) return 0;
    const char* const names[] = {"input.el.gz", "input.el.xz", "input.el.zst"};
    return tropic::fuzz::read(data, size, names[data[0] / 64 % 3], tropic::FileFormat::edge_list);
}
