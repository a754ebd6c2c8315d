// Products, factors and topics: computed again in double precision, row by row.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "verify/adjacency.h"

namespace tropic::verify {

namespace {

constexpr std::string_view method = "sums in double precision, row by row";

/// What a sum of many may be off by, in proportion to its terms.
double sum_precision_of(const Array& array) {
    if (array.type() == ElementType::float32) return 1e-4;
    return array.type() == ElementType::float64 ? 1e-9 : 0;
}

/// Infinities of both signs, or 0 of them, have no sum.
bool same_sum(double a, double b, double relative, double absolute) {
    return std::isnan(b) ? std::isnan(a) : close(a, b, relative, absolute);
}

/// Half of the distance from 1 to the next number of the type.
double unit_of(const Array& array) {
    return array.type() == ElementType::float32 ? 0x1p-24 : 0x1p-53;
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
        const double precision = sum_precision_of(y);
        if (same_sum(y.value_at(i), right, precision, precision * size)) continue;
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
            if (!same_sum(found.value(e), right_sum.value, 1e-9, 1e-9 * right_sum.size)) {
                verdict.complaint = fmt::format("C[{}, {}] is {}, not {}", i, found.target(e),
                                                right_sum.value, found.value(e));
                return verdict;
            }
            if (sum != sums.end()) sums.erase(sum);
        }
        for (const auto& [j, sum] : sums) {
            if (std::isfinite(sum.value) && std::abs(sum.value) <= 1e-9 * sum.size) continue;
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
    double sizes = 0; // of what the errors are the differences of: what rounding depends on
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index e = rows.begin(i); e < rows.end(i); ++e) {
            double product = 0;
            double size = std::abs(rows.value(e));
            for (int k = 0; k < lanes; ++k) {
                const double term =
                    user.value_at(i * lanes + k) * item.value_at(rows.target(e) * lanes + k);
                product += term;
                size += std::abs(term);
            }
            squares += (rows.value(e) - product) * (rows.value(e) - product);
            sizes += size * size;
        }
    }
    const auto root_of_mean = [&](double sum) {
        return rows.entries() == 0 ? 0 : std::sqrt(sum / static_cast<double>(rows.entries()));
    };
    const double right = root_of_mean(squares);
    if (!close(error, right, 1e-6, 2 * (lanes + 2) * unit_of(user) * root_of_mean(sizes))) {
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
        if (!close(found, all, 1e-6)) {
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
        if (!close(found, of_word[j], 1e-6)) {
            verdict.complaint =
                fmt::format("word {} occurs {} times, not {}",
                            counts.ids.size() < 2 ? j : counts.ids[1][j], of_word[j], found);
        }
        if (!verdict.correct()) return verdict;
    }
    for (int k = 0; k < lanes; ++k) {
        double in_documents = 0;
        double of_words = 0;
        for (Index i = 0; i < rows.rows(); ++i) in_documents += document.value_at(i * lanes + k);
        for (Index j = 0; j < rows.cols(); ++j) of_words += word.value_at(j * lanes + k);
        for (const double found : {in_documents, of_words}) {
            if (close(found, topic.value_at(k), 1e-6)) continue;
            verdict.complaint =
                fmt::format("topic {} has {} words, not {}", k, found, topic.value_at(k));
        }
    }
    return verdict;
}

} // namespace tropic::verify
