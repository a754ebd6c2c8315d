// Matrices, ratings, words and meshes. Rows and columns may be two kinds of things.
#pragma once

#include "tropic/algorithms/call.h"

namespace tropic {

/// How many numbers rows and columns get at most in factors and topics; at least 2.
inline constexpr int most_factors = 64;

struct SpmvOptions {
    bool random = false; ///< times random numbers instead of ones
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct SpmvResult {
    Array y; ///< float64
    Array x; ///< random: what was multiplied with
    CallReport report;
};

SpmvResult spmv(const PreparedGraph& matrix, const SpmvOptions& options = {},
                const Context& context = {});

struct SpgemmOptions {
    CallOptions call = {};
};

struct SpgemmResult {
    Tensor product; ///< csr, float64
    CallReport report;
};

/// A B. Throws Error if the columns of `a` are not as many as the rows of `b`.
SpgemmResult spgemm(const Tensor& a, const Tensor& b, const SpgemmOptions& options = {},
                    const Context& context = {});

enum class FilteringMethod : std::uint8_t { als, gradient_descent };

struct FilteringOptions {
    FilteringMethod method = FilteringMethod::als;
    int factors = 8;     ///< how many numbers describe a row or a column
    int rounds = 0;      ///< 0: 10 (als) or 50 (gradient_descent)
    double penalty = -1; ///< of large factors; below 0: 0.1 (als) or 0.05 (gradient_descent)
    double rate = 0.5;   ///< gradient_descent: the size of a step, below 1
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct FilteringResult {
    Array user;       ///< float32, `factors` for each row
    Array item;       ///< likewise for each column
    double error = 0; ///< root of the mean squared error of the ratings there are
    CallReport report;
};

/// Throws Error(range) for ratings that are infinite, or too large for single precision.
FilteringResult collaborative_filtering(const PreparedGraph& ratings,
                                        const FilteringOptions& options = {},
                                        const Context& context = {});

struct LdaOptions {
    int topics = 8;
    int rounds = 20;
    double alpha = 0.1;
    double beta = 0.01;
    std::int64_t seed = 1;
    CallOptions call = {};
};

struct LdaResult {
    Array document; ///< float64, `topics` for each row: how many words are of a topic
    Array word;     ///< likewise for each column
    Array topic;    ///< float64: how many words a topic has in all
    double likelihood = 0;
    CallReport report;
};

/// `counts`: how often each document (row) has each word (column). Throws Error(range) for counts
/// below 0 or infinite.
LdaResult lda(const PreparedGraph& counts, const LdaOptions& options = {},
              const Context& context = {});

struct MeshUpdateOptions {
    int rounds = 1;
    std::int64_t seed = 1; ///< of the nodes to begin with
    CallOptions call = {};
};

struct MeshUpdateResult {
    Array node;  ///< float32, three for each vertex
    Array edge;  ///< float32, one for each entry, row by row with columns ascending
    Array start; ///< what the nodes were to begin with
    CallReport report;
};

MeshUpdateResult mesh_update(const PreparedGraph& mesh, const MeshUpdateOptions& options = {},
                             const Context& context = {});

} // namespace tropic
