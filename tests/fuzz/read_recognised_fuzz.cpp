// Arbitrary bytes without a name: the format, and a compression, are guessed from the content.
#include "cpu_limit.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    return tropic::fuzz::read(data, size, "input", std::nullopt);
}
