// Expressions: each becomes an operation of its own; fusion comes later.
#include "compile/program/lowering.h"

#include <algorithm>

#include <fmt/format.h>

#include "compile/element_types.h"

namespace tropic::compile {

Value ProgramLowering::value_of(VariableId id, const Place& place) {
    if (values_[id]) return values_[id];
    refuse(place, fmt::format("'{}' has no value here", program_.variables[id].name),
           "assign it first; a variable first assigned inside a loop exists only there");
}

Labelled ProgramLowering::lower(const Expression& expression) {
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
                                     ga::Operator::add, operand.value, labels_attr(operand.labels)),
                {}};
    }
    }
    refuse(expression.place, "this expression is not understood by the compiler");
}

Labelled ProgramLowering::access(const Expression& expression) {
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

Labelled ProgramLowering::apply(ga::Function function, const Labelled& operand,
                                const Expression& expression) {
    const auto type = mlir::cast<ga::TensorType>(operand.value.getType());
    const auto result = ga::TensorType::get(&context_, element_type(expression.element, context_),
                                            type.getKinds(), type.getOrder());
    return {ga::ApplyOp::create(builder_, location(expression.place), result, function,
                                operand.value, labels_attr(operand.labels)),
            operand.labels};
}

Labelled ProgramLowering::elementwise(const Expression& expression) {
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
                static_cast<ga::Meeting>(expression.meeting), left.value, labels_attr(left.labels),
                right.value, labels_attr(right.labels), labels_attr(expression.labels)),
            expression.labels};
}

Labelled ProgramLowering::product(const Expression& expression) {
    const Labelled left = lower(expression.operands[0]);
    const Labelled right = lower(expression.operands[1]);
    const bool dense =
        (!left.is_tensor() || is_dense(left)) && (!right.is_tensor() || is_dense(right));
    const mlir::Location at = location(expression.place);
    const Value result = ga::ProductOp::create(
        builder_, at, natural_type(expression, dense), static_cast<ga::Operator>(expression.add),
        static_cast<ga::Operator>(expression.op), left.value, labels_attr(left.labels), right.value,
        labels_attr(right.labels), labels_attr(expression.labels));
    if (!expression.labels.empty()) return {result, expression.labels};
    // Everything is folded away: a scalar.
    return {ga::ReduceOp::create(builder_, at, scalar_type(expression.element), ga::Operator::add,
                                 result, builder_.getArrayAttr({})),
            {}};
}

} // namespace tropic::compile
