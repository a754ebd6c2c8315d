// Elements: read, combined, and put where they belong.
#include "compile/emit/kernel_emitter_class.h"

namespace tropic::compile {

void KernelEmitter::emit_compute(it::ComputeOp compute) {
    Elements done;
    for (mlir::Operation& op : compute.block()) {
        code_.set_location(op.getLoc());
        if (auto yield = mlir::dyn_cast<it::YieldOp>(op)) {
            const Value value = yield.getValue();
            put(compute, done.at(value.getDefiningOp()), value.getType());
            return;
        }
        done[&op] = evaluate(op, done);
    }
}

Element KernelEmitter::evaluate(mlir::Operation& op, const Elements& done) {
    const auto element_of = [&](Value value) { return done.at(value.getDefiningOp()); };
    if (auto element = mlir::dyn_cast<it::ElementOp>(op)) return read(element.getAccess());
    if (auto scalar = mlir::dyn_cast<it::ScalarOp>(op)) {
        const auto argument = mlir::cast<mlir::BlockArgument>(scalar.getScalar());
        const bool real = argument.getType().isF64();
        const Value bits =
            frame({FrameSlot::Kind::scalar, static_cast<int>(argument.getArgNumber()), 0},
                  argument.getType());
        const mlir::Type from =
            real ? argument.getType()
                 : mlir::IntegerType::get(op.getContext(), 64, mlir::IntegerType::Signed);
        return {code_.convert(from, scalar.getResult().getType(), bits), {}};
    }
    if (auto combine = mlir::dyn_cast<it::CombineOp>(op)) {
        return combined(combine, element_of(combine.getLeft()), element_of(combine.getRight()));
    }
    if (auto apply = mlir::dyn_cast<it::ApplyOp>(op)) {
        const Element operand = element_of(apply.getOperand());
        const mlir::Type type = apply.getOperand().getType();
        switch (apply.getFunction()) {
        case ga::Function::negate:
            return {code_.negate(type, operand.value), operand.present};
        case ga::Function::convert:
            return {code_.convert(type, apply.getResult().getType(), operand.value),
                    operand.present};
        case ga::Function::nonzero:
            return {operand.value,
                    code_.both(operand.present, code_.is_nonzero(type, operand.value))};
        }
    }
    auto merge = mlir::cast<it::MergeOp>(op);
    const Element mask = element_of(merge.getMask());
    const Element value = element_of(merge.getValue());
    Value inside = mask.present;
    if (!merge.getStructural()) {
        inside = code_.both(inside, code_.is_nonzero(merge.getMask().getType(), mask.value));
    }
    if (!inside) return value;
    if (!merge.getOld()) return {value.value, code_.both(inside, value.present)};
    const Element old = element_of(merge.getOld());
    const auto flag = [&](Value present) { return present ? present : code_.flag(true); };
    Value present;
    if (value.present || old.present) {
        present = code_.select(inside, flag(value.present), flag(old.present));
    }
    return {code_.select(inside, value.value, old.value), present};
}

Element KernelEmitter::combined(it::CombineOp op, const Element& left, const Element& right) {
    const mlir::Type type = op.getResult().getType();
    const Value both = code_.operation(op.getOp(), type, left.value, right.value);
    if (op.getMeeting() == ga::Meeting::both) {
        return {both, code_.both(left.present, right.present)};
    }
    Value value = both;
    if (right.present) value = code_.select(right.present, value, left.value);
    if (left.present) {
        const Value alone =
            op.getOp() == ga::Operator::subtract ? code_.negate(type, right.value) : right.value;
        value = code_.select(left.present, value, alone);
    }
    return {value, code_.either(left.present, right.present)};
}

Element KernelEmitter::read(Value access) {
    const auto sum = accumulators_.find(access);
    if (sum != accumulators_.end()) {
        return {code_.load(code_.value_type(sum->second.element), sum->second.value),
                code_.load(code_.i1(), sum->second.present)};
    }
    const auto row = workspaces_.find(access);
    if (row != workspaces_.end()) {
        const Workspace& space = row->second;
        const Value at = coordinates_.at(space.label);
        const Value value = space.valued ? code_.load_element(space.element, space.values, at)
                                         : code_.zero(space.element);
        const auto walked = walked_rows_.find(access);
        if (walked != walked_rows_.end() && !space.masked) return {value, walked->second};
        const Value filled = one_more(code_.load(code_.index(), space.generation));
        return {value, code_.equal(code_.load_at(code_.index(), space.stamps, at), filled)};
    }
    const AccessState& state = accesses_.at(access);
    const mlir::Type element = state.type.getElement();
    Value position = state.position;
    if (state.type.isDense()) position = dense_position(state);
    if (!position) position = code_.number(0);
    return {code_.load_element(element, values_of(state.input), position), state.present};
}

Value KernelEmitter::dense_position(const AccessState& state) {
    Value position;
    for (std::size_t level = 0; level < state.type.getKinds().size(); ++level) {
        const Value coordinate = coordinates_.at(state.label_of(level));
        position = position ? code_.add(code_.mul(position, level_size(state, level)), coordinate)
                            : coordinate;
    }
    return position;
}

} // namespace tropic::compile
