#include "compile/llvm_builder.h"

#include <limits>

namespace tropic::compile {

namespace arith = mlir::arith;

namespace {

bool is_bool(mlir::Type element) {
    return element.isInteger(1);
}
bool is_real(mlir::Type element) {
    return mlir::isa<mlir::FloatType>(element);
}
bool is_unsigned(mlir::Type element) {
    return element.isUnsignedInteger() || is_bool(element);
}

/// Sums may be reordered; infinities are data.
constexpr auto fold_flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::nnan |
                            arith::FastMathFlags::nsz | arith::FastMathFlags::contract;
/// Enough to hide how long an addition takes; short rows get nothing from more.
constexpr std::int32_t sums_at_once = 4;

/// A product may be joined with the sum it goes into.
constexpr auto single_flags = arith::FastMathFlags::contract;

} // namespace

mlir::Attribute Code::annotation(Along along) {
    mlir::MLIRContext* const context = builder_.getContext();
    mlir::LLVM::LoopVectorizeAttr vectorize;
    mlir::LLVM::LoopInterleaveAttr interleave;
    if (along == Along::row_one_by_one) {
        vectorize = mlir::LLVM::LoopVectorizeAttr::get(context, builder_.getBoolAttr(true), {}, {},
                                                       {}, {}, {}, {});
    }
    if (along == Along::row_at_random) {
        vectorize = mlir::LLVM::LoopVectorizeAttr::get(context, builder_.getBoolAttr(false), {}, {},
                                                       builder_.getI32IntegerAttr(1), {}, {}, {});
        interleave =
            mlir::LLVM::LoopInterleaveAttr::get(context, builder_.getI32IntegerAttr(sums_at_once));
    }
    const auto unroll = mlir::LLVM::LoopUnrollAttr::get(context, builder_.getBoolAttr(true), {}, {},
                                                        {}, {}, {}, {});
    return mlir::LLVM::LoopAnnotationAttr::get(context, {}, vectorize, interleave, unroll, {}, {},
                                               {}, {}, {}, {}, {}, {}, {}, {}, {});
}

mlir::Type Code::value_type(mlir::Type element) {
    if (is_real(element)) return element;
    return builder_.getIntegerType(element.getIntOrFloatBitWidth());
}
mlir::Type Code::memory_type(mlir::Type element) {
    return is_bool(element) ? builder_.getI8Type() : value_type(element);
}

Value Code::number(std::int64_t value) {
    return arith::ConstantOp::create(builder_, at_, builder_.getI64IntegerAttr(value));
}
Value Code::real(double value) {
    return arith::ConstantOp::create(builder_, at_, builder_.getF64FloatAttr(value));
}
Value Code::flag(bool value) {
    return arith::ConstantOp::create(builder_, at_, builder_.getBoolAttr(value));
}
Value Code::null() {
    return mlir::LLVM::ZeroOp::create(builder_, at_, pointer());
}
Value Code::add(Value a, Value b) {
    return arith::AddIOp::create(builder_, at_, a, b);
}
Value Code::sub(Value a, Value b) {
    return arith::SubIOp::create(builder_, at_, a, b);
}
Value Code::mul(Value a, Value b) {
    return arith::MulIOp::create(builder_, at_, a, b);
}
Value Code::minimum(Value a, Value b) {
    return arith::MinSIOp::create(builder_, at_, a, b);
}
Value Code::less(Value a, Value b) {
    return arith::CmpIOp::create(builder_, at_, arith::CmpIPredicate::slt, a, b);
}
Value Code::equal(Value a, Value b) {
    return arith::CmpIOp::create(builder_, at_, arith::CmpIPredicate::eq, a, b);
}
Value Code::both(Value a, Value b) {
    if (!a) return b;
    if (!b) return a;
    return arith::AndIOp::create(builder_, at_, a, b);
}
Value Code::either(Value a, Value b) {
    if (!a || !b) return {};
    return arith::OrIOp::create(builder_, at_, a, b);
}
Value Code::negation(Value a) {
    return arith::XOrIOp::create(builder_, at_, a, flag(true));
}
Value Code::select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder_, at_, condition, a, b);
}

