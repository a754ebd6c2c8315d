// Graphs that statements make, against what they say worked out for every row and column on dense
// matrices; as the text has them and rearranged, on one thread and on two.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "dense_matrices.h"
#include "tropic/algorithm.h"
#include "vectors.h"

namespace tropic {
namespace {

constexpr Index size = 150;

/// What the cases are about.
struct Input {
    Dense a = random_matrix(1, size, size, 0.05);
    Dense b = random_matrix(2, size, size, 0.04);
    std::vector<std::int32_t> x;
    std::vector<std::int32_t> p;
    std::vector<std::int32_t> s; ///< members

    Input() {
        std::mt19937 random(3);
        for (Index i = 0; i < size; ++i) {
            x.push_back(static_cast<std::int32_t>(random() % 20) - 5);
            p.push_back(static_cast<std::int32_t>(random() % size));
            if (random() % 3 == 0) s.push_back(static_cast<std::int32_t>(i));
        }
    }
    bool in_s(Index i) const { return std::ranges::find(s, i) != s.end(); }
};

using Rule = std::function<Value(const Input&, Index i, Index j)>;

double least(double a, double b) {
    return std::min(a, b);
}

Value a_times_b(const Input& in, Index i, Index j) {
    return product(in.a, in.b, i, j, plus, times);
}

struct Case {
    const char* name;
    const char* body; ///< of f(A: graph<int>, B: graph<int>, x: vector<int>, p: vector<vertex>,
                      ///< s: set) -> C: graph<int64>
    Rule rule;
    const char* definitions = "";
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.body;
}

const std::vector<Case> cases = {
    {"product", "C[i, j] = A[i, k] @(+, *) B[k, j];", a_times_b},
    {"product_as_a_sum", "C[i, j] = sum[k](A[i, k] * B[k, j]);", a_times_b},
    {"product_of_tropical", "C[i, j] = A[i, k] @(min, +) B[k, j];",
     [](const Input& in, Index i, Index j) { return product(in.a, in.b, i, j, least, plus); }},
    {"product_of_own_semiring", "C[i, j] = A[i, k] @far B[k, j];",
     [](const Input& in, Index i, Index j) {
         const auto farther = [](double a, double b) { return std::abs(b) > std::abs(a) ? b : a; };
         return product(in.a, in.b, i, j, farther, [](double a, double b) { return a * b - 1; });
     },
     "monoid farther(a, b) = abs(b) > abs(a) ? b : a identity 0;"
     "operator lessened(a, b) = a * b - 1; semiring far = (farther, lessened);"},
    {"product_counted", "C[i, j] = count[k](A[i, k] && B[k, j]);",
     [](const Input& in, Index i, Index j) {
         return product(in.a, in.b, i, j, plus, [](double, double) { return 1.0; });
     }},
    {"product_with_a_vector", "C[i, j] = A[i, k] @(+, *) x[k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         Value sum;
         for (Index k = 0; k < size; ++k) {
             if (!in.a.has(i, k) || !in.b.has(k, j)) continue;
             sum = sum.value_or(0) + in.a.value(i, k) * in.x[k] * in.b.value(k, j);
         }
         return sum;
     }},
    {"product_through_members", "C[i, j] = sum[k](A[i, k] * B[k, j] : s[k]);",
     [](const Input& in, Index i, Index j) {
         Value sum;
         for (Index k = 0; k < size; ++k) {
             if (!in.a.has(i, k) || !in.b.has(k, j) || !in.in_s(k)) continue;
             sum = sum.value_or(0) + in.a.value(i, k) * in.b.value(k, j);
         }
         return sum;
     }},
    {"product_of_three", "C[i, j] = A[i, k] @(+, *) B[k, l] @(+, *) A[l, j];",
     [](const Input& in, Index i, Index j) {
         Value sum;
         for (Index k = 0; k < size; ++k) {
             if (!in.a.has(i, k)) continue;
             for (Index l = 0; l < size; ++l) {
                 if (!in.b.has(k, l) || !in.a.has(l, j)) continue;
                 sum = sum.value_or(0) + in.a.value(i, k) * in.b.value(k, l) * in.a.value(l, j);
             }
         }
         return sum;
     }},
    {"product_of_a_transpose", "C[i, j] = A[i, k] @(+, *) B[j, k];",
     [](const Input& in, Index i, Index j) {
         static const Dense turned = transposed(in.b);
         return product(in.a, turned, i, j, plus, times);
     }},
    {"product_from_a_transpose", "T = transpose(A); C[i, j] = T[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         static const Dense turned = transposed(in.a);
         return product(turned, in.b, i, j, plus, times);
     }},
    {"product_under_a_structure", "C[i, j]<A[i, j]> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) ? a_times_b(in, i, j) : Value();
     }},
    {"product_under_a_complement", "C[i, j]<!A[i, j]> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) ? Value() : a_times_b(in, i, j);
     }},
    {"product_under_a_transpose", "C[i, j]<B[j, i]> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return in.b.has(j, i) ? a_times_b(in, i, j) : Value();
     }},
    {"product_under_values", "C[i, j]<A> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.value(i, j) != 0 ? a_times_b(in, i, j) : Value();
     }},
    {"product_under_any_values", "C[i, j]<structure(A)> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) ? a_times_b(in, i, j) : Value();
     }},
    {"product_under_conditions",
     "C[i, j]<(s[i] && !(B[i, j] < 3)) && (j > 10)> = A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         const bool small = in.b.has(i, j) && in.b.value(i, j) < 3;
         return in.in_s(i) && !small && j > 10 ? a_times_b(in, i, j) : Value();
     }},
    {"product_scaled", "C[i, j] = 2 * (A[i, k] @(+, *) B[k, j]) + x[i] - j;",
     [](const Input& in, Index i, Index j) {
         const Value found = a_times_b(in, i, j);
         return found ? Value(2 * *found + in.x[i] - static_cast<double>(j)) : Value();
     }},
    {"product_joined", "C[i, j] = (A[i, k] @(+, *) B[k, j]) + A[i, j];",
     [](const Input& in, Index i, Index j) {
         return either(a_times_b(in, i, j), in.a.at(i, j), plus);
     }},
    {"product_met", "C[i, j] = (A[i, k] @(+, *) B[k, j]) * A[i, j];",
     [](const Input& in, Index i, Index j) {
         const Value found = a_times_b(in, i, j);
         return found && in.a.has(i, j) ? Value(*found * in.a.value(i, j)) : Value();
     }},
    {"products_met", "C[i, j] = (A[i, k] @(+, *) B[k, j]) * (B[i, l] @(min, +) A[l, j]);",
     [](const Input& in, Index i, Index j) {
         const Value one = a_times_b(in, i, j);
         const Value two = product(in.b, in.a, i, j, least, plus);
         return one && two ? Value(*one * *two) : Value();
     }},
    {"sum", "C[i, j] = A[i, j] + B[i, j];",
     [](const Input& in, Index i, Index j) { return either(in.a.at(i, j), in.b.at(i, j), plus); }},
    {"difference", "C[i, j] = A[i, j] - B[i, j];",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j) && !in.b.has(i, j)) return Value();
         return Value(in.a.value(i, j) - in.b.value(i, j));
     }},
    {"smaller_of_both", "C[i, j] = A[i, j] @(min) B[i, j];",
     [](const Input& in, Index i, Index j) { return either(in.a.at(i, j), in.b.at(i, j), least); }},
    {"sum_of_three", "C[i, j] = A[i, j] + B[j, i] + 2 * B[i, j];",
     [](const Input& in, Index i, Index j) {
         Value twice = in.b.at(i, j);
         if (twice) *twice *= 2;
         return either(either(in.a.at(i, j), in.b.at(j, i), plus), twice, plus);
     }},
    {"symmetric_part", "C[i, j] = 3 * (A[i, j] + A[j, i]) - x[j];",
     [](const Input& in, Index i, Index j) {
         const Value both = either(in.a.at(i, j), in.a.at(j, i), plus);
         return both ? Value(3 * *both - in.x[j]) : Value();
     }},
    {"either_of_both", "D[i, j] = A[i, j] || B[i, j]; C[i, j] = D[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) || in.b.has(i, j) ? Value(1) : Value();
     }},
    {"one_without_the_other", "D[i, j] = A[i, j] && !B[i, j]; C[i, j] = D[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) && !in.b.has(i, j) ? Value(1) : Value();
     }},
    {"meeting", "C[i, j] = A[i, j] * B[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) && in.b.has(i, j) ? Value(in.a.value(i, j) * in.b.value(i, j))
                                                 : Value();
     }},
    {"meeting_of_a_function", "C[i, j] = max(A[i, j], B[i, j]) * A[i, j];",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j) || !in.b.has(i, j)) return Value();
         return Value(std::max(in.a.value(i, j), in.b.value(i, j)) * in.a.value(i, j));
     }},
    {"applied", "C[i, j] = 2 * A[i, j] + x[i] * j - i;",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j)) return Value();
         return Value(2 * in.a.value(i, j) + in.x[i] * static_cast<double>(j) -
                      static_cast<double>(i));
     }},
    {"chosen", "C[i, j] = A[i, j] > 3 ? A[i, j] : -1;",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j)) return Value();
         return Value(in.a.value(i, j) > 3 ? in.a.value(i, j) : -1);
     }},
    {"selected", "C[i, j]<(A[i, j] > 3)> = A[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) && in.a.value(i, j) > 3 ? in.a.at(i, j) : Value();
     }},
    {"selected_by_place", "C[i, j]<i < j && (x[j] > 0)> = A[i, j];",
     [](const Input& in, Index i, Index j) {
         return i < j && in.x[j] > 0 ? in.a.at(i, j) : Value();
     }},
    {"rows_and_columns_of_a_set", "C[i, j] = s[i] * s[j] * A[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.in_s(i) && in.in_s(j) ? in.a.at(i, j) : Value();
     }},
    {"one_where_a_mask_is", "C[i, j]<A[i, j] && !B[i, j]> = x[i] + j;",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) && !in.b.has(i, j) ? Value(in.x[i] + static_cast<double>(j))
                                                  : Value();
     }},
    {"diagonal", "C[i, j]<i == j> = x[i];",
     [](const Input& in, Index i, Index j) { return i == j ? Value(in.x[i]) : Value(); }},
    {"where_a_vector_says", "q[i] = s[i] ? p[i] : -1; C[i, j]<j == q[i]> = x[j] + i;",
     [](const Input& in, Index i, Index j) {
         return in.in_s(i) && in.p[i] == j ? Value(in.x[j] + static_cast<double>(i)) : Value();
     }},
    {"outer_product_of_sets", "C[i, j]<s[i]> = s[j] * (i + 2 * j);",
     [](const Input& in, Index i, Index j) {
         return in.in_s(i) && in.in_s(j) ? Value(static_cast<double>(i + 2 * j)) : Value();
     }},
    {"parts_of_a_row", "C[i, j] = 100 * A[i, j] / (sum[k](abs(A[i, k])) + 1);",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j)) return Value();
         double sum = 1;
         for (Index k = 0; k < size; ++k) sum += std::abs(in.a.value(i, k));
         return Value(std::trunc(100 * in.a.value(i, j) / sum));
     }},
    {"added_to", "C[i, j] = A[i, j]; C[i, j] += A[i, k] @(+, *) B[k, j];",
     [](const Input& in, Index i, Index j) {
         return either(in.a.at(i, j), a_times_b(in, i, j), plus);
     }},
    {"taken_from", "C[i, j] = A[i, j]; C[i, j] -= B[i, j];",
     [](const Input& in, Index i, Index j) {
         if (!in.a.has(i, j) && !in.b.has(i, j)) return Value();
         return Value(in.a.value(i, j) - in.b.value(i, j));
     }},
    {"lowered", "C[i, j] = A[i, j]; C[i, j] min= B[i, j];",
     [](const Input& in, Index i, Index j) { return either(in.a.at(i, j), in.b.at(i, j), least); }},
    {"added_under_a_mask", "C[i, j] = A[i, j]; C[i, j]<A[j, i]> += B[i, j];",
     [](const Input& in, Index i, Index j) {
         return either(in.a.at(i, j), in.a.has(j, i) ? in.b.at(i, j) : Value(), plus);
     }},
    {"added_and_replaced", "C[i, j] = A[i, j]; C[i, j]<(i < j), replace> += B[i, j];",
     [](const Input& in, Index i, Index j) {
         return i < j ? either(in.a.at(i, j), in.b.at(i, j), plus) : Value();
     }},
    {"kept_outside_of_a_mask", "C[i, j] = A[i, j]; C[i, j]<(x[j] > 3), keep> = B[i, j] * 2;",
     [](const Input& in, Index i, Index j) {
         if (in.x[j] <= 3) return in.a.at(i, j);
         return in.b.has(i, j) ? Value(2 * in.b.value(i, j)) : Value();
     }},
    {"rows_kept", "C[i, j] = A[i, j]; C[i, j]<!s[i], keep> = B[i, j];",
     [](const Input& in, Index i, Index j) { return in.in_s(i) ? in.a.at(i, j) : in.b.at(i, j); }},
    {"extracted", "C[i, j] = A[p[i], p[j]];",
     [](const Input& in, Index i, Index j) { return in.a.at(in.p[i], in.p[j]); }},
    {"rows_extracted", "C[i, j] = A[p[i], j] + 1;",
     [](const Input& in, Index i, Index j) {
         return in.a.has(in.p[i], j) ? Value(in.a.value(in.p[i], j) + 1) : Value();
     }},
    {"columns_extracted", "C[i, j] = 2 * A[(i + 1) % size(A), p[j]] + B[i, j];",
     [](const Input& in, Index i, Index j) {
         Value twice = in.a.at((i + 1) % size, in.p[j]);
         if (twice) *twice *= 2;
         return either(twice, in.b.at(i, j), plus);
     }},
    {"from_itself", "C[i, j] = A[i, j]; C[i, j] = C[i, k] @(+, *) C[k, j] + C[j, i];",
     [](const Input& in, Index i, Index j) {
         return either(product(in.a, in.a, i, j, plus, times), in.a.at(j, i), plus);
     }},
    {"in_a_loop", "C[i, j] = A[i, j]; for k in range(3) C[i, j] min= B[j, i] + k;",
     [](const Input& in, Index i, Index j) { return either(in.a.at(i, j), in.b.at(j, i), least); }},
    {"used_as_a_graph",
     "D[i, j] = A[i, j] + B[i, j]; L = strict_lower(D); d[j] = sum[i](L[i, j]);"
     "each i in vertices(A) { for j, w in transpose(D)[i] d[i] += w; }"
     "C[i, j]<L[i, j]> = d[j] + degree(D, i) + count(L);",
     [](const Input& in, Index i, Index j) {
         static std::vector<double> d;
         static double count = 0;
         static std::vector<double> degree;
         const auto both = [&](Index r, Index c) {
             return either(in.a.at(r, c), in.b.at(r, c), plus);
         };
         if (d.empty()) {
             d.resize(size);
             degree.resize(size);
             for (Index r = 0; r < size; ++r) {
                 for (Index c = 0; c < size; ++c) {
                     const Value value = both(r, c);
                     if (!value) continue;
                     degree[r] += 1;
                     d[c] += *value;
                     if (r > c) d[c] += *value;
                     if (r > c) count += 1;
                 }
             }
         }
         return i > j && both(i, j) ? Value(d[j] + degree[i] + count) : Value();
     }},
    {"of_functions", "C = doubled(A); D = doubled(B); more(C, D);",
     [](const Input& in, Index i, Index j) {
         Value sum = either(in.a.at(i, j), in.b.at(i, j), plus);
         if (sum) *sum *= 2;
         return sum;
     },
     "def doubled(G: graph<int>) -> H: graph<int64> { H[i, j] = 2 * G[i, j]; }"
     "def more(C: graph<int64>, G: graph<int64>) { C[i, j] += G[i, j]; }"},
    {"exchanged", "C[i, j] = A[i, j]; D = C; C[i, j] = B[i, j]; C[i, j] += D[i, j] * 2;",
     [](const Input& in, Index i, Index j) {
         Value twice = in.a.at(i, j);
         if (twice) *twice *= 2;
         return either(in.b.at(i, j), twice, plus);
     }},
    {"edge_vectors", "e: vector<int, edges(A)>; e[i, j] = i - j; C[i, j] = 3 * e[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) ? Value(3.0 * static_cast<double>(i - j)) : Value();
     }},
    {"row_assigned", "C[i, j] = A[i, j]; v = 17; C[v, j] = B[2, j] + 1;",
     [](const Input& in, Index i, Index j) {
         if (i != 17) return in.a.at(i, j);
         return in.b.has(2, j) ? Value(in.b.value(2, j) + 1) : Value();
     }},
    {"row_of_a_vector", "C[i, j] = A[i, j]; C[3, j]<(x[j] > 0)> = x[j];",
     [](const Input& in, Index i, Index j) {
         if (i != 3) return in.a.at(i, j);
         return in.x[j] > 0 ? Value(in.x[j]) : Value();
     }},
    {"row_under_a_mask", "C[i, j] = A[i, j]; C[3, j]<(A[3, j] > 2)> = 100;",
     [](const Input& in, Index i, Index j) {
         if (i != 3) return in.a.at(i, j);
         return in.a.has(3, j) && in.a.value(3, j) > 2 ? Value(100) : Value();
     }},
    {"row_under_a_mask_kept", "C[i, j] = A[i, j]; C[3, j]<(A[3, j] > 2), keep> = 100;",
     [](const Input& in, Index i, Index j) {
         if (i != 3) return in.a.at(i, j);
         return in.a.has(3, j) && in.a.value(3, j) > 2 ? Value(100) : in.a.at(i, j);
     }},
    {"row_under_a_mask_added", "C[i, j] = A[i, j]; C[3, j]<(A[3, j] > 2)> += 100;",
     [](const Input& in, Index i, Index j) {
         const bool meant = i == 3 && in.a.has(3, j) && in.a.value(3, j) > 2;
         return meant ? Value(in.a.value(3, j) + 100) : in.a.at(i, j);
     }},
    {"column_replaced_where_added", "C[i, j] = A[i, j]; C[i, 9]<(A[i, 9] > 2), replace> += 100;",
     [](const Input& in, Index i, Index j) {
         if (j != 9) return in.a.at(i, j);
         const bool meant = in.a.has(i, 9) && in.a.value(i, 9) > 2;
         return meant ? Value(in.a.value(i, 9) + 100) : Value();
     }},
    {"element_under_a_mask",
     "C[i, j] = A[i, j]; C[3, 9] = 5; C[3, 9]<x[9] > 1000> = 1; C[4, 9] = 2;",
     [](const Input& in, Index i, Index j) {
         if (j != 9 || (i != 3 && i != 4)) return in.a.at(i, j);
         return i == 4 ? Value(2) : Value();
     }},
    {"row_of_a_sparse_vector",
     "y: sparse<int>; y[4] = 7; y[90] = 2; C[i, j] = A[i, j];"
     "C[3, j] += y[j]; C[5, j] = 2 * y[j];",
     [](const Input& in, Index i, Index j) {
         const Value y = j == 4 ? Value(7) : j == 90 ? Value(2) : Value();
         if (i == 3) return either(in.a.at(i, j), y, plus);
         return i == 5 ? (y ? Value(2 * *y) : y) : in.a.at(i, j);
     }},
    {"column_assigned", "C[i, j] = A[i, j]; C[i, 9] = B[i, 4]; C[i, 8] += x[i];",
     [](const Input& in, Index i, Index j) {
         if (j == 9) return in.b.at(i, 4);
         return j == 8 ? either(in.a.at(i, j), Value(in.x[i]), plus) : in.a.at(i, j);
     }},
    {"edge_assigned", "C[i, j] = A[i, j]; C[9, 100] = 3; C[s1(s), 5] = 4;",
     [](const Input& in, Index i, Index j) {
         if (i == 9 && j == 100) return Value(3);
         return i == in.s[0] && j == 5 ? Value(4) : in.a.at(i, j);
     },
     "def s1(s: set) -> v: vertex { v = min[i](i : s[i]); }"},
    {"part_assigned",
     "C[i, j] = A[i, j]; q[i] = size(A) - 1 - i;"
     "C[q[i], (j + 2) % size(A)]<s[i]> = B[i, j];",
     [](const Input& in, Index i, Index j) {
         const Index from = size - 1 - i;
         const Value put = in.in_s(from) ? in.b.at(from, (j + size - 2) % size) : Value();
         return put ? put : in.a.at(i, j);
     }},
    {"part_gathered", "C[i, j] = A[i, j]; C[p[i], j] += B[i, j];",
     [](const Input& in, Index i, Index j) {
         Value sum = in.a.at(i, j);
         for (Index k = 0; k < size; ++k) {
             if (in.p[k] == i && in.b.has(k, j)) sum = sum.value_or(0) + in.b.value(k, j);
         }
         return sum;
     }},
    {"edges_of_what_changes",
     "D[i, j] = A[i, j]; e: vector<int, edges(D)>;"
     "for r in range(2) { e[i, j] = i + r; D[i, j] = A[i, j] + B[i, j]; }"
     "e[i, j] += 1; C[i, j] = e[i, j];",
     [](const Input& in, Index i, Index j) {
         return in.a.has(i, j) || in.b.has(i, j) ? Value(1) : Value();
     }},
    {"functions_start_anew", "for r in range(3) C = fresh(A);",
     [](const Input& in, Index i, Index j) { return in.a.at(i, j); },
     "def fresh(G: graph<int>) -> H: graph<int64> { H[i, j] += G[i, j]; }"},
    {"ends_early",
     "C[i, j] = A[i, j]; if (count(C) > 3) { C[i, j] += B[i, j]; return; } C[i, j] = B[i, j];",
     [](const Input& in, Index i, Index j) { return either(in.a.at(i, j), in.b.at(i, j), plus); }},
    {"nothing_yet", "if (size(A) < 0) C[i, j] = A[i, j];",
     [](const Input&, Index, Index) { return Value(); }},
    {"until_it_is_whole",
     "D[i, j] = A[i, j] && true; n = -1; while (n != count(D)) { n = count(D);"
     "D[i, j] |= D[i, k] @(any, pair) D[k, j]; } C[i, j] = D[i, j];",
     [](const Input& in, Index i, Index j) {
         static std::vector<bool> reach;
         if (reach.empty()) {
             reach.resize(size * size);
             for (Index r = 0; r < size; ++r) {
                 for (Index c = 0; c < size; ++c) {
                     reach[r * size + c] = in.a.has(r, c);
                 }
             }
             for (Index k = 0; k < size; ++k) {
                 for (Index r = 0; r < size; ++r) {
                     for (Index c = 0; c < size; ++c) {
                         if (reach[r * size + k] && reach[k * size + c]) reach[r * size + c] = true;
                     }
                 }
             }
         }
         return reach[i * size + j] ? Value(1) : Value();
     }},
};

