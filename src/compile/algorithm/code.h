// The code of one function: values, memory, control flow. The same class writes the program's level
// and the code of members; what differs is what may be counted on (Setting).
#pragma once

#include <functional>
#include <memory>

#include "compile/algorithm/uses.h"

namespace tropic::compile {

class ClaimTogether;

/// What the code of a function may count on.
struct Setting {
    bool member = false;   ///< code of a member: no view changes while it runs
    bool atomic = false;   ///< others run it at the same time
    VariableSet contended; ///< elements others may write meanwhile
    VariableSet settled;   ///< those of them that only their own member writes, once
    VariableSet gathered;  ///< scalars of the program that are gathered in the function
    /// Sets that are inserted into: the number of the worker's appender, and whether bits are all
    /// that is kept (of words that nobody else touches).
    struct Insert {
        int number = 0;
        bool bits_only = false;
        bool rebuilt = false; ///< empty before the loop
    };
    std::map<alg::VariableId, Insert> inserts;
    /// Of a loop over the members of a set: no two workers have the same one.
    alg::VariableId member_label = -1;
    /// Of a loop over all of a range, one after the other.
    alg::VariableId range_label = -1;
    const Uses* uses = nullptr; ///< of the member's code
    /// The loop over buckets that the function is the body of.
    const alg::Buckets* buckets = nullptr;
};

/// Whether an integer becomes an index that may not hold it: vertex(x) of 64 bits.
bool is_cut_to_index(const Unit& unit, const alg::Expression& e);

class Code {
  public:
    using Action = std::function<void()>;

    Code(Unit& unit, llvm::Function* function, Setting setting);

    Unit& unit;
    llvm::IRBuilder<> b;
    const Setting setting;

    // Control flow (control.cpp).
    llvm::BasicBlock* block(const char* name);
    bool is_open() const { return b.GetInsertBlock()->getTerminator() == nullptr; }
    /// Ends the current block, if it is open, and goes on in `next`.
    void go_on_in(llvm::BasicBlock* next);
    void jump(llvm::BasicBlock* target);
    void when(llvm::Value* condition, const Action& then, const Action& otherwise = {});
    /// A path that is hardly ever taken and does not come back.
    void fail_when(llvm::Value* condition, const Action& fail);
    /// Calls body(i) for i from begin (i64) up to end; `leave` and `next` are the blocks to jump
    /// to.
    struct Loop {
        llvm::BasicBlock* next;
        llvm::BasicBlock* leave;
        std::size_t cleanups = 0; ///< how many there are outside of it
    };
    /// How a loop is best done.
    enum class Pace : std::uint8_t {
        whole,  ///< several elements at once, where they lie side by side
        single, ///< one after the other
        row,    ///< loads at random places: several sums at once, so that none waits for another
    };
    void loop(llvm::Value* begin, llvm::Value* end, llvm::Value* step, Pace pace,
              const std::function<void(llvm::Value*, const Loop&)>& body);
    void statements(const std::vector<alg::Statement>& list);
    void statement(const alg::Statement& s);

    // Variables.
    /// Where a local, or a scalar of the program on its level, is kept.
    llvm::AllocaInst* cell(alg::VariableId id);
    llvm::AllocaInst* new_cell(llvm::Type* type, const char* name);
    llvm::Value* scalar(alg::VariableId id);
    /// Computed once, before everything else in the function.
    llvm::IRBuilder<>& prologue() { return setting.member ? prologue_ : b; }
    void end_prologue();

    // The frame and what hangs on it (memory.cpp).
    llvm::Value* argument(unsigned number) { return function_->getArg(number); }
    llvm::Value* frame() { return function_->getArg(0); }
    llvm::Value* worker() { return function_->getArg(1); }
    llvm::Value* at(llvm::IRBuilder<>& builder, llvm::Value* base, std::int64_t offset);
    llvm::Value* slot(alg::VariableId id);
    llvm::Value* view_field(alg::VariableId id, std::int64_t offset, llvm::Type* type);
    llvm::Value* worker_field(std::int64_t offset, llvm::Type* type);
    llvm::CallInst* call_runtime(std::int64_t offset, llvm::Type* result,
                                 llvm::ArrayRef<llvm::Value*> arguments);
    llvm::Value* space_size(alg::SpaceId id);
    llvm::Value* size_of_variable(alg::VariableId id);

