// Codelets that are one loop: their text, and what a round of the loop costs.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "vertex_state.h"

namespace tropic::tile::test {

constexpr std::uint32_t rounds = 12;

/// A row of a table: a loop, what each round of it costs and, where that is of interest, everything
/// else together.
struct CountedLoop {
    const char* name;
    const char* body;
    Cost each;
    std::optional<Cost> rest = {};
    const char* head = "for (unsigned i = 0; i < size; ++i)";
};

inline void PrintTo(const CountedLoop& loop, std::ostream* out) {
    *out << loop.name;
}

inline std::string name_of(const ::testing::TestParamInfo<CountedLoop>& info) {
    return info.param.name;
}

/// What stands around the loops of a table.
struct LoopFrame {
    const char* outside; ///< the class
    const char* fields;  ///< besides `size`
    const char* before;  ///< the loop
    const char* after;
};

/// The vertex Count, whose loop goes as far as its field `size` says.
inline std::string source_of(const LoopFrame& frame, const CountedLoop& loop) {
    return std::string(frame.outside) + "class Count : public poplar::Vertex {\n  public:\n" +
           frame.fields + "    unsigned size;\n    void compute() {\n" + frame.before + loop.head +
           " { " + loop.body + " }\n" + frame.after + "    }\n};\n";
}

/// `cost_of` runs the vertex with so many rounds. Returns the cost of `rounds`.
template <class CostOf> Cost expect_counts(const CountedLoop& loop, const CostOf& cost_of) {
    const Cost once = cost_of(rounds);
    const Cost twice = cost_of(2 * rounds);
    const Cost each = (twice - once) / rounds;
    EXPECT_EQ((twice - once) % rounds, 0U);
    EXPECT_EQ(each, loop.each);
    if (loop.rest) EXPECT_EQ(once - rounds * each, *loop.rest);
    return once;
}

} // namespace tropic::tile::test
