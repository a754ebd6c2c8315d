#include "hand_written_loops.h"

#include <algorithm>
#include <limits>

namespace hand_written {

void spmv(const Csr& a, const double* x, double* y) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
        double sum = 0;
        for (std::int32_t e = a.pos[i]; e < a.pos[i + 1]; ++e) sum += a.values[e] * x[a.crd[e]];
        y[i] = sum;
    }
}

void spmv_min_plus(const Csr& a, const double* x, double* y) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::int32_t e = a.pos[i]; e < a.pos[i + 1]; ++e) {
            least = std::min(least, a.values[e] + x[a.crd[e]]);
        }
        y[i] = a.pos[i] < a.pos[i + 1] ? least : 0;
    }
}

void spmm(const Csr& a, const double* x, double* y, std::int32_t columns) {
    for (std::int32_t i = 0; i < a.rows; ++i) {
        double* const row = y + static_cast<std::int64_t>(i) * columns;
        std::fill(row, row + columns, 0.0);
        for (std::int32_t e = a.pos[i]; e < a.pos[i + 1]; ++e) {
            const double value = a.values[e];
            const double* const other = x + static_cast<std::int64_t>(a.crd[e]) * columns;
            for (std::int32_t c = 0; c < columns; ++c) row[c] += value * other[c];
        }
    }
}

void add_vectors(std::int32_t n, const double* x, const double* y, double* z) {
    for (std::int32_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}

double sum_of_products(const Csr& a, const double* x, const double* y) {
    double total = 0;
    for (std::int32_t i = 0; i < a.rows; ++i) {
        double sum = 0;
        for (std::int32_t e = a.pos[i]; e < a.pos[i + 1]; ++e) sum += a.values[e] * y[a.crd[e]];
        total += x[i] * sum;
    }
    return total;
}

double count_triangles(const Csr& lower, std::vector<std::int32_t>& marks) {
    std::int64_t count = 0;
    for (std::int32_t i = 0; i < lower.rows; ++i) {
        for (std::int32_t e = lower.pos[i]; e < lower.pos[i + 1]; ++e) marks[lower.crd[e]] = i + 1;
        for (std::int32_t e = lower.pos[i]; e < lower.pos[i + 1]; ++e) {
            const std::int32_t k = lower.crd[e];
            for (std::int32_t f = lower.pos[k]; f < lower.pos[k + 1]; ++f) {
                count += marks[lower.crd[f]] == i + 1 ? 1 : 0;
            }
        }
    }
    return static_cast<double>(count);
}

void add(const Csr& a, const Csr& b, OwnedCsr& c) {
    c.pos.assign(1, 0);
    c.crd.clear();
    c.values.clear();
    for (std::int32_t i = 0; i < a.rows; ++i) {
        std::int32_t e = a.pos[i];
        std::int32_t f = b.pos[i];
        while (e < a.pos[i + 1] || f < b.pos[i + 1]) {
            const std::int32_t none = std::numeric_limits<std::int32_t>::max();
            const std::int32_t left = e < a.pos[i + 1] ? a.crd[e] : none;
            const std::int32_t right = f < b.pos[i + 1] ? b.crd[f] : none;
            double value = 0;
            if (left <= right) value += a.values[e++];
            if (right <= left) value += b.values[f++];
            c.crd.push_back(std::min(left, right));
            c.values.push_back(value);
        }
        c.pos.push_back(static_cast<std::int32_t>(c.crd.size()));
    }
}

void multiply(const Csr& a, const Csr& b, std::int32_t columns, OwnedCsr& c) {
    std::vector<double> sums(static_cast<std::size_t>(columns));
    std::vector<std::int32_t> marks(static_cast<std::size_t>(columns));
    std::vector<std::int32_t> list;
    c.pos.assign(1, 0);
    c.crd.clear();
    c.values.clear();
    for (std::int32_t i = 0; i < a.rows; ++i) {
        list.clear();
        for (std::int32_t e = a.pos[i]; e < a.pos[i + 1]; ++e) {
            const std::int32_t k = a.crd[e];
            for (std::int32_t f = b.pos[k]; f < b.pos[k + 1]; ++f) {
                const std::int32_t j = b.crd[f];
                if (marks[j] != i + 1) {
                    marks[j] = i + 1;
                    sums[j] = a.values[e] * b.values[f];
                    list.push_back(j);
                } else {
                    sums[j] += a.values[e] * b.values[f];
                }
            }
        }
        std::sort(list.begin(), list.end());
        for (const std::int32_t j : list) {
            c.crd.push_back(j);
            c.values.push_back(sums[j]);
        }
        c.pos.push_back(static_cast<std::int32_t>(c.crd.size()));
    }
}

} // namespace hand_written
