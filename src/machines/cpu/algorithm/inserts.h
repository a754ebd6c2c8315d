// What a loop's body inserts on its way into sets: straight into their lists while one thread works
// alone, through buffers of the workers otherwise.
#pragma once

#include "machines/cpu/algorithm/algorithm_session.h"

namespace tropic::cpu {

/// Empties the sets that are rebuilt. Afterwards bodies may run in any mode, each time between a
/// begin and an end.
void clear_rebuilt(AlgorithmSession& session, const InsertView* inserts, std::int32_t count);

void begin_serial_inserts(AlgorithmSession& session, const InsertView* inserts, std::int32_t count);
/// `order` is that of what was appended.
void end_serial_inserts(AlgorithmSession& session, const InsertView* inserts, std::int32_t count,
                        ListOrder order);

void begin_parallel_inserts(AlgorithmSession& session, const InsertView* inserts,
                            std::int32_t count);
/// On the worker's own thread, before its first and after its last piece.
void begin_worker_inserts(AlgorithmSession& session, LoopWorker& worker);
void end_worker_inserts(AlgorithmSession& session, LoopWorker& worker);
void end_parallel_inserts(AlgorithmSession& session, const InsertView* inserts, std::int32_t count);

} // namespace tropic::cpu
