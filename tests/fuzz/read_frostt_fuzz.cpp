// Arbitrary bytes as a FROSTT tensor file.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return tropic::fuzz::read(data, size, "input.tns", tropic::FileFormat::frostt);
}
