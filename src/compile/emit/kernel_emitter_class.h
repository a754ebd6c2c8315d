// How an index tree becomes a function: the class behind emit_kernel, whose parts are in the files
// of this folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/emit/domain_tree.h"
#include "compile/kernel_emitter.h"

namespace tropic::compile {

/// An element while it is computed; a null `present` means always.
struct Element {
    Value value;
    Value present;
};

/// How far a tensor has been entered by the loops around.
struct AccessState {
    ga::TensorType type;
    std::vector<std::string> labels; ///< by dimension
    int input = 0;
    std::size_t level = 0; ///< the next to be entered
    Value position;        ///< in the level entered last; null: the root
    Value present;         ///< null: always
    Value begin, end;      ///< the entries of a group, when the next level is a singleton

    const std::string& label_of(std::size_t l) const {
        return labels[static_cast<std::size_t>(type.getOrder()[l])];
    }
    bool entered() const { return level == type.getKinds().size(); }
};

struct Accumulator {
    mlir::Type element;
    ga::Operator fold;
    Value value;   ///< slot
    Value present; ///< slot of i1; null where nobody asks
};

/// A sparse row. A coordinate is marked when its stamp is 2g, filled when it is 2g + 1, where g
/// numbers the rows made in this memory: nothing has to be cleared between rows.
struct Workspace {
    mlir::Type element;
    std::string label;
    Value header, stamps, values, list;
    Value rows;       ///< slot: g of the last row; kept in the header between kernels
    Value generation; ///< slot: 2g, as a stamp
    Value count;      ///< slot
    bool masked = false;
    bool walked = false; ///< some loop follows the list
    bool valued = false; ///< somebody looks at the values
};

class KernelEmitter {
  public:
    KernelEmitter(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name, bool wide);

    KernelCode emit();

  private:
    // --- the function and its frame (function.cpp) -----------------------------------------------

    void make_function(llvm::StringRef name);

    /// The contents of a frame slot, loaded once at the head of the function.
    Value frame(const FrameSlot& slot, mlir::Type type);
    Value values_of(int input) {
        // Those of an operand that the result takes the place of are where the result is.
        if (kernel_.getInPlace() == static_cast<std::uint64_t>(input)) {
            return frame({FrameSlot::Kind::result_values, 0, 0}, code_.pointer());
        }
        return frame({FrameSlot::Kind::values, input, 0}, code_.pointer());
    }
    Value pos_of(const AccessState& access, std::size_t level);
    Value crd_of(const AccessState& access, std::size_t level);
    Value level_size(const AccessState& access, std::size_t level);
    Value label_size(const std::string& label);
    /// If the program says so; all tensors agree on the size of a label.
    std::optional<std::int64_t> known_label_size(const std::string& label);
    Value runtime() { return frame({FrameSlot::Kind::runtime, 0, 0}, code_.pointer()); }

    // --- memory that is different (separate_memory.cpp) ------------------------------------------

    struct Memory {
        enum class Kind : std::uint8_t {
            other,   ///< nothing is known
            operand, ///< never written to
            own,     ///< of the kernel's own making
        };
        Kind kind = Kind::other;
        Value array; ///< own: which one
    };
    Memory memory_of(Value address);
    /// Says of all loads and stores which ones cannot meet.
    void separate_memory();

    // --- the outermost loop (function.cpp) -------------------------------------------------------

    it::IndexOp outermost();

    int label_number(llvm::StringRef label) const;

    OuterLoop outer_loop();

    static int input_number(it::AccessOp access);

    // --- the tree (function.cpp) -----------------------------------------------------------------

    void emit_block(mlir::Block& block);

    void open(it::AccessOp op);

    // --- loops (loops.cpp, merges.cpp, steps.cpp) ------------------------------------------------

    /// A driver of a loop while it is walked: entries `begin` to `end`, of which the coordinates
    /// are in `coordinates`.
    struct Cursor {
        Value access; ///< its key
        bool is_row = false;
        bool groups = false; ///< equal coordinates follow each other and are one step
        Value coordinates;
        Value begin, end;
        bool required = false; ///< the domain holds only where this driver stands

