// The checker: resolves names, expands functions where they are called, types every expression and
// writes algebra out as what happens at each vertex and edge. Its parts are in check_*.cpp.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "language/algorithm/algorithm.h"
#include "language/algorithm/check.h"
#include "language/algorithm/facts.h"
#include "language/algorithm/syntax.h"
#include "language/algorithm/types.h"
#include "language/diagnostics.h"

namespace tropic::language::algorithm {

class Checker {
  public:
    Checker(const syntax::Tree& tree, const Source& source, const CheckOptions& options,
            Diagnostics& diagnostics, Facts& facts)
        : tree_(tree), source_(source), options_(options), diagnostics_(diagnostics),
          facts_(facts) {}

    /// What it returns is meaningless if something was reported.
    Algorithm run(const syntax::Function& entry);

    /// Adds what is wrong with operators and monoids, used or not, at places that are not among
    /// those `reported`.
    static void check_formulas(const syntax::Tree& tree,
                               const std::set<std::pair<int, int>>& reported,
                               Diagnostics& diagnostics);

  private:
    using Tree = syntax::Expression;
    using Nowhere = syntax::Nowhere;
    using Names = std::span<const syntax::Name>;

    /// What a name stands for.
    struct Symbol {
        VariableId variable = -1;
        bool flipped = false;                         ///< a graph whose edges are read backwards
        std::shared_ptr<const Expression> value = {}; ///< a parameter of an operator
    };
    using Scope = std::map<std::string, Symbol, std::less<>>;

    struct Frame {
        const syntax::Function* function = nullptr;
        std::vector<Scope> scopes = {};
        Frame* caller = nullptr;
        Place called = {};
        std::map<std::string, int, std::less<>> assigned = {}; ///< how often a name is assigned
        std::vector<VariableId> introduced = {};               ///< vectors, sets... of this call
        int members_around = 0; ///< loops over members around the call
        bool returns_early = false;
        VariableId returned = -1; ///< a truth: a loop was left by `return`
        bool returning = false;   ///< the loops around the statement are left behind it, too
    };

    /// A graph as an expression names it.
    struct GraphUse {
        VariableId graph = -1;
        bool flipped = false;
    };

    /// Edges that are being followed where an expression stands.
    struct EdgeContext {
        VariableId graph = -1;
        bool inward = false;
        Expression center = {};
        VariableId label = -1;
        VariableId* weight = nullptr; ///< where the local for the value goes once it is wanted
        VariableId* edge = nullptr;
    };

    /// What restricts the labels it is indexed by, instead of being a value like any other: sets
    /// and sparse vectors where all must hold, sparse vectors alone where they are compared,
    /// nothing behind `!`, `||` and `? :`.
    enum class Restricts : std::uint8_t { nothing, sparse, members };

    /// Where values exist: collected while an expression is checked.
    struct Guards {
        std::vector<Expression> conditions;
        std::set<VariableId> labels; ///< a set or sparse indexed by one of these restricts it
        std::set<VariableId> around; ///< of a fold: the labels of what stands around it
    };

    // --- the whole (check.cpp, check_definitions.cpp) ---
    void check_definitions();

    // --- names and reports (check_names.cpp) ---
    static bool is_built_in(std::string_view name);
    void report(ErrorCode code, Place place, std::string message, Advice advice = {});
    void report_unknown(std::string_view name, Place place, std::string_view what);
    const Symbol* find(std::string_view name) const;
    VariableId find_variable(std::string_view name) const;
    Variable& variable(VariableId id) { return algorithm_.variables[static_cast<std::size_t>(id)]; }
    const Variable& variable(VariableId id) const {
        return algorithm_.variables[static_cast<std::size_t>(id)];
    }
    VariableId new_variable(std::string name, Type type, Place place);
    VariableId new_local(std::string name, Type type, Place place);
    VariableId new_buffer(std::string name, Type type, Place place);
    VariableId introduce(const syntax::Name& name, Type type, bool declared = false);
    VariableId new_scalar(std::string name, Type type, Place place);
    VariableId bind_label(const syntax::Name& name, SpaceId space);
    void poison(const syntax::Name& name);
    bool is_assignable(VariableId id, Place place);
    SpaceId space_of(Space space);
    std::string described(SpaceId space) const;
    std::string described(const Type& type) const { return name_of(type, algorithm_); }
    void emit(Statement statement) { out_->push_back(std::move(statement)); }
    void emit_scalar(VariableId variable, Expression value, Place place,
                     Operation operation = Operation::none);
    static Statement create(VariableId variable, Place place);
    void emit_create(VariableId variable, Place place);
    bool is_sized_by_parameter(const Type& type) const;
    Expression read(VariableId id, Place place = {}) const {
        return read_of(algorithm_, id, place);
    }
    bool in_member() const noexcept { return members_deep_ > 0; }

