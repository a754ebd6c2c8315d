#include "compile/program_to_ga.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "ir/ga.h"
#include "tropic/error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

mlir::Type element_type(ElementType type, mlir::MLIRContext& context) {
    const auto integer = [&](unsigned bits, bool is_signed) -> mlir::Type {
        return mlir::IntegerType::get(
            &context, bits, is_signed ? mlir::IntegerType::Signed : mlir::IntegerType::Unsigned);
    };
    switch (type) {
    case ElementType::pattern:
    case ElementType::boolean:
        return mlir::IntegerType::get(&context, 1);
    case ElementType::float32:
        return mlir::Float32Type::get(&context);
    case ElementType::float64:
        return mlir::Float64Type::get(&context);
    default:
        return integer(static_cast<unsigned>(8 * size_of(type)), is_signed(type));
    }
}

ElementType element_of(mlir::Type type) {
    if (type.isF64()) return ElementType::float64;
    if (type.isF32()) return ElementType::float32;
    if (type.isInteger(1)) return ElementType::boolean;
    const bool is_signed = !type.isUnsignedInteger();
    switch (type.getIntOrFloatBitWidth()) {
    case 8:
        return is_signed ? ElementType::int8 : ElementType::uint8;
    case 16:
        return is_signed ? ElementType::int16 : ElementType::uint16;
    case 32:
        return is_signed ? ElementType::int32 : ElementType::uint32;
    default:
        return is_signed ? ElementType::int64 : ElementType::uint64;
    }
}

namespace {

/// A value with the labels of its dimensions; none for scalars.
struct Labelled {
    Value value;
    std::vector<LabelId> labels;

    bool is_tensor() const { return mlir::isa<ga::TensorType>(value.getType()); }
};

void collect_assigned(const std::vector<Statement>& statements, std::set<VariableId>& assigned) {
    for (const Statement& statement : statements) {
        if (statement.kind == Statement::Kind::assign || statement.kind == Statement::Kind::read ||
            statement.kind == Statement::Kind::fill_random) {
            assigned.insert(statement.variable);
        }
        collect_assigned(statement.body, assigned);
    }
}

class Lowering {
  public:
    Lowering(const Program& program, mlir::MLIRContext& context)
        : program_(program), context_(context), builder_(&context),
          values_(program.variables.size()) {
        name_labels();
    }

    mlir::OwningOpRef<mlir::ModuleOp> run() {
        mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(builder_.getUnknownLoc());
        builder_.setInsertionPointToEnd(module->getBody());
        auto main = mlir::func::FuncOp::create(builder_, location({}), "main",
                                               builder_.getFunctionType({}, {}));
        builder_.setInsertionPointToEnd(main.addEntryBlock());
        for (const Statement& statement : program_.statements) lower(statement);
        for (const VariableId id : program_.outputs) {
            const Variable& variable = program_.variables[id];
            ga::ResultOp::create(builder_, location({}), variable.name,
                                 value_of(id, variable.place));
        }
        mlir::func::ReturnOp::create(builder_, location({}));
        return module;
    }

  private:
    // --- names, places, types --------------------------------------------------------------------

    /// Labels of expanded functions may share names; in the dialect a name is the label.
    void name_labels() {
        std::set<std::string> taken;
        for (const language::Label& label : program_.labels) {
            std::string name = label.name;
            for (int number = 1; !taken.insert(name).second; ++number) {
                name = fmt::format("{}_{}", label.name, number);
            }
            label_names_.push_back(builder_.getStringAttr(name));
        }
    }

    mlir::Location location(const Place& place) {
        return mlir::FileLineColLoc::get(&context_, program_.file,
                                         static_cast<unsigned>(place.line),
                                         static_cast<unsigned>(place.column));
    }

    static std::string text(const Place& place) {
        return fmt::format("line {}, column {}", place.line, place.column);
    }

    [[noreturn]] void refuse(const Place& place, std::string message, std::string hint = {}) const {
        Diagnostic diagnostic;
        diagnostic.code = ErrorCode::unsupported;
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostic.file = program_.file;
        diagnostic.line = place.line;
        diagnostic.column = place.column;
        throw Error(std::move(diagnostic));
    }

    using Levels = llvm::SmallVector<std::int8_t>;