        Value position;  ///< slot
        Value group_end; ///< slot
        Value standing;  ///< i1: this driver is at the coordinate of the step
    };

    Cursor cursor_of(Value access, const std::string& label, bool sorted);

    void emit_index(it::IndexOp index);

    static void mark_required(const DomainTree& domain, std::vector<Cursor>& cursors,
                              bool required);

    // --- loops that may end early (loops.cpp) ----------------------------------------------------

    /// What the loop computes, if that is nothing but one value that soon cannot change any more.
    std::optional<Value> settled_target(it::IndexOp index);

    /// i1: further terms make no difference; null where that cannot be known.
    Value settled(it::IndexOp index);

    Value going_on(it::IndexOp index, Value more);

    /// A loop that does nothing but put terms into a workspace, all over its memory.
    bool only_fills_row(it::IndexOp index);

    /// A loop that does nothing but sum up what it finds in other places than along the driver.
    bool sums_at_random(it::IndexOp index, Value driver);

    template <class Body> void count(it::IndexOp index, Value begin, Value end, const Body& body) {
        const Code::Along along = std::exchange(along_, Code::Along::all);
        const Value probe = settled(index);
        if (!probe) return code_.count(begin, end, body, along);
        const Value at = code_.slot(code_.i64());
        code_.store(begin, at);
        code_.loop([&] { return going_on(index, code_.less(code_.load(code_.i64(), at), end)); },
                   [&] {
                       const Value here = code_.load(code_.i64(), at);
                       body(here);
                       code_.store(code_.add(here, code_.number(1)), at);
                   });
    }

    /// One driver, followed entry by entry.
    void walk(it::IndexOp index, const std::string& label, std::vector<Cursor>& cursors,
              bool outer);

    /// The first group that begins at or behind `from`.
    Value skip_group(const Cursor& cursor, Value from, Value end);

    void find_group_end(const Cursor& cursor, Value position, Value coordinate);

    /// The first position in [begin, end) whose coordinate is at least `bound`.
    Value lower_bound(const Cursor& cursor, Value bound);

    /// Two plain lists side by side, each with its own end.
    bool is_simple_pair(it::IndexOp index, const DomainTree& domain,
                        const std::vector<Cursor>& cursors);

    void merge_two(it::IndexOp index, const std::string& label, bool both,
                   std::vector<Cursor>& cursors);

    /// What is left of the first list when the second has ended.
    void walk_rest(it::IndexOp index, const std::string& label, std::vector<Cursor> cursors);

    /// Several drivers at once: every step takes the least coordinate any of them stands at (or the
    /// next of all coordinates), asks the domain, and moves on those that stood there.
    void merge(it::IndexOp index, const std::string& label, const DomainTree& domain,
               std::vector<Cursor>& cursors, bool outer);

    /// The inside of a loop at one coordinate.
    void step(it::IndexOp index, const std::string& label, Value coordinate,
              const std::vector<Cursor>& cursors);

    void enter(AccessState& state, const Cursor& cursor);

    /// Dense levels of mixed formats; tensors that are dense altogether are addressed when read.
    bool enter_dense(AccessState& state, const std::string& label, Value coordinate);

    /// A label used twice: the next level is searched for the same coordinate.
    void enter_repeated(AccessState& state, const std::string& label, Value coordinate);

    // --- folds of several terms at a time (lanes.cpp) --------------------------------------------

    /// Entries of a row that are taken together.
    struct Lanes {
        unsigned count = 0;
        Value position;    ///< of the first
        Value coordinates; ///< a vector; null: all places of a dense row
        Value inside;      ///< a vector of i1: the row has that many; null: all of them
        Value access;      ///< the driver
    };

    /// The value that a loop does nothing but fold terms into; null: it does something else.
    const Accumulator* sum_of(it::IndexOp index);
    bool is_counted(const Accumulator& sum) {
        return total_ && &sum == &*total_ && sum.element != result_element();
    }