    // Elements.
    llvm::Value* load(const alg::Type& type, llvm::Value* address, alg::VariableId owner,
                      bool shared);
    void store(const alg::Type& type, llvm::Value* value, llvm::Value* address,
               alg::VariableId owner, bool shared);
    llvm::Value* address(const alg::Expression& element);
    /// The same for an index that is known.
    llvm::Value* address(alg::VariableId id, llvm::Value* index);
    bool is_shared(const alg::Expression& element) const;
    /// Whether elements have several parts that others read and write together.
    bool is_whole(alg::VariableId owner) const;
    llvm::Value* load_whole(const alg::Type& type, llvm::Value* address);
    /// Room for a copy of an element in memory.
    llvm::AllocaInst* new_copy(const alg::Type& type);
    /// The run fails if an index (i64) is none of 0 .. size - 1.
    void check_index(llvm::Value* index, llvm::Value* size, const std::string& name,
                     const language::Place& place);

    // Expressions (expressions.cpp).
    llvm::Value* value(const alg::Expression& e);
    llvm::Value* value_as(const alg::Expression& e, const alg::Type& type);
    /// What a statement assigns or accumulates, as the target wants it; a divisor as wide as it is.
    llvm::Value* given_value(const alg::Statement& s, const alg::Type& type);
    llvm::Value* truth(const alg::Expression& e);
    llvm::Value* index(const alg::Expression& e); ///< i64
    /// An integer as one of 32 bits: one that is too large stays too large for any index.
    llvm::Value* nearest_index(llvm::Value* value, const alg::Type& from);
    /// Whether it can be computed though nobody asked, at little cost.
    bool is_harmless(const alg::Expression& e) const;

    // Arithmetic (arithmetic.cpp).
    llvm::Value* convert(llvm::Value* value, const alg::Type& from, const alg::Type& to);
    llvm::Value* combine(alg::Operation operation, const alg::Monoid* monoid, const alg::Type& type,
                         llvm::Value* left, llvm::Value* right, const language::Place& place);
    llvm::Value* compare(alg::Operation operation, const alg::Type& type, llvm::Value* left,
                         llvm::Value* right);
    llvm::Value* function(const alg::Expression& e);
    llvm::Value* across(const alg::Expression& e);
    llvm::Value* equal(const alg::Type& type, llvm::Value* left, llvm::Value* right);
    llvm::Constant* infinity(const alg::Type& type);
    /// Real arithmetic inside may be reordered while this lives.
    class Reordering {
      public:
        explicit Reordering(Code& code);
        ~Reordering();
        Reordering(const Reordering&) = delete;
        Reordering& operator=(const Reordering&) = delete;

      private:
        Code& code_;
        llvm::FastMathFlags before_;
    };

    struct Fold;

