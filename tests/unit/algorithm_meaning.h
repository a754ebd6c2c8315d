// What the constructs of the language compute on one small graph, worked out by hand; as the text
// has them and rearranged, on one thread and on two.
//
//   0 -> 1 (2), 0 -> 2 (5), 1 -> 2 (1), 2 -> 3 (4), 3 -> 1 (7), 4 -> 0 (3); 5 stands alone.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tropic/algorithm.h"

namespace tropic::test {

inline Tensor small_graph() {
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{0, 2, 3, 4, 5, 6, 6}, {},
                                                 "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(std::vector<std::int32_t>{1, 2, 2, 3, 1, 0}, {},
                                                 "coordinates");
    return {{6, 6},
            Format::csr(),
            std::move(levels),
            Array::copy_of<std::int32_t>(std::vector<std::int32_t>{2, 5, 1, 4, 7, 3}, {}, "values"),
            true,
            true};
}

struct MeaningCase {
    const char* name;
    const char* body; ///< of f(A: graph<int>, s: vertex) -> n: double, where s is 0
    double expected;
    const char* definitions = "";
};

inline void expect_meaning(const MeaningCase& one) {
    const std::string text = std::string(one.definitions) +
                             "\ndef f(A: graph<int>, s: vertex) -> n: double {\n" + one.body +
                             "\n}\n";
    const PreparedGraph graph(small_graph());
    for (const bool optimise : {false, true}) {
        const Algorithm algorithm =
            Algorithm::from_text(text, {.function = "f", .optimise = optimise, .cache = false});
        for (const int threads : {1, 2}) {
            const AlgorithmResult result =
                algorithm.run({{"A", graph}, {"s", 0}}, Context({.threads = threads}));
            EXPECT_EQ(result.number("n"), one.expected)
                << algorithm.show(AlgorithmStage::algorithm);
        }
    }
}

inline std::string meaning_name(const testing::TestParamInfo<MeaningCase>& one) {
    return one.param.name;
}

} // namespace tropic::test
