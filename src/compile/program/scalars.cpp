// Arithmetic of scalars, in 64 bits.
#include "compile/program/lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tropic::compile {

mlir::Type ProgramLowering::scalar_type(ElementType element) {
    return is_float(element) ? mlir::Type(builder_.getF64Type())
                             : mlir::Type(builder_.getI64Type());
}

Value ProgramLowering::to_scalar(Value value, mlir::Type type, mlir::Location at) {
    if (value.getType() == type) return value;
    if (type.isF64()) return mlir::arith::SIToFPOp::create(builder_, at, type, value);
    return mlir::arith::FPToSIOp::create(builder_, at, type, value);
}

Value ProgramLowering::scalar_operation(Operator op, Value left, Value right,
                                        const Expression& expression) {
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

Value ProgramLowering::constant(double number, mlir::Location at) {
    return mlir::arith::ConstantOp::create(builder_, at, builder_.getF64FloatAttr(number));
}

Value ProgramLowering::constant(std::int64_t number, mlir::Location at) {
    return mlir::arith::ConstantOp::create(builder_, at, builder_.getI64IntegerAttr(number));
}

Value ProgramLowering::scalar(const Expression& expression) {
    const Labelled result = lower(expression);
    return to_scalar(result.value, scalar_type(expression.element), location(expression.place));
}

bool ProgramLowering::is_zero(Value value) {
    auto number = value.getDefiningOp<mlir::arith::ConstantOp>();
    if (!number) return false;
    if (const auto real = mlir::dyn_cast<mlir::FloatAttr>(number.getValue())) {
        return real.getValueAsDouble() == 0;
    }
    const auto whole = mlir::dyn_cast<mlir::IntegerAttr>(number.getValue());
    return whole && whole.getInt() == 0;
}

} // namespace tropic::compile
