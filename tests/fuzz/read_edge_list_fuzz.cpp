// Arbitrary bytes as an edge list; the second byte chooses among the options only edge lists have.
#include "cpu_limit.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tropic::fuzz::CpuLimit limit;
    if (size < 2) return 0;
    const unsigned choice = data[1];
    tropic::ReadOptions options;
    options.base = static_cast<tropic::IdBase>(choice % 3);
    options.bipartite = (choice & 4) != 0;
    if ((choice & 8) != 0) options.weighted = (choice & 16) != 0;
    // The seeds and findings stay readable: both choices stand in front of the text.
    std::string input(reinterpret_cast<const char*>(data), size);
    input.erase(1, 1);
    return tropic::fuzz::read(reinterpret_cast<const std::uint8_t*>(input.data()), input.size(),
                              "input.txt", tropic::FileFormat::edge_list, options);
}
