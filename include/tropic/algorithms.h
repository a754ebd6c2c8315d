// The algorithms of the library as C++ calls, each with options and a result of its own:
//
//     const tropic::PreparedGraph graph(tropic::read_graph("kron:16"));
//     const tropic::BfsResult search = tropic::bfs(graph, {.source = 3});
//     std::span<const std::int32_t> level = search.level.as<std::int32_t>();
//
// They are the texts of `library/`, compiled when first called and found again after that. A call
// may be made from several threads at once, also on the same graph; a Context limits its threads
// and memory, cancels it and hears of its progress. What is wrong with a graph or an option is an
// Error that names it.
//
// Results for every entry (k_truss, jaccard, mesh_update) come row by row, columns ascending,
// however the graph is stored. Where its rows are not sorted, or it is csc,
// `build(coordinates_of(tensor), Format::csr(), Duplicates::keep)` has its entries in that order.
#pragma once

#include "tropic/algorithms/choices.h"
#include "tropic/algorithms/matrices.h"
#include "tropic/algorithms/neighbours.h"
#include "tropic/algorithms/parts.h"
#include "tropic/algorithms/paths.h"
#include "tropic/algorithms/ranks.h"