    mlir::ArrayAttr labels_attr(const std::vector<LabelId>& labels) {
        llvm::SmallVector<mlir::Attribute> names;
        for (const LabelId label : labels) names.push_back(label_names_[label]);
        return builder_.getArrayAttr(names);
    }

    ga::TensorType tensor_type(ElementType element, const Format& format) {
        llvm::SmallVector<int8_t> kinds;
        llvm::SmallVector<int8_t> order;
        for (const LevelKind kind : format.levels) kinds.push_back(static_cast<int8_t>(kind));
        for (const int dimension : format.order) order.push_back(static_cast<int8_t>(dimension));
        return ga::TensorType::get(&context_, element_type(element, context_), kinds, order);
    }

    /// What a value gets that has no format of its own.
    static Format natural_format(bool dense, int rank) {
        if (dense) return Format::dense(rank);
        return rank == 2 ? Format::csr() : Format::csf(rank);
    }

    static bool is_dense(const Labelled& operand) {
        return mlir::cast<ga::TensorType>(operand.value.getType()).isDense();
    }

    ga::TensorType natural_type(const Expression& expression, bool dense) {
        return tensor_type(expression.element,
                           natural_format(dense, static_cast<int>(expression.labels.size())));
    }

    // --- scalars ---------------------------------------------------------------------------------

    mlir::Type scalar_type(ElementType element) {
        return is_float(element) ? mlir::Type(builder_.getF64Type())
                                 : mlir::Type(builder_.getI64Type());
    }

    Value to_scalar(Value value, mlir::Type type, mlir::Location at) {
        if (value.getType() == type) return value;
        if (type.isF64()) return mlir::arith::SIToFPOp::create(builder_, at, type, value);
        return mlir::arith::FPToSIOp::create(builder_, at, type, value);
    }

    Value scalar_operation(Operator op, Value left, Value right, const Expression& expression) {
        namespace arith = mlir::arith;
        const mlir::Location at = location(expression.place);
        const bool real = left.getType().isF64();
        const auto make = [&]<class Real, class Whole>() -> Value {
            if (real) return Real::create(builder_, at, left, right);
            return Whole::create(builder_, at, left, right);
        };
        const auto is_set = [&](Value value) -> Value {
            if (real) {
                return arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::UNE, value,
                                             constant(0.0, at));
            }
            return arith::CmpIOp::create(builder_, at, arith::CmpIPredicate::ne, value,
                                         constant(std::int64_t{0}, at));
        };
        const auto truth = [&](Value flag) -> Value {
            const Value whole = arith::ExtUIOp::create(builder_, at, builder_.getI64Type(), flag);
            return to_scalar(whole, left.getType(), at);
        };
        switch (op) {
        case Operator::add:
            return make.operator()<arith::AddFOp, arith::AddIOp>();
        case Operator::subtract:
            return make.operator()<arith::SubFOp, arith::SubIOp>();
        case Operator::multiply:
            return make.operator()<arith::MulFOp, arith::MulIOp>();
        case Operator::divide:
            if (real) return arith::DivFOp::create(builder_, at, left, right);
            return arith::DivFOp::create(builder_, at, to_scalar(left, builder_.getF64Type(), at),
                                         to_scalar(right, builder_.getF64Type(), at));
        case Operator::minimum:
            return make.operator()<arith::MinNumFOp, arith::MinSIOp>();
        case Operator::maximum:
            return make.operator()<arith::MaxNumFOp, arith::MaxSIOp>();
        case Operator::first:
        case Operator::any:
            return left;
        case Operator::second:
            return right;
        case Operator::pair:
            return real ? constant(1.0, at) : constant(std::int64_t{1}, at);
        case Operator::logical_or:
            return truth(arith::OrIOp::create(builder_, at, is_set(left), is_set(right)));
        case Operator::logical_and:
            return truth(arith::AndIOp::create(builder_, at, is_set(left), is_set(right)));
        }
        return left;
    }

    Value constant(double number, mlir::Location at) {
        return mlir::arith::ConstantOp::create(builder_, at, builder_.getF64FloatAttr(number));
    }
    Value constant(std::int64_t number, mlir::Location at) {
        return mlir::arith::ConstantOp::create(builder_, at, builder_.getI64IntegerAttr(number));
    }

    /// A scalar expression as f64 or i64, whichever its element type calls for.
    Value scalar(const Expression& expression) {
        const Labelled result = lower(expression);
        return to_scalar(result.value, scalar_type(expression.element), location(expression.place));
    }

