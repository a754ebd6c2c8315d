// The loops of loops_bench as a programmer would write them, on the arrays of CSR matrices.
#pragma once

#include <cstdint>
#include <vector>

namespace hand_written {

struct Csr {
    std::int32_t rows = 0;
    const std::int32_t* pos = nullptr;
    const std::int32_t* crd = nullptr;
    const double* values = nullptr;
};

struct OwnedCsr {
    std::vector<std::int32_t> pos;
    std::vector<std::int32_t> crd;
    std::vector<double> values;
};

void spmv(const Csr& a, const double* x, double* y);
void spmv_min_plus(const Csr& a, const double* x, double* y);
void spmm(const Csr& a, const double* x, double* y, std::int32_t columns);
void add_vectors(std::int32_t n, const double* x, const double* y, double* z);
double sum_of_products(const Csr& a, const double* x, const double* y); ///< x' A y
double count_triangles(const Csr& lower, std::vector<std::int32_t>& marks);
void add(const Csr& a, const Csr& b, OwnedCsr& c);
void multiply(const Csr& a, const Csr& b, std::int32_t columns, OwnedCsr& c);

} // namespace hand_written