Value Code::slot(mlir::Type type, std::int64_t count) {
    mlir::OpBuilder::InsertionGuard guard(builder_);
    auto function =
        builder_.getInsertionBlock()->getParentOp()->getParentOfType<mlir::LLVM::LLVMFuncOp>();
    if (!function) {
        function = mlir::cast<mlir::LLVM::LLVMFuncOp>(builder_.getInsertionBlock()->getParentOp());
    }
    builder_.setInsertionPointToStart(&function.getBody().front());
    return mlir::LLVM::AllocaOp::create(builder_, at_, pointer(), type, number(count)).getResult();
}
Value Code::load(mlir::Type type, Value address) {
    return mlir::LLVM::LoadOp::create(builder_, at_, type, address);
}
void Code::store(Value value, Value address) {
    mlir::LLVM::StoreOp::create(builder_, at_, value, address);
}
Value Code::element_address(mlir::Type type, Value base, Value at) {
    return mlir::LLVM::GEPOp::create(builder_, at_, pointer(), type, base, mlir::ValueRange{at},
                                     mlir::LLVM::GEPNoWrapFlags::inbounds);
}
Value Code::field(mlir::Type type, Value base, std::int64_t bytes) {
    return load(type, element_address(builder_.getI8Type(), base, number(bytes)));
}
void Code::set_field(Value value, Value base, std::int64_t bytes) {
    store(value, element_address(builder_.getI8Type(), base, number(bytes)));
}
Value Code::load_index(Value base, Value at) {
    const Value value = load_at(index(), base, at);
    return wide_ ? value : arith::ExtSIOp::create(builder_, at_, i64(), value);
}
void Code::store_index(Value value, Value base, Value at) {
    store_at(wide_ ? value : arith::TruncIOp::create(builder_, at_, index(), value), base, at);
}
Value Code::load_element(mlir::Type element, Value base, Value at) {
    const Value value = load_at(memory_type(element), base, at);
    if (!is_bool(element)) return value;
    const Value zero = arith::ConstantOp::create(builder_, at_, builder_.getI8IntegerAttr(0));
    return arith::CmpIOp::create(builder_, at_, arith::CmpIPredicate::ne, value, zero);
}
void Code::store_element(mlir::Type element, Value value, Value base, Value at) {
    if (is_bool(element)) value = arith::ExtUIOp::create(builder_, at_, i8(), value);
    store_at(value, base, at);
}

Value Code::call(Value table, std::size_t offset, mlir::Type result, mlir::ValueRange arguments) {
    const Value function = field(pointer(), table, static_cast<std::int64_t>(offset));
    llvm::SmallVector<Value> operands{function};
    operands.append(arguments.begin(), arguments.end());
    llvm::SmallVector<mlir::Type> types;
    for (const Value argument : arguments) types.push_back(argument.getType());
    const auto type = mlir::LLVM::LLVMFunctionType::get(
        result ? result : mlir::LLVM::LLVMVoidType::get(builder_.getContext()), types);
    auto call = mlir::LLVM::CallOp::create(builder_, at_, type, operands);
    return result ? call.getResult() : Value();
}

Value Code::zero(mlir::Type element) {
    return arith::ConstantOp::create(
        builder_, at_, mlir::cast<mlir::TypedAttr>(builder_.getZeroAttr(value_type(element))));
}
Value Code::one(mlir::Type element) {
    if (is_real(element)) {
        return arith::ConstantOp::create(builder_, at_, builder_.getFloatAttr(element, 1.0));
    }
    return arith::ConstantOp::create(builder_, at_,
                                     builder_.getIntegerAttr(value_type(element), 1));
}

Value Code::is_nonzero(mlir::Type element, Value value) {
    if (is_bool(element)) return value;
    if (is_real(element)) {
        return arith::CmpFOp::create(builder_, at_, arith::CmpFPredicate::UNE, value,
                                     zero(element));
    }
    return arith::CmpIOp::create(builder_, at_, arith::CmpIPredicate::ne, value, zero(element));
}

Value Code::convert(mlir::Type from, mlir::Type to, Value value) {
    if (from == to) return value;
    if (is_bool(to)) return is_nonzero(from, value);
    const mlir::Type target = value_type(to);
    if (is_real(from)) {
        if (is_real(to)) {
            if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth()) {
                return arith::ExtFOp::create(builder_, at_, target, value);
            }
            return arith::TruncFOp::create(builder_, at_, target, value);
        }
        // Truncated towards zero; out of range, the nearest value (never undefined).
        const llvm::StringRef name = is_unsigned(to) ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
        return mlir::LLVM::CallIntrinsicOp::create(
                   builder_, at_, target, builder_.getStringAttr(name), mlir::ValueRange{value})
            .getResult(0);
    }
    if (is_real(to)) {
        if (is_unsigned(from)) return arith::UIToFPOp::create(builder_, at_, target, value);
        return arith::SIToFPOp::create(builder_, at_, target, value);
    }
    const unsigned have = from.getIntOrFloatBitWidth();
    const unsigned want = to.getIntOrFloatBitWidth();
    if (have == want) return value;
    if (have > want) return arith::TruncIOp::create(builder_, at_, target, value);
    if (is_unsigned(from)) return arith::ExtUIOp::create(builder_, at_, target, value);
    return arith::ExtSIOp::create(builder_, at_, target, value);
}

