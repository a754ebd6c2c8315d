// What compiled programs and the process they run in know of each other: plain structures and a
// table of functions, so that a compiled program is a shared object without a single undefined
// symbol. Functions may throw tropic::Error; compiled code lets exceptions pass through.
// Any change here must raise `runtime_version`: it is part of every kernel cache key.
#pragma once

#include <cstdint>

namespace tropic::cpu {

inline constexpr int runtime_version = 5;

/// A tensor as compiled code sees it. Coordinates and positions are all int32 in a narrow program
/// and all int64 in a wide one; the runtime converts or refuses what it binds. Every array has
/// room for at least one element, so that speculative loads at position 0 are harmless.
struct LevelView {
    std::int64_t size; ///< coordinates of the level's dimension are 0 .. size - 1
    void* pos;         ///< compressed levels
    void* crd;         ///< compressed and singleton levels
};

/// All views come from the runtime. Tensors that were read, and their structure always, belong to
/// others as well: only the values of tensors made by `dense`, `empty`, `like`, `random`,
/// `take_over` and `end_entries` may be written to.
struct TensorView {
    void* values;
    std::int64_t entries; ///< stored values
    LevelView* levels;    ///< outermost first
    std::int64_t rank;
};

/// The running program: owns all tensors made for it until it ends or they are released.
struct Session;

/// One thread's turn at a kernel.
struct Worker;

/// Where a worker appends the entries of a sparse result: at `size`, which it then raises. It may
/// hold entries of earlier chunks already. `coordinates[d]`, with d a dimension of the result (an
/// index into its shape), is null where the kernel does not append that dimension.
struct EntryBuffer {
    std::int64_t size;
    std::int64_t capacity;
    void* values;
    void* coordinates[8];
};

/// Does iterations begin..end-1 of a kernel's outermost loop. `frame` holds the kernel's operands,
/// 8 bytes each, as laid out by the compiler. `chunk` numbers the pieces from 0, in order.
using KernelBody = void (*)(void* const* frame, std::int64_t chunk, std::int64_t begin,
                            std::int64_t end, Worker* worker);

/// A storage format in compiled code: kinds[level] (0 dense, 1 compressed, 2 singleton) and
/// order[level] = dimension. Ends of names as in tropic::Format.
struct FormatView {
    std::int64_t rank;
    const std::int8_t* kinds;
    const std::int8_t* order;
};

/// The functions that compiled code calls. `type` is a tropic::ElementType. Names and places are
/// texts embedded in the compiled program.
struct Runtime {
    /// The input of that name with elements of `type`, in `format`, restricted to a triangle (see
    /// Statement::read_mode). `shape[d]` is -1 or a size it must have; `place` says which statement
    /// wants it ("line 4, column 3").
    TensorView* (*read)(Session*, const char* name, std::int64_t mode, std::int64_t type,
                        const FormatView* format, const std::int64_t* shape, const char* place);

    /// A dense tensor, row-major over levels in `format` order; elements not set.
    TensorView* (*dense)(Session*, std::int64_t type, const FormatView* format,
                         const std::int64_t* shape);
    /// A dense tensor with that element everywhere. Its values may be shared with others.
    TensorView* (*uniform)(Session*, std::int64_t type, const FormatView* format,
                           const std::int64_t* shape, const void* value);
    /// A tensor with no entries (dense: all zero).
    TensorView* (*empty)(Session*, std::int64_t type, const FormatView* format,
                         const std::int64_t* shape);
    /// The structure of a tensor (shared) with new values of `type`, not set.
    TensorView* (*like)(Session*, TensorView*, std::int64_t type);
    /// A dense tensor whose values may be replaced: the tensor itself if nobody but its one owner
    /// holds it or its values, which counts as a making; else a copy.
    TensorView* (*take_over)(Session*, TensorView*);
    /// Uniform numbers, the same for the same seed, position and shape on every machine.
    TensorView* (*random)(Session*, std::int64_t type, const FormatView* format,
                          const std::int64_t* shape, std::int64_t stream);
    /// The same tensor with its dimensions permuted (result dimension d = dimension
    /// `permutation[d]`), in another format and element type, its coordinates in order. The tensor
    /// itself if nothing changes.
    TensorView* (*convert)(Session*, TensorView*, const std::int8_t* permutation, std::int64_t type,
                           const FormatView* format);
    /// The values of a dense tensor under more levels, behind its own: `format` has those of the
    /// tensor, and then as many as there are `sizes`, whose kinds do not matter. Along them every
    /// value repeats itself, and nothing is stored. `convert` stores every place.
    TensorView* (*repeat)(Session*, TensorView*, const FormatView* format,
                          const std::int64_t* sizes);
    /// Where a sparse vector has entries: a dense vector of truths.
    TensorView* (*presence)(Session*, TensorView*);
    /// 1 if every row of a matrix with compressed rows (or columns) has an entry, else 0.
    std::int64_t (*rows_filled)(Session*, TensorView*);
    /// Tensors are counted: one for whoever made them (a conversion that changes nothing counts as
    /// a making), one more for each `retain`; the last `release` frees.
    void (*retain)(Session*, TensorView*);
    void (*release)(Session*, TensorView*);

