// Products, factors, topics and the mesh: computed again in double precision, row by row.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "verify/adjacency.h"

namespace tropic::verify {

namespace {

constexpr std::string_view method = "sums in double precision, row by row";

double precision_of(const Array& array) {
    if (array.type() == ElementType::float32) return 1e-4;
    return array.type() == ElementType::float64 ? 1e-9 : 0;
}

} // namespace

Verdict product(const Graph& graph, const Array& x, const Array& y, const Context& context) {
    const Adjacency rows(graph.tensor, context, true);
    Verdict verdict{std::string(method), size_complaint(y, rows.rows(), "y")};
    if (verdict.correct() && !x.empty()) verdict.complaint = size_complaint(x, rows.cols(), "x");
    if (!verdict.correct()) return verdict;
    for (Index i = 0; i < rows.rows(); ++i) {
        double right = 0;
        double size = 0;
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            const double term = rows.value(e) * (x.empty() ? 1.0 : x.value_at(rows.target(e)));
            right += term;
            size += std::abs(term);
        }
        if (close(y.value_at(i), right, precision_of(y), precision_of(y) * size)) continue;
        verdict.complaint =
            fmt::format("element {} is {}, not {}", graph.ids.empty() ? i : graph.ids[0][i], right,
                        y.value_at(i));
        break;
    }
    return verdict;
}

Verdict product(const Tensor& a, const Tensor& b, const Tensor& c, const Context& context) {
    const Adjacency left(a, context, true);
    const Adjacency right(b, context, true);
    const Adjacency found(c, context, true);
    Verdict verdict{"a tree of sums for every row", {}};
    if (left.cols() != right.rows() || found.rows() != left.rows() ||
        found.cols() != right.cols()) {
        verdict.complaint = "the result has another shape";
        return verdict;
    }
    for (Index i = 0; i < left.rows(); ++i) {
        context.check_cancelled();
        struct Sum {
            double value = 0;
            double size = 0; ///< of its terms: what rounding depends on
        };
        std::map<Index, Sum> sums;
        for (Index e = left.begin(i); e < left.end(i); ++e) {
            const Index k = left.target(e);
            for (Index f = right.begin(k); f < right.end(k); ++f) {
                const double term = left.value(e) * right.value(f);
                Sum& sum = sums[right.target(f)];
                sum.value += term;
                sum.size += std::abs(term);
            }
        }
        for (Index e = found.begin(i); e < found.end(i); ++e) {
            const auto sum = sums.find(found.target(e));
            const Sum right_sum = sum == sums.end() ? Sum{} : sum->second;
            if (!close(found.value(e), right_sum.value, 1e-9, 1e-9 * right_sum.size)) {
                verdict.complaint = fmt::format("C[{}, {}] is {}, not {}", i, found.target(e),
                                                right_sum.value, found.value(e));
                return verdict;
            }
            if (sum != sums.end()) sums.erase(sum);
        }
        for (const auto& [j, sum] : sums) {
            if (std::abs(sum.value) <= 1e-9 * sum.size) continue;
            verdict.complaint = fmt::format("C[{}, {}] is missing: it is {}", i, j, sum.value);
            return verdict;
        }
    }
    return verdict;
}

Verdict factors(const Graph& ratings, const Array& user, const Array& item, int lanes, double error,
                const Context& context) {
    const Adjacency rows(ratings.tensor, context, true);
    Verdict verdict{"adding up the errors again",
                    size_complaint(user, rows.rows() * lanes, "user")};
    if (verdict.correct()) verdict.complaint = size_complaint(item, rows.cols() * lanes, "item");
    if (!verdict.correct()) return verdict;
    for (const Array* side : {&user, &item}) {
        for (Index i = 0; i < side->size(); ++i) {
            if (std::isfinite(side->value_at(i))) continue;
            verdict.complaint = "a number is not finite: the steps are too large";
            return verdict;
        }
    }
    double squares = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            double product = 0;
            for (int k = 0; k < lanes; ++k) {
                product += user.value_at(i * lanes + k) * item.value_at(rows.target(e) * lanes + k);
            }
            squares += (rows.value(e) - product) * (rows.value(e) - product);
        }
    }
    const double right =
        rows.entries() == 0 ? 0 : std::sqrt(squares / static_cast<double>(rows.entries()));
    if (!close(error, right, 1e-3, 1e-6)) {
        verdict.complaint = fmt::format("the error is {}, not {}", right, error);
    }
    return verdict;
}

