// What compiled algorithms and the process they run in know of each other: plain structures and a
// table of functions, so that a compiled algorithm is a shared object without undefined symbols.
// Functions may throw tropic::Error; compiled code lets exceptions pass through, also out of the
// code of a member on any thread. A session in which that happened is at its end.
//
// Variables go by their number in the Algorithm (language/algorithm/algorithm.h), which the runtime
// has as well: types, names and the graph behind a space are looked up there. Indices, positions
// and coordinates are int32 in a narrow program and int64 in a wide one ("of the program's width").
//
// In memory an element of several lanes is an array of them; a record is laid out as a C structure
// of its fields (lanes as arrays); a truth is one byte, 0 or 1. Every array has room for at least
// one element, and `crd`, values of graphs and lists for 64 bytes more than they hold, so that
// loads ahead are harmless.
// Any change here must raise `algorithm_runtime_version`: it is part of every kernel cache key.
#pragma once

#include <cstdint>

namespace tropic::cpu {

inline constexpr int algorithm_runtime_version = 11;

struct AlgorithmSession;

/// A vector, or a table (row by row; element (r, c) is number r * columns + c).
struct VectorView {
    void* data;
    std::int64_t size;    ///< elements of a vector, rows of a table
    std::int64_t columns; ///< 1 for a vector
};

/// A set, or a sparse vector: a set with values. If `marked`, bit i % 64 of word i / 64 says
/// whether i is a member; otherwise all bits are 0. Bits behind the space are 0. `list` holds the
/// members in any order if `listed`; it has room for all of the space (untouched memory costs
/// nothing). A set is marked or listed, or both; an empty one is both. `values` has an element for
/// all of the space; elements of those that are no members hold the `reset` value.
///
/// A loop over the members finds `list_room` more items behind them, indices of the space that mean
/// nothing: it may look that far ahead without asking where the list ends.
inline constexpr std::int64_t list_room = 64;
struct SetView {
    std::uint64_t* bits;
    void* list;
    std::int64_t count; ///< members
    std::int64_t size;  ///< of the space
    void* values;       ///< null for a set
    std::int64_t listed;
    std::int64_t marked;
};

struct StackView {
    std::int64_t count; ///< sets on it
};

/// A graph both ways round, as far as the algorithm wants (Variable::wants_...); null otherwise.
/// Neighbours ascend. Values have the element type of the graph's variable.
struct GraphView {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t entries;
    const void* out_pos;
    const void* out_crd;
    const void* out_values;
    const void* in_pos;
    const void* in_crd;
    const void* in_values;
    const void* in_edge; ///< the number of an incoming entry in the order of the rows; made where
                         ///< the body of an inward loop has an `edge`
    /// How far before and behind what belongs to a vertex lies what will be wanted soon, in bytes:
    /// a line of memory where neighbours have numbers close to each other, else 0.
    std::int64_t nearby;
};

/// What all of a run's code gets. `slots[v]` belongs to variable v: a scalar points to its value
/// (up to 256 bytes, 64-byte aligned), everything else to its view; null for locals. Compiled code
/// swaps two variables by swapping their slots, so nobody else keeps a view from call to call.
/// The runtime sets parameters before the start and reads results at the end.
struct Frame {
    const struct AlgorithmRuntime* runtime;
    AlgorithmSession* session;
    void** slots;
    void* partials; ///< see EachView::partial_bytes
    /// How far the outermost loop of the program is: rounds, or the range of a counting loop; a
    /// total of 0 means that nobody knows. Written by the program's own thread.
    std::int64_t rounds_done;
    std::int64_t rounds_total;
    /// Of a loop that builds a graph: the number of its columns, set by compiled code before the
    /// loop; and where the bodies write how many entries row r has, at r + 1, of the program's
    /// width.
    std::int64_t built_columns;
    void* built_rows;
};

/// Where a loop's body appends new members of a set. Serial bodies append to the set's own list
/// (capacity: all of the space); parallel ones to a small buffer of the worker's that `flush` moves
/// to the list (by an atomic addition to its length).
struct Appender {
    void* items;
    std::int64_t
        count; ///< kept in a register by the body, written back before flush and at its end
    std::int64_t capacity;
    std::uint64_t* bits; ///< of the set, for convenience
    void* claims;        ///< InsertView::claimed: what each item's element was given
};

/// One bucket of one worker.
struct Bin {
    void* items;
    std::int64_t count;
    std::int64_t capacity;
};

/// Where a loop's body appends the entries of the graph that it builds, row after row.
struct RowBuffer {
    void* columns;         ///< of the program's width
    void* values;          ///< of the element type of the graph; untouched for a pattern
    std::int64_t count;    ///< kept in a register by the body, written back before `more_rows` and
                           ///< at its end
    std::int64_t capacity; ///< where count reaches it, the body asks for `more_rows`
};

/// One thread's turn at a loop. `appenders` are in the order of EachView::inserts.
struct WorkerView {
    std::int64_t number;
    Appender* appenders;
    RowBuffer rows;
    /// Buckets only: bins[b - first_bin] for buckets first_bin .. first_bin + bin_count - 1; what
    /// belongs elsewhere or finds its bin full goes through `bucket_push`.
    Bin* bins;
    std::int64_t first_bin;
    std::int64_t bin_count;
    std::int64_t until; ///< what belongs to this bucket or a later one is not put anywhere
    // What BucketsView::find has found so far.
    std::int64_t found;
    std::int64_t least; ///< the first bucket behind those it looks for; the largest number: none
    /// Keys from the first one of this bucket on are not offered; the largest number: all are.
    std::int64_t limit;
    // For BucketsView::pull, and what it has looked at so far.
    std::int64_t offered;    ///< who has a key before this bucket has offered everything
    std::int64_t pull_ahead; ///< how far behind the first key of the bucket nobody changes any more
    std::int64_t least_value;  ///< of the graph's entries
    std::int64_t pulled_rows;  ///< of those whose key might become less
    std::int64_t pulled_edges; ///< of these rows
    std::int64_t pulled_ends;  ///< edges whose other end had to be looked at
};

/// Members begin .. end - 1 of a loop: numbers of the space, or places in the list of the set that
/// the loop is over. `chunk` numbers the pieces from 0, in order. For a piece of a bucket, `chunk`
/// is the number of the bucket and `list` the members to take; null otherwise.
using EachBody = void (*)(Frame* frame, WorkerView* worker, std::int64_t chunk, std::int64_t begin,
                          std::int64_t end, const void* list);

/// A set or sparse that the body of a loop inserts into.
struct InsertView {
    std::int32_t variable;
    std::int32_t rebuilt; ///< cleared before the loop; otherwise it keeps what it has
    /// The body only sets bits, of the words of its own members, without atomics, and counts in
    /// Appender::count (from 0) how many were new. The list is not kept: `listed` becomes 0.
    std::int32_t bits_only;
    /// The serial body only appends what is new for sure: the set, which is rebuilt, is listed
    /// and not marked behind it.
    std::int32_t list_only;
    /// The vector whose elements the parallel body gives to the members it appends, without looking
    /// whether others do the same: of several who append one, the one counts whose value stays. No
    /// two workers give the same. The set, which is rebuilt, is not marked behind it. -1: no such.
    std::int32_t claimed = -1;
};

/// A loop, constant in compiled code.
struct EachView {
    EachBody serial;   ///< nobody else runs meanwhile
    EachBody parallel; ///< the same with atomic operations; may be the same function
    const InsertView* inserts;
    std::int32_t insert_count;
    std::int32_t members; ///< the set or sparse; -1: 0 .. count - 1. It is listed first if it is
                          ///< not; its `list` and `count` do not change while the loop runs
    std::int32_t graph;   ///< chunks are balanced by its edges at the members, or -1
    std::int32_t inward;  ///< by incoming ones
    std::int32_t ordered; ///< members must be taken in ascending order (the list is put in order
                          ///< first), for results that depend on it
    std::int32_t alone;   ///< only `serial` runs, and the order of members does not depend on
                          ///< threads: the list is put in order first if it does
    std::int32_t units;   ///< a guess: nanoseconds for a member (with graph: for one edge)
    std::int32_t built;   ///< the graph that the loop builds, or -1. It takes the place of the old
                          ///< one behind the loop
    /// Bytes a chunk stores at partials + chunk * partial_bytes; a multiple of 64. The runtime
    /// makes room for all chunks (not set) before the loop; they stay until the next one.
    std::int64_t partial_bytes;
    const char* place; ///< "line 4, column 3"
    const char* text;  ///< the statement, for --time and --explain
};

struct ChooseView {
    std::int32_t number; ///< of the choice in the program
    std::int32_t front;  ///< a set or sparse
    std::int32_t graph;
    std::int32_t inward; ///< of the edges that pushing follows
    std::int32_t early;  ///< pulling ends at the first value
    std::int32_t forced; ///< 0 no, 1 push, 2 pull: the answer, which is recorded all the same
    std::int32_t alone;  ///< pushing runs on one thread
    std::int32_t unused;
    const char* place;
    const char* text;
};

/// An ordered frontier. The body takes items of `list` whose key belongs to bucket `chunk` and
/// passes over the others; it pushes what it changes into the bins of its worker, the current one
/// included: the runtime moves the items of a bin away before it hands them to a body, which may
/// move them about in its piece of the list. A worker may go on with its own small current bin at
/// once.
struct BucketsView {
    /// Where there is a `pull`, these heed WorkerView::limit.
    EachBody serial;
    EachBody parallel;
    /// Only pushes items of `list` into the worker's bins, by their keys as they are; for the
    /// members of `start`.
    EachBody distribute;
    /// Looks at the keys of begin .. end - 1 and writes those that belong to buckets `chunk` ..
    /// WorkerView::until - 1 into `list`, behind the `found` that are there; infinity belongs to
    /// none. Keys are then all that says who waits, and nobody needs bins. Null where a body may
    /// do anything else than give a lesser key to the ends of edges.
    EachBody find;
    /// Gives begin .. end - 1 the least keys that they can get from the ends of their own edges:
    /// for graphs that equal their transpose and have no value below 0. Everybody with a key below
    /// the first of bucket `chunk` plus WorkerView::pull_ahead has passed it on before: from bucket
    /// `offered` on only where that made a key before bucket `limit` (WorkerView). Writes those who
    /// were given a lesser key into `list`, behind the `found` that are there. Null
    /// where there is no `find`, or keys are not sums of a key and a value.
    EachBody pull;
    const InsertView* inserts;
    std::int32_t insert_count;
    std::int32_t start;  ///< the set whose members begin
    std::int32_t bucket; ///< the scalar (int64) that the runtime sets to the current bucket
    std::int32_t graph;
    std::int32_t inward;
    std::int32_t key; ///< the vector
    const char* place;
    const char* text;
};

/// The functions that compiled code calls. `place` as above.
struct AlgorithmRuntime {
    /// Runs a loop over the members, or over 0 .. count - 1, and returns the number of chunks.
    /// Chunks do not depend on the number of threads; there may be none. Pieces of a range begin at
    /// multiples of 64. Small loops call the body straight away. Cancellation is looked at.
    std::int64_t (*each)(Frame*, const EachView*, std::int64_t count);
    /// `width` is 0 where it is no whole number.
    void (*buckets)(Frame*, const BucketsView*, std::int64_t width);
    /// Whether to push. The rows of --explain are written when `chosen` ends the round.
    std::int64_t (*choose)(Frame*, const ChooseView*);
    void (*chosen)(Frame*, const ChooseView*);

