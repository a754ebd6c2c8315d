// Arbitrary bytes without a name: the format, and a compression, are guessed from the content.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return tropic::fuzz::read(data, size, "input", std::nullopt);
}