    // --- expressions -----------------------------------------------------------------------------

    Value value_of(VariableId id, const Place& place) {
        if (values_[id]) return values_[id];
        refuse(place, fmt::format("'{}' has no value here", program_.variables[id].name),
               "assign it first; a variable first assigned inside a loop exists only there");
    }

    Labelled lower(const Expression& expression) {
        const mlir::Location at = location(expression.place);
        switch (expression.kind) {
        case Expression::Kind::constant:
            if (is_float(expression.element)) return {constant(expression.number, at), {}};
            return {constant(expression.integer, at), {}};
        case Expression::Kind::scalar:
            return {value_of(expression.variable, expression.place), {}};
        case Expression::Kind::access:
            return access(expression);
        case Expression::Kind::time:
            return {ga::TimeOp::create(builder_, at, builder_.getF64Type()), {}};
        case Expression::Kind::negate: {
            const Labelled operand = lower(expression.operands[0]);
            if (!operand.is_tensor()) {
                const Value zero = operand.value.getType().isF64() ? constant(-0.0, at)
                                                                   : constant(std::int64_t{0}, at);
                return {scalar_operation(Operator::subtract, zero, operand.value, expression), {}};
            }
            return apply(ga::Function::negate, operand, expression);
        }
        case Expression::Kind::cast: {
            const Labelled operand = lower(expression.operands[0]);
            if (operand.is_tensor()) return apply(ga::Function::convert, operand, expression);
            return {to_scalar(operand.value, scalar_type(expression.element), at), {}};
        }
        case Expression::Kind::elementwise:
            return elementwise(expression);
        case Expression::Kind::product:
            return product(expression);
        case Expression::Kind::sum: {
            Labelled operand = lower(expression.operands[0]);
            if (!operand.is_tensor()) return operand;
            return {ga::ReduceOp::create(builder_, at, scalar_type(expression.element),
                                         ga::Operator::add, operand.value,
                                         labels_attr(operand.labels)),
                    {}};
        }
        }
        refuse(expression.place, "this expression is not understood by the compiler");
    }

    /// A tensor at its labels; a label used twice takes the diagonal.
    Labelled access(const Expression& expression) {
        const Value tensor = value_of(expression.variable, expression.place);
        std::vector<LabelId> distinct;
        for (const LabelId label : expression.labels) {
            if (std::find(distinct.begin(), distinct.end(), label) == distinct.end()) {
                distinct.push_back(label);
            }
        }
        if (distinct.size() == expression.labels.size()) return {tensor, expression.labels};
        const auto type = mlir::cast<ga::TensorType>(tensor.getType());
        const ga::TensorType result = tensor_type(
            expression.element, natural_format(type.isDense(), static_cast<int>(distinct.size())));
        return {ga::AssignOp::create(builder_, location(expression.place), result, tensor,
                                     labels_attr(expression.labels), labels_attr(distinct), Value(),
                                     Value(), mlir::ArrayAttr(), ga::WayAttr(), ga::OperatorAttr()),
                distinct};
    }

    Labelled apply(ga::Function function, const Labelled& operand, const Expression& expression) {
        const auto type = mlir::cast<ga::TensorType>(operand.value.getType());
        const auto result =
            ga::TensorType::get(&context_, element_type(expression.element, context_),
                                type.getKinds(), type.getOrder());
        return {ga::ApplyOp::create(builder_, location(expression.place), result, function,
                                    operand.value, labels_attr(operand.labels)),
                operand.labels};
    }

    Labelled elementwise(const Expression& expression) {
        const Labelled left = lower(expression.operands[0]);
        const Labelled right = lower(expression.operands[1]);
        if (!left.is_tensor() && !right.is_tensor()) {
            const mlir::Location at = location(expression.place);
            const mlir::Type type = scalar_type(expression.element);
            return {scalar_operation(expression.op, to_scalar(left.value, type, at),
                                     to_scalar(right.value, type, at), expression),
                    {}};
        }
        bool dense = false;
        if (!left.is_tensor()) dense = is_dense(right);
        else if (!right.is_tensor()) dense = is_dense(left);
        else if (expression.meeting == language::Meeting::either) {
            dense = is_dense(left) || is_dense(right);
        } else dense = is_dense(left) && is_dense(right);
        return {ga::ElementwiseOp::create(
                    builder_, location(expression.place), natural_type(expression, dense),
                    static_cast<ga::Operator>(expression.op),
                    static_cast<ga::Meeting>(expression.meeting), left.value,
                    labels_attr(left.labels), right.value, labels_attr(right.labels),
                    labels_attr(expression.labels)),
                expression.labels};
    }

