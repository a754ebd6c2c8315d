#include "support/counted.h"

#include <gtest/gtest.h>

namespace tropic {
namespace {

TEST(Counted, IsRightForOne) {
    struct Case {
        Index count;
        std::string_view things;
        std::string_view text;
    };
    constexpr Case cases[] = {
        {0, "edges", "0 edges"},
        {1, "edges", "1 edge"},
        {2, "edges", "2 edges"},
        {1, "vertices", "1 vertex"},
        {11, "vertices", "11 vertices"},
        {1, "entries", "1 entry"},
        {1, "vertex sizes", "1 vertex size"},
        {-1, "weights", "-1 weights"},
    };
    for (const Case& c : cases) EXPECT_EQ(counted(c.count, c.things), c.text);
}

} // namespace
} // namespace tropic
