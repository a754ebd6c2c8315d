// bipartite: N vertices on the left, M on the right, every pair of them joined, or each with a
// given probability.
#include "graph/generators/families.h"

namespace tropic::generators {

namespace {

/// Draws how many failures come before a success of probability p. The binary digits of this number
/// are independent, digit j being 1 with probability q^(2^j) / (1 + q^(2^j)) for q = 1 - p, so no
/// logarithm (whose last bit differs between machines) is needed.
class Gaps {
  public:
    explicit Gaps(double p) {
        double power = 1 - p; // q^(2^j)
        while (power > 0x1p-40 && digits_.size() < 62) {
            digits_.emplace_back(power / (1 + power));
            power *= power;
        }
    }

    /// `counter` is the place in the stream and moves on.
    Index draw(const Random& random, std::uint64_t stream, std::uint64_t& counter) const {
        Index gap = 0;
        for (std::size_t j = 0; j < digits_.size(); ++j) {
            gap |= Index{digits_[j].happens(random.at(stream, counter++))} << j;
        }
        return gap;
    }

  private:
    std::vector<Chance> digits_;
};

} // namespace

GeneratedEdges make_bipartite(const Request& request, const Context& context) {
    const std::vector<Index> sizes = request.sizes(0, "size", 2, 2, most_vertices);
    const Index left = sizes[0];
    const Index right = sizes[1];
    const Index pairs = request.product(left, right, "pairs");
    const double probability = request.real_or(1, "probability", 0, 1, 1);
    EdgeSource source{.vertices = left + right, .items = pairs};
    if (probability == 1) {
        return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
            for (Index k = begin; k < end; ++k) emit(k / right, left + k % right);
        });
    }

    // Items are chunks of pairs with a stream of their own each, of about 2^12 edges. Chunks depend
    // on the probability only, never on the layout.
    const double wanted = probability > 0x1p-40 ? 4096 / probability : 0x1p52;
    const auto chunk = static_cast<Index>(wanted);
    source.items = probability == 0 ? 0 : pairs / chunk + (pairs % chunk != 0 ? 1 : 0);
    source.edges_per_item = 4096;
    source.counted = true;
    source.random = true;
    source.edges_at_least =
        static_cast<Index>(static_cast<double>(pairs) * probability * 0.9) - 10000;
    const Gaps gaps(probability);
    const Random random = request.random(Stream::edges);
    return write_edges(source, request, context, [&](Index begin, Index end, auto& emit) {
        for (Index item = begin; item < end; ++item) {
            const Index stop = std::min(pairs, (item + 1) * chunk);
            std::uint64_t counter = 0;
            for (Index k = item * chunk;; ++k) {
                const Index gap = gaps.draw(random, static_cast<std::uint64_t>(item), counter);
                if (gap >= stop - k) break;
                k += gap;
                emit(k / right, left + k % right);
            }
        }
    });
}

} // namespace tropic::generators
