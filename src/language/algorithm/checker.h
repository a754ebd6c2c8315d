// The state of checking one algorithm. Its member functions are grouped by file: statements,
// expressions, algebra (statements over whole vectors) and calls.
#pragma once

#include <map>
#include <set>
#include <span>

#include "language/algorithm/algorithm.h"
#include "language/algorithm/syntax.h"
#include "language/diagnostics.h"

namespace tropic::language::algorithm {

/// Scalars found to hold reals, by the place that introduced them.
using WidenedScalars = std::set<std::pair<int, int>>;

class Checker {
  public:
    Checker(const syntax::Tree& tree, Diagnostics& diagnostics, WidenedScalars& widened)
        : tree_(tree), diagnostics_(diagnostics), widened_(widened) {}

    Algorithm run(const syntax::Function& entry);

  private:
    using Tree = syntax::Expression;
    using Scope = std::map<std::string, VariableId, std::less<>>;

    // --- calls (check_calls.cpp) ---
    struct Frame {
        const syntax::Function* function = nullptr;
        std::vector<Scope> scopes;
        Frame* caller = nullptr;
    };
    const syntax::Function* find_function(std::string_view name) const;
    VariableId parameter(const syntax::Parameter& words, bool result);
    Type type_of(const syntax::TypeWords& words);
    std::optional<ElementType> element_of(const syntax::Name& word, bool& vertex);
    /// A call of a function of the program, expanded; -1 where it has no result.
    VariableId expand(const Tree& call, const syntax::Function& function);
    Expression expand_operator(const syntax::Function& function, std::span<const Tree> arguments,
                               Place place);
    bool built_in_statement(const Tree& call);
    std::optional<Expression> built_in(const Tree& call);
    VariableId derived_graph(const Tree& call);

    // --- statements (check_statements.cpp) ---
    void statements(const std::vector<syntax::Statement>& list);
    std::vector<Statement> block(const std::vector<syntax::Statement>& list);
    void statement(const syntax::Statement& words);
    void assign(const syntax::Statement& words);
    void assign_name(const syntax::Statement& words);
    void assign_scalar(const syntax::Statement& words, VariableId known);
    void assign_whole(const syntax::Statement& words, VariableId known);
    void assign_set(const syntax::Statement& words, VariableId known);
    void assign_element(const syntax::Statement& words, VariableId vector);
    void store_element(const syntax::Statement& words, Expression target, Expression value);
    void repeat(const syntax::Statement& words);
    void branch(const syntax::Statement& words);
    void loop(const syntax::Statement& words);
    void neighbour_loop(const syntax::Statement& words);
    void bucket_loop(const syntax::Statement& words);
    void each(const syntax::Statement& words);
    void with(const syntax::Statement& words);

    // --- expressions (check_expressions.cpp) ---
    Expression expression(const Tree& tree);
    Expression condition(const Tree& tree);
    Expression name(const Tree& tree);
    Expression index(const Tree& tree);
    Expression edge_value(const Tree& tree, VariableId graph);
    Expression binary(const Tree& tree);
    Expression combine(Operation operation, Expression left, Expression right, Place place);
    Expression reduction(const Tree& tree);
    Expression product(const Tree& tree);
    Expression converted(Expression value, Type type, Place place, bool silently = false);
    static Expression constant(std::int64_t value, ElementType element, Place place);
    static Expression truth(bool value, Place place);
    static Expression unknown(Place place);
    Expression read(VariableId variable, Place place) const;
    Expression conjunction(std::vector<Expression> conditions, Place place);
    Expression vertex_index(const Tree& tree, int space);
    std::optional<Monoid> monoid_of(const std::string& name, Place place, ElementType element);
    static std::optional<Operation> operation_of(std::string_view name);

    /// The labels in `tree` that no variable has the name of: names that stand alone in brackets.
    void free_labels(const Tree& tree, std::vector<syntax::Name>& found) const;

    // --- algebra (check_algebra.cpp) ---
    void vector_statement(const syntax::Statement& words, VariableId known);
    struct Target;
    void element_by_element(Target& target, Expression value, std::vector<Expression> guards);
    void over_edges(Target& target, Expression value);
    std::vector<Expression> mask_conditions(const syntax::Statement& words, VariableId label);
    Expression gather(const Tree& tree, const std::string& add, std::vector<syntax::Name> labels,
                      std::span<const Tree> values, const std::string& multiply);
    void set_builder(const syntax::Statement& words, VariableId known, const Tree& builder);
    VariableId introduce(const syntax::Name& name, Type type);

    // --- fusion (fuse.cpp) ---
    friend void fuse(std::vector<Statement>& list, const Algorithm& algorithm);

    // --- names ---
    VariableId lookup(std::string_view name) const;
    VariableId declare(const syntax::Name& name, Type type);
    VariableId temporary(std::string name, Type type);
    int space_of(Space space);
    Variable& variable(VariableId id) { return algorithm_.variables[static_cast<std::size_t>(id)]; }
    const Variable& variable(VariableId id) const {
        return algorithm_.variables[static_cast<std::size_t>(id)];
    }
    void report(Place place, std::string message, Advice advice = {});
    void report_unknown(const std::string& name, Place place, std::string_view what);
    void emit(Statement statement) { out_->push_back(std::move(statement)); }
    bool in_element() const noexcept { return each_ != nullptr; }

    class Scoped {
      public:
        explicit Scoped(Checker& checker) : checker_(checker) { checker_.frame_->scopes.emplace_back(); }
        ~Scoped() { checker_.frame_->scopes.pop_back(); }
        Scoped(const Scoped&) = delete;
        Scoped& operator=(const Scoped&) = delete;

      private:
        Checker& checker_;
    };

    /// What the body of a reduction found out about the edges it follows.
    struct EdgeUse {
        VariableId label = -1;
        VariableId graph = -1;
        VariableId weight = -1;
        bool inward = false;
        std::optional<Expression> center;
        EdgeUse* outer = nullptr;
    };

    const syntax::Tree& tree_;
    Diagnostics& diagnostics_;
    WidenedScalars& widened_;
    Algorithm algorithm_;
    Frame* frame_ = nullptr;
    std::vector<Statement>* out_ = nullptr;
    Each* each_ = nullptr;            ///< the parallel loop whose body is being checked
    int loops_ = 0;                   ///< loops around the statement that `break` could leave
    EdgeUse* edges_ = nullptr;        ///< the reduction whose body is being checked
    std::vector<Expression>* guards_ = nullptr; ///< algebra: where the expression has a value
    int expanded_ = 0;
    std::set<std::pair<int, int>> reported_;
};

/// Joins loops over the same members where nobody can tell.
void fuse(std::vector<Statement>& list, const Algorithm& algorithm);

} // namespace tropic::language::algorithm
