#include <chrono>

#include "library/call.h"
#include "support/deadline.h"
#include "tropic/algorithms/matrices.h"

namespace tropic {

using library::array_of;
using library::report_of;

SpmvResult spmv(const PreparedGraph& matrix, const SpmvOptions& options, const Context& context) {
    require_matrix(matrix.graph(), "spmv");
    Arguments arguments;
    if (options.random) arguments.set("seed", options.seed);
    const AlgorithmResult result =
        library::run({"spmv", options.random ? "random_vector" : "row_sums"}, matrix, arguments,
                     options.call, context);
    return {array_of(result, "y"), array_of(result, "x"), report_of(result)};
}

SpgemmResult spgemm(const Tensor& a, const Tensor& b, const SpgemmOptions& options,
                    const Context& context) {
    library::check_timeout(options.call.timeout);
    Program program =
        Program::from_file(Algorithm::library_folder() + "/spgemm.tropic", {.outputs = {"C"}});
    program.bind("A", a).bind("B", b);
    program.compile();
    const double limit = options.call.timeout;
    const auto start = std::chrono::steady_clock::now();
    SpgemmResult result;
    result.product =
        program.run(limit > 0 ? limited(context, limit, "spgemm") : context).tensor("C");
    result.report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

FilteringResult collaborative_filtering(const PreparedGraph& ratings,
                                        const FilteringOptions& options, const Context& context) {
    library::require_method("collaborative_filtering", options.method,
                            FilteringMethod::gradient_descent);
    require_matrix(ratings.graph(), "collaborative_filtering");
    library::require_finite(ratings, "collaborative_filtering", context);
    const bool descent = options.method == FilteringMethod::gradient_descent;
    Arguments arguments{{"seed", options.seed}};
    if (options.rounds != 0) arguments.set("rounds", options.rounds);
    if (!(options.penalty < 0)) arguments.set("penalty", options.penalty);
    if (descent) arguments.set("rate", options.rate);
    const AlgorithmResult result =
        library::run({"collaborative_filtering",
                      descent ? "gradient_descent" : "als",
                      {{"factors", library::lanes_type({"factors", "float"}, options.factors)}}},
                     ratings, arguments, options.call, context);
    return {array_of(result, "user"), array_of(result, "item"), result.number("error"),
            report_of(result)};
}

LdaResult lda(const PreparedGraph& counts, const LdaOptions& options, const Context& context) {
    require_matrix(counts.graph(), "lda");
    static_cast<void>(library::length_type(counts, false, "lda", context));
    library::require_finite(counts, "lda", context);
    const AlgorithmResult result = library::run(
        {"lda", "lda", {{"topics", library::lanes_type({"topics", "double"}, options.topics)}}},
        counts,
        {{"rounds", options.rounds},
         {"alpha", options.alpha},
         {"beta", options.beta},
         {"seed", options.seed}},
        options.call, context);
    return {array_of(result, "document"), array_of(result, "word"), array_of(result, "topic"),
            result.number("likelihood"), report_of(result)};
}

MeshUpdateResult mesh_update(const PreparedGraph& mesh, const MeshUpdateOptions& options,
                             const Context& context) {
    require_square(mesh.graph(), "mesh_update");
    const AlgorithmResult result =
        library::run({"mesh_update", "mesh_update"}, mesh,
                     {{"rounds", options.rounds}, {"seed", options.seed}}, options.call, context);
    return {array_of(result, "node"), array_of(result, "edge"), array_of(result, "start"),
            report_of(result)};
}

} // namespace tropic