    // Slow paths of bodies.
    /// Empties a full appender; `insert` is its place in the loop's inserts.
    void (*flush)(Frame*, WorkerView*, std::int64_t insert);
    void (*bucket_push)(Frame*, WorkerView*, std::int64_t bucket, std::int64_t item);
    /// A worker's own memory, by slot, zeroed, `bytes` and 64 more; the body leaves it zeroed.
    void* (*workspace)(Frame*, WorkerView*, std::int64_t slot, std::int64_t bytes);
    /// Room for more entries of the graph that is built: another RowBuffer::columns and values,
    /// and a count of 0.
    void (*more_rows)(Frame*, WorkerView*);
    /// Puts a list of different numbers below `size` in ascending order.
    void (*sort_list)(Frame*, WorkerView*, void* list, std::int64_t count, std::int64_t size);

    // Elements of several parts, while others change them.
    /// Copies one; `element` is the end of the copy that others see.
    void (*copy_whole)(void* to, const void* from, const void* element, std::int64_t bytes);
    /// Replaces one if its bytes are still those of `before`: 1. Else copies what it is now there.
    std::int64_t (*replace_whole)(void* element, void* before, const void* after,
                                  std::int64_t bytes);

    // Whole variables. Sizes are those of the space (columns: 1 but for tables).
    /// A new vector, table (zeros), set, sparse, graph (empty) or stack. Memory of what the
    /// variable held is used again where it fits. `reset` (sparse): the bytes of an element of no
    /// member; else null.
    void (*create)(Frame*, std::int64_t variable, std::int64_t size, std::int64_t columns,
                   const void* reset);
    /// The same for a vector whose elements may be anything.
    void (*reserve)(Frame*, std::int64_t variable, std::int64_t size, std::int64_t columns);
    void (*clear)(Frame*, std::int64_t variable);
    /// Sets the bits of a set: before code that asks them, or changes them, but for sets that a
    /// loop rebuilds.
    void (*mark)(Frame*, std::int64_t variable);
    /// Sets the members of a set that is empty (also when two are the same). Throws
    /// Error(range) at `place` if one is not of the space.
    void (*members)(Frame*, std::int64_t variable, const std::int64_t* items, std::int64_t count,
                    const char* place);
    void (*assign)(Frame*, std::int64_t variable, std::int64_t other);
    /// `operation`: 0 union, 1 intersection, 2 difference; of two sets, or a set and the members of
    /// a sparse.
    void (*combine)(Frame*, std::int64_t variable, std::int64_t other, std::int64_t operation);
    void (*push)(Frame*, std::int64_t stack, std::int64_t set);
    void (*pop)(Frame*, std::int64_t stack, std::int64_t set, const char* place);
    /// Statement::derive: `argument` is a variable or -1.
    void (*derive)(Frame*, std::int64_t variable, const char* name, std::int64_t other,
                   std::int64_t argument, const char* place);
    void (*sort)(Frame*, std::int64_t variable, std::int64_t other);
    void (*scan)(Frame*, std::int64_t variable, std::int64_t other);
    /// Inserts an item on the program's level; whether it was new. Throws Error(range).
    std::int64_t (*insert)(Frame*, std::int64_t variable, std::int64_t item, const char* place);

