// Arbitrary bytes as a FROSTT tensor file.
#include "cpu_limit.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    return tropic::fuzz::read(data, size, "input.tns", tropic::FileFormat::frostt);
}