    bool folds_in_lanes(it::IndexOp index, const Cursor& cursor);
    bool can_read_lanes(Value access, const std::string& label, const Cursor& cursor);

    /// The loop over entries `begin` to `end`, as a whole.
    void fold_in_lanes(it::IndexOp index, const std::string& label, const Cursor& cursor,
                       Value begin, Value end);

    /// Sums of several terms at a time: slots of vectors, one of whole groups and one of halves.
    struct LaneSums {
        unsigned lanes = 0;
        Value whole, half;
    };
    LaneSums begin_lanes(unsigned lanes, Value identity);
    /// Those of the scalar that is computed, which are joined at the very end: rows do not have to
    /// wait for each other.
    LaneSums total_lanes(unsigned lanes);
    Value end_lanes(const Accumulator& sum, const LaneSums& sums, bool only_half);
    /// The loop's target starts right before it and nothing else is folded into it.
    static bool is_only_fold(it::IndexOp index);

    /// What the terms of a fold are.
    struct Terms {
        mlir::Type element;
        bool counted = false; ///< nobody asks for their values
    };
    Element term_in_lanes(it::ComputeOp compute, const Terms& terms, const std::string& label,
                          const Lanes& group);
    Element read_lanes(Value access, const std::string& label, const Lanes& group);
    Value load_lanes(const Lanes& group, mlir::Type one, Value base);
    Value gather_lanes(const Lanes& group, mlir::Type one, Value base);
    Value splat(Value one, unsigned lanes);
    Value half_of(Value vector, bool upper);
    Value lanes_set(Value mask); ///< how many
    Value first_lanes(unsigned lanes, Value count);

    /// i1: rows are so short that looking at their entries one by one is faster than setting up a
    /// vector of them; null: they are not asked.
    Value has_few_entries(it::IndexOp index, const Cursor& cursor);

    /// The loop meets one row after the other, as they lie in memory.
    bool follows_rows(it::IndexOp index, const Cursor& cursor);
    bool has_read_values(Value access);

    void fetch(mlir::Type one, Value base, Value at);
    void fetch_entries(const Cursor& cursor, Value position);

    // --- rows of which a chunk has a part (ranges.cpp) -------------------------------------------

    /// Leaves the entries whose coordinates are the chunk's (see it.kernel's `ranges`).
    void keep_to_range(Cursor& cursor);
    /// The first position whose coordinate is at least `bound`.
    Value find_in_row(const Cursor& cursor, Value bound);

    // --- folds into the places of a mask (marked.cpp) --------------------------------------------

    /// The loop does nothing but fold terms into the marked places of a row.
    bool fills_marked_row(it::IndexOp index, const Cursor& cursor);
    void walk_marked(it::IndexOp index, const std::string& label, std::vector<Cursor>& cursors,
                     Value begin, Value end);
    /// i1, which never changes: the rows of the driver have more than a handful of entries.
    Value has_rows_worth_a_vector(const Cursor& cursor);

    // --- rows of a known length (row_in_registers.cpp) -------------------------------------------

    /// The loop over the row that a direct fold sums up, if that fits into registers.
    it::IndexOp find_row_in_registers();
    bool can_read_row(Value access, const std::string& label);
    void begin_row();
    void fold_row();
    void end_row();

    // --- accumulators and workspaces (rows.cpp) --------------------------------------------------

    Accumulator make_accumulator(ga::Operator fold, mlir::Type element);
    void reset(const Accumulator& sum);
    void begin_accumulator(it::AccumulatorOp op);
    void accumulate(const Accumulator& sum, const Element& element);

    void begin_workspace(it::WorkspaceOp op);

    /// Rows are counted; stamps start anew before those of so many more would overflow.
    void start_anew_before(const Workspace& row, Value more);

    Value as_index(Value value);

    void list_place(const Workspace& row, Value coordinate);

    Value one_more(Value stamp);

    void mark_place(it::MarkOp op);

