// Which function of the library each kernel is, and how it is called.
#pragma once

#include "contestant.h"
#include "tropic/algorithm.h"

namespace tropic::bench {

/// "sssp", "delta_stepping".
struct LibraryName {
    std::string algorithm;
    std::string function;
};
LibraryName library_name(Kernel kernel);

/// `largest` of the edge values decides the type that shortest paths keep them in, as it does for
/// sssp().
Algorithm library_algorithm(Kernel kernel, std::int64_t largest, bool cache = true);
Arguments library_arguments(const Task& task, const PreparedGraph& graph);
Answer library_answer(Kernel kernel, const AlgorithmResult& result);

} // namespace tropic::bench
