// The checker: resolves names, expands functions where they are called, gives every expression its
// labels and its type. Its parts are in check_*.cpp.
#pragma once

#include <map>
#include <set>

#include "language/check.h"
#include "language/diagnostics.h"
#include "language/scope.h"

namespace tropic::language {

/// Scalars declared at these (line, column) hold float64 although their first value is an integer,
/// because a later one is not. Found by checking, used by checking again.
using WidenedScalars = std::set<std::pair<int, int>>;

class Checker {
  public:
    Checker(const syntax::Tree& tree, const CheckOptions& options, Diagnostics& diagnostics,
            WidenedScalars& widened)
        : tree_(tree), options_(options), diagnostics_(diagnostics), widened_(widened) {}

    /// What it returns is meaningless if something was reported.
    Program run();

  private:
    using Maybe = std::optional<Expression>; ///< none: the mistake has been reported

    /// What a function returned.
    struct Returned {
        enum class Kind : std::uint8_t { nothing, scalar, tensor, unknown };
        Kind kind = Kind::nothing;
        VariableId variable = -1;
    };

    /// A value that is not part of an expression; neither: the mistake has been reported.
    struct Whole {
        std::optional<VariableId> tensor = {};
        Maybe scalar = {};
    };

    // --- reporting (check.cpp) ---
    void report(ErrorCode code, Place place, std::string message, Advice advice = {});
    void report_unknown(const syntax::Name& name, Symbol::Kind wanted);

    // --- the whole (check.cpp) ---
    void index_functions();
    void check_main();
    void check_unused();
    void find_outputs();

    // --- declarations (check_declarations.cpp) ---
    void check_labels(const syntax::Statement& statement);
    void check_tensors(const syntax::Statement& statement);
    bool is_free(const syntax::Name& name);
    LabelId new_label(const syntax::Name& name, Index size);
    VariableId new_variable(const std::string& name, Place place);
    VariableId new_scalar(const syntax::Name& name, ElementType first);
    std::optional<Index> size_of_label(const syntax::LabelSize& size);
    bool set_storage(Variable& variable, const std::optional<syntax::StorageWords>& words);
    std::optional<ElementType> element_type(const syntax::Name& word);
    void poison(const syntax::Name& name);

    // --- statements (check_statements.cpp) ---
    void check_statement(const syntax::Statement& statement);
    void check_scalar(const syntax::Statement& statement);
    void check_call_statement(const syntax::Statement& statement);
    void check_print(const syntax::Expression& call);
    void check_loop(const syntax::Statement& statement);
    void emit(Statement statement);
    void emit_assign(VariableId variable, Expression value, Place place);
    static Statement forgetting(VariableId tensor, Place place);
    Symbol* find_tensor(const syntax::Name& name);
    bool require_value(const syntax::Name& name, Symbol& symbol);
    bool argument_count(const syntax::Expression& call, std::size_t least, std::size_t most,
                        std::string_view usage);

    // --- assignments (check_assign.cpp) ---
    void check_assign(const syntax::Statement& statement);
    void assign_scalar(const syntax::Statement& statement, const Symbol& symbol);
    void assign_tensor(const syntax::Statement& statement);
    void report_nothing_to_add_to(const syntax::Name& name);
    void give_up(const syntax::Name& name);
    void finish_assignment(const syntax::Name& name, Statement result, Maybe value);
    bool check_target(const syntax::Statement& statement, const Symbol* symbol, Statement& result);
    Maybe check_right_side(const syntax::Statement& statement, const std::vector<LabelId>& labels);
    bool sides_agree(const syntax::Statement& statement, const std::vector<LabelId>& labels,
                     const Expression& value);
    Symbol& declare_by_assignment(const syntax::Name& name, const std::vector<LabelId>& labels,
                                  ElementType type);
    bool check_filling_call(const syntax::Expression& call, Statement& result);
    bool set_read(const syntax::Expression& call, int rank, Statement& result);
    std::optional<std::int64_t> constant_integer(const syntax::Expression& expression);
    std::optional<Mask> check_mask(const syntax::MaskWords& words,
                                   const std::vector<LabelId>& target);