    class Scoped {
      public:
        explicit Scoped(Checker& checker) : frame_(*checker.frame_) {
            frame_.scopes.emplace_back();
        }
        ~Scoped() { frame_.scopes.pop_back(); }
        Scoped(const Scoped&) = delete;
        Scoped& operator=(const Scoped&) = delete;

      private:
        Frame& frame_;
    };

    /// Statements go to a list of their own for as long as it lives.
    class Into {
      public:
        Into(Checker& checker, std::vector<Statement>& list)
            : checker_(checker), outer_(std::exchange(checker.out_, &list)) {}
        ~Into() { checker_.out_ = outer_; }
        Into(const Into&) = delete;
        Into& operator=(const Into&) = delete;

      private:
        Checker& checker_;
        std::vector<Statement>* outer_;
    };

    /// What is only asked for if something before it says so: statements that its calls became go
    /// to `before`.
    template <class Read> Expression aside(std::vector<Statement>& before, const Read& read_words) {
        const Into into(*this, before);
        return read_words();
    }

    /// Code of a member for as long as it lives.
    class MemberCode {
      public:
        explicit MemberCode(Checker& checker)
            : checker_(checker), scoped_(checker),
              base_(std::exchange(checker.member_scope_, checker.frame_->scopes.size() - 1)),
              loops_(std::exchange(checker.loops_, 0)) {
            ++checker_.members_deep_;
        }
        ~MemberCode() {
            --checker_.members_deep_;
            checker_.member_scope_ = base_;
            checker_.loops_ = loops_;
        }
        MemberCode(const MemberCode&) = delete;
        MemberCode& operator=(const MemberCode&) = delete;

      private:
        Checker& checker_;
        Scoped scoped_;
        std::size_t base_;
        int loops_;
    };

    // --- types (check_types.cpp, check_conversions.cpp) ---
    Type type_of(const syntax::TypeWords& words);
    Type element_type(const syntax::TypeWords& words, bool whole = false);
    void unknown_type(const syntax::Name& name, bool whole);
    SpaceId space_of(const Tree& tree);
    int record_of(std::string_view name);
    std::optional<Type> alias_of(std::string_view name);
    int pair_of(const Type& first, const Type& second);
    void add_records();
    Expression converted(Expression value, const Type& type, Place place);
    Expression limited(Expression value, const Type& wanted, std::string_view operation);
    Expression accumulated(Expression value, const Type& type, std::string_view operation,
                           bool silently, Place place);
    Expression converted_silently(Expression value, const Type& type) const;
    bool agree(Expression& left, Expression& right, Place place, std::string_view what);
    Expression truth(Expression value);
    bool is_weak(const Expression& value) const;
    bool too_many_lanes(VariableId id, const Expression& value, Place place);
    static bool is_infinite(const Expression& value);
    /// The type a new vector gets for such a value.
    Type stored_type(const Expression& value) const;
    ElementType needed(const Expression& value) const;
    void widen(VariableId id, const Expression& value);
    /// Remembers what decides which infinity a scalar can be compared with.
    void note_infinity(VariableId id, const Expression& value);
    void check_infinity(const Expression& left, const Expression& right, Place place);