    // Members and neighbours (neighbours.cpp).
    struct Edges {
        llvm::Value* begin;
        llvm::Value* end;
    };
    Edges edges_of(alg::VariableId graph, bool inward, llvm::Value* vertex);
    llvm::Value* edge_between(const alg::Expression& e);
    /// The place of the first neighbour of a row that is not less, by a binary search; the row's
    /// end if all are.
    llvm::Value* first_not_less(const Edges& edges, alg::VariableId graph, bool inward,
                                llvm::Value* wanted);
    /// What the code of a member of a list needs that lies anywhere in memory.
    struct Ahead {
        alg::VariableId graph = -1; ///< rows of the members
        bool inward = false;
        std::vector<alg::VariableId> at_members; ///< vectors and sparse
        std::vector<alg::VariableId> at_neighbours;
        VariableSet written; ///< of those at neighbours: by most edges, as far as one can tell
        bool empty() const { return graph < 0 && at_members.empty(); }
    };
    /// Asks for what lies at an address.
    void fetch(llvm::Value* address, bool to_write = false);
    static Ahead ahead_of(const Unit& unit, alg::VariableId label, alg::VariableId graph,
                          bool inward, const std::vector<alg::Statement>& body);
    /// How many items ahead of a list's loop things are asked for.
    struct Distances {
        std::int64_t positions;
        std::int64_t rows;
        std::int64_t elements;
    };
    Distances distances() const; ///< of lists
    /// A loop over a list that goes on behind its end (cpu::list_room) is at a place of it: what
    /// later items need is asked for now.
    void fetch_ahead(llvm::Value* list, llvm::Value* place, const Ahead& ahead);
    /// The same in a list of a bucket, which ends at `end`.
    void fetch_ahead_in_bucket(llvm::Value* list, llvm::Value* place, llvm::Value* end,
                               const Ahead& ahead);
    /// A loop over a list is about to begin: asks for what its first items need, who have nobody
    /// ahead of them. Fronts of roads are short, and there are many.
    void fetch_first(llvm::Value* list, llvm::Value* begin, llvm::Value* end, const Ahead& ahead);
    /// The rows that the code of one edge goes through from the edge's end, if it does.
    static Ahead rows_behind(alg::VariableId label, const std::vector<alg::Statement>& body);
    void fetch_rows_behind(alg::VariableId graph, bool inward, llvm::Value* place, llvm::Value* end,
                           const Ahead& ahead);
    /// A loop over the edges of a row that asks for elements at the ends of later edges.
    void loop_asking_ahead(const alg::Statement& s, const Edges& edges,
                           const std::function<void(llvm::Value*, const Loop&)>& one);
    /// The ends of a graph's edges, and their values.
    struct RowPart {
        llvm::Value* data;
        llvm::Type* type;
        std::int64_t bytes;
    };
    std::vector<RowPart> row_parts(const Ahead& ahead);
    void fetch_row(const Ahead& ahead, const Edges& edges);
    /// Where neighbours have numbers close to each other, asks for the lines before and behind
    /// what a loop is about to look at: of the position of one item, and of the row and elements of
    /// another. Who comes next is likely to need them.
    void fetch_beside(const Ahead& ahead, llvm::Value* later, llvm::Value* item);
    void fetch_ends(const Ahead& ahead, const Edges& edges);
    /// Asks for elements at the ends of edges that will be written: other threads do the same, and
    /// must let go of them first.
    void fetch_to_write(alg::VariableId graph, bool inward, const Edges& edges,
                        const std::vector<alg::VariableId>& vectors);
    /// Asks for elements of vertices some way behind this one that its code will write, where
    /// other threads have read them: until these have let go of them, nobody can.
    void fetch_to_write(const Uses& uses, llvm::Value* vertex);
    /// Asks for the beginning of the row of a vertex.
    void fetch_row_of(alg::VariableId graph, bool inward, llvm::Value* vertex);
    llvm::Value* neighbour_at(alg::VariableId graph, bool inward, llvm::Value* place);
    void bind_edge(alg::VariableId graph, bool inward, llvm::Value* place, alg::VariableId label,
                   alg::VariableId weight, alg::VariableId edge);
    void bind(alg::VariableId local, llvm::Value* value);
    /// Binds a local to an index (i64) that is known to be in range.
    void bind_label(alg::VariableId local, llvm::Value* index);
    llvm::Value* is_member(alg::VariableId id, llvm::Value* index);
    /// Where the bits of a set, sparse or workspace are.
    llvm::Value* bits_of(alg::VariableId id);
    /// Edges a vector at a time; `test` says which lanes of the group at a place matter, given
    /// which of them are edges.
    using GroupTest = std::function<llvm::Value*(llvm::Value* place, llvm::Value* inside)>;
    void loop_groups(const Edges& edges, const GroupTest& test,
                     const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Calls body(bit) for each bit that is 1 in a word, lowest first; then goes on in `next`. A
    /// body that leaves the loop goes to `leave`.
    void each_bit(llvm::AllocaInst* rest, const Loop& blocks,
                  const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Which of the lanes at a place are edges.
    llvm::Value* lanes_inside(const Edges& edges, llvm::Value* place);
    /// Which of the lanes at a place pass the test, a bit each (i32).
    llvm::Value* group_mask(const Edges& edges, llvm::Value* place, const GroupTest& test);
    /// A place and those behind it, a lane each, as indices.
    llvm::Value* numbers_from(llvm::Value* place);
    /// Whether vectors of edges are worth it.
    llvm::Value* is_long(const Edges& edges);
    llvm::Value* count_in_groups(const Edges& edges, const GroupTest& test);
    void loop_members(alg::VariableId set,
                      const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Calls body(i) for the members of a set among begin .. end - 1 (i64; begin is a multiple of
    /// 64), or for those that are none.
    void loop_bits(alg::VariableId set, bool members, llvm::Value* begin, llvm::Value* end,
                   const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Who passes of a range (passing.cpp), and how many.
    struct Passing {
        llvm::AllocaInst* list;
        llvm::AllocaInst* count;
    };
    using Collect = std::function<void(const Edges& range, const Passing& found)>;
    using Ask = std::function<void(llvm::Value* which)>;
    /// Calls body(i) for those of a range, which begins at a multiple of 64, whom `collect` finds
    /// in pieces of it, and `ask` (or nobody) some way ahead of that.
    void loop_passing(const Edges& range, const Collect& collect, const Ask& ask,
                      const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Finds those who pass a test of members side by side.
    void collect_passing(const Edges& range, const Passing& found, const GroupTest& test);
    /// Finds the members of a set, or those who are none.
    void collect_members(alg::VariableId set, bool members, const Edges& range,
                         const Passing& found);
    void marks(const alg::Statement& s);
    /// A set or sparse of the member's own, in memory of the worker's (workspaces.cpp).
    struct Workspace {
        llvm::Value* bits;
        llvm::Value* list;
        llvm::Value* values;
        llvm::AllocaInst* count;
    };
    void workspace(const alg::Statement& s);
    void visit(const alg::Statement& s);
    llvm::Value* insert_into_workspace(alg::VariableId id, llvm::Value* index);
    const Workspace* workspace_of(alg::VariableId id) const;
    void loop_workspace(const Workspace& space,
                        const std::function<void(llvm::Value*, const Loop&)>& body);
    /// Memory of the worker's, asked for before the function's loop.
    llvm::Value* worker_memory(std::int64_t slot, llvm::Value* bytes);
    void neighbours(const alg::Statement& s);
    /// Looks every so often whether the caller has cancelled. Edges of a member alone are not
    /// counted: pieces of `each` are cut by edges, and it looks between them. Where they lead to
    /// further loops, a guess is counted for all of these at once, so that loops over the edges of
    /// neighbours stay what they are, too.
    void count_edges(const Edges& edges, bool further);

    // Rows of a few edges (short_rows.cpp).
    /// An edge at a place, and whether it is one of the row (i1).
    struct ShortEdge {
        llvm::Value* place;
        llvm::Value* there;
    };
    using FewEdges = std::function<void(const std::vector<ShortEdge>&)>;
    /// What stands at the places of edges that a row has not.
    enum class Absent : std::uint8_t { last, others };
    void when_short(alg::VariableId graph, const Edges& edges, Absent absent, const FewEdges& few,
                    const Action& otherwise);
    struct ShortSum {
        alg::Operation operation;
        const alg::Monoid* monoid;
        const language::Place& place;
        std::function<llvm::Value*(llvm::Value* place)> value; ///< that an edge gives
    };
    /// The sum of what was before and what the edges of a row give. Few of its steps wait for each
    /// other: where a row reads what the row before it has just changed, as on grids, every one of
    /// them delays all rows behind.
    llvm::Value* add_up_few(const std::vector<ShortEdge>& list, const alg::Type& type,
                            llvm::Value* so_far, const ShortSum& sum);
    void claim_short(const alg::Statement& s, const Edges& edges, const Action& otherwise);
    /// The same for longer rows (claim_rows.cpp), if a claim changes nothing of what others of its
    /// row ask.
    bool claims_along(const alg::Statement& s) const;
    void claim_along(const alg::Statement& s, const Edges& edges);
    void claim_row(const alg::Statement& s, const Edges& edges);

    /// Claims the ends of this code's edges together from here on (claim_together.h); false if that
    /// is not all it does.
    bool begin_collecting(const std::vector<alg::Statement>& body);
    ClaimTogether* claims() const { return claims_.get(); } ///< null if it does not
    /// Whether all that is done for an edge is to combine a local with a value.
    bool adds_up(const alg::Statement& s) const;
    void add_up_short(const alg::Statement& s, const Edges& edges, const Action& otherwise);
    bool can_fold_short(const Fold& fold) const;
    void fold_short(const Fold& fold, const Edges& edges, const Action& otherwise);

    // Graphs that are built (rows.cpp).
    /// Before the members of a piece, around each of them, and behind them all.
    void begin_rows();
    void begin_row();
    void end_row(alg::VariableId label);
    void write_back_rows();
    void append_entry(const alg::Statement& s);

    // Reductions (reductions.cpp).
    /// What is folded so far.
    struct Fold {
        const alg::Reduction& reduction;
        alg::Type type; ///< of the values
        llvm::AllocaInst* value;
        llvm::AllocaInst* found;    ///< null where nobody asks
        llvm::AllocaInst* argument; ///< null where nobody asks
    };
    Fold begin_fold(const alg::Reduction& reduction);
    /// Whether what is folded is worked out by folds itself.
    static bool leads_on(const alg::Reduction& reduction);
    void fold_member(const Fold& fold, llvm::BasicBlock* leave);
    void join_fold(const Fold& fold, llvm::Value* value, llvm::Value* found, llvm::Value* argument);
    llvm::Value* end_fold(const Fold& fold, const alg::Type& type);
    llvm::Value* reduce(const alg::Expression& e);
    llvm::Value* reduce_here(const alg::Expression& e);
    void fold_edges(const Fold& fold, const Edges& edges);
    /// Whether it counts edges whose ends meet a condition, and vectors can do that.
    bool counts_in_lanes(const alg::Reduction& r) const;

    // Changes put off (postpone.cpp).
    /// What a loop over neighbours, the last statement of a member's code, is to change and has
    /// not yet.
    struct Postponed {
        const alg::Statement* loop = nullptr;
        alg::VariableId again = -1;     ///< a member comes again whenever its element changes
        llvm::Type* list = nullptr;     ///< a structure of the ends of edges and what they get
        llvm::Value* changes = nullptr; ///< one of these
        llvm::AllocaInst* count = nullptr;
        llvm::Function* make = nullptr; ///< with the signature of cpu::EachBody
    };
    /// Puts off the changes of this statement from here on; false if it is not of that kind.
    bool begin_postponing(const alg::Statement& s, alg::VariableId again);
    /// Whether all that a statement does is give lesser keys to the ends of a member's edges.
    static bool improves_only(const Unit& unit, const alg::Statement& s, alg::VariableId key);
    void postpone(const alg::Statement& s);
    /// Writes the chosen lanes of a vector side by side. Behind them, as far as all would reach,
    /// comes anything.
    void pack(llvm::Value* all, llvm::Value* chosen, llvm::Value* to);
    /// How many lanes are chosen.
    llvm::Value* how_many(llvm::Value* chosen);
    /// Puts off what the chosen lanes would change: the ends of edges, and what these would get.
    void put_off(llvm::Value* ends, llvm::Value* values, llvm::Value* chosen);
    /// Makes what has been put off: at once, or if it has become enough.
    void make_postponed();
    void make_enough_postponed();
    /// There is room for so many, and for a vector behind them.
    static constexpr std::int64_t most_postponed = 320;

    // Changing elements (updates.cpp).
    struct Change {
        llvm::Value* changed; ///< i1
        llvm::Value* now;     ///< the element afterwards
    };
    Change update(const alg::Expression& target, alg::Operation operation,
                  const alg::Monoid* monoid, llvm::Value* operand);
    llvm::Value* swap_element(const alg::Expression& e);
    llvm::Value* insert(const alg::Expression& e);
    /// Appends an index, or writes it behind the list for nothing, if `by` is not 1 but 0; with
    /// the value that was claimed for it, if any.
    void append(alg::VariableId set, const Setting::Insert& insert, llvm::Value* index,
                llvm::Value* by, llvm::Value* claimed = nullptr);
    /// Appends the chosen lanes of a vector of indices, on one thread.
    void append_lanes(alg::VariableId set, const Setting::Insert& insert, llvm::Value* indices,
                      llvm::Value* chosen);
    /// A branch that pushes into a set and a vector, done without one (claims.cpp); false if it is
    /// not of that kind.
    bool claim(const alg::Statement& s);
    bool can_claim(const alg::Statement& s) const;
    /// What a claim writes, and the set that gets who is claimed.
    static alg::VariableId claimed_vector(const alg::Statement& s);
    static alg::VariableId claimed_set(const alg::Statement& s);
    /// Whether all that is done at the end of an edge is a claim that changes nothing when it is
    /// made again.
    bool claims_once(const std::vector<alg::Statement>& body) const;
    /// "If element j of `vector` is `free`, a number below 0, it becomes the member's index, and j
    /// joins `set`".
    struct MemberClaim {
        alg::VariableId vector;
        alg::VariableId set;
        const alg::Expression& free;
    };
    std::optional<MemberClaim> member_claim(const alg::Statement& s) const;
    /// Whether all that is done at the end of an edge is small branches, one of which finds new
    /// members: then none of them is taken, and what they do is done by choosing values.
    bool is_branch_free(const std::vector<alg::Statement>& body) const;
    void without_branch(const alg::Statement& s);
    /// Sets of the program whose bits the code asks or changes.
    const VariableSet& marked() const { return marked_; }
    /// Sets that the code appends to without looking at their bits.
    const VariableSet& list_only() const { return list_only_; }
    /// Sets that the code claims members of while others do, and the vectors that tell whose claim
    /// counts.
    const std::map<alg::VariableId, alg::VariableId>& claimed() const { return claimed_; }
    /// The bits of these sets of the program are about to be needed.
    void mark(const VariableSet& sets);

    // Loops that leave the program's level (each.cpp, buckets.cpp).
    void each(const alg::Statement& s);
    /// Makes a set that is empty, and whose bits are the member's own, of those of begin .. end - 1
    /// (i64; begin is a multiple of 64) who pass.
    void make_set_of(alg::VariableId set, llvm::Value* begin, llvm::Value* end,
                     const std::function<llvm::Value*(llvm::Value*)>& passes);
    llvm::Value* reduce_in_parallel(const alg::Expression& e);
    void buckets(const alg::Statement& s);
    llvm::Value* bucket_width();
    llvm::Value* bucket_of(llvm::Value* key);
    llvm::Value* divided_down(llvm::Value* key, llvm::Value* width);
    llvm::Value* far_at_most(llvm::Value* bucket);
    struct NearBins {
        llvm::Value* first = nullptr; ///< bucket
        llvm::Value* count = nullptr; ///< unsigned
        llvm::Value* bins = nullptr;  ///< the first of them
    };
    const NearBins& near_bins();
    void push_to_bucket(llvm::Value* index, llvm::Value* key);
    /// Looks for members of buckets by their keys (find_members.cpp), if these are of a kind that
    /// it can.
    static bool can_find(const Unit& unit, const alg::Type& key);
    void find_members();
    /// The first key of a bucket (i64) that the type of the keys has, at most infinity; of keys
    /// that can be found.
    llvm::Value* first_key(llvm::Value* bucket);
    /// Of the bucket that a field of WorkerView has, as a key.
    llvm::Value* first_key_of(std::int64_t field);
    /// Keys taken from the other ends of edges (pull_keys.cpp), if all that the loop of a member
    /// does is offer the sum of its key and the edge's value.
    static bool can_pull(const Unit& unit, const alg::Statement& s, const alg::Buckets& buckets);
    void pull_keys(const alg::Statement& s);
    /// Does that for the items begin .. end - 1 of the list of a bucket, but offers only what is
    /// less than the first key of WorkerView::limit (offer_keys.cpp). The changes of the statement
    /// are put off.
    void offer_keys(const alg::Statement& s, llvm::Value* begin, llvm::Value* end);
    void store_scalars(const VariableSet& scalars);
    void load_scalars(const VariableSet& scalars);
    /// Before and behind what else appends, and at the end.
    void write_back_appenders();
    void read_appenders();

    // Whole variables (whole.cpp).
    bool whole(const alg::Statement& s);

    /// Where a member's code ends, or the program's.
    llvm::BasicBlock* finish = nullptr;
    VariableSet labels; ///< locals that hold an index that is in range
    int folding = 0;    ///< inside how many folds over neighbours the code is

  private:
    friend class Reordering;

    llvm::Value* item_of(llvm::Value* list, llvm::Value* place); ///< i64
    void fetch_position(const Ahead& ahead, llvm::Value* item);
    void fetch_ahead(const Ahead& ahead, const Distances& far,
                     const std::function<llvm::Value*(std::int64_t)>& item);
    void inside_loop(const Loop& blocks, const std::vector<alg::Statement>& body);
    /// Jumps out of what the code is inside of, cleaning up all but the outermost `kept`.
    void leave_to(llvm::BasicBlock* target, std::size_t kept);
    void repeat(const alg::Statement& s);
    void count(const alg::Statement& s);
    void check_cancelled();
    /// At the head of a loop that nobody knows the rounds of.
    void check_round();
    /// So many steps of a loop are about to be made; looks every so often whether the caller has
    /// cancelled. Innermost loops count all of their steps at once, so that they stay what they
    /// are.
    void count_steps(llvm::Value* steps);
    bool is_outermost() const;
    void note_progress(llvm::Value* done, llvm::Value* total);
    void note_round();
    Change update_scalar(llvm::Value* address, const alg::Type& type, alg::VariableId owner,
                         alg::Operation operation, const alg::Monoid* monoid, llvm::Value* operand,
                         const language::Place& place);
    /// The same for elements of several parts.
    Change update_whole(llvm::Value* address, const alg::Type& type, alg::Operation operation,
                        const alg::Monoid* monoid, llvm::Value* operand,
                        const language::Place& place);
    llvm::Value* short_circuit(const alg::Expression& e);
    llvm::Value* divide(const alg::Type& type, bool remainder, llvm::Value* left,
                        llvm::Value* right, const language::Place& place);
    llvm::Value* random_bits(llvm::Value* seed, llvm::Value* index);
    llvm::AllocaInst* appender_cell(int number);
    llvm::Value* appended_by_worker(int number); ///< where it counts
    bool is_new_for_sure(alg::VariableId set, const alg::Expression& condition,
                         const alg::Expression& target, const alg::Expression& value) const;
    bool may_race(alg::VariableId set, const alg::Expression& condition,
                  const alg::Expression& target, const alg::Expression& value) const;
    void race(alg::VariableId set, const alg::Expression& condition, const alg::Expression& target,
              const alg::Expression& value);
    bool may_be_claimed(const alg::Expression& insertion) const;
    bool may_be_written(const alg::Expression& target) const;
    /// Whether a value costs next to nothing where the elements of its labels are looked at anyway.
    bool is_at_hand(const alg::Expression& e) const;
    bool is_branch_free(const alg::Statement& s) const;
    /// Inserts an index (i64) if it is wanted (i1); whether it was new.
    llvm::Value* insert_where(llvm::Value* wanted, alg::VariableId set, llvm::Value* which);
    llvm::Value* appender_field(alg::VariableId set, const Setting::Insert& insert,
                                std::int64_t offset, llvm::Type* type);

    llvm::Function* function_;
    llvm::BasicBlock* start_;
    llvm::BasicBlock* body_;
    llvm::IRBuilder<> prologue_;
    std::map<alg::VariableId, llvm::AllocaInst*> cells_;
    std::map<alg::VariableId, llvm::AllocaInst*> wide_cells_; ///< of labels: as they are counted
    std::map<std::pair<alg::VariableId, std::int64_t>, llvm::Value*> fields_;
    std::map<int, llvm::AllocaInst*> appenders_;
    VariableSet marked_;
    VariableSet list_only_;
    std::map<alg::VariableId, alg::VariableId> claimed_;
    std::map<alg::VariableId, llvm::Value*> marks_;
    std::map<alg::VariableId, Workspace> workspaces_;
    /// The worker's RowBuffer in registers, and what the row at hand has so far.
    struct Rows {
        llvm::AllocaInst* columns = nullptr;
        llvm::AllocaInst* values = nullptr;
        llvm::AllocaInst* count = nullptr;
        llvm::AllocaInst* capacity = nullptr;
        llvm::AllocaInst* entries = nullptr; ///< of the row
        llvm::AllocaInst* last = nullptr;    ///< the column of the latest; -1: none
    };
    Rows rows_;
    void load_rows();
    std::shared_ptr<ClaimTogether> claims_;
    Postponed postponed_;
    void write_changes();
    llvm::Value* postponed_end(llvm::Value* number);   ///< where it is kept
    llvm::Value* postponed_value(llvm::Value* number); ///< the same
    llvm::AllocaInst* steps_ = nullptr;
    int loops_deep_ = 0; ///< inside how many loops and folds of the member or program the code is
    bool edges_outermost_ = false; ///< the outermost of them is over edges
    llvm::Value* bucket_width_ = nullptr;
    llvm::Value* bucket_shift_ = nullptr;  ///< what a width that is a power of two shifts by
    llvm::Value* bucket_shifts_ = nullptr; ///< whether it is one
    NearBins near_bins_;
    std::vector<Loop> loops_;
    std::vector<Action> cleanups_; ///< what is to be done before the code that is inside is left
};

} // namespace tropic::compile