    // --- whole tensors (check_whole.cpp) ---
    void assign_whole(const syntax::Statement& statement);
    void report_whole(const syntax::Statement& statement, const Symbol* symbol);
    bool same_shape(const syntax::Name& target, VariableId variable, const Whole& value,
                    const syntax::Expression& right);
    std::vector<LabelId> whole_labels(VariableId variable);
    Whole whole_value(const syntax::Expression& expression, std::string_view what,
                      std::string_view hint);
    Whole whole_tensor(const syntax::Expression& expression);
    std::string labels_hint(const Symbol& tensor) const;

    // --- labels (check_labels.cpp) ---
    std::optional<std::vector<LabelId>> resolve_labels(const std::vector<syntax::Name>& names);
    bool bind_labels(const Symbol& tensor, const syntax::Name& name,
                     const std::vector<syntax::Name>& names, const std::vector<LabelId>& labels);
    bool bind_size(LabelId label, Index size, const std::string& tensor, Place place);
    bool all_distinct(const std::vector<syntax::Name>& names, std::string_view what);
    LabelSet set_of(const std::vector<LabelId>& labels);
    LabelSet natural_labels(const syntax::Expression& expression);
    LabelSet natural_labels(const std::vector<syntax::Name>& names);
    LabelSet natural_labels_of_product(const syntax::Expression& product);
    std::string text_of(LabelSet set) const;
    std::string text_of(const std::vector<LabelId>& labels) const;
    std::vector<LabelId> in_order(LabelSet set, const Expression& left, const Expression& right);

    // --- expressions (check_expressions.cpp) ---
    Maybe check(const syntax::Expression& expression, LabelSet wanted);
    Maybe check_scalar_value(const syntax::Expression& expression, std::string_view what,
                             std::string_view hint = "SUM(...) adds up all its elements");
    Maybe check_name(const syntax::Expression& expression);
    Maybe check_access(const syntax::Expression& expression);
    Maybe check_negate(const syntax::Expression& expression, LabelSet wanted);
    Maybe check_divide(const syntax::Expression& expression, LabelSet wanted);
    Maybe check_elementwise(const syntax::Expression& expression, Operator op, LabelSet wanted);
    Maybe check_product(const syntax::Expression& expression, LabelSet wanted);
    Maybe check_sum(const syntax::Expression& expression);
    Maybe check_transpose(const syntax::Expression& expression, LabelSet wanted);
    Maybe check_call(const syntax::Expression& expression, LabelSet wanted);
    bool check_operands(const syntax::Expression& expression, LabelSet wanted, Maybe& left,
                        Maybe& right);
    Expression elementwise(Operator op, Place place, Expression left, Expression right);
    Expression sum_of(Expression value, Place place);
    Expression access(VariableId variable, std::vector<LabelId> labels, Place place) const;
    Expression scalar(VariableId variable, Place place) const;

    // --- functions (check_functions.cpp) ---
    Returned expand(const syntax::Expression& call);
    void bind_parameter(Frame& frame, const syntax::Parameter& parameter,
                        const syntax::Expression& argument);
    void bind_tensor(Frame& frame, const syntax::Parameter& parameter,
                     const syntax::Expression& argument, VariableId variable);
    void bind_scalar(Frame& frame, const syntax::Parameter& parameter, Expression value);
    void report_no_value(const syntax::Expression& call);
    Returned check_body(const syntax::Function& function);
    Returned check_return(const syntax::Statement& statement);
    bool recursion_reported(const syntax::Function& function, const syntax::Expression& call);
    void bind_unused(Frame& frame, const syntax::Parameter& parameter);

    const syntax::Tree& tree_;
    const CheckOptions& options_;
    Diagnostics& diagnostics_;
    WidenedScalars& widened_;

    Program program_;
    std::vector<Statement>* out_ = nullptr;
    std::vector<Statement> inputs_; ///< reads of tensors that main uses and never assigns
    Frame* frame_ = nullptr;
    std::map<std::string, const syntax::Function*, std::less<>> functions_;
    std::set<const syntax::Function*> used_;
    std::map<std::string, VariableId, std::less<>> main_names_;
    std::set<std::pair<int, int>> reported_in_calls_;
    std::int64_t expanded_ = 0; ///< statements and operands that calls have produced
    bool too_large_reported_ = false;
    int calls_deep_ = 0;
    int loops_deep_ = 0; ///< those around calls included
};

/// Functions of the language itself.
bool is_built_in(std::string_view name) noexcept;

/// The names assigned to in a list of statements.
void collect_assigned(const std::vector<syntax::Statement>& statements,
                      std::set<std::string>& names);

} // namespace tropic::language