    // --- expressions (check_expressions.cpp) ---
    Expression expression(const Tree& tree);
    Expression expression_of(const Tree& tree);
    Expression scalar(const Tree& tree, std::string_view what);
    Expression condition(const Tree& tree);
    Expression name(const Tree& tree);
    Expression unary(const Tree& tree);
    Expression binary(const Tree& tree);
    Expression asked_in_turn(bool either, Expression left, std::vector<Statement> before,
                             Expression right, Place place);
    Expression chosen_in_turn(Expression test, std::vector<Statement> before_yes, Expression yes,
                              std::vector<Statement> before_no, Expression no);
    Expression conditional(const Tree& tree);
    Expression once(Expression value);
    Expression held(Expression value);
    void settle(Expression& left, const std::vector<Statement>& before);
    Expression expression_or_condition(const Tree& tree);
    /// What a tree can be told to be by its words alone.
    enum class Sort : std::uint8_t {
        unknown,
        number,
        truth,
        edge,    ///< of a graph with values: a number, or whether it is there
        pattern, ///< of a graph without: the same, but the number is 1
    };
    Sort sort_of(const Tree& tree) const;
    Sort sort_of_index(const Tree& tree) const;
    Sort sort_of_call(const Tree& tree) const;
    bool asks_for_members(const Tree& tree) const;
    bool reads_sparse(const Tree& tree) const;
    bool is_condition(const Tree& tree, bool as_value = false) const;
    Expression value_for(const Tree& tree, const Type& type);
    Expression arithmetic(Operation operation, Expression left, Expression right, Place place);
    Expression apply(std::string_view op, Expression left, Expression right, Place place);
    Expression field(const Tree& tree);
    static std::optional<Operation> operation_of(std::string_view name);

    // --- elements (check_elements.cpp) ---
    Expression index(const Tree& tree);
    Expression element(const Tree& tree, VariableId id);
    Expression edge_value(const Tree& tree, GraphUse graph);
    Expression edge_lookup(const Tree& tree, GraphUse graph, Expression row, Expression column);
    std::optional<Expression> edge_number(SpaceId space, const Tree& tree);
    EdgeContext* edge_context(VariableId graph, const Expression& row, const Expression& column);
    Expression index_value(const Tree& tree, SpaceId space, bool& checked);
    Expression in_range(Expression value, SpaceId space);
    bool is_told(const Expression& size) const;

    // --- constants (check_constants.cpp) ---
    void add_constants();
    bool is_monoid(std::string_view word) const;
    bool is_multiplication(std::string_view word) const;
    bool is_sound(const syntax::Function& semiring) const;
    void check_semiring(const syntax::Function& semiring);
    void report_no_monoid(std::string_view word, Place place);
    bool constant_reported(const syntax::Name& name);
    bool is_constant_name(const Symbol& symbol) const;
    bool is_outside(const Expression& index, SpaceId space) const;
    GraphUse stored(GraphUse use, Place place);
    Expression weight_of(EdgeContext& context, Place place);
    bool is_graph(const Tree& tree) const;
    GraphUse graph_of(const Tree& tree);
    GraphUse derived_graph(const Tree& tree);
    SpaceId rows_of(GraphUse use);
    SpaceId columns_of(GraphUse use);
    static bool is_label_of(const Expression& e, VariableId label) {
        return e.kind == Expression::Kind::variable && e.variable == label;
    }

    // --- functions of the language (check_built_ins.cpp, check_element_functions.cpp) ---
    Expression call(const Tree& tree);
    std::optional<Expression> built_in(const Tree& tree);
    std::optional<Expression> number_function(const Tree& tree);
    Expression function_of(const Tree& tree, Function function, bool real);
    Expression across_lanes(const Tree& tree);
    Expression numbers_of_lanes(const Tree& tree);
    Expression make_record(const Tree& tree, int id);
    std::optional<Expression> set_function(const Tree& tree);
    Expression edge_between(const Tree& tree);
    std::optional<Expression> atomic_function(const Tree& tree);
    std::optional<Expression> conversion(const Tree& tree);
    bool argument_count(const Tree& call, std::size_t least, std::size_t most,
                        std::string_view usage);
    VariableId whole(const Tree& tree, std::string_view what);
    VariableId members_of(const Tree& tree);
    VariableId vector_argument(const Tree& tree);
    bool built_in_statement(const Tree& call);

