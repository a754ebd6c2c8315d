// What tests of algorithms through the public interface share.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "temporary_folder.h"
#include "tropic/algorithm.h"
#include "tropic/error.h"

namespace tropic::test {

/// A breadth-first search with results of three kinds.
inline constexpr const char* search = R"(# How far vertices are.
def search(A: graph,             # where
           source: vertex,       # from
           most: int = 1000      # not farther than this
          ) -> level: vector<int>, depth: int, reached: set {
    level[i] = -1;
    level[source] = 0;
    front = {source};
    reached = {source};
    depth = 0;
    while (front) {
        if (depth == most) break;
        depth += 1;
        front[j]<level[j] < 0> = front[i] @(any, pair) A[i, j];
        level[j]<front> = depth;
        reached |= front;
    }
}
)";

struct AlgorithmFixture : testing::Test {
    AlgorithmFixture() { options.cache_directory = folder.file("cache"); }

    Algorithm make(const char* text) const { return Algorithm::from_text(text, options); }

    TemporaryFolder folder;
    AlgorithmOptions options;
};

/// The error of a call that must fail.
template <class Call> Diagnostic failure_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.diagnostic();
    }
    ADD_FAILURE() << "nothing went wrong";
    return {};
}

inline Tensor vector_of(const std::vector<double>& values) {
    return {{static_cast<Index>(values.size())},
            Format::dense_vector(),
            std::vector<Level>(1),
            Array::copy_of<double>(values, {}, "a vector"),
            true,
            true};
}

} // namespace tropic::test
