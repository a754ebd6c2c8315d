// How a checked program becomes graph algebra: the class behind program_to_ga, whose parts are in
// the files of this folder.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/ga.h"
#include "language/program.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tropic::compile {

using language::Expression;
using language::LabelId;
using language::Operator;
using language::Place;
using language::Program;
using language::Statement;
using language::Variable;
using language::VariableId;
using mlir::Value;

/// A value with the labels of its dimensions; none for scalars.
struct Labelled {
    Value value;
    std::vector<LabelId> labels;

    bool is_tensor() const { return mlir::isa<ga::TensorType>(value.getType()); }
};

class ProgramLowering {
  public:
    ProgramLowering(const Program& program, mlir::MLIRContext& context,
                    std::vector<std::string>& explained)
        : program_(program), context_(context), explained_(explained), builder_(&context),
          values_(program.variables.size()) {
        name_labels();
    }

    mlir::OwningOpRef<mlir::ModuleOp> run();

  private:
    // --- names, places, types (types.cpp) --------------------------------------------------------

    /// Labels of expanded functions may share names; in the dialect a name is the label.
    void name_labels();
    mlir::Location location(const Place& place);
    static std::string text(const Place& place);
    [[noreturn]] void refuse(const Place& place, std::string message, std::string hint = {}) const;

    mlir::ArrayAttr labels_attr(const std::vector<LabelId>& labels);
    ga::TensorType tensor_type(ElementType element, const Format& format);
    /// What a value gets that has no format of its own.
    static Format natural_format(bool dense, int rank);
    static bool is_dense(const Labelled& operand);
    ga::TensorType natural_type(const Expression& expression, bool dense);
    ga::TensorType declared_type(const Variable& variable, bool dense);

    /// The type that an assignment to the variable leaves it with: what has a type keeps it.
    ga::TensorType type_for(VariableId id, bool dense);

    using Levels = llvm::SmallVector<std::int8_t>;
    /// Collects the storage of the sparse tensors of that rank in an expression. Formats that store
    /// whole blocks are left out: what is stored is a property of theirs.
    void collect_storage(const Expression& expression, int rank,
                         std::set<std::pair<Levels, Levels>>& found);
    /// The type of a sparse variable without a format: stored as the sparse tensors it is made of,
    /// if they are all stored in one way.
    ga::TensorType inferred_type(const Variable& variable, const Statement& statement);
    /// Says how the variable that it has just assigned is stored, and why.
    void explain_format(const Statement& statement);

    // --- scalars (scalars.cpp) -------------------------------------------------------------------

    mlir::Type scalar_type(ElementType element);
    Value to_scalar(Value value, mlir::Type type, mlir::Location at);
    Value scalar_operation(Operator op, Value left, Value right, const Expression& expression);
    Value constant(double number, mlir::Location at);
    Value constant(std::int64_t number, mlir::Location at);
    /// A scalar expression as f64 or i64, whichever its element type calls for.
    Value scalar(const Expression& expression);
    static bool is_zero(Value value);

    // --- expressions (expressions.cpp) -----------------------------------------------------------

    Value value_of(VariableId id, const Place& place);

    Labelled lower(const Expression& expression);
    /// A tensor at its labels; a label used twice takes the diagonal.
    Labelled access(const Expression& expression);
    Labelled apply(ga::Function function, const Labelled& operand, const Expression& expression);
    Labelled elementwise(const Expression& expression);
    Labelled product(const Expression& expression);

    // --- sizes (sizes.cpp) -----------------------------------------------------------------------

    /// Says that all dimensions with one label must agree.
    void require_equal_sizes(const Statement& statement);
    Value size_of_dimension(Value tensor, int dimension, mlir::Location at);
    /// The sizes a variable is to have: declared, or those of other tensors with its labels.
    llvm::SmallVector<Value> sizes_for(const Statement& statement);
    /// From any tensor that was declared with the label and has a value.
    Value size_of_label(LabelId label, mlir::Location at);
    /// The tensor has a value now: its labels, those of the declaration and those of the statement
    /// that assigns it, have sizes.
    void learn_sizes(VariableId id, const std::vector<LabelId>& labels);
    /// Within a statement, every tensor that is read tells the sizes of its labels.
    void learn_from_accesses(const Statement& statement);
    bool sizes_known(const Statement& statement);
    /// What the target of the statement is before its first assignment: no entries, zero. Null if
    /// its sizes are not known yet.
    Value empty_for(const Statement& statement, ga::TensorType type);

    // --- statements (statements.cpp, assignments.cpp) --------------------------------------------

    void lower(const Statement& statement);
    void lower_one(const Statement& statement);

    void assign_scalar(const Statement& statement);
    void assign_tensor(const Statement& statement);
    /// Known to be without entries, or all zero.
    static bool is_blank(Value value);
    /// A scalar as a tensor: at the places of the mask, or of the old value it is combined with.
    Labelled spread(const Labelled& scalar, const Statement& statement);

    // --- loops (loops.cpp) -----------------------------------------------------------------------

    void lower_loop(const Statement& statement);
    /// Finds the types of what a loop is the first to assign, for those without a format.
    void rehearse(const Statement& loop);
    /// How often a loop runs.
    Value turns(Value begin, Value end, Value step, mlir::Location at);
    Value real_turns(Value begin, Value end, Value step, mlir::Location at);
    /// What a variable is that a loop is the first to assign, by that statement, if the loop does
    /// not run: without entries, zero. Null if its size is known in the loop only.
    Value start_of(const Statement& first);
    /// Takes out of loops what they hand on from round to round and nobody looks at.
    static void drop_unused_values(mlir::ModuleOp module);

    const Program& program_;
    mlir::MLIRContext& context_;
    std::vector<std::string>& explained_;
    mlir::OpBuilder builder_;
    std::vector<mlir::StringAttr> label_names_;
    std::vector<Value> values_; ///< by variable; null: no value yet
    std::map<LabelId, std::set<std::pair<VariableId, int>>> label_places_; ///< variable, dimension
    std::map<VariableId, ga::TensorType> rehearsed_; ///< by loops, before they are lowered
    bool rehearsing_ = false;
    std::int64_t random_streams_ = 0;
};

} // namespace tropic::compile
