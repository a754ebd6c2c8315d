// Assignments: with masks, with what was there before, of scalars to tensors.
#include "compile/program/lowering.h"

#include "compile/element_types.h"

namespace tropic::compile {

void ProgramLowering::assign_scalar(const Statement& statement) {
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

void ProgramLowering::assign_tensor(const Statement& statement) {
    const Variable& variable = program_.variables[statement.variable];
    const mlir::Location at = location(statement.place);
    require_equal_sizes(statement);
    Labelled value = lower(statement.operands[0]);
    if (!value.is_tensor() && statement.accumulate && !values_[statement.variable]) {
        values_[statement.variable] = empty_for(statement, type_for(statement.variable, true));
    }
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
        const ga::TensorType type = type_for(statement.variable, true);
        if (is_zero(value.value)) {
            values_[statement.variable] =
                ga::EmptyOp::create(builder_, at, type, sizes_for(statement));
        } else {
            values_[statement.variable] =
                ga::FillOp::create(builder_, at, type, value.value, sizes_for(statement));
        }
        return;
    }
    ga::TensorType type = type_for(statement.variable, !value.is_tensor() || is_dense(value));
    if (!variable.format && !values_[statement.variable] && !type.isDense()) {
        type = inferred_type(variable, statement);
    }
    if (!value.is_tensor()) {
        const bool removes = !statement.accumulate && is_zero(value.value) && !type.isDense();
        value = spread(value, statement);
        if (removes) {
            // Zero in a sparse tensor is no entry.
            Expression none;
            none.place = statement.place;
            none.element = variable.element;
            value = apply(ga::Function::nonzero, value, none);
        }
    }
    if (!statement.mask && !statement.accumulate) old = {};
    const bool accumulates = statement.accumulate && old;
    values_[statement.variable] = ga::AssignOp::create(
        builder_, at, type, value.value, labels_attr(value.labels), labels_attr(statement.labels),
        old, statement.mask ? value_of(statement.mask->variable, statement.mask->place) : Value(),
        statement.mask ? labels_attr(statement.mask->labels) : mlir::ArrayAttr(),
        statement.mask ? ga::WayAttr::get(&context_, static_cast<ga::Way>(statement.mask->way))
                       : ga::WayAttr(),
        accumulates
            ? ga::OperatorAttr::get(&context_, static_cast<ga::Operator>(*statement.accumulate))
            : ga::OperatorAttr());
}

bool ProgramLowering::is_blank(Value value) {
    if (value.getDefiningOp<ga::EmptyOp>()) return true;
    auto fill = value.getDefiningOp<ga::FillOp>();
    if (!fill || !mlir::cast<ga::TensorType>(value.getType()).isDense()) return false;
    return is_zero(fill.getValue());
}

Labelled ProgramLowering::spread(const Labelled& scalar, const Statement& statement) {
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
            builder_, at, ga::TensorType::get(&context_, element, type.getKinds(), type.getOrder()),
            ga::Function::convert, pattern, labels_attr(labels));
    }
    const ga::TensorType result = tensor_type(
        variable.element, natural_format(type.isDense(), static_cast<int>(labels.size())));
    return {ga::ElementwiseOp::create(builder_, at, result, ga::Operator::second, ga::Meeting::both,
                                      pattern, labels_attr(labels), scalar.value, labels_attr({}),
                                      labels_attr(labels)),
            labels};
}

} // namespace tropic::compile