    // --- folds (check_folds.cpp, check_monoids.cpp) ---
    static std::string_view monoid_word(std::string_view name);
    std::optional<Monoid> monoid_of(std::string_view name, const Type& type, Place place);
    std::shared_ptr<Expression> lowest_of(const Type& type) const;
    Expression reduction(const Tree& tree);
    Expression product(const Tree& tree);
    struct Fold {
        std::string monoid;
        Place place;
        std::vector<syntax::Name> labels;
        const Tree* value = nullptr;      ///< what is folded, or
        std::vector<const Tree*> factors; ///< what is multiplied, by
        std::string multiply;
        const Tree* condition = nullptr;
    };
    Expression fold(const Fold& fold);
    Expression fold_label(const Fold& fold, std::vector<syntax::Name> labels, Guards& guards);
    Expression folded_value(const Fold& fold, Guards& guards);
    Expression product_of(const Fold& fold);
    /// A part of a sum, with the words that it is of.
    struct Addend {
        const Tree* tree = nullptr;
        Expression value = {};
    };
    Expression keep_nowhere(Nowhere nowhere, Expression sum, const std::vector<Addend>& addends,
                            Place place);
    static bool leads_on(const Tree& tree);
    Expression way(const Tree& tree);
    Expression way_sum(const Tree& tree, int sign, std::vector<Addend>& addends);
    std::size_t next_label(const Fold& fold, const std::vector<syntax::Name>& labels);
    /// What a fold or a product says, or nothing if `tree` joins element by element or is wrong.
    std::optional<Fold> fold_of(const Tree& tree);
    std::vector<const Tree*> trees_of(const Fold& fold) const;
    Expression finish_fold(const Fold& fold, bool nested, Expression value,
                           std::shared_ptr<Reduction> result, Guards& guards);
    Expression joined(const Tree& tree, Restricts restricts);
    void report_nothing_folded(const Tree& product, const Fold& words);

    // --- labels (check_labels.cpp) ---
    void free_labels(const Tree& tree, std::vector<syntax::Name>& found, bool inside = false) const;
    bool is_free(std::string_view name) const;
    bool has_edges(const Tree& tree) const;
    GraphUse edges_of(const Tree& tree);
    bool mentions_free(const Tree& tree) const;
    const Tree* find_edge(const Tree& tree, std::string_view label);
    std::optional<SpaceId> label_space(const Tree& tree, std::string_view label);
    bool indexes_members(const Tree& tree, std::string_view label) const;

    // --- statements (check_statements.cpp, check_loops.cpp) ---
    void statements(const std::vector<syntax::Statement>& list);
    std::vector<Statement> block(const std::vector<syntax::Statement>& list);
    void statement(const syntax::Statement& words);
    void branch(const syntax::Statement& words);
    void repeat(const syntax::Statement& words);
    void until(const syntax::Statement& words);
    void leave(const syntax::Statement& words);
    void leave_by_return(Place place);
    void return_behind_loop(Place place);
    void loop(const syntax::Statement& words);
    void count_loop(const syntax::Statement& words);
    void neighbour_loop(const syntax::Statement& words);
    void bucket_loop(const syntax::Statement& words);
    void each(const syntax::Statement& words);
    void each_between(const syntax::Statement& words);
    void with(const syntax::Statement& words);
    void workspace(const syntax::Statement& words);
    void visit_loop(const syntax::Statement& words, VariableId workspace);
    void declare(const syntax::Statement& words);
    void confirm(const syntax::Statement& words);
    void evaluate(const syntax::Statement& words);
    std::vector<Statement> member_body(const std::vector<syntax::Statement>& body);
    void lone_member(const syntax::Statement& words);
    Expression zero_of(const Type& type) const;

