// Dense matrices with and without entries, for tests that work out what sparse ones should be.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tropic/coordinates.h"

namespace tropic {

/// A matrix with or without an entry everywhere.
struct Dense {
    Index rows = 0;
    Index columns = 0;
    std::vector<std::optional<double>> entries;

    Dense(Index r, Index c) : rows(r), columns(c), entries(static_cast<std::size_t>(r * c)) {}
    std::optional<double>& at(Index i, Index j) {
        return entries[static_cast<std::size_t>(i * columns + j)];
    }
    const std::optional<double>& at(Index i, Index j) const {
        return entries[static_cast<std::size_t>(i * columns + j)];
    }
    bool has(Index i, Index j) const { return at(i, j).has_value(); }
    double value(Index i, Index j) const { return at(i, j).value_or(0); }
};

inline Dense random_matrix(unsigned seed, Index rows, Index columns, double density) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> chance(0, 1);
    std::uniform_int_distribution<int> number(-4, 9);
    Dense made(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        if (i % 7 == 3) continue; // rows without entries
        const double here = i % 11 == 5 ? 10 * density : density;
        for (Index j = 0; j < columns; ++j) {
            const int value = number(random);
            if (chance(random) < here) made.at(i, j) = value;
        }
    }
    return made;
}

inline Tensor tensor_of(const Dense& matrix) {
    std::vector<std::int32_t> pos = {0};
    std::vector<std::int32_t> crd;
    std::vector<std::int32_t> values;
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < matrix.columns; ++j) {
            if (!matrix.has(i, j)) continue;
            crd.push_back(static_cast<std::int32_t>(j));
            values.push_back(static_cast<std::int32_t>(matrix.value(i, j)));
        }
        pos.push_back(static_cast<std::int32_t>(crd.size()));
    }
    std::vector<Level> levels(2);
    levels[1].kind = LevelKind::compressed;
    levels[1].pos = Array::copy_of<std::int32_t>(pos, {}, "positions");
    levels[1].crd = Array::copy_of<std::int32_t>(crd, {}, "coordinates");
    return {{matrix.rows, matrix.columns},
            Format::csr(),
            std::move(levels),
            Array::copy_of<std::int32_t>(values, {}, "values"),
            true,
            true};
}

/// As text, entry by entry.
inline std::string text_of(const Dense& matrix) {
    std::string text = std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) + "\n";
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < matrix.columns; ++j) {
            if (!matrix.has(i, j)) continue;
            text += std::to_string(i) + " " + std::to_string(j) + " " +
                    std::to_string(matrix.value(i, j) + 0.0) + "\n"; // no -0
        }
    }
    return text;
}

/// The first lines that differ; empty if none do.
inline std::string difference(const Dense& found, const Dense& expected) {
    std::string text;
    if (found.rows != expected.rows || found.columns != expected.columns) {
        return "found " + text_of(found).substr(0, 30) + " wanted " +
               text_of(expected).substr(0, 30);
    }
    int lines = 0;
    for (Index i = 0; i < found.rows && lines < 5; ++i) {
        for (Index j = 0; j < found.columns && lines < 5; ++j) {
            if (found.at(i, j) == expected.at(i, j)) continue;
            const auto shown = [](const std::optional<double>& value) {
                return value ? std::to_string(*value) : std::string("nothing");
            };
            text += std::to_string(i) + ", " + std::to_string(j) + ": found " +
                    shown(found.at(i, j)) + ", wanted " + shown(expected.at(i, j)) + "\n";
            ++lines;
        }
    }
    return text;
}

inline Dense dense_of(const Tensor& tensor) {
    tensor.check();
    EXPECT_TRUE(tensor.unique());
    EXPECT_TRUE(tensor.sorted());
    Dense made(tensor.dim(0), tensor.dim(1));
    visit_csr(tensor, [&](const auto& view) {
        for (Index i = 0; i < view.rows; ++i) {
            for (Index p = view.pos[i]; p < view.pos[i + 1]; ++p) {
                made.at(i, view.crd[p]) = tensor.is_pattern() ? 1 : tensor.values().value_at(p);
            }
        }
    });
    return made;
}

using Value = std::optional<double>;

inline double plus(double a, double b) {
    return a + b;
}
inline double times(double a, double b) {
    return a * b;
}

inline Value either(const Value& a, const Value& b,
                    const std::function<double(double, double)>& op) {
    if (a && b) return op(*a, *b);
    return a ? a : b;
}

/// The product of two matrices at one place.
inline Value product(const Dense& a, const Dense& b, Index i, Index j,
                     const std::function<double(double, double)>& add,
                     const std::function<double(double, double)>& multiply) {
    Value sum;
    for (Index k = 0; k < a.columns; ++k) {
        if (!a.has(i, k) || !b.has(k, j)) continue;
        const double one = multiply(a.value(i, k), b.value(k, j));
        sum = sum ? add(*sum, one) : one;
    }
    return sum;
}

inline Dense transposed(const Dense& m) {
    Dense t(m.columns, m.rows);
    for (Index i = 0; i < m.rows; ++i) {
        for (Index j = 0; j < m.columns; ++j) t.at(j, i) = m.at(i, j);
    }
    return t;
}

} // namespace tropic