    Labelled product(const Expression& expression) {
        const Labelled left = lower(expression.operands[0]);
        const Labelled right = lower(expression.operands[1]);
        const bool dense =
            (!left.is_tensor() || is_dense(left)) && (!right.is_tensor() || is_dense(right));
        const mlir::Location at = location(expression.place);
        const Value result = ga::ProductOp::create(
            builder_, at, natural_type(expression, dense),
            static_cast<ga::Operator>(expression.add), static_cast<ga::Operator>(expression.op),
            left.value, labels_attr(left.labels), right.value, labels_attr(right.labels),
            labels_attr(expression.labels));
        if (!expression.labels.empty()) return {result, expression.labels};
        // Everything is folded away: a scalar.
        return {ga::ReduceOp::create(builder_, at, scalar_type(expression.element),
                                     ga::Operator::add, result, builder_.getArrayAttr({})),
                {}};
    }

    // --- sizes -----------------------------------------------------------------------------------

    struct KnownSize {
        Value tensor;
        int dimension;
        std::string name;
    };

    /// Says that all dimensions with one label must agree.
    void require_equal_sizes(const Statement& statement) {
        std::map<LabelId, std::vector<KnownSize>> uses;
        const auto add = [&](VariableId id, const std::vector<LabelId>& labels) {
            if (!values_[id]) return;
            for (std::size_t d = 0; d < labels.size(); ++d) {
                uses[labels[d]].push_back(
                    {values_[id], static_cast<int>(d),
                     fmt::format("{}'s dimension {}", program_.variables[id].name, d + 1)});
            }
        };
        const std::function<void(const Expression&)> visit = [&](const Expression& expression) {
            if (expression.kind == Expression::Kind::access) {
                add(expression.variable, expression.labels);
            }
            for (const Expression& operand : expression.operands) visit(operand);
        };
        for (const Expression& operand : statement.operands) visit(operand);
        if (statement.mask) add(statement.mask->variable, statement.mask->labels);
        if (statement.mask || statement.accumulate) add(statement.variable, statement.labels);
        const mlir::Location at = location(statement.place);
        for (const auto& [label, sizes] : uses) {
            std::set<std::pair<void*, int>> seen{
                {sizes[0].tensor.getAsOpaquePointer(), sizes[0].dimension}};
            for (const KnownSize& other : sizes) {
                if (!seen.insert({other.tensor.getAsOpaquePointer(), other.dimension}).second) {
                    continue;
                }
                ga::RequireEqualOp::create(
                    builder_, at, size_of_dimension(sizes[0].tensor, sizes[0].dimension, at),
                    size_of_dimension(other.tensor, other.dimension, at),
                    program_.labels[label].name, sizes[0].name, other.name, text(statement.place));
            }
        }
    }

    Value size_of_dimension(Value tensor, int dimension, mlir::Location at) {
        return ga::SizeOp::create(builder_, at, builder_.getI64Type(), tensor, dimension)
            .getResult();
    }

    /// The sizes a variable is to have: declared, or those of other tensors with its labels.
    llvm::SmallVector<Value> sizes_for(const Statement& statement) {
        const Variable& variable = program_.variables[statement.variable];
        const mlir::Location at = location(statement.place);
        llvm::SmallVector<Value> sizes;
        for (int d = 0; d < variable.rank(); ++d) {
            std::vector<LabelId> candidates;
            if (d < static_cast<int>(variable.labels.size())) {
                candidates.push_back(variable.labels[d]);
            }
            if (d < static_cast<int>(statement.labels.size())) {
                candidates.push_back(statement.labels[d]);
            }
            Value size;
            if (variable.shape[d] >= 0) size = constant(variable.shape[d], at);
            else if (values_[statement.variable]) {
                size = size_of_dimension(values_[statement.variable], d, at);
            }
            for (const LabelId label : candidates) {
                if (!size) size = size_of_label(label, at);
            }
            if (!size) {
                refuse(statement.place,
                       fmt::format("the size of dimension {} of '{}' is not known here", d + 1,
                                   variable.name),
                       "give its label a size, or read a tensor with that label first");
            }
            sizes.push_back(size);
        }
        return sizes;
    }