    // --- assignments (check_assign.cpp, check_stores.cpp, check_whole.cpp, check_sets.cpp) ---
    void assign(const syntax::Statement& words);
    void assign_several(const syntax::Statement& words);
    void assign_name(const syntax::Statement& words);
    void assign_scalar(const syntax::Statement& words, VariableId known);
    bool assign_whole(const syntax::Statement& words, VariableId known);
    void assign_order(const syntax::Statement& words, VariableId known);
    void poison_new(const syntax::Name& name, VariableId known);
    void copy_elements(VariableId to, VariableId from, Place place);
    static Expression insert_of(VariableId set, Expression index, Place place);
    SpaceId set_space(const Tree& tree);
    void combine_sets(VariableId set, std::string_view op, VariableId other, Place place);
    void assign_member(const syntax::Statement& words, VariableId id);
    void assign_graph(const syntax::Statement& words, VariableId known);
    void copy_graph(const syntax::Name& name, VariableId known, VariableId from, Place place);
    void assign_set(const syntax::Statement& words, VariableId known, const Tree& value);
    VariableId set_value(const Tree& tree, VariableId into);
    void assign_from(const syntax::Name& name, VariableId known, VariableId from, Place place);
    void assign_field(const syntax::Statement& words);
    Statement insertion(VariableId id, const Expression& at, bool checked, Place place);
    void insert_blank(const Expression& element, Place place);
    void gather(VariableId id, const std::string& operation,
                const std::shared_ptr<Expression>& identity);
    void hold_outside(VariableId id, const std::shared_ptr<Expression>& value);
    Expression or_zero(Expression element);
    Expression field_of(Expression record, std::size_t number) const;
    /// A record with one field changed.
    Expression with_field(const Expression& record, std::size_t number, Expression value) const;
    void assign_element(const syntax::Statement& words, VariableId id);
    void store(const syntax::Statement& words, Expression target, Expression value);
    /// The same as a statement; none if there is something wrong with it.
    std::optional<Statement> stored(const syntax::Statement& words, Expression target,
                                    Expression value);
    bool set_accumulate(Statement& statement, std::string_view accumulate, const Type& type,
                        Place place);
    bool is_set_expression(const Tree& tree) const;
    void fill(VariableId id, Expression value, Place place);

    // --- algebra (check_algebra.cpp, check_targets.cpp) ---
    struct Target;
    VariableId front_of(const Expression& value) const;
    void algebra(const syntax::Statement& words, VariableId known);
    void vector_algebra(const syntax::Statement& words, VariableId known);
    void scatter(const syntax::Statement& words, VariableId known);
    void edge_algebra(const syntax::Statement& words, VariableId known);
    void table_algebra(const syntax::Statement& words, VariableId known);
    void member_store(const syntax::Statement& words, VariableId id,
                      const std::set<VariableId>& labels, std::vector<Statement>& body);
    VariableId introduce_vector(const syntax::Name& name, const Target& target);
    bool find_changed(const syntax::Name& name, Target& target);
    bool read_mask(const syntax::Statement& words, Target& target);
    Expression mask_condition(const Tree& tree, VariableId label);
    Expression member_test(Expression value);
    Expression fitted(Expression value, const Target& target);
    void build_set(VariableId set, const Tree& builder, bool grow);

    // --- loops that algebra becomes (lower_loops.cpp, lower_algebra.cpp, lower_choice.cpp) ---
    void restrict_loop(Statement& loop, std::vector<Expression> conditions);
    void put_under(Statement& loop, std::vector<Expression> conditions, std::vector<Statement> put);
    bool reads(const Statement& loop, VariableId id) const;
    void detach(VariableId id, Statement& loop, bool grows = false);
    void emit_building(std::vector<Statement> loops, const std::vector<VariableId>& built,
                       bool grow, Place place);
    static void redirect(Statement& loop, VariableId from, VariableId to);
    void emit_over(Statement loop, std::vector<Expression> conditions, Statement put,
                   VariableId set, bool grow);
    Statement store_of(const Target& target, Expression value, std::string_view accumulate);
    void store_member(Target& target, Expression value, std::vector<Statement>& body);
    Expression differ(Expression left, Expression right, Place place);
    void store_zero(const Target& target, std::vector<Statement>& body);
    void element_wise(Target& target);
    void emit_members(Target& target, Statement loop, const std::string& accumulate);
    Statement kept_members(const Target& target);
    void emit_kept(const Target& target, std::vector<Statement> loops);
    VariableId mask_as_set(Target& target);
    void keep_only(const Target& target, VariableId set);
    /// Whether pushing has to go one member after the other.
    bool pushes_alone(const Target& target) const;
    bool can_push(const Target& target, VariableId front) const;
    void report_no_push(const Target& target);
    static bool finds_somebody(const Reduction& fold);
    bool choose(Target& target);
    void gather_and_add(Target& target);
    void copy_front(Target& target, VariableId front);
    std::vector<Statement> push_loops(const Target& target, VariableId front);
    std::vector<Statement> push_value(const Target& target, Expression value);
    Statement pull_loop(Target& target);