Verdict topics(const Graph& counts, const Array& document, const Array& word, const Array& topic,
               int lanes, const Context& context) {
    const Adjacency rows(counts.tensor, context, true);
    Verdict verdict{"adding up the counts",
                    size_complaint(document, rows.rows() * lanes, "document")};
    if (verdict.correct()) verdict.complaint = size_complaint(word, rows.cols() * lanes, "word");
    if (verdict.correct()) verdict.complaint = size_complaint(topic, lanes, "topic");
    if (!verdict.correct()) return verdict;
    Scratch<double> of_word(rows.cols(), 0, context);
    for (Index i = 0; i < rows.rows(); ++i) {
        double all = 0;
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            all += rows.value(e);
            of_word[rows.target(e)] += rows.value(e);
        }
        double found = 0;
        for (int k = 0; k < lanes; ++k) {
            const double count = document.value_at(i * lanes + k);
            if (!(count >= 0)) verdict.complaint = fmt::format("a count is {}", count);
            found += count;
        }
        if (!close(found, all, 1e-6, 1e-9)) {
            verdict.complaint =
                fmt::format("{} has {} words, not {}", vertex_text(counts, i), all, found);
        }
        if (!verdict.correct()) return verdict;
    }
    for (Index j = 0; j < rows.cols(); ++j) {
        double found = 0;
        for (int k = 0; k < lanes; ++k) {
            const double count = word.value_at(j * lanes + k);
            if (!(count >= 0)) verdict.complaint = fmt::format("a count is {}", count);
            found += count;
        }
        if (!close(found, of_word[j], 1e-6, 1e-9)) {
            verdict.complaint =
                fmt::format("word {} occurs {} times, not {}", j, of_word[j], found);
        }
        if (!verdict.correct()) return verdict;
    }
    for (int k = 0; k < lanes; ++k) {
        double in_documents = 0;
        double of_words = 0;
        for (Index i = 0; i < rows.rows(); ++i) in_documents += document.value_at(i * lanes + k);
        for (Index j = 0; j < rows.cols(); ++j) of_words += word.value_at(j * lanes + k);
        for (const double found : {in_documents, of_words}) {
            if (close(found, topic.value_at(k), 1e-6, 1e-9)) continue;
            verdict.complaint =
                fmt::format("topic {} has {} words, not {}", k, found, topic.value_at(k));
        }
    }
    return verdict;
}

Verdict mesh_update(const Graph& graph, const Array& start, int rounds, const Array& node,
                    const Array& edge, const Context& context) {
    const Adjacency rows = square_rows(graph, context, true);
    const Index n = rows.rows();
    Verdict verdict{std::string(method), size_complaint(node, 3 * n, "node")};
    if (verdict.correct()) verdict.complaint = size_complaint(start, 3 * n, "start");
    if (verdict.correct()) verdict.complaint = size_complaint(edge, rows.entries(), "edge");
    if (!verdict.correct()) return verdict;
    Scratch<double> nodes(3 * n, 0, context);
    Scratch<double> edges(rows.entries(), 0, context);
    for (Index i = 0; i < 3 * n; ++i) nodes[i] = start.value_at(i);
    for (Index e = 0; e < rows.entries(); ++e) edges[e] = rows.value(e);
    for (int round = 0; round < rounds; ++round) {
        context.check_cancelled();
        Scratch<double> next(3 * n, 0, context);
        for (Index i = 0; i < n; ++i) {
            for (int k = 0; k < 3; ++k) next[3 * i + k] = 0.8 * nodes[3 * i + k];
            for (Index e = rows.begin(i); e < rows.end(i); ++e) {
                const Index j = rows.target(e);
                double product = 0;
                for (int k = 0; k < 3; ++k) {
                    next[3 * i + k] += 0.2 * edges[e] * nodes[3 * j + k];
                    product += nodes[3 * i + k] * nodes[3 * j + k];
                }
                edges[e] = product / 6;
            }
        }
        nodes.elements().swap(next.elements());
    }
    const double precision = 1e-3;
    for (Index i = 0; i < 3 * n; ++i) {
        if (close(node.value_at(i), nodes[i], precision, precision)) continue;
        verdict.complaint = fmt::format("{} holds {}, not {}", vertex_text(graph, i / 3), nodes[i],
                                        node.value_at(i));
        return verdict;
    }
    for (Index e = 0; e < rows.entries(); ++e) {
        if (close(edge.value_at(e), edges[e], precision, precision)) continue;
        verdict.complaint = fmt::format("entry {} holds {}, not {}", e, edges[e], edge.value_at(e));
        return verdict;
    }
    return verdict;
}

} // namespace tropic::verify