    /// From any tensor that was declared with the label and has a value.
    Value size_of_label(LabelId label, mlir::Location at) {
        if (program_.labels[label].size >= 0) return constant(program_.labels[label].size, at);
        for (const auto& [id, dimension] : label_places_[label]) {
            if (values_[id]) return size_of_dimension(values_[id], dimension, at);
        }
        return {};
    }

    /// The tensor has a value now: its labels, those of the declaration and those of the statement
    /// that assigns it, have sizes.
    void learn_sizes(VariableId id, const std::vector<LabelId>& labels) {
        for (std::size_t d = 0; d < labels.size(); ++d) {
            label_places_[labels[d]].emplace(id, static_cast<int>(d));
        }
    }

    // --- statements ------------------------------------------------------------------------------

    void lower(const Statement& statement) {
        lower_one(statement);
        if (statement.variable < 0 || !program_.variables[statement.variable].is_tensor) return;
        learn_sizes(statement.variable, program_.variables[statement.variable].labels);
        learn_sizes(statement.variable, statement.labels);
    }

    void lower_one(const Statement& statement) {
        const mlir::Location at = location(statement.place);
        switch (statement.kind) {
        case Statement::Kind::assign:
            if (program_.variables[statement.variable].is_tensor) assign_tensor(statement);
            else assign_scalar(statement);
            break;
        case Statement::Kind::read: {
            const Variable& variable = program_.variables[statement.variable];
            values_[statement.variable] = ga::ReadOp::create(
                builder_, at, declared_type(variable, false), statement.input, statement.read_mode,
                llvm::ArrayRef<std::int64_t>(variable.shape.data(), variable.shape.size()),
                text(statement.place));
            break;
        }
        case Statement::Kind::fill_random:
            values_[statement.variable] = ga::RandomOp::create(
                builder_, at, declared_type(program_.variables[statement.variable], true),
                sizes_for(statement), random_streams_++);
            break;
        case Statement::Kind::print:
            if (statement.variable >= 0 && program_.variables[statement.variable].is_tensor) {
                const Variable& variable = program_.variables[statement.variable];
                ga::PrintOp::create(builder_, at, value_of(statement.variable, statement.place),
                                    static_cast<std::int64_t>(variable.presentation));
            } else {
                const Value value = statement.operands.empty()
                                        ? value_of(statement.variable, statement.place)
                                        : scalar(statement.operands[0]);
                ga::PrintOp::create(builder_, at, value, 0);
            }
            break;
        case Statement::Kind::print_elapsed: {
            const Value begin = to_scalar(scalar(statement.operands[0]), builder_.getF64Type(), at);
            const Value end = to_scalar(scalar(statement.operands[1]), builder_.getF64Type(), at);
            ga::PrintElapsedOp::create(builder_, at,
                                       mlir::arith::SubFOp::create(builder_, at, end, begin));
            break;
        }
        case Statement::Kind::loop:
            lower_loop(statement);
            break;
        }
    }

    ga::TensorType declared_type(const Variable& variable, bool dense) {
        return tensor_type(variable.element, variable.format
                                                 ? *variable.format
                                                 : natural_format(dense, variable.rank()));
    }

    /// Collects the storage of the sparse tensors of that rank in an expression. Formats that store
    /// whole blocks are left out: what is stored is a property of theirs.
    void collect_storage(const Expression& expression, int rank,
                         std::set<std::pair<Levels, Levels>>& found) {
        if (expression.kind == Expression::Kind::access && values_[expression.variable]) {
            const auto type = mlir::cast<ga::TensorType>(values_[expression.variable].getType());
            if (type.rank() == rank && !type.isDense() && type.getKinds().back() != 0) {
                found.emplace(Levels(type.getKinds()), Levels(type.getOrder()));
            }
        }
        for (const Expression& operand : expression.operands) {
            collect_storage(operand, rank, found);
        }
    }