    /// The least (or largest) value of the entries of a graph, in the type of its variable; graphs
    /// remember it. Of no entries, the value that nothing is beyond.
    void (*extreme)(Frame*, std::int64_t graph, std::int64_t largest, void* value);

    /// `value` points to a scalar; `type` is a tropic::ElementType, `vertex` as in Type.
    void (*print_value)(Frame*, const void* value, std::int64_t type, std::int64_t vertex,
                        std::int64_t lanes, std::int64_t record);
    void (*print_variable)(Frame*, std::int64_t variable);

    /// Throws Error(cancelled); called at the head of loops, in the code of members every so often.
    void (*check_cancelled)(Frame*);
    /// `require` failed: throws Error(precondition or what the runtime has for it) with the text.
    void (*fail)(Frame*, const char* text, const char* place);
    /// An index `value` outside 0 .. size - 1 of variable `name`.
    void (*bad_index)(Frame*, std::int64_t value, std::int64_t size, const char* name,
                      const char* place);
    void (*division_by_zero)(Frame*, const char* place);

    double (*logarithm)(double);
    double (*exponential)(double);
    double (*power)(double, double);
};

/// The entry point of a compiled algorithm, exported under this name.
inline constexpr const char* algorithm_symbol = "tropic_algorithm";
using AlgorithmEntry = void (*)(Frame* frame);

} // namespace tropic::cpu