std::string program_of(const Case& one) {
    return std::string(one.definitions) +
           "\ndef f(A: graph<int>, B: graph<int>, x: vector<int>, p: vector<vertex>, s: set)"
           " -> C: graph<int64> {\n" +
           one.body + "\n}\n";
}

Tensor set_of(const std::vector<std::int32_t>& members) {
    std::vector<std::int32_t> truths(size);
    for (const std::int32_t member : members) truths[static_cast<std::size_t>(member)] = 1;
    return vector_of(truths);
}

class AlgorithmMatrices : public ::testing::TestWithParam<Case> {};

TEST_P(AlgorithmMatrices, AreWhatTheRuleSays) {
    const Input in;
    Dense expected(size, size);
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) expected.at(i, j) = GetParam().rule(in, i, j);
    }
    for (const bool optimise : {false, true}) {
        const Algorithm algorithm =
            Algorithm::from_text(program_of(GetParam()), {.function = "f",
                                                          .wide = !optimise,
                                                          .check = !optimise,
                                                          .optimise = optimise,
                                                          .cache = false});
        for (const int threads : {1, 2}) {
            const AlgorithmResult result = algorithm.run({{"A", tensor_of(in.a)},
                                                          {"B", tensor_of(in.b)},
                                                          {"x", vector_of(in.x)},
                                                          {"p", vector_of(in.p)},
                                                          {"s", set_of(in.s)}},
                                                         Context({.threads = threads}));
            EXPECT_EQ(difference(dense_of(result.tensor("C")), expected), "")
                << algorithm.show(AlgorithmStage::algorithm);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Statements, AlgorithmMatrices, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tropic