    /// The type of a sparse variable without a format: stored as the sparse tensors it is made of,
    /// if they are all stored in one way.
    ga::TensorType inferred_type(const Variable& variable, const Statement& statement) {
        std::set<std::pair<Levels, Levels>> found;
        collect_storage(statement.operands[0], variable.rank(), found);
        if (found.size() != 1) return declared_type(variable, false);
        return ga::TensorType::get(&context_, element_type(variable.element, context_),
                                   found.begin()->first, found.begin()->second);
    }

    void assign_scalar(const Statement& statement) {
        const Variable& variable = program_.variables[statement.variable];
        const mlir::Location at = location(statement.place);
        const mlir::Type type = scalar_type(variable.element);
        Value value = to_scalar(scalar(statement.operands[0]), type, at);
        if (statement.accumulate) {
            Expression where;
            where.place = statement.place;
            value = scalar_operation(*statement.accumulate,
                                     value_of(statement.variable, statement.place), value, where);
        }
        values_[statement.variable] = value;
    }

    /// Known to be without entries, or all zero.
    static bool is_blank(Value value) {
        if (value.getDefiningOp<ga::EmptyOp>()) return true;
        auto fill = value.getDefiningOp<ga::FillOp>();
        if (!fill || !mlir::cast<ga::TensorType>(value.getType()).isDense()) return false;
        return is_zero(fill.getValue());
    }
    static bool is_zero(Value value) {
        auto number = value.getDefiningOp<mlir::arith::ConstantOp>();
        if (!number) return false;
        if (const auto real = mlir::dyn_cast<mlir::FloatAttr>(number.getValue())) {
            return real.getValueAsDouble() == 0;
        }
        const auto whole = mlir::dyn_cast<mlir::IntegerAttr>(number.getValue());
        return whole && whole.getInt() == 0;
    }

    void assign_tensor(const Statement& statement) {
        const Variable& variable = program_.variables[statement.variable];
        const mlir::Location at = location(statement.place);
        require_equal_sizes(statement);
        Labelled value = lower(statement.operands[0]);
        Value old = values_[statement.variable];
        if (value.is_tensor() && (!old || is_blank(old))) {
            old = {};
            if (statement.accumulate == Operator::subtract) {
                Expression minus;
                minus.place = statement.place;
                minus.element = variable.element;
                value = apply(ga::Function::negate, value, minus);
            }
        }
        if (!value.is_tensor() && !statement.mask && !statement.accumulate) {
            const ga::TensorType type = declared_type(variable, true);
            if (is_zero(value.value)) {
                values_[statement.variable] =
                    ga::EmptyOp::create(builder_, at, type, sizes_for(statement));
            } else {
                values_[statement.variable] =
                    ga::FillOp::create(builder_, at, type, value.value, sizes_for(statement));
            }
            return;
        }
        if (!value.is_tensor()) {
            const bool removes = !statement.accumulate && is_zero(value.value) &&
                                 !declared_type(variable, true).isDense();
            value = spread(value, statement);
            if (removes) {
                // Zero in a sparse tensor is no entry.
                Expression none;
                none.place = statement.place;
                none.element = variable.element;
                value = apply(ga::Function::nonzero, value, none);
            }
        }
        ga::TensorType type = declared_type(variable, value.is_tensor() && is_dense(value));
        if (!variable.format && values_[statement.variable]) {
            type = mlir::cast<ga::TensorType>(values_[statement.variable].getType());
        } else if (!variable.format && !type.isDense()) {
            type = inferred_type(variable, statement);
        }
        if (!statement.mask && !statement.accumulate) old = {};
        const bool accumulates = statement.accumulate && old;
        values_[statement.variable] = ga::AssignOp::create(
            builder_, at, type, value.value, labels_attr(value.labels),
            labels_attr(statement.labels), old,
            statement.mask ? value_of(statement.mask->variable, statement.mask->place) : Value(),
            statement.mask ? labels_attr(statement.mask->labels) : mlir::ArrayAttr(),
            statement.mask ? ga::WayAttr::get(&context_, static_cast<ga::Way>(statement.mask->way))
                           : ga::WayAttr(),
            accumulates
                ? ga::OperatorAttr::get(&context_, static_cast<ga::Operator>(*statement.accumulate))
                : ga::OperatorAttr());
    }

