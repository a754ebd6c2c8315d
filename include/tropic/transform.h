// Changes to a whole graph. Each returns the changed graph with a Step that counts what was
// changed, keeps ids mapped back to the file, and leaves its argument as it was. They work on csr;
// a graph in another format is converted for it and comes back in its own.
#pragma once

#include "tropic/coordinates.h"
#include "tropic/graph.h"

namespace tropic {

/// A[j, i]. Ids and shape are exchanged with it.
Tensor transpose(const Tensor& matrix, const Context& context = {});
Graph transpose(Graph graph, const Context& context = {});

/// A or its transpose: afterwards (j, i) is stored wherever (i, j) is, with the same value. Where
/// both were there with different values, `duplicates` decides, and the step counts them as
/// conflicts (each pair once): sum (Error(range) where it does not fit the type), min and max of
/// the two; `first` takes the value in the row of the lower-numbered vertex, `last` the other;
/// `keep` leaves both directions as they are, and a graph where they differ directed. Of
/// coordinates stored several times, the k-th copy of (i, j) answers to the k-th copy of (j, i),
/// and only those without an answer are added.
Graph symmetrise(Graph graph, Duplicates duplicates = Duplicates::first,
                 const Context& context = {});

Graph drop_self_loops(Graph graph, const Context& context = {});

/// As `build` merges them. Sums of entries without values are entries without values, with a
/// warning: cast to a number first to count them.
Graph merge_duplicates(Graph graph, Duplicates rule, const Context& context = {});

/// Drops vertices with neither outgoing nor incoming entries (square), or empty rows and empty
/// columns separately (rectangular; where as many of both are left the graph becomes bipartite).
Graph drop_isolated(Graph graph, const Context& context = {});

enum class Triangle : std::uint8_t { lower, upper, strictly_lower, strictly_upper };
Graph triangle(Graph graph, Triangle which, const Context& context = {});

enum class Order : std::uint8_t { random, degree_descending, degree_ascending };

/// `old_of[v]`: the old vertex that becomes vertex v. Random ones depend on the seed alone; degree
/// ones (out-degree plus in-degree) are stable.
Array vertex_order(const Graph& graph, Order order, std::uint64_t seed,
                   const Context& context = {});

/// Renumbers a square graph: new vertex v was `old_of[v]`, a permutation.
Graph permute(Graph graph, const Array& old_of, std::string_view what, const Context& context = {});
Graph permute(Graph graph, Order order, std::uint64_t seed, const Context& context = {});

/// Another element type (`pattern` drops the values; from `pattern` every value becomes 1).
Graph cast(Graph graph, ElementType type, const Context& context = {});

/// Another storage format.
Graph store_as(Graph graph, const Format& format, const Context& context = {});

} // namespace tropic