    void fold_into_row(const Workspace& row, ga::Operator fold, const Element& element,
                       bool masked);

    // --- computations (computations.cpp) ---------------------------------------------------------

    void emit_compute(it::ComputeOp compute);

    using Elements = std::map<mlir::Operation*, Element>;
    Element evaluate(mlir::Operation& op, const Elements& done);

    Element combined(it::CombineOp op, const Element& left, const Element& right);

    Element read(Value access);

    Value dense_position(const AccessState& state);

    // --- the result (results.cpp) ----------------------------------------------------------------

    bool is_rows();
    bool is_appended() { return is_rows() || kernel_.getOutput() == it::Output::entries; }

    mlir::Type result_element();

    /// The dimension that a level of the result stores.
    std::int64_t out_dimension(std::size_t level);

    /// Every term of the scalar that is computed is 1.
    bool counts();

    /// Terms folded straight into rows of a dense result: every step of the loops over what is
    /// folded has one for each place of the row, and the first of them replaces what is there.
    void find_direct_fold();

    /// Rows that nothing was folded into can be set to zero when their turn is over: the loops
    /// outside of those over what is folded, and then the loops inside, meet every place once.
    bool meets_every_row();
    /// The loops around are exactly those over the first labels of the result, in its order.
    bool has_rows_outside();
    /// Sets the places that the loops around lead to, to zero.
    void clear_row();

    void prepare_output();

    void load_buffer();

    /// Makes sure that so many entries fit.
    void make_room(Value more);

    /// A loop that does nothing but append at most one entry at each step.
    bool only_appends(it::IndexOp index);

    void append(Value value);

    /// The place of a dense result that the loops around lead to.
    Value result_position();

    void put(it::ComputeOp compute, const Element& element, mlir::Type type);

    /// The computation stores a sum that starts at zero into a dense result.
    bool is_dense_sum(it::ComputeOp compute);

    void finish_output();

    /// The store at the end of a chain of loops over all coordinates of the result's labels: it
    /// writes zero where there is no value, so that nothing has to be there before.
    it::ComputeOp find_everywhere();

    it::KernelOp kernel_;
    Code code_;
    bool gathers_; ///< the processor has them
    KernelCode result_;
    std::vector<std::string> labels_;
    std::vector<std::string> out_labels_;

    mlir::Block* entry_ = nullptr;
    mlir::Block* body_ = nullptr;
    Value frame_, chunk_, begin_, end_, worker_;
    std::vector<Value> frame_values_;

    struct ByPointer {
        bool operator()(Value a, Value b) const {
            return a.getAsOpaquePointer() < b.getAsOpaquePointer();
        }
    };
    std::map<Value, AccessState, ByPointer> accesses_;
    std::map<Value, Accumulator, ByPointer> accumulators_;
    std::map<Value, Workspace, ByPointer> workspaces_;
    std::map<Value, Value, ByPointer> walked_rows_; ///< rows that loops around walk: present there
    std::map<std::string, Value> coordinates_;

    std::optional<Accumulator> total_;
    std::optional<LaneSums> total_lanes_;
    it::ComputeOp everywhere_; ///< see find_everywhere
    it::ComputeOp direct_;     ///< see find_direct_fold
    it::IndexOp first_folded_, last_folded_;
    it::IndexOp summed_row_;       ///< before it, the row that it sums up is set to zero
    it::IndexOp row_in_registers_; ///< see find_row_in_registers
    LaneSums row_sums_;            ///< its sums so far
    bool clears_rows_ = false;     ///< see meets_every_row
    Value seen_; ///< slot: a term was folded since the loops over what is folded began
    Code::Along along_ = Code::Along::all; ///< of the next loop
    bool has_room_ = false;                ///< for what the loop around appends
    bool is_marked_ = false;               ///< the place that the loop around leads to
    Value buffer_, buffer_size_, buffer_capacity_, buffer_values_;
    std::vector<Value> buffer_coordinates_;
};

} // namespace tropic::compile
