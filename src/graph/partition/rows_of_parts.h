// The rows of every part, and a loop over parts whose workers each have a mark for every vertex:
// the common ground of measuring a partition and of listing its parts.
#pragma once

#include <atomic>

#include "support/parallel.h"
#include "tropic/tensor.h"

namespace tropic {

/// Rows grouped by part, ascending within each.
struct RowsOfParts {
    Array rows;               ///< int32 or int64
    std::vector<Index> begin; ///< part p has rows[begin[p]] to rows[begin[p + 1] - 1]

    Index parts() const noexcept { return static_cast<Index>(begin.size()) - 1; }

    /// The rows of one part as an array of its own.
    Array of(Index part, const Context& context) const;
};

RowsOfParts group_rows(const Array& part_of, Index parts, const Context& context);

/// Which vertices a worker has seen for the part it is at.
class Marks {
  public:
    Marks(Index size, const Context& context)
        : array_(Array::zeros(ElementType::int32, size, context, "marks of the vertices")),
          marks_(array_.mutable_as<std::int32_t>()) {}

    /// Whether this is the first call for the vertex since the worker came to `part`.
    template <class Vertex> bool first(Vertex vertex, Index part) noexcept {
        return change(vertex, static_cast<std::int32_t>(part + 1));
    }

    /// The same for a second pass over the part.
    template <class Vertex> bool first_again(Vertex vertex, Index part) noexcept {
        return change(vertex, -static_cast<std::int32_t>(part + 1));
    }

  private:
    template <class Vertex> bool change(Vertex vertex, std::int32_t mark) noexcept {
        if (marks_[vertex] == mark) return false;
        marks_[vertex] = mark;
        return true;
    }

    Array array_;
    std::span<std::int32_t> marks_;
};

/// Calls `body(part, marks)` for every part, heaviest use of memory 4 bytes times `vertices` for
/// each worker; workers are as many as keep that below `memory`.
template <class Body>
void for_each_part(const Context& context, Index parts, Index vertices, std::size_t memory,
                   const Body& body) {
    const auto affordable = static_cast<Index>(memory / 4) / std::max<Index>(vertices, 1);
    const Index workers =
        std::min(parts, std::clamp<Index>(affordable, 1, Index{context.threads()}));
    std::atomic<Index> next{0};
    parallel_each(context, workers, [&](Index) {
        Marks marks(vertices, context);
        for (Index part = next++; part < parts; part = next++) {
            context.check_cancelled();
            body(part, marks);
        }
    });
}

} // namespace tropic