    // --- statements that make graphs, row by row (check_matrices.cpp, check_parts.cpp,
    // check_scatter.cpp, lower_rows.cpp, lower_products.cpp) ---
    struct Matrix;
    /// What a part of the right side is, seen along a row.
    enum class Part : std::uint8_t {
        none,   ///< a number everywhere
        leaf,   ///< entries of a stored row, or of a stored column
        mapped, ///< the same through an index of the column
        fold,   ///< a product that makes a row
        join,   ///< entries where either side has one
        point,  ///< entries where all graphs in it have one
    };
    /// What is done with an entry: the label of its column is bound.
    using Entry = std::function<void(Expression)>;
    Type made_graph(Type type) const;
    void matrix_algebra(const syntax::Statement& words, VariableId known);
    bool read_matrix(Matrix& matrix);
    bool read_matrix_mask(Matrix& matrix);
    void mask_parts(Matrix& matrix, const Tree& tree);
    bool matrix_rows(Matrix& matrix, std::vector<Statement>& body);
    bool matrix_row(Matrix& matrix);
    bool merged_row(Matrix& matrix);
    Expression stays(Matrix& matrix);
    bool masked(Matrix& matrix, const Entry& entry);
    void append(Matrix& matrix, Expression value);
    bool introduce_matrix(Matrix& matrix);
    Expression stored_value(Matrix& matrix, Expression value);
    Expression test_of(Matrix& matrix);
    Expression mask_test(Matrix& matrix, const Tree& tree);
    const Tree* whole_masks(Matrix& matrix, const Tree& tree);
    void mark_masks(Matrix& matrix, const Tree& tree, std::vector<Statement>& marks);
    void once_a_row(Matrix& matrix, const Tree& tree);

    Part part_of(Matrix& matrix, const Tree& tree);
    Part part_of_index(Matrix& matrix, const Tree& tree);
    bool is_reached(Matrix& matrix, const Tree& tree);
    bool mentions_column(const Matrix& matrix, const Tree& tree) const;
    void operands_of(Matrix& matrix, const Tree& tree, std::vector<const Tree*>& found);
    void leaves_of(const Tree& tree, std::vector<const Tree*>& found) const;
    static bool is_name(const Tree& tree, const syntax::Name& name) {
        return tree.kind == Tree::Kind::name && tree.name == name.text;
    }
    const Tree* find_members(const Tree& tree, const syntax::Name& label) const;
    bool edges_at_hand(const Tree& tree) const;
    bool follow_row(Matrix& matrix, const Tree& edge, const syntax::Name& label,
                    const std::function<bool()>& then);

