// Arbitrary bytes as a DIMACS file.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return tropic::fuzz::read(data, size, "input.gr", tropic::FileFormat::dimacs);
}
