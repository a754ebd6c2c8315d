// The rows of a matrix as verifiers walk through them: ascending, and without a copy where they are
// stored so, whatever the width of the indices.
#pragma once

#include <vector>

#include "support/memory.h"
#include "tropic/graph.h"
#include "tropic/verify.h"

namespace tropic::verify {

/// Holds the sum of any number of 64-bit values.
__extension__ using Whole = __int128;

/// An element of an array of whole numbers.
Whole whole_at(const Array& array, Index i);

class Adjacency {
  public:
    /// `weighted`: `value` may be asked for, and `whole_value` where `is_whole`; a pattern has
    /// ones.
    Adjacency(const Tensor& matrix, const Context& context, bool weighted = false);

    Index rows() const noexcept { return rows_; }
    Index cols() const noexcept { return cols_; }
    Index entries() const noexcept { return crd_.size(); }
    Index begin(Index row) const noexcept { return at(pos_, row); }
    Index end(Index row) const noexcept { return at(pos_, row + 1); }
    Index degree(Index row) const noexcept { return end(row) - begin(row); }
    Index target(Index entry) const noexcept { return at(crd_, entry); }
    double value(Index entry) const noexcept {
        return values_.empty() ? 1.0 : static_cast<const double*>(values_.data())[entry];
    }
    bool is_whole() const noexcept { return !is_float(own_values_.type()); }
    Whole whole_value(Index entry) const {
        return own_values_.empty() ? 1 : whole_at(own_values_, entry);
    }

  private:
    static Index at(const Array& array, Index i) noexcept {
        return array.type() == ElementType::int32
                   ? static_cast<const std::int32_t*>(array.data())[i]
                   : static_cast<const std::int64_t*>(array.data())[i];
    }

    Index rows_ = 0;
    Index cols_ = 0;
    Array pos_;
    Array crd_;
    Array values_;
    Array own_values_; ///< in the type of the matrix
};

/// The neighbours of every vertex in either direction, each once and in ascending order, without
/// the vertex itself.
class SimpleAdjacency {
  public:
    SimpleAdjacency(const Graph& graph, const Context& context);

    Index vertices() const noexcept { return static_cast<Index>(pos_.size()) - 1; }
    std::span<const Index> operator[](Index vertex) const noexcept {
        return {crd_.data() + pos_[vertex], static_cast<std::size_t>(degree(vertex))};
    }
    Index degree(Index vertex) const noexcept { return pos_[vertex + 1] - pos_[vertex]; }
    bool joined(Index a, Index b) const noexcept;

  private:
    MemoryCharge charge_;
    std::vector<Index> pos_;
    std::vector<Index> crd_;
};

/// A vector of the size charged to the context.
template <class T> class Scratch {
  public:
    Scratch(Index size, T value, const Context& context)
        : charge_(context.budget(), static_cast<std::uint64_t>(size) * sizeof(T), "verifying"),
          elements_(static_cast<std::size_t>(size), value) {}

    T& operator[](Index i) noexcept { return elements_[static_cast<std::size_t>(i)]; }
    const T& operator[](Index i) const noexcept { return elements_[static_cast<std::size_t>(i)]; }
    std::vector<T>& elements() noexcept { return elements_; }

  private:
    MemoryCharge charge_;
    std::vector<T> elements_;
};

/// "vertex 17", by the id it has in the file.
std::string vertex_text(const Graph& graph, Index vertex);

/// The id of the vertex that a label names; the label itself where it names none.
Index label_id(const Graph& graph, Index label);

/// The rows of a graph that must be square: an Error if it is not.
Adjacency square_rows(const Graph& graph, const Context& context, bool weighted = false);

/// An Error if the graph has no such vertex.
void require_vertex(const Adjacency& rows, Index vertex);

/// Elements that must be whole numbers, of whatever type.
class WholeNumbers {
  public:
    WholeNumbers(const Array& array, Index size, std::string_view what);

    /// What is wrong: the size, or an element that is no whole number.
    const std::string& complaint() const noexcept { return complaint_; }
    Index operator[](Index i) const noexcept;

  private:
    const Array& array_;
    std::string complaint_;
};

/// What is wrong with an array that should have `size` elements, or nothing.
std::string size_complaint(const Array& array, Index size, std::string_view what);

/// Equal up to rounding: within `relative` of the larger, or within `absolute`.
bool close(double a, double b, double relative, double absolute = 0) noexcept;

/// What a few roundings may change in a number of that type, in proportion.
double precision_of(ElementType type) noexcept;

/// Calls check_cancelled now and then.
class Patience {
  public:
    explicit Patience(const Context& context) : context_(context) {}
    void step() {
        if ((++steps_ & 0xffff) == 0) context_.check_cancelled();
    }

  private:
    const Context& context_;
    std::uint64_t steps_ = 0;
};

} // namespace tropic::verify
