// A checked generator expression, as the families see it: arguments by position or key with their
// limits, and the options all families share.
#pragma once

#include <string>

#include "graph/generators/expression.h"
#include "graph/generators/weights.h"

namespace tropic::generators {

struct Generator;

/// How an edge list is laid out; tests make blocks tiny and indices wide. The graph does not depend
/// on it.
struct Layout {
    Index edges_per_block = Index{1} << 19;
    bool wide_indices = false;
};

class Request {
  public:
    /// Checks that every argument is one the generator knows. `text` must outlive the request.
    Request(const Generator& generator, Expression expression, std::uint64_t default_seed,
            Layout layout);

    std::string_view text() const noexcept { return expression_.text; }
    const Generator& generator() const noexcept { return generator_; }
    const Layout& layout() const noexcept { return layout_; }

    std::uint64_t seed() const noexcept { return seed_; }
    bool raw() const noexcept { return raw_; }           ///< keep edges as they are generated
    bool directed() const noexcept { return directed_; } ///< asked for, or the family's nature
    const WeightRule& weights() const noexcept { return weights_; }
    Random random(Stream stream) const noexcept { return {seed_, stream}; }

    /// Positional argument number `position`, named `what` in complaints; required.
    Index whole(std::size_t position, std::string_view what, Index least, Index most) const;
    /// The same with a value for when it is absent.
    Index whole_or(std::size_t position, std::string_view what, Index least, Index most,
                   Index absent) const;
    double real_or(std::size_t position, std::string_view what, double least, double most,
                   double absent) const;
    /// "WxH" or "WxHxD": from `fewest` to `highest` sizes, each at most `most`; required.
    std::vector<Index> sizes(std::size_t position, std::string_view what, std::size_t fewest,
                             std::size_t highest, Index most) const;

    bool flag(std::string_view key) const noexcept { return find(key) != nullptr; }
    bool has(std::size_t position) const noexcept { return positional(position) != nullptr; }
    double real_of(std::string_view key, double least, double most, double absent) const;

    /// a * b, or Error(usage) if no machine could hold that many of `what`.
    Index product(Index a, Index b, std::string_view what) const;

    /// Error(usage) at an argument (nullptr: behind the last one).
    [[noreturn]] void refuse(const Argument* argument, std::string message,
                             std::string accepted) const;

  private:
    const Argument* positional(std::size_t position) const noexcept;
    const Argument* find(std::string_view key) const noexcept;
    void check_arguments() const;
    void check_known(const Argument& argument, std::size_t positions) const;
    void read_common_options();
    void read_weights(const Argument& argument);
    Index read_whole(const Argument& argument, std::string_view text, Index column,
                     std::string_view what, Index least, Index most) const;
    double read_real(const Argument& argument, std::string_view what, double least,
                     double most) const;
    [[noreturn]] void missing(std::string_view what) const;

    const Generator& generator_;
    Expression expression_;
    Layout layout_;
    std::uint64_t seed_;
    bool raw_ = false;
    bool directed_ = false;
    WeightRule weights_;
};

} // namespace tropic::generators
