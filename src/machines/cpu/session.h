// A running program: what the functions that compiled code calls work on. It owns the tensors,
// workspaces and buffers of the program and gathers its results.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machines/cpu/loops.h"
#include "machines/cpu/runtime.h"
#include "support/memory.h"
#include "tropic/error.h"
#include "tropic/program.h"

namespace tropic::cpu {

/// A tensor of a session: what compiled code sees of it, and the arrays behind that.
struct StoredTensor : TensorView {
    std::vector<LevelView> level_views;
    Tensor tensor;
    int references = 1;
    std::size_t index = 0;           ///< in the session's list
    std::optional<bool> rows_filled; ///< once somebody asked
    bool own_values = false;         ///< made here, and in no other handle
    std::vector<int> repeated_order; ///< of all levels, where some repeat the values of `tensor`
};

/// An array with one element everywhere, for whoever needs such a one.
struct UniformArray {
    std::array<std::byte, 8> element = {};
    Array values;
};

/// Coordinates of one label numbered anew for a kernel (compaction.cpp).
struct Compaction {
    Index size = 0;            ///< of the label, before
    std::vector<Index> old_of; ///< by new number
    std::vector<TensorView*> views;
};

struct SessionOptions {
    Context context;
    bool wide = false;
    std::uint64_t seed = 1;
    bool time_statements = false;

    /// For messages: the program's file and text.
    std::string file = {};
    std::string text = {};

    /// What is bound to an input's name; none: nothing. Called once for each name.
    std::function<std::optional<Tensor>(const std::string& name)> input = {};

    /// Takes what the program prints.
    std::function<void(std::string_view)> print = {};
};

struct Entries;

/// How many entries a result will have, and how many of them a worker other than the first.
struct ExpectedEntries {
    std::int64_t whole = 0;
    std::int64_t share = 0;
};

struct Session {
    explicit Session(SessionOptions given);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Context& context() const noexcept { return options.context; }
    ElementType index_type() const noexcept {
        return options.wide ? ElementType::int64 : ElementType::int32;
    }

    /// Runs a compiled program in this session, on the context's threads.
    void run(ProgramEntry program);

    SessionOptions options;
    PagePool::Use pool; ///< programs make tensors of the same sizes again and again
    std::vector<std::unique_ptr<StoredTensor>> tensors;
    std::map<std::string, Tensor, std::less<>> inputs; ///< those asked for so far
    std::vector<std::unique_ptr<Entries>> entries;     ///< begun and not ended
    /// By element type, dimensions and rows, as they were last time: rounds of a loop make results
    /// of about the same size.
    std::map<std::array<std::int64_t, 3>, ExpectedEntries> expected_entries;
    std::map<std::int64_t, std::uint64_t> random_rounds; ///< by stream: drawn from it so often
    std::vector<Array> scratch;
    std::vector<UniformArray> uniform;                    ///< the last few that were made
    std::vector<std::unique_ptr<Compaction>> compactions; ///< made and not expanded
    Loops loops;

    std::map<std::string, Tensor> tensor_results;
    std::map<std::string, double> real_results;
    std::map<std::string, std::int64_t> integer_results;

    const char* running = nullptr; ///< the place of the statement that runs, if one does
    std::vector<StatementTime> statement_times;
    std::vector<std::pair<std::size_t, double>> running_statements; ///< index, beginning
};

/// The table of all functions below, as compiled code gets it.
const Runtime& runtime_table() noexcept;

/// A mistake found at a statement: `place` is "line 4, column 3", as embedded in the program.
[[noreturn]] void fail_at(const Session& session, const char* place, ErrorCode code,
                          std::string message, std::string hint = {});

Format to_format(const FormatView& format);
std::vector<Index> to_shape(const FormatView& format, const std::int64_t* shape);

/// The session's own tensor of a view.
inline StoredTensor& stored(TensorView* view) {
    return *static_cast<StoredTensor*>(view);
}

/// Makes a tensor visible to compiled code; its arrays get the program's index width, by a copy
/// where they have another. Throws Error(range) if a narrow program cannot count so far.
StoredTensor* adopt(Session& session, Tensor tensor);

/// The same tensor with pos and crd of the program's width.
Tensor with_width(const Session& session, const Tensor& tensor);

/// The same tensor with the coordinates of every row in order.
Tensor in_order(const Tensor& tensor, const Context& context);

/// Uninitialised elements, as many as a dense tensor of that shape has.
Array dense_values(const Session& session, ElementType type, const std::vector<Index>& shape);

/// A tensor with levels that repeat its values, with every place stored.
Tensor every_place(Session& session, const StoredTensor& repeated);

// Tensors (tensors.cpp, repeated.cpp, inputs.cpp, random.cpp).
TensorView* read(Session* session, const char* name, std::int64_t mode, std::int64_t type,
                 const FormatView* format, const std::int64_t* shape, const char* place);
TensorView* dense(Session* session, std::int64_t type, const FormatView* format,
                  const std::int64_t* shape);
void fill(Session* session, TensorView* tensor, const void* value);
TensorView* uniform(Session* session, std::int64_t type, const FormatView* format,
                    const std::int64_t* shape, const void* value);
TensorView* empty(Session* session, std::int64_t type, const FormatView* format,
                  const std::int64_t* shape);
TensorView* like(Session* session, TensorView* tensor, std::int64_t type);
TensorView* take_over(Session* session, TensorView* tensor);
TensorView* random(Session* session, std::int64_t type, const FormatView* format,
                   const std::int64_t* shape, std::int64_t stream);
TensorView* convert(Session* session, TensorView* tensor, const std::int8_t* permutation,
                    std::int64_t type, const FormatView* format);
TensorView* repeat(Session* session, TensorView* tensor, const FormatView* format,
                   const std::int64_t* sizes);
TensorView* presence(Session* session, TensorView* vector);
std::int64_t rows_filled(Session* session, TensorView* matrix);
void retain(Session* session, TensorView* tensor);
void release(Session* session, TensorView* tensor);

// Very wide labels (compaction.cpp).
void* compact(Session* session, std::int64_t count, TensorView** views, const std::int64_t* levels,
              std::int64_t* size);
TensorView* expand(Session* session, void* compaction, TensorView* result, std::int64_t level);

// Sparse results (entries.cpp).
void* begin_entries(Session* session, std::int64_t type, std::int64_t appended, std::int64_t rows,
                    void** row_counts);
EntryBuffer* entry_buffer(void* entries, std::int64_t chunk);
void grow(void* entries, EntryBuffer* buffer, std::int64_t more);
TensorView* end_entries(Session* session, void* entries, const FormatView* format,
                        const std::int64_t* shape, std::int64_t jumbled);

// Printing (print.cpp).
void print_tensor(Session* session, TensorView* tensor, std::int64_t type, const FormatView* format,
                  std::int64_t presentation);
void print_real(Session* session, double value);
void print_integer(Session* session, std::int64_t value);
void print_elapsed(Session* session, double seconds);

} // namespace tropic::cpu