    bool row_of(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool leaf_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool point_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool join_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool fold_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool mapped_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    const Tree* said_column(const Matrix& matrix, const Tree& test) const;
    bool said_entry(Matrix& matrix, const Tree& column, const Entry& entry);
    bool fixed_entry(Matrix& matrix, const Entry& entry);
    bool dense_row(Matrix& matrix, const Entry& entry);
    VariableId index_graph(const Tree& index, const syntax::Name& label, SpaceId from, SpaceId to,
                           VariableId unknown, std::vector<Statement>& into);
    bool is_scattered(const Tree& target) const;
    void matrix_scatter(const syntax::Statement& words, VariableId known);
    void renew_edges(VariableId graph, Place place);
    bool members_row(Matrix& matrix, const Tree& tree, const Entry& entry);
    bool is_either(const Tree& tree) const;
    static Type row_type(const Matrix& matrix, const Type& type);
    VariableId new_row(const Matrix& matrix, const Type& type, Place place);
    void along_row(Matrix& matrix, VariableId row, const Type& type, const Entry& entry,
                   Place place);
    void put_first(const Matrix& matrix, VariableId row, Expression value, Place place);
    Type join_value(Matrix& matrix, VariableId row, const std::string& op, const Type& left,
                    Expression right, const std::function<Expression(Expression)>& fit,
                    Place place);
    Statement store_in_row(const Matrix& matrix, VariableId row, Expression value, Place place);
    Expression kept(Expression value, Place place);
    bool where_present(Matrix& matrix, const std::vector<const Tree*>& leaves, std::size_t next,
                       const std::function<bool()>& then);
    bool fold_loops(Matrix& matrix, const Fold& words, std::vector<syntax::Name> labels,
                    VariableId row, Type& type);
    bool fold_entry(Matrix& matrix, const Fold& words, VariableId row, Type& type);
    void emit_under(Expression test, std::vector<Statement> body, Place place);

    // --- functions of the program (check_functions.cpp) ---
    const syntax::Function* find_function(std::string_view name) const;
    VariableId parameter(const syntax::Parameter& words, bool result);
    void give_spaces(const syntax::Parameter& words, VariableId id);
    void require_spaces(const syntax::Parameter& words, const Symbol& symbol, Place place);
    std::vector<VariableId> expand(const Tree& call, const syntax::Function& function);
    void bind_argument(Frame& frame, const syntax::Parameter& parameter, const Tree& argument);
    Expression expand_operator(const syntax::Function& function, std::vector<Expression> arguments,
                               Place place);
    bool recursion_reported(const syntax::Function& function, Place place);

    // --- functions as formulas (check_formulas.cpp) ---
    using Types = std::map<std::string, Type, std::less<>>;
    static bool can_be_formula(const syntax::Function& function);
    Expression expand_formula(const Tree& call, const syntax::Function& function);
    bool follow_formula(const std::vector<syntax::Statement>& list, Types& fixed);
    bool follow_branch(const syntax::Statement& branch, Types& fixed);
    bool is_small(const Expression& formula, Place place);
    void count_assignments(const std::vector<syntax::Statement>& list, Frame& frame) const;

    const syntax::Tree& tree_;
    const Source& source_;
    const CheckOptions& options_;
    Diagnostics& diagnostics_;
    Facts& facts_;
    Algorithm algorithm_;
    std::vector<Statement> prologue_; ///< derived graphs and buffers: before everything else
    std::map<std::string, VariableId, std::less<>> derived_;
    Scope constants_; ///< of the text; any name of a function hides them
    Frame* frame_ = nullptr;
    std::vector<Statement>* out_ = nullptr;
    std::size_t member_scope_ = 0; ///< the scope that locals of the member belong to
    int members_deep_ = 0;
    int loops_ = 0;  ///< loops around the statement that `break` could leave
    int blocks_ = 0; ///< branches and loops around the statement, in this member or the program
    std::vector<VariableId> late_locals_; ///< introduced inside a block of the member
    std::set<VariableId> counters_;       ///< variables of counting loops
    std::vector<EdgeContext> edges_;
    std::map<VariableId, VariableId> members_of_label_; ///< what a label of a loop runs over
    bool as_target_ = false;  ///< the next element is wanted to be changed, not to be read
    bool one_by_one_ = false; ///< members of the loop cannot do their code at the same time
    int folds_deep_ = 0;
    Nowhere nowhere_ = Nowhere::none; ///< of the integers in the tree at hand
    Guards* guards_ = nullptr;
    Restricts restricts_ = Restricts::nothing; ///< what in this position restricts labels
    std::set<VariableId> weak_;                ///< scalars whose type was inferred from integers
    std::set<VariableId> endless_;  ///< scalars that start as infinity, of a type yet unknown
    std::set<VariableId> inferred_; ///< variables whose element type may be widened
    std::set<VariableId> in_range_; ///< locals that are members of their space
    std::set<VariableId> early_;    ///< derived graphs and sizes that the prologue knows
    std::set<VariableId> changing_; ///< graphs that statements of the program assign to
    /// Parts of a statement that makes a graph whose values are at hand, and masks whose rows are
    /// marked.
    std::map<const Tree*, Expression> at_hand_;
    std::map<const Tree*, VariableId> marked_;
    std::deque<syntax::Statement> owned_; ///< statements that others stand for
    std::set<std::pair<int, int>> reported_in_calls_;
    std::int64_t expanded_ = 0;
    bool too_large_ = false;
};

} // namespace tropic::language::algorithm