    /// Before a kernel with workspaces along a label of `size` values, which `count` tensors have
    /// in compressed or singleton levels and no other operand has: if few of its values occur, they
    /// are numbered anew, in their order. `views` and `size` become those that the kernel is to
    /// work on. Null: it is to work on what it has.
    void* (*compact)(Session*, std::int64_t count, TensorView** views, const std::int64_t* levels,
                     std::int64_t* size);
    /// After the kernel: its result with the coordinates of that level (-1: none) as they were.
    TensorView* (*expand)(Session*, void* compaction, TensorView* result, std::int64_t level);

    /// Plans a loop of `count` iterations: returns the number of chunks. With `pos` (of the width
    /// of the program), chunks are balanced by pos[i + 1] - pos[i] plus one for each iteration.
    /// `cost` is a guess of nanoseconds per unit: small loops get one chunk and run where they are.
    /// The chunks depend on the arguments alone, never on the number of threads, so that partial
    /// results by chunk add up to the same. There is at least one, possibly empty.
    std::int64_t (*plan)(Session*, std::int64_t count, const void* pos, double cost);
    /// Plans a loop that goes through `entries` entries once for each chunk, and in it through the
    /// chunk's share of `count` coordinates: as many chunks as threads, or one for small loops.
    /// Nothing that is computed may depend on where the chunks begin.
    std::int64_t (*plan_ranges)(Session*, std::int64_t count, std::int64_t entries);
    /// Runs the planned loop; chunks run in any order on the session's threads. The plan stays
    /// until the next one.
    void (*run)(Session*, KernelBody body, void* const* frame);

    /// Memory for workers, by slot (small numbers from 0), 64-byte aligned, kept between chunks and
    /// kernels: zeroed when first asked for, left zeroed by the kernel after each use. Asking for
    /// more than before gives other memory.
    void* (*workspace)(Worker*, std::int64_t slot, std::int64_t bytes);
    /// Sorts `count` coordinates (of the width of the program) ascending; they are distinct and
    /// less than `size`.
    void (*sort_coordinates)(Worker*, void* coordinates, std::int64_t count, std::int64_t size);
    /// Scratch memory of the session's, not zeroed, until `release_scratch`.
    void* (*scratch)(Session*, std::int64_t bytes);
    void (*release_scratch)(Session*, void* memory);

    /// Begins sparse results of the planned loop. `appended` has bit d set where the kernel appends
    /// coordinates of dimension d of the result. If `row_counts` is not null, the kernel does not
    /// append the outermost coordinate but counts: *row_counts becomes an array (width of the
    /// program) of `rows` + 1 zeros, and the kernel sets element r to the number of entries it
    /// appended for outermost coordinate r.
    void* (*begin_entries)(Session*, std::int64_t type, std::int64_t appended, std::int64_t rows,
                           void** row_counts);
    /// The buffer to append to in a chunk; to be asked for by the chunk itself, in each of them,
    /// before its first entry.
    EntryBuffer* (*entry_buffer)(void* entries, std::int64_t chunk);
    /// Makes room for at least `more` entries.
    void (*grow)(void* entries, EntryBuffer* buffer, std::int64_t more);
    /// Joins the buffers in the order of the chunks into a tensor of the wanted format. The
    /// appended order is: outermost result level first, ascending, unless `jumbled` (rows in order,
    /// coordinates within a row in any order). Entries are unique. The rows of a csr or csc result
    /// stay jumbled: `convert` puts them in order. `entries` is gone afterwards.
    TensorView* (*end_entries)(Session*, void* entries, const FormatView* format,
                               const std::int64_t* shape, std::int64_t jumbled);

    /// Throws Error(inconsistent) if two sizes of one label differ. `first` and `second` say whose
    /// they are ("A's dimension 2"), `place` where.
    void (*require_equal)(Session*, std::int64_t a, std::int64_t b, const char* label,
                          const char* first, const char* second, const char* place);
    /// Throws Error(cancelled); called at the head of loops.
    void (*check_cancelled)(Session*);

    void (*print_tensor)(Session*, TensorView*, std::int64_t type, const FormatView* format,
                         std::int64_t presentation);
    void (*print_real)(Session*, double value);
    void (*print_integer)(Session*, std::int64_t value);
    void (*print_elapsed)(Session*, double seconds);
    double (*time)(Session*);

    /// Hands the final value of a variable to the caller.
    void (*tensor_result)(Session*, const char* name, TensorView*, std::int64_t type,
                          const FormatView* format);
    void (*real_result)(Session*, const char* name, double value);
    void (*integer_result)(Session*, const char* name, std::int64_t value);

    /// Marks for --time and profiles: a statement begins (`place` as above), ends.
    void (*begin_statement)(Session*, const char* place, const char* text);
    void (*end_statement)(Session*);
};

/// The entry point of a compiled program, exported under this name.
inline constexpr const char* program_symbol = "tropic_program";
using ProgramEntry = void (*)(const Runtime* runtime, Session* session);

} // namespace tropic::cpu
