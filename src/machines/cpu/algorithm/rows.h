// Graphs that loops build: every body appends the entries of its rows to memory of its worker's,
// and behind the loop the pieces are put together in the order of the rows, so that the graph does
// not depend on who did which.
#pragma once

#include <span>

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

/// A loop over `rows` rows in that many chunks is about to build the graph `variable`.
void begin_graph(AlgorithmSession& session, std::int64_t variable, std::int64_t rows,
                 std::int64_t chunks);

/// Around the body of a chunk.
void begin_rows(AlgorithmSession& session, LoopWorker& worker, std::int64_t chunk);
void end_rows(AlgorithmSession& session, LoopWorker& worker);

/// The variable becomes what the chunks, which begin at `bounds`, appended.
void end_graph(AlgorithmSession& session, std::span<const std::int64_t> bounds, const char* place);

void make_empty_graph(AlgorithmSession& session, std::int64_t variable, std::int64_t rows,
                      std::int64_t columns);

} // namespace tropic::cpu