    /// A scalar as a tensor: at the places of the mask, or of the old value it is combined with.
    Labelled spread(const Labelled& scalar, const Statement& statement) {
        const mlir::Location at = location(statement.place);
        const Variable& variable = program_.variables[statement.variable];
        Value pattern;
        std::vector<LabelId> labels = statement.labels;
        if (statement.accumulate && values_[statement.variable]) {
            pattern = values_[statement.variable];
        } else if (statement.mask) {
            pattern = value_of(statement.mask->variable, statement.mask->place);
            labels = statement.mask->labels;
        } else {
            return {ga::FillOp::create(builder_, at, declared_type(variable, true), scalar.value,
                                       sizes_for(statement)),
                    labels};
        }
        const auto type = mlir::cast<ga::TensorType>(pattern.getType());
        const mlir::Type element = element_type(variable.element, context_);
        if (type.getElement() != element) {
            pattern = ga::ApplyOp::create(
                builder_, at,
                ga::TensorType::get(&context_, element, type.getKinds(), type.getOrder()),
                ga::Function::convert, pattern, labels_attr(labels));
        }
        const ga::TensorType result = tensor_type(
            variable.element, natural_format(type.isDense(), static_cast<int>(labels.size())));
        return {ga::ElementwiseOp::create(builder_, at, result, ga::Operator::second,
                                          ga::Meeting::both, pattern, labels_attr(labels),
                                          scalar.value, labels_attr({}), labels_attr(labels)),
                labels};
    }

    /// Gives a variable that a loop is the first to assign a value for the case that the loop does
    /// not run: no entries, zero. Left alone if its size is known in the loop only.
    void start_empty(VariableId id, const std::vector<Statement>& body) {
        const Variable& variable = program_.variables[id];
        for (const Statement& statement : body) {
            if (statement.variable != id || statement.kind == Statement::Kind::loop) {
                start_empty(id, statement.body);
                if (values_[id]) return;
                continue;
            }
            const mlir::Location at = location(statement.place);
            if (!variable.is_tensor) {
                values_[id] =
                    is_float(variable.element) ? constant(0.0, at) : constant(std::int64_t{0}, at);
                return;
            }
            const auto known_before = label_places_;
            learn_from_accesses(statement);
            if (!variable.format || !sizes_known(statement)) {
                label_places_ = known_before;
                return;
            }
            values_[id] = ga::EmptyOp::create(builder_, at, declared_type(variable, true),
                                              sizes_for(statement));
            label_places_ = known_before;
            return;
        }
    }

    /// Within a statement, every tensor that is read tells the sizes of its labels.
    void learn_from_accesses(const Statement& statement) {
        const std::function<void(const Expression&)> visit = [&](const Expression& expression) {
            if (expression.kind == Expression::Kind::access && values_[expression.variable]) {
                learn_sizes(expression.variable, expression.labels);
            }
            for (const Expression& operand : expression.operands) visit(operand);
        };
        for (const Expression& operand : statement.operands) visit(operand);
    }

    bool sizes_known(const Statement& statement) {
        const Variable& variable = program_.variables[statement.variable];
        const auto known = [&](LabelId label) {
            const auto& places = label_places_[label];
            return program_.labels[label].size >= 0 ||
                   std::any_of(places.begin(), places.end(),
                               [&](const auto& place) { return bool(values_[place.first]); });
        };
        for (std::size_t d = 0; d < variable.shape.size(); ++d) {
            if (variable.shape[d] >= 0) continue;
            if (d < variable.labels.size() && known(variable.labels[d])) continue;
            if (d < statement.labels.size() && known(statement.labels[d])) continue;
            return false;
        }
        return true;
    }

