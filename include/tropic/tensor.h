// Storage of sparse and dense tensors of any rank as a stack of levels, outermost first. The
// familiar formats are stacks: CSR is dense over compressed, COO a non-unique compressed level over
// singletons. Compiled kernels and hand-written loops alike read the arrays of the levels directly.
#pragma once

#include <string>
#include <vector>

#include "tropic/array.h"

namespace tropic {

/// How one dimension is stored, given the positions of the level above it.
enum class LevelKind : std::uint8_t {
    dense,      ///< every coordinate, no arrays
    compressed, ///< `pos` delimits each parent's children in `crd`
    singleton,  ///< one child for each parent, its coordinate in `crd`
};

/// A storage layout: the levels and which dimension each of them stores.
struct Format {
    std::vector<LevelKind> levels;
    std::vector<int> order; ///< order[level] = dimension

    bool operator==(const Format&) const = default;

    static Format dense(int rank);
    static Format coo(int rank = 2);
    static Format csr();
    static Format csc();
    static Format dcsr();        ///< doubly compressed (hypersparse) rows
    static Format dcsc();        ///< doubly compressed (hypersparse) columns
    static Format csf(int rank); ///< compressed at every level
    static Format sparse_vector() { return csf(1); }
    static Format dense_vector() { return dense(1); }

    /// "csr", "coo"...; "custom" for a stack that has no name.
    std::string name() const;
};

/// The format of that name ("csr", "csc", "dcsr", "dcsc", "coo", "csf", "dense") at that rank;
/// false if none.
bool parse_format(std::string_view name, int rank, Format& format);

struct Level {
    LevelKind kind = LevelKind::dense;
    Array pos; ///< compressed: parents + 1 positions, pos[0] = 0; int32 or int64
    Array crd; ///< compressed and singleton: coordinates; int32 or int64
};

/// A tensor as a value: a handle on shared arrays that are never written to after construction.
class Tensor {
  public:
    /// Rank 0, no entries.
    Tensor() = default;

    /// Takes the parts as they are; `check()` verifies them.
    /// `unique`: no coordinate is stored twice. `sorted`: coordinates ascend in level order.
    Tensor(std::vector<Index> shape, Format format, std::vector<Level> levels, Array values,
           bool unique, bool sorted);

    int rank() const noexcept { return static_cast<int>(shape_.size()); }
    const std::vector<Index>& shape() const noexcept { return shape_; }
    Index dim(int d) const noexcept { return shape_[static_cast<std::size_t>(d)]; }
    const Format& format() const noexcept { return format_; }
    const std::vector<Level>& levels() const noexcept { return levels_; }
    const Level& level(int l) const noexcept { return levels_[static_cast<std::size_t>(l)]; }
    const Array& values() const noexcept { return values_; }
    ElementType type() const noexcept { return values_.type(); }
    bool is_pattern() const noexcept { return type() == ElementType::pattern; }
    bool unique() const noexcept { return unique_; }
    bool sorted() const noexcept { return sorted_; }

    /// Stored entries, duplicates counted each; all elements of a dense tensor.
    Index entries() const noexcept { return values_.size(); }

    /// Bytes of all arrays.
    std::size_t bytes() const noexcept;

    /// The same entries with other values: an array of as many elements, of any type. Throws
    /// Error(usage) for any other number.
    Tensor with_values(Array values) const;

    /// Verifies every invariant (array sizes, monotone positions, coordinates in range, order,
    /// uniqueness) in parallel; throws Error(corrupt) naming the first violation.
    void check(const Context& context = {}) const;

  private:
    std::vector<Index> shape_;
    Format format_;
    std::vector<Level> levels_;
    Array values_;
    bool unique_ = true;
    bool sorted_ = true;
};

/// The arrays of a CSR matrix (or of a CSC matrix, with rows and columns exchanged) at their real
/// types. Row i owns entries pos[i] to pos[i + 1].
template <class Pos, class Crd> struct CsrView {
    Index rows;
    Index cols;
    std::span<const Pos> pos;
    std::span<const Crd> crd;
};

/// Calls `action` with the CsrView of a tensor in format csr or csc (a csc matrix is seen as the
/// csr of its transpose).
template <class Action> decltype(auto) visit_csr(const Tensor& matrix, Action&& action) {
    const Level& level = matrix.level(1);
    const auto& order = matrix.format().order;
    const Index rows = matrix.dim(order[0]);
    const Index cols = matrix.dim(order[1]);
    return visit_index(level.pos.type(), [&](auto pos_tag) -> decltype(auto) {
        using Pos = typename decltype(pos_tag)::type;
        return visit_index(level.crd.type(), [&](auto crd_tag) -> decltype(auto) {
            using Crd = typename decltype(crd_tag)::type;
            return action(CsrView<Pos, Crd>{rows, cols, level.pos.as<Pos>(), level.crd.as<Crd>()});
        });
    });
}

} // namespace tropic
