// Rearranging leaves everything as the text has it: where loops are left early or never run, where
// something is read before it is written, and where what makes a set does more with its members.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tropic/algorithm.h"

namespace tropic {
namespace {

struct Case {
    const char* name;
    const char* body; ///< of f(A: graph) -> x: vector<int>, on a path of five vertices
    std::vector<std::int32_t> expected;
};

const std::vector<Case> cases = {
    {"a_set_emptied_before_a_break",
     "f = {}; k = 0; while (k < 3) { k += 1; f = {}; if (k == 2) break;"
     "each i in vertices(A) { if (i != 1) insert(f, i); } } x[i]<f> = 1;",
     {0, 0, 0, 0, 0}},
    {"a_set_emptied_before_a_continue",
     "f = {2}; b = {i : i > 1}; k = 0; do { k += 1; f = {}; if (k == 2) continue;"
     "each i in b insert(f, i); } until (k >= 2); x[i]<f> = 1;",
     {0, 0, 0, 0, 0}},
    {"a_set_emptied_before_an_endless_loop_ends",
     "g = {}; each i in vertices(A) insert(g, i); h = g; k = 0;"
     "while (true) { k += 1; g = {}; if (k == 2) break; each i in h insert(g, i); }"
     "x[i]<!g> = 1;",
     {1, 1, 1, 1, 1}},
    {"a_set_copied_before_a_break_in_a_branch",
     "h = {i : i < 2}; g = {i : i < 3}; k = 0; while (k < 3) { k += 1;"
     "if (k < 5) { g = h; if (k == 2) break; h = {i : i == k}; } }"
     "x[i]<h> += 1; x[i]<g> += 10;",
     {0, 11, 0, 0, 0}},
    {"a_vector_copied_before_a_break_in_branches",
     "y: vector<int>; x[i] = i; k = 0; while (k < 3) { k += 1;"
     "if (k < 5) { if (k > 0) { y = x; if (k == 2) break; } x[i] = i + 5; } }"
     "x[i] += 100 * y[i];",
     {505, 606, 707, 808, 909}},
    {"a_vector_copied_before_a_continue",
     "y: vector<int>; x[i] = i; for q in range(0, 3) { y = x; if (q == 1) continue;"
     "x[i] = y[i] + 1; } x[i] += 100 * y[i];",
     {102, 203, 304, 405, 506}},
    {"read_before_it_is_written_in_the_first_round",
     "y: vector<int>; k = 0; while (k < 3) { k += 1; x[i] += y[i]; y[i] = i * 2; }",
     {0, 4, 8, 12, 16}},
    {"a_sum_before_it_is_written_in_the_first_round",
     "y: vector<int>; z: vector<int>; z[i] = i + 1; k = 0; n = 0;"
     "do { k += 1; n += sum[i](y[i]); y[i] = z[i] * 2; } until (k > 2); x[i] = n;",
     {60, 60, 60, 60, 60}},
    {"a_division_behind_a_break",
     "y: vector<int>; d = count(A) - 8; k = 0; n = 0; while (k < 3) { k += 1; if (d == 0) break;"
     "y[i] = 7 / d; n += sum[i](y[i]); } x[i] = n + k;",
     {1, 1, 1, 1, 1}},
    {"an_index_in_a_loop_that_does_not_run",
     "p: vector<vertex>; p[i] = none; y: vector<int>; k = 0; n = 3;"
     "while (k < 0) { k += 1; y[i] = x[p[i]]; n += sum[i](y[i]); } x[i] = n;",
     {3, 3, 3, 3, 3}},
    {"members_read_after_their_maker_changed_them",
     "y: vector<int>; y[i] = i + 1; g = {};"
     "each i in vertices(A) { if (y[i] > 2) insert(g, i); y[i] = y[i] + 100; }"
     "each i in g { x[i] = y[i]; }",
     {0, 0, 103, 104, 105}},
    {"members_changed_after_their_maker_changed_them",
     "x[i] = i + 1; g = {};"
     "each i in vertices(A) { if (x[i] > 2) insert(g, i); x[i] = x[i] + 100; }"
     "each i in g { x[i] = 1; }",
     {101, 102, 1, 1, 1}},
    {"members_that_others_find",
     "p: vector<vertex>; p[i] = 4 - i; p[0] = 0; p[4] = 0; g = {};"
     "each i in vertices(A) { insert(g, p[i]); } each k in g { x[k] += 1; }",
     {1, 1, 1, 1, 0}},
    {"members_that_several_edges_find",
     "g = {}; each i in vertices(A) { for j in A[i] insert(g, j); } each k in g { x[k] += 1; }",
     {1, 1, 1, 1, 1}},
    {"members_found_at_two_places",
     "g = {}; each i in vertices(A) { if (i > 2) insert(g, i); insert(g, i); }"
     "each k in g { x[k] += 1; }",
     {1, 1, 1, 1, 1}},
    {"members_found_in_either_arm",
     "g = {}; each i in vertices(A) { if (i > 1) insert(g, i);"
     "else { if (i > 0) insert(g, i); } } each k in g { x[k] += 1; }",
     {0, 1, 1, 1, 1}},
    {"members_found_by_each_of_their_edges",
     "g = {}; each i in vertices(A) { for j in A[i] { if (j > 1) insert(g, i); } }"
     "each i in g { x[i] += 1; }",
     {0, 1, 1, 1, 1}},
    {"members_of_another_set_that_is_made_with_them",
     "h = {0}; g = {}; each i in vertices(A) { insert(g, i); if (i > 1) insert(h, i); }"
     "each i in g { if (h[i]) x[i] = 1; }",
     {1, 0, 1, 1, 1}},
    {"members_with_a_value_that_grows_later",
     "s: sparse<int>; each i in vertices(A) { if (i > 1) { s[i] = i; s[i] += 5; } }"
     "each i in s { x[i] = s[i]; }",
     {0, 0, 7, 8, 9}},
};

class AlgorithmOrder : public testing::TestWithParam<bool> {};

TEST_P(AlgorithmOrder, IsTheTexts) {
    for (const Case& c : cases) {
        const Algorithm algorithm =
            Algorithm::from_text(std::string("def f(A: graph) -> x: vector<int> {") + c.body + "}",
                                 {.optimise = GetParam(), .cache = false});
        for (const int threads : {1, 2}) {
            const AlgorithmResult result =
                algorithm.run({{"A", "path:5"}}, Context({.threads = threads}));
            EXPECT_THAT(result.values<std::int32_t>("x"), testing::ElementsAreArray(c.expected))
                << c.name << ", threads " << threads;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Optimised, AlgorithmOrder, testing::Bool());

} // namespace
} // namespace tropic