    /// How often a loop runs.
    Value turns(Value begin, Value end, Value step, mlir::Location at) {
        namespace arith = mlir::arith;
        const Value zero = constant(std::int64_t{0}, at);
        const Value still =
            arith::CmpIOp::create(builder_, at, arith::CmpIPredicate::eq, step, zero);
        const Value divisor =
            arith::SelectOp::create(builder_, at, still, constant(std::int64_t{1}, at), step);
        const Value distance = arith::SubIOp::create(builder_, at, end, begin);
        const Value rounded = arith::CeilDivSIOp::create(builder_, at, distance, divisor);
        return arith::SelectOp::create(builder_, at, still, zero, rounded);
    }
    Value real_turns(Value begin, Value end, Value step, mlir::Location at) {
        namespace arith = mlir::arith;
        const Value zero = constant(0.0, at);
        const Value distance = arith::SubFOp::create(builder_, at, end, begin);
        const Value exact = arith::DivFOp::create(builder_, at, distance, step);
        // Rounded up by hand; what is no positive number (0 / 0 included) is no turn at all.
        const Value below = to_scalar(exact, builder_.getI64Type(), at);
        const Value back = to_scalar(below, builder_.getF64Type(), at);
        const Value more =
            arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OLT, back, exact);
        const Value rounded = arith::AddIOp::create(
            builder_, at, below, arith::ExtUIOp::create(builder_, at, builder_.getI64Type(), more));
        const Value limit = constant(9e15, at);
        const Value some =
            arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OGT, exact, zero);
        const Value finite =
            arith::CmpFOp::create(builder_, at, arith::CmpFPredicate::OLT, exact, limit);
        return arith::SelectOp::create(builder_, at,
                                       arith::AndIOp::create(builder_, at, some, finite), rounded,
                                       constant(std::int64_t{0}, at));
    }

    void lower_loop(const Statement& statement) {
        namespace arith = mlir::arith;
        const mlir::Location at = location(statement.place);
        // Counted from 0, so that steps of either sign, and of fractions, work; a step of 0 is no
        // turn.
        const bool real = is_float(program_.variables[statement.variable].element);
        const mlir::Type type = scalar_type(program_.variables[statement.variable].element);
        const Value begin = to_scalar(scalar(statement.operands[0]), type, at);
        const Value end = to_scalar(scalar(statement.operands[1]), type, at);
        const Value step = to_scalar(scalar(statement.operands[2]), type, at);
        const Value zero = constant(std::int64_t{0}, at);
        const Value one = constant(std::int64_t{1}, at);
        const Value count = real ? real_turns(begin, end, step, at) : turns(begin, end, step, at);

        std::set<VariableId> assigned;
        collect_assigned(statement.body, assigned);
        assigned.erase(statement.variable);
        std::vector<VariableId> carried;
        llvm::SmallVector<Value> initial;
        for (const VariableId id : assigned) {
            if (!values_[id]) start_empty(id, statement.body);
            if (!values_[id]) continue; // it lives and dies within one turn
            carried.push_back(id);
            initial.push_back(values_[id]);
        }
        const std::vector<Value> before = values_;
        auto loop = mlir::scf::ForOp::create(builder_, at, zero, count, one, initial);
        {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            builder_.setInsertionPointToStart(loop.getBody());
            for (std::size_t c = 0; c < carried.size(); ++c) {
                values_[carried[c]] = loop.getRegionIterArg(static_cast<unsigned>(c));
            }
            const Value turn = to_scalar(loop.getInductionVar(), type, at);
            if (real) {
                const Value offset = arith::MulFOp::create(builder_, at, turn, step);
                values_[statement.variable] = arith::AddFOp::create(builder_, at, begin, offset);
            } else {
                const Value offset = arith::MulIOp::create(builder_, at, turn, step);
                values_[statement.variable] = arith::AddIOp::create(builder_, at, begin, offset);
            }
            for (const Statement& inner : statement.body) lower(inner);
            llvm::SmallVector<Value> yielded;
            for (std::size_t c = 0; c < carried.size(); ++c) {
                Value value = values_[carried[c]];
                if (value.getType() != initial[c].getType()) {
                    value = ga::ConvertOp::create(builder_, at, initial[c].getType(), value);
                }
                yielded.push_back(value);
            }
            // A loop that carries nothing has its terminator already.
            if (!carried.empty()) mlir::scf::YieldOp::create(builder_, at, yielded);
        }
        values_ = before;
        for (std::size_t c = 0; c < carried.size(); ++c) {
            values_[carried[c]] = loop.getResult(static_cast<unsigned>(c));
        }
    }

    const Program& program_;
    mlir::MLIRContext& context_;
    mlir::OpBuilder builder_;
    std::vector<mlir::StringAttr> label_names_;
    std::vector<Value> values_; ///< by variable; null: no value yet
    std::map<LabelId, std::set<std::pair<VariableId, int>>> label_places_; ///< variable, dimension
    std::int64_t random_streams_ = 0;
};

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> program_to_ga(const Program& program,
                                                mlir::MLIRContext& context) {
    return Lowering(program, context).run();
}

} // namespace tropic::compile