Value Code::negate(mlir::Type element, Value a) {
    if (is_bool(element)) return a;
    if (is_real(element)) return arith::NegFOp::create(builder_, at_, a);
    return sub(zero(element), a);
}

Value Code::operation(ga::Operator op, mlir::Type element, Value a, Value b, Rounding rounding) {
    const auto fast = rounding == Rounding::folded ? fold_flags : single_flags;
    const bool real = is_real(element);
    const bool truth = is_bool(element);
    // Minima and maxima as processors have them; no number stays out of a fold.
    const auto nearer = [&](arith::CmpFPredicate predicate, Value sum, Value term) -> Value {
        const Value better = arith::CmpFOp::create(builder_, at_, predicate, term, sum, fast);
        return select(better, term, sum);
    };
    const auto from_flag = [&](Value flag) -> Value {
        return truth ? flag : select(flag, one(element), zero(element));
    };
    switch (op) {
    case ga::Operator::add:
        if (truth) return arith::OrIOp::create(builder_, at_, a, b);
        if (real) return arith::AddFOp::create(builder_, at_, a, b, fast);
        return add(a, b);
    case ga::Operator::subtract:
        if (truth) return arith::XOrIOp::create(builder_, at_, a, b);
        if (real) return arith::SubFOp::create(builder_, at_, a, b, fast);
        return sub(a, b);
    case ga::Operator::multiply:
        if (truth) return arith::AndIOp::create(builder_, at_, a, b);
        if (real) return arith::MulFOp::create(builder_, at_, a, b, fast);
        return mul(a, b);
    case ga::Operator::divide: {
        if (real) return arith::DivFOp::create(builder_, at_, a, b);
        // Whole numbers are divided as floating-point numbers before they come here.
        const mlir::Type f = builder_.getF64Type();
        const Value quotient =
            arith::DivFOp::create(builder_, at_, convert(element, f, a), convert(element, f, b));
        return convert(f, element, quotient);
    }
    case ga::Operator::minimum:
        if (truth) return arith::AndIOp::create(builder_, at_, a, b);
        if (real && rounding == Rounding::folded) return nearer(arith::CmpFPredicate::OLT, a, b);
        if (real) return arith::MinNumFOp::create(builder_, at_, a, b, fast);
        if (is_unsigned(element)) return arith::MinUIOp::create(builder_, at_, a, b);
        return arith::MinSIOp::create(builder_, at_, a, b);
    case ga::Operator::maximum:
        if (truth) return arith::OrIOp::create(builder_, at_, a, b);
        if (real && rounding == Rounding::folded) return nearer(arith::CmpFPredicate::OGT, a, b);
        if (real) return arith::MaxNumFOp::create(builder_, at_, a, b, fast);
        if (is_unsigned(element)) return arith::MaxUIOp::create(builder_, at_, a, b);
        return arith::MaxSIOp::create(builder_, at_, a, b);
    case ga::Operator::first:
    case ga::Operator::any:
        return a;
    case ga::Operator::second:
        return b;
    case ga::Operator::pair:
        return one(element);
    case ga::Operator::logical_or:
        return from_flag(
            arith::OrIOp::create(builder_, at_, is_nonzero(element, a), is_nonzero(element, b)));
    case ga::Operator::logical_and:
        return from_flag(
            arith::AndIOp::create(builder_, at_, is_nonzero(element, a), is_nonzero(element, b)));
    }
    return a;
}

std::optional<Value> Code::identity(ga::Operator op, mlir::Type element) {
    if (op == ga::Operator::add) return zero(element);
    if (op != ga::Operator::minimum && op != ga::Operator::maximum) return std::nullopt;
    const bool least = op == ga::Operator::maximum;
    if (is_real(element)) {
        const auto& semantics = mlir::cast<mlir::FloatType>(element).getFloatSemantics();
        return arith::ConstantOp::create(
                   builder_, at_,
                   builder_.getFloatAttr(element, llvm::APFloat::getInf(semantics, least)))
            .getResult();
    }
    const unsigned bits = element.getIntOrFloatBitWidth();
    llvm::APInt value =
        is_unsigned(element)
            ? (least ? llvm::APInt::getMinValue(bits) : llvm::APInt::getMaxValue(bits))
            : (least ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getSignedMaxValue(bits));
    return arith::ConstantOp::create(builder_, at_,
                                     builder_.getIntegerAttr(value_type(element), value))
        .getResult();
}

} // namespace tropic::compile
