// What numbers are on their way: keys, infinities, widths, indices, bits; and that each is worked
// out once.
#include "algorithm_meaning.h"

namespace tropic {
namespace {

const std::vector<test::MeaningCase> cases = {
    {"scattered_minima_from_nothing", "y: sparse<int>; y[i % 2] min= i + 4; n = y[0] * 10 + y[1];",
     45},
    {"workspaces_gather_from_nothing",
     "each i in vertices(A) { with v: sparse<int> {"
     " for j, q in A[i] { v[0] min= q; v[1] *= q; v[2] += q; }"
     " for l, k in v n += l == 0 ? k : l == 1 ? 10 * k : 100 * k; } }",
     802 + 111 + 444 + 777 + 333},
    {"monoids_by_their_signs",
     "x[j] = |[i](A[i, j]); y[j] = +[i](A[i, j]); z[j] = *[i](A[i, j]); w[j] = &[i](A[i, j]);"
     "n = x[1] * 1000000 + y[1] * 10000 + z[1] * 100 + w[1];",
     7091402},
    {"buckets_below_zero",
     "d: vector<int> = infinity; d[s] = -5; k: vector<int>; t: int64 = 0;"
     "for i in buckets(d, 3, {s}) { k[i] = bucket; for j, w in A[i] d[j] min= d[i] + w; }"
     "n = k[0] * 1000 + k[1] * 100 + k[2] * 10 + k[3];",
     -2000 - 100 - 10 + 0},
    {"buckets_below_zero_by_shifts",
     "d: vector<int> = infinity; d[s] = -5; k: vector<int>;"
     "for i in buckets(d, 4, {s}) { k[i] = bucket; for j, w in A[i] d[j] min= d[i] + w; }"
     "n = k[0] * 1000 + k[1] * 100 + k[2] * 10 + k[3];",
     -2000 - 100 - 10 + 0},
    {"buckets_of_reals_below_zero",
     "d: vector<double> = infinity; d[s] = -5; k: vector<int>;"
     "for i in buckets(d, 3, {s}) { k[i] = bucket; for j, w in A[i] d[j] min= d[i] + w; }"
     "n = k[0] * 1000 + k[1] * 100 + k[2] * 10 + k[3];",
     -2000 - 100 - 10 + 0},
    {"keys_that_fall_below_the_bucket",
     "d: vector<int> = 100; d[s] = 20; m: int64 = 0;"
     "for i in buckets(d, 1, {s}) { m += 1; for j in A[i] if (j > i) d[j] min= d[i] - 1; }"
     "n = 1000 * (d[1] + d[2] + d[3]) + bucket_of_all(m);",
     (17 + 18 + 19) * 1000 + 1, "operator bucket_of_all(m) = m >= 4 ? 1 : 0;"},
    {"keys_done_before_are_passed_over",
     "d: vector<int> = infinity; d[s] = 0; m: vector<int>;"
     "for i in buckets(d, 1, {s}) { m[i] += 1; for j, w in A[i] d[j] min= d[i] + w; }"
     "n = sum[i](m[i]) * 100 + d[2] * 10 + m[2];",
     431},
    {"infinite_keys_come_last",
     "d: vector<double> = infinity; d[s] = 1; m: vector<int>; t: int64 = 0; a = {0, 5};"
     "for i in buckets(d, 1, a) { m[i] += 1; } n = m[0] * 10 + m[5];",
     11},
    {"largest_keys_come_last",
     "d: vector<int64> = infinity; d[s] = -infinity; m: vector<int>; a = {0, 5};"
     "for i in buckets(d, 1, a) { m[i] += 1; } n = m[0] * 10 + m[5];",
     11},
    {"records_are_the_same_or_not",
     "a = Both(1, 0.5); b = Both(1, 0.5); c = Both(2, 0.5);"
     "n = (a == b ? 1 : 0) + (a != c ? 10 : 0) + (a == c ? 100 : 0) + (a != b ? 1000 : 0);",
     11, "record Both { first: int; other: double; }"},
    {"vertices_of_wide_numbers", "b: int64 = 3; x: vector<int>; x[i] = i; n = x[vertex(b)] + x[b];",
     6},
    {"a_vertex_beside_a_large_constant",
     "b: vector<int64>; b[i] = i + 3000000000; e: vector<double>; e[i] = i * 3000000000;"
     "d: vector<int>; d[i]<i + 3000000000 > 2500000000> = 1;"
     "n = b[1] + e[2] + sum[i](i + 3000000000) + sum[i](d[i]);",
     3000000001.0 + 6000000000.0 + 18000000015.0 + 6},
    {"infinity_stays_in_a_semiring",
     "d: vector<int>; d[i] = infinity; d[s] = 0; d[j] min= d[i] @(min, +) A[i, j];"
     "e: vector<int64>; e[i] = infinity; e[s] = 0; e[j] min= e[i] @far A[i, j];"
     "n = 1000 * count[i](d[i] < infinity) + 100 * d[1] + 10 * e[2] + count[i](e[i] < infinity);",
     3000 + 200 + 50 + 3, "semiring far = (min, +);"},
    {"infinity_stays_in_a_semiring_of_more_than_two",
     "d: vector<int>; d[i] = infinity; d[s] = 0; y: vector<int>;"
     "y[j] = d[i] @(min, +) A[i, j] @(min, +) (d[i] - 9); z: vector<int>;"
     "z[j] = d[i] @(min, +) (A[i, j] - 9); n = 100 * count[i](y[i] < infinity) +"
     "10 * count[i](z[i] < infinity) - z[1];",
     200 + 20 + 7},
    {"infinity_stays_in_wider_types",
     "d: vector<int>; d[i] = infinity; d[s] = 0; x: vector<int64>; x[j] = d[i] @(min, +) A[i, j];"
     "y: vector<double>; y[j] = d[i] @(min, +) A[i, j];"
     "n = 100 * count[i](x[i] == infinity) + 10 * count[i](y[i] == infinity) + x[1] + y[2];",
     400 + 40 + 2 + 5},
    {"infinity_stays_with_wider_values",
     "d: vector<int>; d[i] = infinity; d[s] = 0; w: vector<int64, edges(A)>; w[i, j] = -4;"
     "d[j] min= d[i] @(min, +) w[i, j]; n = 10 * count[i](d[i] < infinity) - d[2];",
     34},
    {"the_least_stays_in_a_semiring",
     "d: vector<int>; d[i] = -2147483648; d[s] = 0; d[j] max= d[i] @(max, +) A[i, j];"
     "u: vector<uint8>; v: vector<uint8>; v[j] = u[i] @(max, +) A[i, j];"
     "n = 1000 * count[i](d[i] > -2147483648) + 100 * d[1] + 10 * d[2] + v[3];",
     3000 + 200 + 50 + 4},
    {"infinity_stays_in_lanes",
     "d: vector<int[2]>; d[i] = lanes(2147483647, 7); d[s] = lanes(0, 1); e: vector<int[2]>;"
     "e[j] = d[i] @(min, +) A[i, j]; n = 100 * count[i](e[i][0] < infinity) + e[3][1];",
     211},
    {"an_index_is_worked_out_once",
     "t = {}; y: sparse<int>; y[insert(t, 3) ? 1 : 5] = 7; y[insert(t, 4) ? 2 : 5] += 2; u = {};"
     "z: sparse<int>; each i in vertices(A) { for j, q in A[i] z[j] min= q; }"
     "k = z[insert(u, 3) ? 3 : 5]; x: vector<int>; c: vector<int>;"
     "x[swap(c[0], 0, 1) ? 2 : 4] += 3;"
     "n = 10000 * x[2] + 1000 * count(y) + 100 * y[1] + 10 * y[2] + k + count(u);",
     30000 + 2000 + 700 + 20 + 4 + 1},
    {"an_index_of_a_member_is_worked_out_once",
     "t = {}; u = {}; y: sparse<int>; each i in vertices(A) { y[insert(t, i) ? 1 : 5] += 1;"
     "with v: sparse<int> { v[insert(u, i) ? 0 : 1] min= 2; n += v[0]; } }"
     "n = 100 * n + 10 * count(y) + y[1];",
     1200 + 10 + 6},
    {"an_index_of_a_key_is_worked_out_once",
     "d: vector<int>; d[i] = infinity; d[s] = 0; t = {};"
     "for i in buckets(d, 2, {s}) { for j, w in A[i] d[insert(t, j) ? j : s] min= d[i] + w; }"
     "n = sum[i](d[i] : d[i] < infinity);",
     0 + 2 + 5 + 9},
    {"an_index_of_a_field_is_worked_out_once",
     "t = {}; y: sparse<Two>; y[insert(t, 3) ? 1 : 5].a = 7; y[insert(t, 4) ? 1 : 5].b += 2;"
     "n = 100 * count(y) + 10 * y[1].a + y[1].b;",
     172, "record Two { a: int; b: int; }"},
    {"a_row_of_a_table_is_found_once",
     "t: table<int, 3>; u = {}; t[insert(u, 1) ? 0 : 1, k] = 5; c: vector<int>;"
     "t[next(c), k] += 1; n = 1000 * c[0] + 100 * t[0, 0] + 10 * t[0, 1] + t[1, 2];",
     1000 + 500 + 50 + 1, "def next(c: vector<int>) -> y: int { c[0] += 1; y = c[0]; }"},
    {"what_operators_take_is_worked_out_once",
     "t = {}; n = twice(insert(t, 3) ? 2 : 1) + 10 * twice(insert(t, 3) ? 2 : 1);"
     "a = Two(1, 2); b = Two(1, 3); n += (insert(t, 4) ? a : b) == a ? 100 : 0;",
     124, "operator twice(x) = x + x; record Two { a: int; b: int; }"},
    {"what_is_joined_is_worked_out_once",
     "t = {}; y: sparse<int>; y[2] = 5; z[i] = y[i] @(+) (insert(t, i) ? 1 : 100);"
     "n = 10 * sum[i](z[i]) + size(z);",
     116},
    {"masks_are_asked_once",
     "t = {1}; x: vector<int> = 1; x[i]<insert(t, i), replace> = 5; u = {1}; y: sparse<int>;"
     "y[i] = 1; y[i]<insert(u, i), keep> = 5; n = 100 * sum[i](x[i]) + sum[i](y[i]);",
     2500 + 26},
    {"the_left_side_comes_first",
     "x: vector<int>; y[i] = 10 * i; n = x[0] + y[swap(x[0], 0, 5) ? 1 : 2]; c: vector<int> = 3;"
     "n += 1000 * c[0] + 100 * next(c); v: float[2] = lanes(next(c), next(c));"
     "n += 100000 * v[0] + 1000000 * v[1] + 10000000 * c[0];",
     10 + 3000 + 400 + 500000 + 6000000 + 60000000,
     "def next(c: vector<int>) -> y: int { c[0] += 1; y = c[0]; }"},
    {"what_is_put_here_and_there_is_worked_out_once",
     "y: sparse<int>; c: vector<int>; p: vector<int> = 3; y[p[i]] += next(c, i);"
     "n = 10 * y[3] + sum[i](c[i]);",
     66, "def next(c: vector<int>, i: vertex) -> y: int { c[i] += 1; y = 1; }"},
    {"either_of_sparse_numbers",
     "y: sparse<int>; y[2] = 5; y[4] = 1; w: sparse<int>; w[4] = 6; w[1] = 8; z[i] = y[i] | w[i];"
     "v: sparse<int>; v[i] = y[i] | w[i]; x: vector<int> = 9; x[i] = y[i] | w[i];"
     "n = 10000 * count(v) + 1000 * min[i](y[i] | w[i]) + 100 * count(z) + sum[i](x[i]);",
     30000 + 5000 + 300 + 27 + 20},
    {"either_of_more_sparse_numbers",
     "y: sparse<int>; y[2] = 5; w: sparse<int>; w[4] = 6; v: sparse<int>; v[4] = 1; v[0] = 2;"
     "z[i] = y[i] | w[i] | v[i]; t[i] = (y[i] + 8) | w[i]; d: vector<int> = 64; u[i] = y[i] | d[i];"
     "b[i] = y[i] > 3 | w[i] > 3;"
     "n = 10000 * size(u) + 1000 * count[i](b[i]) + 100 * count(z) + sum[i](z[i]) + 10 * t[4] + "
     "count(t) + 100000 * u[0];",
     60000 + 2000 + 300 + 14 + 60 + 2 + 6400000},
    {"divided_where_nothing_is",
     "y: sparse<double>; y[2] = 8; each i in vertices(A) { for j, q in A[i] y[j] /= q;"
     "with v: sparse<int> { v[1] /= 7; v[1] /= 2; n += v[1]; } } p: vector<int> = 3;"
     "z: sparse<int>; z[p[i]] /= i == 0 ? 100 : 2; w: sparse<int>; w[i] /= 3; w[2] /= 2;"
     "n += 1000 * count(y) + 100 * y[0] + 10 * y[3] + 5 * y[2] + 100000 * z[3] + 1000000 * w[1] +"
     "10000000 * w[2];",
     18 + 4000 + 300 + 40 + 8 + 300000 + 3000000 + 10000000},
    {"unsigned_ways",
     "d: vector<uint64> = infinity; d[0] = 0; d[j] min= d[i] @(min, +) A[i, j]; e: vector<uint64>;"
     "e[j] = d[i] @(min, +) A[i, j]; u: vector<uint32> = infinity; u[0] = 0;"
     "u[j] min= u[i] @(min, +) A[i, j]; n = 100000 * count[i](u[i] < infinity) +"
     "1000 * count[i](e[i] < infinity) + 100 * e[2] + 10 * count[i](d[i] < infinity) + d[2];",
     300000 + 3000 + 300 + 30 + 5},
    {"divided_by_what_is_wider",
     "w: vector<int> = 300; b: vector<int8> = 127; b[i] /= w[i]; n = sum[i](b[i]);"
     "c: vector<uint8> = 255; each i in vertices(A) { for j in A[i] c[j] /= w[j]; } k = 300;"
     "n += sum[i](c[i]); h: int8 = -128; h /= k; n += h; x: vector<int8> = -128; x[2] /= k;"
     "n += sum[i](x[i]); f: vector<int16> = 30000;"
     "f[j]<(j < 4)> /= sum[i](w[i] * w[i] : A[i, j]); n += sum[i](f[i]); q: int8[2] = 127;"
     "q /= k; n += sum(q); m: int8 = 100; m /= k - 290; n += m;",
     510 - 640 + 60000 + 10},
    {"sums_are_compared_before_they_are_cut_off",
     "g: vector<int> = 5; q: vector<int64> = 4294967297; g[j] min= sum[i](q[i] : A[i, j]);"
     "n = sum[i](g[i]);",
     20},
    {"choices_that_go_somewhere_wide_are_worked_out_there",
     "k: vector<int> = 100000; t: int64 = k[0] > 5 ? k[0] * k[0] : k[0]; d: vector<double>;"
     "d[i] = k[i] > 5 ? -(k[i] * k[i]) : 1; v: vector<int64>; v[i] = max(k[i] * k[i], 3);"
     "a: int64 = abs(k[1] * k[1]); p = sum[i](i > 0 ? k[i] * k[i] : 7);"
     "r: int64 = k[0] < 5 ? k[0] * k[0] : infinity;"
     "n = t / 1000000000 + 100 * (v[2] / 1000000000) + 10000 * (a / 1000000000) +"
     "(p - 7) / 10000 + d[1] / 10000000000 + (r == infinity ? 10000000 : 0);",
     10 + 1000 + 100000 + 5000000 - 1 + 10000000},
    {"bits_of_edges",
     "n = sum[i, j](3 & A[i, j]) + 100 * sum[i, j](A[i, j] & A[i, j]) +"
     "10000 * count[i, j](A[i, j] & 1) + 100000 * (A[0, 1] & 2); C[i, j] = A[i, j] & 6;"
     "n += 1000000 * sum[i, j](C[i, j]); x[i] = |[j](A[i, j] & 3); n += 100000000 * x[0] +"
     "1000000000.0 * sum[j](A[0, j] | 8);",
     10 + 2200 + 40000 + 200000 + 18000000 + 300000000 + 55000000000.0},
    {"edges_between_conditions",
     "a = {1}; b: bool = A[0, 1] & A[1, 2]; if (A[0, 1] & A[1, 2]) n = 1; if (b) n += 10;"
     "x[j] = count[i](a[i] & A[i, j]); y[j] = sum[i](A[i, j] & i > 0);"
     "n += 100 * sum[j](x[j]) + 1000 * sum[j](y[j]); if (or[i](A[i, 1] & A[i, 2])) n += 10000;",
     11 + 100 + 4000 + 10000},
    {"numbers_of_a_type_that_is_said",
     "v: int = 2147483647; u: uint8 = 200; w: uint32 = 4000000000; n = v * int64(3);"
     "n += u * int(3) + w * int(5); x = int8(100); x = x + x; n += x + uint8(200) * 2;"
     "f: float = 16777216; n += f + double(1) - 16777216; c: vector<int64>;"
     "y: vector<int> = 100000; n += max[i](y[i] * int64(1000000)) + sum[i](y[i] * million);",
     6442450941 + 600 + 20000000000 - 56 + 144 + 1 + 100000000000 + 600000000000.0,
     "const million = int64(1000000);"},
    {"numbers_of_the_text_widen_what_nobody_declared",
     "w: uint8 = 144; e = w; e = 300; n = e; a = w; a = a + 300; n += a; g = w; g += 300; n += g;"
     "t = true; t = 5; n += t; x: vector<uint8> = 144; y[i] = x[i]; y[i] = y[i] + 300; n += y[0];"
     "z[i] = x[i]; z[i] += 300; n += z[0]; m = w; m = m - 1; m = m + -144; n += m;",
     300 + 444 + 444 + 5 + 444 + 444 - 1},
    {"names_hide_constants", "width: int = 5; n = width; if (n > 0) { m = width; n += 10 * m; }",
     55, "const width = 2;"},
    {"sets_made_for_a_question",
     "a = {s}; b = {1}; while (a | b) { n += 1; a = {}; b = {}; } if (a & b) n += 10;"
     "if (!(a - b)) n += 100; if (n > 0 && ({s} | a)) n += 1000;",
     1101},
    {"improvements",
     "x: vector<int> = 9; each i in vertices(A) { for j, w in A[i]"
     "if (improve(x[j] min= w)) n += 0; } n = sum[i](x[i]);",
     3 + 2 + 1 + 4 + 9 + 9},
};

class AlgorithmNumberMeaning : public testing::TestWithParam<test::MeaningCase> {};

TEST_P(AlgorithmNumberMeaning, IsWhatTheHandSays) {
    test::expect_meaning(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Constructs, AlgorithmNumberMeaning, testing::ValuesIn(cases),
                         test::meaning_name);

} // namespace
} // namespace tropic
