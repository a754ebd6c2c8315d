// The constructs of the language: folds, masks, sets, sparse vectors, functions, control.
#include "algorithm_meaning.h"

namespace tropic {
namespace {

const std::vector<test::MeaningCase> cases = {
    {"degrees", "n = sum[i](i * degree(A, i)) + 100 * sum[i](i * in_degree(A, i));", 910},
    {"all_edges", "n = sum[i, j](A[i, j]);", 22},
    {"columns_of_edges", "x[j] = sum[i](A[i, j]); n = sum[j](x[j] * j);", 33},
    {"min_plus", "x[i] = i; y[j] = x[i] @(min, +) A[i, j]; n = y[1] * 100 + y[2];", 202},
    {"argmin", "x[i] = i * i - 4 * i; n = 10 * argmin[i](x[i]) + argmax[i](x[i]);", 25},
    {"numbers_of_vertices_are_conditions",
     "n = 10 * count[i](i % 2); each i in vertices(A) { if (i & 1) n += 1; }", 33},
    {"fields_of_sparse_elements_make_members",
     "y: sparse<Two>; y[3].a += 5; y[4].b = 2; n = 100 * count(y) + 10 * y[3].a + y[4].b;"
     "each i in vertices(A) { with v: sparse<Two> { for j, w in A[i] v[j].a += w;"
     "for l, r in v n += 1000 * r.a; } }",
     22252, "record Two { a: int; b: int; }"},
    {"fields_of_a_record_of_the_program",
     "t = Two(3, 4); t.a += 5; t.b = 2; t.a min= 7; n = 10 * t.a + t.b;", 72,
     "record Two { a: int; b: int; }"},
    {"a_set_is_true_or_false_in_vectors",
     "a = {1, 3}; b: vector<bool> = true; b[i] = a[i]; n = count[i](b[i]); b[i] = true;"
     "b[i] = a[i] && i > 1; n += 10 * count[i](b[i]); b[i] = true; b[i] &= a[i];"
     "n += 100 * count[i](b[i]); x: vector<int> = 9; x[i] = a[i]; n += 1000 * sum[i](x[i]);",
     2212},
    {"all_neighbours_are_members",
     "a = {1, 2}; n = 10 * count[i](and[j](a[j] : A[i, j])); if (and[j](a[j])) n += 1;", 40},
    {"a_mask_replaces_where_a_value_is_missing",
     "f = {i : i % 2 == 0}; y: sparse<int>; y[1] = 5; y[2] = 6; x: vector<int> = 9;"
     "x[i]<f, replace> = y[i]; n = sum[i](x[i]);",
     24},
    {"a_difference_from_nothing",
     "y: sparse<int>; z: sparse<int>; y[0] = 7; y[2] = 1; z[1] = 5; z[2] = 3;"
     "w[i] = y[i] @(-) z[i]; n = 100 * w[0] + 10 * w[1] + w[2];",
     648},
    {"counted_from_a_size_into_another",
     "v: vector<int, 6>; k = 4; each c in range(k) v[c] = 1; n = sum[c](v[c]);", 4},
    {"sums_of_products_do_not_wrap_around",
     "k: vector<int>; k[i] = 100000; n = sum[i](k[i] * (k[i] - 1) / 2) / 1000000;", 29999},
    {"what_goes_somewhere_wide_is_worked_out_there",
     "k: vector<int>; k[i] = 100000; w: vector<int64>; w[i] = k[i] * k[i]; d: vector<double>;"
     "d[i] = -k[i] * k[i]; b: vector<uint8>; b[i] = 200; c: vector<int64>; c[i] = b[i] + b[i];"
     "n = w[1] / 1000000 + d[2] / 1000000 + c[3] + (k[1] * k[1] > 5000000000 ? 1000 : 0);",
     1400},
    {"accumulators_compare_before_they_cut_off",
     "x: vector<int> = 10; v: vector<int64> = 4294967296; x[i] min= v[i]; n = sum[i](x[i]);"
     "x[j] min= min[i](v[i] : A[i, j]); n += sum[i](x[i]); each i in vertices(A) {"
     "for j in A[i] x[j] min= v[i]; } n += sum[i](x[i]); k = 4294967297; x[2] min= k;"
     "n += x[2]; each i in vertices(A) { if (improve(x[i] min= v[i] + 3)) n += 1000; }"
     "x[i] /= v[i] + 1; n += sum[i](x[i]); y: vector<uint8> = 10; w: vector<int> = 260;"
     "y[i] min= w[i]; n += y[0]; y[i] max= -w[i]; n += y[0];",
     210},
    {"argmin_of_nothing", "n = argmin[i](i : i > 9);", -1},
    {"mask_keeps",
     "x: vector<int> = 1; x[i]<(i > 2)> = 5; x[i]<!(x[i] == 5), keep> += 1; n = sum[i](x[i]);", 21},
    {"mask_replaces", "x: vector<int> = 7; x[i]<i < 2, replace> = 3; n = sum[i](x[i]);", 6},
    {"set_algebra",
     "a = {s, 2, 4}; b = {i : i >= 2};"
     "n = 100 * count(a | b) + 10 * count(a & b) + count(a - b);",
     521},
    {"set_target_keeps",
     "a = {s, 2, 4}; a[i]<(i > 2), keep> = i == 5; n = sum[i](i : a[i]) * 10 + count(a);", 73},
    {"sparse_where_it_has_values",
     "y: sparse<int>; y[2] = 5; y[4] = 1; z[i] = y[i] * 2; n = sum[i](z[i]) * 10 + count(z);", 122},
    {"sparse_around_a_fold",
     "y: sparse<int>; y[2] = 5; y[4] = 1; x: vector<int>; x[i] = sum[j](y[i] + A[i, j]);"
     "z: sparse<int>; z[i] = min[j](y[i] + A[i, j]); w: sparse<int>; w[i] = y[i] @(+, +) A[i, j];"
     "n = 1000 * sum[i](x[i]) + 100 * count(z) + 10 * count(w) + count[i](y[i] < 9);",
     13222},
    {"sparse_in_the_condition_of_a_fold",
     "y: sparse<int>; y[2] = 5; y[4] = 1; x: vector<int>; x[i] = sum[j](A[i, j] : y[i] < 9);"
     "n = sum[i](x[i]);",
     7},
    {"sparse_compared_in_a_mask",
     "y: sparse<int>; y[2] = 5; y[4] = 1; x: vector<int>; x[i]<y[i] < 3> = 1;"
     "x[i]<!(y[i] < 3)> += 10; n = 100 * x[4] + sum[i](x[i]);",
     111},
    {"sparse_of_edges",
     "y: sparse<int>; y[2] = 5; y[4] = 1; e: vector<int, edges(A)>; e[i, j] = y[i] + 1;"
     "x[j] = sum[i](e[i, j]); e[i, j]<y[j] < 9> = 100; z[j] = sum[i](e[i, j]);"
     "n = sum[i](x[i] + z[i]);",
     8 + 208},
    {"sparse_in_a_table",
     "y: sparse<int>; y[2] = 5; y[4] = 1; t: table<int, 2>; t[i, k] = y[i] + k;"
     "t[i, k]<y[i] < 3> = 100; n = sum[i, k](t[i, k]);",
     11 + 200},
    {"sparse_in_the_mask_of_a_graph",
     "y: sparse<int>; y[2] = 5; y[4] = 1; C[i, j]<y[j] < 9> = A[i, j]; D[i, j]<y[i] < 9> = A[i, j];"
     "E[i, j]<!(y[i] < 3)> = A[i, j]; n = 100 * count(C) + 10 * count(D) + count(E);",
     221},
    {"sparse_where_either_has",
     "y: sparse<int>; y[2] = 5; y[4] = 1; z: sparse<int>; z[4] = 7; z[1] = 1;"
     "w[i] = y[i] @(max) z[i]; n = sum[i](w[i]) * 10 + count(w);",
     133},
    {"popped_sets_answer",
     "a = {s, 2, 4}; c = {s}; l: stack; push(l, a); a = {3}; a = pop(l);"
     "if (a[2]) n += 1; if (a[3]) n += 2; b = a; insert(a, 4); insert(a, 5); b = b - c;"
     "n += 10 * count(a) + 100 * count(b);",
     241},
    {"found_once_for_sure",
     "p: vector<vertex>; p[i] = none; p[s] = s; f = {s};"
     "p[j]<p[j] == none, push> = any[i](i : f[i] & A[i, j]) -> f;"
     "if (f[1]) n += 1; if (f[3]) n += 2; g = f; f |= {1, 5};"
     "p[j]<p[j] == none, push> = any[i](i : f[i] & A[i, j]) -> f;"
     "h = {1}; n += 10 * count(f) + 100 * count(g & h) + 1000 * p[3];",
     2111},
    {"edges_without_branches",
     "x: vector<double>; y: vector<int>; f = {s, 1}; c = {};"
     "each i in f { for j in A[i] { if (y[j] < 1) insert(c, j); if (x[j] <= 0) y[j] += 1; } }"
     "n = 100 * count(c) + 10 * y[1] + y[2];",
     212},
    {"edges_that_find_the_same_again",
     "x: vector<double>; f = {s, 1, 3}; c = {};"
     "each i in f { for j in A[i] { if (x[j] == 0) insert(c, j); if (x[j] < 0) x[j] = 1; } }"
     "n = 10 * count(c) + sum[i](i : c[i]);",
     23},
    {"taken_away_from_nothing",
     "y: sparse<int>; z: sparse<int>; w: sparse<int>; v: sparse<double>; y[j] -= sum[i](A[i, j]);"
     "z[3] -= 2; w[i] -= z[i]; each i in vertices(A) v[i] -= 3; w[i] -= z[i];"
     "n = 1000 * sum[i](y[i]) + 100 * sum[i](w[i]) + 10 * z[3] + sum[i](v[i]);",
     -22000 + 400 - 20 - 18},
    {"added_to_nothing_among_the_least",
     "y: sparse<int>; f = {s}; y[j]<(j < 3), push> = min[i](A[i, j] : f[i]);"
     "y[5] += 2; y[5] += 3; y[4] -= 1; y[3] max= 7; n = 100 * y[3] + 10 * y[5] + y[4];",
     749},
    {"accumulating_replaces_where_it_says_so",
     "y: sparse<int>; y[i] = i + 10; m = {0, 1}; y[j]<m, replace> += sum[i](A[i, j]);"
     "n = 1000 * count(y) + sum[i](y[i]);",
     2000 + 13 + 20},
    {"accumulating_into_sets_replaces_where_it_says_so",
     "t = {i : i >= 2}; m = {0, 1, 2}; t[j]<m, replace> |= m[i] @(any, pair) A[i, j];"
     "n = 1000 * count(t) + sum[i](i : t[i]);",
     2003},
    {"what_is_replaced_is_read_before",
     "y: sparse<int>; y[4] = 7; y[1] = 1; y[j]<!structure(y), replace> += sum[i](y[i] * A[i, j]);"
     "n = 1000 * count(y) + 10 * y[0] + y[2];",
     2211},
    {"accumulating_keeps_otherwise",
     "y: sparse<int>; y[i] = i + 10; m = {0, 1}; y[j]<m> += sum[i](A[i, j]);"
     "n = 1000 * count(y) + sum[i](y[i]);",
     6000 + 75 + 12},
    {"folds_of_nothing_as_reals",
     "f = {s}; x: sparse<double>; x[j] = count[i](A[i, j] : f[i]);"
     "y: sparse<float>; y[j] = sum[i](A[i, j] : f[i]); z: sparse<int8>;"
     "z[j] = int8(sum[i](A[i, j] : f[i]));"
     "n = 10000 * count(x) + 1000 * count(y) + 100 * count(z) + sum[i](x[i] + y[i] + z[i]);",
     20000 + 2000 + 200 + 2 + 7 + 7},
    {"greater_in_masks",
     "x: vector<int>; x[i] = i; x[i]<x[i] > 3> = 10; x[i]<x[i] >= 3, keep> += 1; n = 100 * "
     "sum[i](x[i]);"
     "x[i]<x[i]>= 5; n += sum[i](x[i]);",
     2925},
    {"constants", "c: vector<int, most>; c[k] = k; n = 10 * sum[k](c[k]) + width * half;", 107.5,
     "const width = 3; const most = 2 * width - 1; const half = most / 2.0;"},
    {"constants_are_hidden", "n = of(7) + width;", 11,
     "const width = 3; def of(width: int64) -> x: int64 { x = width + 1; }"},
    {"functions_in_masks",
     "x[i] = i; x[i]<above(x[i])> = 10; y: vector<int> = 5; y[i]<!above(y[i])> = 6;"
     "z: sparse<int>; z[i]<above(i)> = 3; z[i]<above(2 - i), replace> += 1;"
     "n = 1000 * sum[i](x[i]) + 100 * sum[i](y[i]) + 10 * sum[i](z[i]) + count(z);",
     50000 + 3000 + 50 + 2, "def above(x: int) -> b: bool { b = x > 0; }"},
    {"functions_in_sets", "t = {i : above(i) && i < 4}; n = 10 * count(t) + sum[i](i : t[i]);", 36,
     "def above(x: int) -> b: bool { b = x > 0; }"},
    {"functions_in_masks_of_products",
     "f = {s}; seen = {s}; n = 0;"
     "while (f) { f[j]<above(1 + j) && !seen[j]> = f[i] @(any, pair) A[i, j]; seen |= f; n += 1; }"
     "n = 10 * n + count(seen);",
     34, "def above(x: int) -> b: bool { b = x > 0; }"},
    {"functions_in_masks_of_scattering_and_tables",
     "x: vector<int>; p[i] = 0; x[p[i]]<above(i)> += 1; t: table<int, 2>;"
     "t[i, k]<above(i + k)> = 1; n = 100 * x[0] + sum[i](t[i, 0] + t[i, 1]);",
     511, "def above(x: int) -> b: bool { b = x > 0; }"},
    {"functions_in_masks_come_in_turn",
     "p[i] = i - 1; x[i] = i + 1; y: vector<int>; y[i]<fine(p, i) && x[p[i]] > 0> = 7;"
     "t = {i : fine(p, i) && x[p[i]] > 2}; n = 10 * sum[i](y[i]) + count(t);",
     350 + 3, "def fine(p: vector<int>, i: vertex) -> r: bool { r = p[i] >= 0; }"},
    {"functions_in_masks_of_rows",
     "b[i] = odd(i); C[i, j]<b[i]> = A[i, j]; D[i, j]<odd(i)> = A[i, j]; E[i, j]<odd(i) && A[i, "
     "j]> = 1;"
     "n = 100 * count(C) + 10 * (sum[i, j](C[i, j]) - sum[i, j](D[i, j])) + count(D) - count(E);"
     "if (count(C) == 0 | count(C) == count(A)) n = -1; else n -= 100 * count(C);",
     0, "def odd(i: vertex) -> r: bool { r = i % 2 == 1; }"},
    {"sums_that_read_themselves",
     "x[i] = i + 1; m = 0; each i in vertices(A) { at: int = 3;"
     "if (degree(A, i) == 1) { for j in A[i] at += x[at]; } m += at; } n = m;",
     4 * 7 + 2 * 3},
    {"functions_only_if_they_matter",
     "m = 0; if (m != 0 && share(m) > 1) m = 3; if (m == 0 | share(m) > 1) m += 1;"
     "x[i] = i > 0 ? share(i) : 7; c = 0; d = false ? next(1, c) : 2; if (true || next(1, c) > 0) "
     "d += 1;"
     "n = 1000 * m + 100 * c + 10 * d + sum[i](x[i]);",
     1000 + 30 + 7 + 10 + 5 + 3 + 2 + 2,
     "def share(x: int) -> y: int { y = 10 / x; }"
     "def next(x: int, c: int) -> y: int { y = x; c += 1; }"},
    {"what_changed", "x[i] = i; x[i] max= 3 -> c; n = count(c);", 3},
    {"what_changed_to_nothing",
     "x[i] = i; m = {4, 5}; x[i]<m, replace> max= 5 -> c; n = 100 * count(c) + sum[i](i : c[i]);",
     410},
    {"sums_that_end_where_they_began_pushed",
     "w: vector<int>; w[0] = 1; w[3] = -1; x: vector<int>; f = {0, 3}; m = {1, 2};"
     "x[j]<m, push> += sum[i](w[i] : f[i] && A[i, j]) -> c; n = 10 * count(c) + sum[i](i : c[i]);",
     12},
    {"sums_that_end_where_they_began_pulled",
     "w: vector<int>; w[0] = 1; w[3] = -1; x: vector<int>; f = {0, 3}; m = {1, 2};"
     "x[j]<m, pull> += sum[i](w[i] : f[i] && A[i, j]) -> c; n = 10 * count(c) + sum[i](i : c[i]);",
     12},
    {"any_that_was_there_before_pushed",
     "x: vector<int> = 3; x[2] = 0; f = {s}; m = {1, 2};"
     "x[j]<m, push> = any[i](3 : f[i] && A[i, j]) -> c; n = 10 * count(c) + sum[i](i : c[i]);",
     12},
    {"any_that_was_there_before_pulled",
     "x: vector<int> = 3; x[2] = 0; f = {s}; m = {1, 2};"
     "x[j]<m, pull> = any[i](3 : f[i] && A[i, j]) -> c; n = 10 * count(c) + sum[i](i : c[i]);",
     12},
    {"who_was_found_before_pushed",
     "p: vector<vertex> = s; f = {s}; m = {1, 2, 3};"
     "p[j]<m, push> = any[i](i : f[i] && A[i, j]) -> c; n = count(c);",
     2},
    {"who_was_found_before_pulled",
     "p: vector<vertex> = s; f = {s}; m = {1, 2, 3};"
     "p[j]<m, pull> = any[i](i : f[i] && A[i, j]) -> c; n = count(c);",
     2},
    {"what_a_set_gains",
     "a = {1, 5}; f = {s}; a[j] |= f[i] @(any, pair) A[i, j] -> c;"
     "n = 100 * count(a) + 10 * count(c) + sum[i](i : c[i]);",
     312},
    {"old_values", "x[i] = i; x[i] = x[(i + 1) % 6]; n = sum[i](x[i] * i);", 40},
    {"scatter", "x: vector<int>; x[(i * 2) % 6] += i; n = sum[i](x[i] * i);", 38},
    {"edge_vector",
     "e: vector<int, edges(A)>; e[i, j] = A[i, j] + i; x[j] = sum[i](e[i, j] * A[i, j]);"
     "n = sum[i](x[i]);",
     146},
    {"edge_vector_alone",
     "e: vector<int, edges(A)>; e[i, j] = i; x[j] = sum[i](e[i, j]); n = sum[j](x[j] * j);", 11},
    {"table", "t: table<int, 3>; t[i, k] = i * k; x[i] = sum[k](t[i, k]); n = sum[i](x[i]);", 45},
    {"buckets",
     "d: vector<int>; d[i] = infinity; d[s] = 0;"
     "for i in buckets(d, 2, {s}) { for j, w in A[i] d[j] min= d[i] + w; }"
     "n = sum[i](d[i] : d[i] < infinity);",
     12},
    {"neighbours", "each i in vertices(A) { for j, w in A[i] n += w * j; }", 33},
    {"incoming", "each i in vertices(A) { for j in transpose(A)[i] n += i * j; }", 11},
    {"marks",
     "each i in vertices(A) { with near = A[i] {"
     "for j in A[i] n += count[k](A[j, k] : near[k]); } }",
     1},
    {"workspace",
     "each i in vertices(A) { with v: sparse<int> { for j in A[i] v[j % 2] += 1;"
     "n += argmax[l](v[l]) + 10 * count(v); } }",
     61},
    {"by_reference", "x: vector<int>; x[i] = i; twice(x); twice(x); n = sum[i](x[i]);", 60,
     "def twice(x: vector<int>) { x[i] *= 2; }"},
    {"function_starts_anew", "for k in range(3) n += fresh(A);", 18,
     "def fresh(A: graph<int>) -> m: int { x: vector<int>; x[i] += 1; m = sum[i](x[i]); }"},
    {"early_return", "n = 10 * sign(-3) + sign(2);", -9,
     "def sign(x: int) -> y: int { if (x < 0) { y = -1; return; } y = 1; }"},
    {"own_monoid", "x[i] = 3 - i; n = far[i](x[i]);", 3,
     "monoid far(a, b) = abs(a) > abs(b) ? a : b identity 0;"},
    {"own_semiring", "x[i] = i + 1; y[j] = x[i] @most A[i, j]; n = sum[i](y[i] : y[i] > 0);", 11,
     "semiring most = (max, min);"},
    {"lanes", "v: float[4] = lanes(1, 2, 3, 4); w = v > 2 ? v * 2 : 0; n = sum(w) + v[1];", 16},
    {"lanes_of_nothing",
     "t: vector<four> = 9; t[i] min= min[j](j * (lanes(four) + 1) : A[i, j]);"
     "u: vector<four> = 9; u[i] min= min[j](int64(j) : A[i, j]);"
     "v: vector<four> = 9; v[i] max= max[j](int64(j) * lanes(four) : A[i, j] && j > 2);"
     "n = 10000 * t[5][1] + 1000 * u[5][3] + 100 * v[0][2] + 10 * t[0][1] + sum(u[4]);",
     90000 + 9000 + 900 + 20 + 0, "type four = int[4];"},
    {"record", "b = Best(3, s); b.key += 4; n = b.key + b.who;", 7,
     "record Best { key: int; who: vertex; }"},
    {"pair", "p = pair(2.5, 4); n = p.first * p.second;", 10},
    {"control",
     "for k in range(0, 10, 3) { if (k == 3) continue; if (k == 9) break; n += k; }"
     "do { n -= 4; } until (n < 0);",
     -2},
    {"levels",
     "level: vector<int> = -1; level[s] = 0; front = {s}; d = 0;"
     "while (front) { d += 1; front[j]<level[j] < 0> = front[i] @(any, pair) A[i, j];"
     "level[j]<front> = d; } n = sum[i](level[i] : level[i] > 0);",
     4},
    {"parents",
     "parent: vector<vertex> = none; parent[s] = s; front = {s};"
     "while (front) parent[j]<parent[j] == none> = any[i](i : front[i] && A[i, j]) -> front;"
     "n = sum[i](parent[i] + 1);",
     6},
    {"sparse_products",
     "d: vector<int> = infinity; d[s] = 0; x: sparse<int>; x[s] = 0;"
     "while (x) { y[j] = x[i] @(min, +) A[i, j]; x[j]<y[j] < d[j]> = y[j];"
     "d[j]<structure(x)> = x[j]; } n = sum[i](d[i] : d[i] < infinity);",
     12},
    {"forced_ways",
     "x: vector<int>; y: vector<int>; front = {s, 1};"
     "x[j]<true, push> = sum[i](A[i, j] : front[i]); y[j]<true, pull> = sum[i](A[i, j] : front[i]);"
     "n = sum[i](x[i] * i) * 100 + sum[i](y[i] * i);",
     1414},
    {"stack", "t: stack; push(t, {s}); push(t, {1, 2}); a = pop(t); n = 10 * count(a) + count(t);",
     21},
    {"derived", "S = simple(A); n = count(S) + 100 * count(strict_lower(S));", 612},
    {"subgraph", "near = {0, 1, 2}; n = count(subgraph(A, near));", 3},
    {"filter", "big: vector<bool, edges(A)>; big[i, j] = A[i, j] > 3; n = count(filter(A, big));",
     3},
    {"order", "x[i] = (i * 5) % 6; o = argsort(x); p = prefix_sum(x); n = o[1] * 10 + o[5] + p[5];",
     65},
    {"edge_values", "x[i] = A[i, 2] * 10 + (A[i, 1] ? 1 : 0); n = sum[i](x[i]);", 62},
    {"edge_numbers", "each i in vertices(A) { if (edge(A, i, 1) != none) n += edge(A, i, 1); }", 4},
    {"range_of_members", "x: vector<int>; each i in range(2, 5) x[i] = i; n = sum[i](x[i]);", 9},
    {"all_of_nothing_is_one", "x: vector<int> = 7; x[i] = and[j](A[i, j] > 2); n = sum[i](x[i]);",
     0 + 0 + 1 + 1 + 1 + 1},
    {"no_way_of_maxima",
     "d: vector<int>; d[i] = -infinity; d[s] = 0; d[j] max= d[i] @(max, +) A[i, j];"
     "e: vector<int64>; e[i] = -infinity; e[s] = 0; e[j] max= e[i] @(max, +) A[i, j];"
     "n = 10 * count[i](d[i] > -infinity) + 1000 * count[i](e[i] > -infinity) + d[2] +"
     "(max[j](A[5, j]) == -infinity ? 100 : 0);",
     3135},
    {"elements_read_themselves_before_they_are_members",
     "y: sparse<int>; each i in vertices(A) { for j, q in A[i] y[j] min= q; } y[5] = y[5] + 1; "
     "y[4] += y[4] + 2; n = y[5] + 10 * y[4];",
     21},
    {"every_element_reads_itself",
     "y: sparse<int>; each i in vertices(A) { for j, q in A[i] y[j] min= q; } each i in "
     "vertices(A) { y[i] = y[i] + 1; } n = sum[i](y[i]);",
     16},
    {"an_element_is_the_sum_of_the_others",
     "y: sparse<int>; each i in vertices(A) { for j, q in A[i] y[j] min= q; } y[5] = sum[i](y[i]); "
     "n = y[5] + 100 * count(y);",
     510},
    {"a_member_is_none_while_it_is_counted",
     "y: sparse<int>; y[1] = 3; y[5] = count(y); y[4] = min[i](y[i]); n = 10 * y[5] + y[4];", 11},
    {"copies_of_sparse_are_zero_outside",
     "y: sparse<int>; each i in vertices(A) { for j, q in A[i] y[j] min= q; } z = y; n = z[5]; "
     "each i in vertices(A) { z[i] += 1; } n += 100 * sum[i](z[i]);",
     1600},
    {"the_greatest_of_no_truths_is_none",
     "x: vector<int>; x[i] = max[j](A[i, j] > 2); n = sum[i](x[i]) + 10 * x[5];", 4},
    {"all_of_nothing_accumulates_nothing",
     "y: vector<int> = 7; a = {0, 1, 2}; y[j] &= and[i](A[i, j] > 2 : a[i] && A[i, j]); n = "
     "sum[i](y[i]);",
     22},
    {"all_of_truths_are_pushed_into_sparse",
     "y: sparse<int>; a = {0, 1, 2}; m = {0, 1, 2, 3, 4, 5}; y[j]<m, push> = and[i](A[i, j] > 2 : "
     "a[i] && A[i, j]); n = sum[i](y[i]) + 10 * count(y);",
     31},
    {"all_of_truths_are_pushed_into_numbers",
     "x: vector<int> = 7; y: vector<int> = 7; a = {0, 1, 2};"
     "x[j]<true, push> = and[i](A[i, j] > 2 : a[i] && A[i, j]);"
     "y[j]<true, pull> = and[i](A[i, j] > 2 : a[i] && A[i, j]); z: vector<int8> = 7;"
     "z[j]<true, push> = max[i](A[i, j] > 2 : a[i] && A[i, j]);"
     "n = 10000 * sum[i](z[i]) + 100 * sum[i](x[i]) + sum[i](y[i]);",
     20404},
    {"integers_nowhere_in_real_sums",
     "B[i, j] = 0.5 * A[i, j]; d: vector<int> = infinity; d[0] = 0; x: vector<double>;"
     "x[j] = d[i] @(min, +) B[i, j]; n = 10 * count[i](x[i] < infinity) + 4 * x[2];"
     "d[i] = -infinity; d[0] = 0; x[j] = d[i] @(max, +) B[i, j];"
     "n += 100 * count[i](x[i] > -infinity) + x[1];",
     231},
    {"truths_in_short", "x: vector<int> = 4; k = none; if (k != none & x[k] == 4) n = 1;", 0},
    {"first_comes_once",
     "x: vector<int>; each i in vertices(A) { for j in A[i] { if (swap(x[j], 0, 1)) n += 1; } }",
     4},
    {"function_in_a_fold", "x[i] = i; n = sum[i](bent(x[i], 2) : !odd(x[i]));", 0 + 2 + 8,
     "def bent(x: int, most: int) -> y: int { y = x; z = y * 2; if (x > most) y = z; }"
     "def odd(x: int) -> y: bool { y = x % 2 == 1; }"},
    {"function_in_a_fold_over_edges",
     "x: vector<int>; x[i] = i; y[i] = max[j](far(x, i, j) + A[i, j]); n = sum[i](y[i] : y[i] > "
     "0);",
     7 + 2 + 5 + 9 + 7,
     "def far(x: vector<int>, i: vertex, j: vertex) -> d: int {"
     "d = x[i]; d -= x[j]; if (d < 0) { d = -d; } }"},
    {"infinity_of_a_first_value",
     "d: vector<int> = infinity; d[s] = 0; x = d[1]; n = x < infinity ? 1 : 0;", 0},
    {"infinity_is_of_what_comes_later",
     "d: vector<int> = infinity; d[s] = 0; best = infinity;"
     "each i in vertices(A) { if (i > 0) best min= d[i]; } n = best < infinity ? 1 : 0;",
     0},
    {"infinity_of_nothing_is_real", "best = infinity; n = best > 1e300 ? 1 : 0;", 1},
    {"edges_looked_up",
     "y[i] = sum[j, k](A[i, j] * A[j, k] * A[i, k]); n = sum[i](y[i]) + A[3, 1] * 100;", 710},
    {"edge_numbers_backwards",
     "B = transpose(A); each i in vertices(A) {"
     "for j, w, e in B[i] if (edge(B, i, j) == e) n += e; }",
     15},
    {"not_members",
     "a = {s, 2, 4}; b = {i : !a[i]}; n = count[i](!a[i]) * 100 + sum[i](i : !a[i]) + 1000 * "
     "count(b) + 10000 * count[i](!(a[i] && i > 1));",
     43309},
    {"edges_from_no_members",
     "a = {s, 2, 4}; x[j] = count[i](A[i, j] : !a[i]); n = sum[j](x[j] * j);", 3},
    {"sparse_compared",
     "y: sparse<int>; y[2] = 5; y[4] = 1; n = count[i](y[i] >= 0) * 10 + count[i](y[i] > 3);", 21},
    {"mask_sees_old_values",
     "x: vector<int>; x[i] = i; x[i]<x[(i + 5) % 6] < 2> = 9; n = sum[i](x[i]);", 30},
    {"mask_folds_old_values",
     "x: vector<int>; x[s] = 1; x[i]<or[j](x[j] == 1 : A[j, i])> = 1; n = sum[i](x[i]);", 3},
    {"front_and_mask_of_old_values",
     "x: vector<int>; x[s] = 1; a = {s, 1, 2};"
     "x[j]<x[(j + 5) % 6] == 1> = any[i](1 : a[i] & A[i, j]); n = sum[i](x[i]);",
     2},
    {"scatter_sees_old_values",
     "x: vector<int>; x[i] = i; x[(i + 1) % 6]<(x[i] > 2)> = 0; n = sum[i](x[i]);", 6},
    {"sparse_grows_from_old_values",
     "y: sparse<int>; y[s] = 1; y[j] max= max[i](y[i] + 1 : A[i, j]);"
     "n = sum[i](y[i]) * 10 + count(y);",
     53},
    {"sparse_folded_behind_a_join",
     "a = {s}; w: sparse<int>; z: sparse<int>; w[i] = w[i] @(max) z[i];"
     "w[j] = max[i](-5 : a[i] && A[i, j]); n = sum[i](w[i]);",
     -10},
    {"sparse_copied_from_another_kind",
     "a = {s}; w: sparse<int>; w[j] = max[i](-5 : a[i] && A[i, j]); z: sparse<int>; z[5] = 3;"
     "w = z; w[j] = max[i](-7 : a[i] && A[i, j]); n = sum[i](w[i]) + z[5];",
     -11},
    {"sparse_is_zero_where_a_minimum_found_nothing",
     "a = {0, 2}; x[i] = 3 + i; y[j] = min[i](x[i] : a[i] && A[i, j]); m: vector<int>;"
     "each v in vertices(A) { m[v] = y[v]; } each v in y { m[v] += 100 * y[v]; }"
     "n = 1000 * sum[i](m[i]) + 10 * sum[i](i >= 0 ? y[i] : 0) + y[5] + y[1];",
     1111000 + 110 + 3},
    {"members_gather_into_sparse_vectors_from_nothing",
     "y: sparse<int>; z: sparse<int>; w: sparse<int>; u: sparse<double>;"
     "each i in vertices(A) { for j, q in A[i] {"
     " y[j] min= q; z[j] max= -q; w[j] *= q; u[j] min= q; } }"
     "n = 10000 * sum[i](y[i]) + 100 * sum[i](z[i]) + sum[i](w[i]) + sum[i](u[i]) + y[5];",
     100000 - 1000 + 26 + 10},
    {"members_gather_from_nothing_into_what_a_fold_filled",
     "a = {0, 2}; x[i] = 3 + i; y[j] = min[i](x[i] : a[i] && A[i, j]); y = {};"
     "each i in vertices(A) { for j in A[i] y[j] += 1; } n = 10 * sum[i](y[i]) + count(y);",
     64},
    {"fields_of_sparse_elements_beside_a_monoid",
     "y: sparse<Two>; each i in vertices(A) { for j, q in A[i] y[j] least= Two(q, i); }"
     "m: vector<int>; each v in vertices(A) { m[v] = y[v].a; } y[5].a += 4; y[4].b = 2;"
     "n = 10000 * sum[i](m[i]) + 1000 * y[5].a + 100 * y[5].b + 10 * y[4].b + y[4].a + y[2].b;",
     100000 + 4000 + 0 + 20 + 0 + 1,
     "record Two { a: int; b: int; }"
     "monoid least(p, q) = p.a < q.a ? p : q identity Two(infinity, 7);"},
};

class AlgorithmMeaning : public testing::TestWithParam<test::MeaningCase> {};

TEST_P(AlgorithmMeaning, IsWhatTheHandSays) {
    test::expect_meaning(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Constructs, AlgorithmMeaning, testing::ValuesIn(cases),
                         test::meaning_name);

} // namespace
} // namespace tropic
