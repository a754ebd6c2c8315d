#include "tropic/algorithms/matrices.h"

#include <cmath>

#include <fmt/format.h>

#include "library/families.h"
#include "verify/adjacency.h"

namespace tropic::library {

namespace {

Verdict check_row_sums(const Outcome& o, const Context& context) {
    return verify::product(o.graph, {}, o.array("y"), context);
}

Verdict check_product(const Outcome& o, const Context& context) {
    return verify::product(o.graph, o.array("x"), o.array("y"), context);
}

Verdict check_factors(const Outcome& o, const Context& context) {
    return verify::factors(o.graph, o.array("user"), o.array("item"),
                           static_cast<int>(o.option("factors")), o.result.number("error"),
                           context);
}

/// What is wrong with the likelihood as that of the counts; or nothing.
std::string likelihood_complaint(const Outcome& o, const Context& context) {
    const verify::Adjacency rows(o.graph.tensor, context, true);
    const Array& document = o.array("document");
    const Array& word = o.array("word");
    const Array& topic = o.array("topic");
    const auto lanes = static_cast<Index>(o.option("topics"));
    const double alpha = o.option("alpha");
    const double beta = o.option("beta");
    verify::Patience patience(context);
    double likelihood = 0;
    double size = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
        double words = 0;
        for (Index k = 0; k < lanes; ++k) words += document.value_at(i * lanes + k) + alpha;
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            patience.step();
            double share = 0;
            for (Index k = 0; k < lanes; ++k) {
                share += (document.value_at(i * lanes + k) + alpha) / words *
                         (word.value_at(rows.target(e) * lanes + k) + beta) /
                         (topic.value_at(k) + static_cast<double>(rows.cols()) * beta);
            }
            likelihood += rows.value(e) * std::log(share);
            size += rows.value(e) * (1 + std::abs(std::log(share)));
        }
    }
    const double found = o.result.number("likelihood");
    if (std::abs(found - likelihood) <= 1e-9 * size) return {};
    return fmt::format("the likelihood is {}, not {}", likelihood, found);
}

Verdict check_topics(const Outcome& o, const Context& context) {
    Verdict verdict =
        verify::topics(o.graph, o.array("document"), o.array("word"), o.array("topic"),
                       static_cast<int>(o.option("topics")), context);
    if (verdict.correct()) verdict.complaint = likelihood_complaint(o, context);
    return verdict;
}

/// Of `alpha` and `beta`: times so many topics or words it is a number still.
constexpr double largest_start = 1e100;

/// In single precision, where squares of it are numbers still.
constexpr double largest_penalty = 1e10;

Verdict check_mesh(const Outcome& o, const Context& context) {
    return verify::mesh_update(o.graph, o.array("start"), static_cast<int>(o.option("rounds")),
                               o.array("node"), o.array("edge"), context);
}

} // namespace

void add_matrices(std::vector<Entry>& entries) {
    entries.push_back({.name = "spmv",
                       .theme = Theme::matrices,
                       .summary = "Sparse matrix times vector",
                       .methods = {{.name = "row_sums",
                                    .function = "row_sums",
                                    .summary = "times a vector of ones",
                                    .columns = {{"y", Summary::values}},
                                    .verify = check_row_sums,
                                    .negative = true},
                                   {.name = "random_vector",
                                    .function = "random_vector",
                                    .summary = "times a vector of random numbers from 0 up to 1",
                                    .columns = {{"y", Summary::values}, {"x", Summary::values}},
                                    .verify = check_product,
                                    .options = {"seed"},
                                    .negative = true}},
                       .options = {{"seed", "1", "random_vector: of the numbers"}},
                       .shape = Shape::matrix,
                       .examples = "  tropic spmv west0067.mtx -o sums.csv\n"});
    entries.push_back(
        {.name = "collaborative_filtering",
         .theme = Theme::matrices,
         .summary = "Factors of a matrix of ratings, to foretell those that are missing",
         .methods = {{.name = "als",
                      .function = "als",
                      .summary = "least squares for users and items in turn",
                      .columns = {{"user", Summary::values}, {"item", Summary::values}},
                      .verify = check_factors,
                      .options = {"factors", "rounds", "penalty", "seed"},
                      .negative = true},
                     {.name = "gradient_descent",
                      .function = "gradient_descent",
                      .summary = "small steps downhill for all at once",
                      .columns = {{"user", Summary::values}, {"item", Summary::values}},
                      .verify = check_factors,
                      .options = {"factors", "rounds", "rate", "penalty", "seed"},
                      .negative = true}},
         .options = {{"factors", "8", "how many numbers describe a row or a column, 2 to 64",
                      whole_from(2, most_factors)},
                     {"rounds", "", "how often (als: 10, gradient_descent: 50)", whole_from(0)},
                     {"rate", "0.5", "gradient_descent: the size of a step, below 1",
                      between(0, 1)},
                     {"penalty", "", "of large factors (als: 0.1, gradient_descent: 0.05)",
                      from(0, largest_penalty)},
                     {"seed", "1", "of the factors to begin with"}},
         .shape = Shape::matrix,
         .lanes = LanesOption{"factors", "float", 8},
         .examples = "  tropic collaborative_filtering ratings.mtx -o users.csv\n"});
    entries.push_back(
        {.name = "lda",
         .theme = Theme::matrices,
         .summary = "Latent Dirichlet allocation: topics of documents and words",
         .methods = {{.name = "counts",
                      .function = "lda",
                      .summary = "entries spread over topics in every round",
                      .columns = {{"document", Summary::values}, {"word", Summary::values}},
                      .verify = check_topics,
                      .options = {"topics", "rounds", "alpha", "beta", "seed"}}},
         .options = {{"topics", "8", "how many, 2 to 64", whole_from(2, most_factors)},
                     {"rounds", "20", "how often entries are spread", whole_from(0)},
                     {"alpha", "0.1", "what every topic of a document has to begin with",
                      above(0, largest_start)},
                     {"beta", "0.01", "what every word of a topic has to begin with",
                      above(0, largest_start)},
                     {"seed", "1", "of the topics to begin with"}},
         .shape = Shape::matrix,
         .lanes = LanesOption{"topics", "double", 8},
         .examples = "  tropic lda words.mtx --rounds 50 -o documents.csv\n"});
    entries.push_back(
        {.name = "mesh_update",
         .theme = Theme::matrices,
         .summary = "Nodes and edges of a mesh that change each other",
         .methods = {{.name = "rounds",
                      .function = "mesh_update",
                      .summary = "all nodes and edges at once",
                      .columns = {{"node", Summary::values}, {"edge", Summary::values}},
                      .verify = check_mesh,
                      .options = {"rounds", "seed"},
                      .negative = true}},
         .options = {{"rounds", "1", "how often", whole_from(0)},
                     {"seed", "1", "of the nodes to begin with"}},
         .shape = Shape::undirected,
         .examples = "  tropic mesh_update mesh.graph --rounds 10 -o nodes.csv\n"});
}

} // namespace tropic::library
