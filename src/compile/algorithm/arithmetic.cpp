// Operations on values in registers, lane by lane.
#include "compile/algorithm/code.h"
#include "graph/generators/random.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using alg::Operation;

Code::Reordering::Reordering(Code& code) : code_(code), before_(code.b.getFastMathFlags()) {
    llvm::FastMathFlags flags = before_;
    flags.setAllowReassoc();
    flags.setNoNaNs();
    flags.setNoSignedZeros();
    code_.b.setFastMathFlags(flags);
}

Code::Reordering::~Reordering() {
    code_.b.setFastMathFlags(before_);
}

llvm::Constant* Code::infinity(const alg::Type& type) {
    llvm::Type* const lane = unit.lane_type(type);
    llvm::Constant* one = nullptr;
    if (is_real(type)) one = llvm::ConstantFP::getInfinity(lane);
    else if (is_truth(type)) one = b.getTrue();
    else {
        const unsigned bits = lane->getIntegerBitWidth();
        one =
            llvm::ConstantInt::get(lane, is_signed_type(type) ? llvm::APInt::getSignedMaxValue(bits)
                                                              : llvm::APInt::getMaxValue(bits));
    }
    if (type.lanes == 1) return one;
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(type.lanes), one);
}

llvm::Value* Code::convert(llvm::Value* value, const alg::Type& from, const alg::Type& to) {
    if (same_value_type(from, to)) return value;
    if (from.record >= 0 || to.record >= 0) {
        unit.refuse({}, "a record cannot be converted");
    }
    alg::Type lanes = to;
    lanes.lanes = from.lanes;
    llvm::Type* const target = unit.value_type(lanes);
    llvm::Value* made = value;
    if (is_truth(to)) {
        llvm::Constant* const zero = llvm::Constant::getNullValue(value->getType());
        if (is_real(from)) made = b.CreateFCmpUNE(value, zero);
        else if (!is_truth(from)) made = b.CreateICmpNE(value, zero);
    } else if (is_real(from) && is_real(to)) {
        made = b.CreateFPCast(value, target);
    } else if (is_real(from)) {
        // Out of range becomes the nearest number there is; what is no number becomes 0.
        made = b.CreateIntrinsic(is_signed_type(to) ? llvm::Intrinsic::fptosi_sat
                                                    : llvm::Intrinsic::fptoui_sat,
                                 {target, value->getType()}, {value});
    } else if (is_real(to)) {
        made = is_signed_type(from) && !is_truth(from) ? b.CreateSIToFP(value, target)
                                                       : b.CreateUIToFP(value, target);
    } else {
        made = b.CreateIntCast(value, target, is_signed_type(from) && !is_truth(from));
    }
    return to.lanes == from.lanes ? made : b.CreateVectorSplat(to.lanes, made);
}

llvm::Value* Code::compare(Operation operation, const alg::Type& type, llvm::Value* left,
                           llvm::Value* right) {
    using P = llvm::CmpInst::Predicate;
    const bool real = is_real(type);
    const bool with_sign = is_signed_type(type);
    switch (operation) {
    case Operation::less:
        return real ? b.CreateFCmpOLT(left, right)
                    : b.CreateICmp(with_sign ? P::ICMP_SLT : P::ICMP_ULT, left, right);
    case Operation::less_equal:
        return real ? b.CreateFCmpOLE(left, right)
                    : b.CreateICmp(with_sign ? P::ICMP_SLE : P::ICMP_ULE, left, right);
    case Operation::equal:
        return real ? b.CreateFCmpOEQ(left, right) : b.CreateICmpEQ(left, right);
    default:
        return real ? b.CreateFCmpUNE(left, right) : b.CreateICmpNE(left, right);
    }
}

llvm::Value* Code::equal(const alg::Type& type, llvm::Value* left, llvm::Value* right) {
    if (type.record < 0) {
        llvm::Value* const each = compare(Operation::equal, type, left, right);
        return type.lanes == 1 ? each : b.CreateAndReduce(each);
    }
    llvm::Value* all = b.getTrue();
    const auto& fields = unit.algorithm.records[type.record].fields;
    for (unsigned i = 0; i < fields.size(); ++i) {
        all = b.CreateAnd(all, equal(fields[i].type, b.CreateExtractValue(left, i),
                                     b.CreateExtractValue(right, i)));
    }
    return all;
}

llvm::Value* Code::divide(const alg::Type& type, bool remainder, llvm::Value* left,
                          llvm::Value* right, const language::Place& place) {
    const bool with_sign = is_signed_type(type);
    const auto divide_by = [&](llvm::Value* divisor) {
        if (remainder) {
            return with_sign ? b.CreateSRem(left, divisor) : b.CreateURem(left, divisor);
        }
        return with_sign ? b.CreateSDiv(left, divisor) : b.CreateUDiv(left, divisor);
    };
    llvm::Constant* const zero = llvm::Constant::getNullValue(right->getType());
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(right)) {
        if (!known->isZero() && !known->isMinusOne()) return divide_by(right);
    }
    llvm::Value* is_zero = b.CreateICmpEQ(right, zero);
    if (type.lanes > 1) is_zero = b.CreateOrReduce(is_zero);
    fail_when(is_zero, [&] {
        call_runtime(offsetof(cpu::AlgorithmRuntime, division_by_zero), unit.nothing,
                     {frame(), unit.place(place)});
    });
    if (!with_sign) return divide_by(right);
    // The least number divided by -1 is too large for its type: processors trap.
    llvm::Constant* const one = llvm::ConstantInt::get(right->getType(), 1);
    llvm::Value* const minus =
        b.CreateICmpEQ(right, llvm::Constant::getAllOnesValue(right->getType()));
    llvm::Value* const quotient = divide_by(b.CreateSelect(minus, one, right));
    return b.CreateSelect(minus, remainder ? zero : b.CreateNeg(left), quotient);
}

llvm::Value* Code::combine(Operation operation, const alg::Monoid* monoid, const alg::Type& type,
                           llvm::Value* left, llvm::Value* right, const language::Place& place) {
    const bool real = is_real(type);
    switch (operation) {
    case Operation::none:
    case Operation::second:
    case Operation::any:
        return right;
    case Operation::first:
        return left;
    case Operation::pair:
        return convert(b.getInt64(1), scalar_type(ElementType::int64), type);
    case Operation::user:
        bind(monoid->left, left);
        bind(monoid->right, right);
        return value_as(*monoid->combine, type);
    default:
        break;
    }
    if (type.record >= 0) unit.refuse(place, "records have no such operation");
    switch (operation) {
    case Operation::add:
        return real ? b.CreateFAdd(left, right)
                    : (is_truth(type) ? b.CreateOr(left, right) : b.CreateAdd(left, right));
    case Operation::subtract:
        return real ? b.CreateFSub(left, right) : b.CreateSub(left, right);
    case Operation::multiply:
        return real ? b.CreateFMul(left, right)
                    : (is_truth(type) ? b.CreateAnd(left, right) : b.CreateMul(left, right));
    case Operation::divide: {
        if (real) return b.CreateFDiv(left, right);
        if (left->getType() == right->getType()) return divide(type, false, left, right, place);
        alg::Type wide = scalar_type(ElementType::int64);
        wide.lanes = type.lanes;
        return convert(divide(wide, false, convert(left, type, wide), right, place), wide, type);
    }
    case Operation::remainder:
        return divide(type, true, left, right, place);
    case Operation::minimum:
        return b.CreateSelect(compare(Operation::less, type, right, left), right, left);
    case Operation::maximum:
        return b.CreateSelect(compare(Operation::less, type, left, right), right, left);
    case Operation::bit_or:
    case Operation::logical_or:
        if (!is_truth(type) && operation == Operation::logical_or) break;
        return b.CreateOr(left, right);
    case Operation::bit_and:
    case Operation::logical_and:
        if (!is_truth(type) && operation == Operation::logical_and) break;
        return b.CreateAnd(left, right);
    case Operation::bit_xor:
        return b.CreateXor(left, right);
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::not_equal:
        return compare(operation, type, left, right);
    default:
        break;
    }
    // Logical operations on numbers: 1 or 0.
    alg::Type truths = scalar_type(ElementType::boolean);
    truths.lanes = type.lanes;
    llvm::Value* const first = convert(left, type, truths);
    llvm::Value* const second = convert(right, type, truths);
    return convert(operation == Operation::logical_or ? b.CreateOr(first, second)
                                                      : b.CreateAnd(first, second),
                   truths, type);
}

llvm::Value* Code::across(const alg::Expression& e) {
    const alg::Type& type = e.operands[0].type;
    llvm::Value* const lanes = value(e.operands[0]);
    alg::Type one = type;
    one.lanes = 1;
    const Reordering reordering(*this);
    llvm::Value* folded = b.CreateExtractElement(lanes, std::uint64_t{0});
    for (int i = 1; i < type.lanes; ++i) {
        llvm::Value* const lane = b.CreateExtractElement(lanes, static_cast<std::uint64_t>(i));
        folded = combine(e.operation, nullptr, one, folded, lane, e.place);
    }
    return convert(folded, one, e.type);
}

llvm::Value* Code::random_bits(llvm::Value* seed, llvm::Value* index) {
    using generators::golden_ratio;
    const auto number = [](const llvm::Value* like, std::uint64_t value) {
        return llvm::ConstantInt::get(like->getType(), value);
    };
    const auto mix = [&](llvm::Value* x) {
        const auto step = [&](llvm::Value* y, int shift, std::uint64_t factor) {
            y = b.CreateXor(y, b.CreateLShr(y, shift));
            return factor == 0 ? y : b.CreateMul(y, number(y, factor));
        };
        x = step(x, 30, 0xbf58476d1ce4e5b9);
        x = step(x, 27, 0x94d049bb133111eb);
        return step(x, 31, 0);
    };
    const auto stream = static_cast<std::uint64_t>(generators::Stream::algorithms) * golden_ratio;
    llvm::Value* key =
        mix(b.CreateAdd(mix(b.CreateAdd(seed, b.getInt64(golden_ratio))), b.getInt64(stream)));
    if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(index->getType())) {
        key = b.CreateVectorSplat(lanes->getNumElements(), key);
    }
    return mix(b.CreateAdd(key, b.CreateMul(index, number(index, golden_ratio))));
}

llvm::Value* Code::function(const alg::Expression& e) {
    using alg::Function;
    using cpu::AlgorithmRuntime;
    const alg::Type wide = scalar_type(ElementType::int64);
    if (e.function == Function::random || e.function == Function::random_integer) {
        llvm::Value* const seed = value_as(e.operands[0], wide);
        const auto lanes_of = [&](ElementType element) {
            alg::Type type = scalar_type(element);
            type.lanes = e.type.lanes;
            return type;
        };
        const alg::Type whole = lanes_of(ElementType::int64);
        llvm::Value* const bits = random_bits(seed, value_as(e.operands[1], whole));
        if (e.function == Function::random) {
            const alg::Type real = lanes_of(ElementType::float64);
            llvm::Type* const type = bits->getType()->getWithNewType(b.getDoubleTy());
            llvm::Value* const number = b.CreateUIToFP(b.CreateLShr(bits, 11), type);
            return convert(b.CreateFMul(number, llvm::ConstantFP::get(type, 0x1p-53)), real,
                           e.type);
        }
        llvm::Type* const twice = bits->getType()->getWithNewType(b.getIntNTy(128));
        llvm::Value* const numbers = value_as(e.operands[2], wide);
        fail_when(b.CreateICmpSLE(numbers, b.getInt64(0)), [&] {
            call_runtime(offsetof(cpu::AlgorithmRuntime, fail), unit.nothing,
                         {frame(), unit.text("random_int(seed, i, n) wants an n of at least 1"),
                          unit.place(e.place)});
        });
        llvm::Value* const count = b.CreateZExt(convert(numbers, wide, whole), twice);
        llvm::Value* const product = b.CreateMul(b.CreateZExt(bits, twice), count);
        return convert(b.CreateTrunc(b.CreateLShr(product, 64), bits->getType()), whole, e.type);
    }
    llvm::Value* const x = value_as(e.operands[0], e.type);
    const bool real = is_real(e.type);
    switch (e.function) {
    case Function::absolute:
        if (real) return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
        if (!is_signed_type(e.type)) return x;
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
    case Function::floor:
        return real ? b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x) : x;
    case Function::ceiling:
        return real ? b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x) : x;
    case Function::square_root:
        if (real) return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
        break;
    default:
        break;
    }
    // The rest is computed by the C library, in double precision, one lane after the other.
    const alg::Type number = scalar_type(ElementType::float64);
    alg::Type lane = e.type;
    lane.lanes = 1;
    const bool power = e.function == Function::power;
    llvm::Value* const y = power ? value_as(e.operands[1], e.type) : nullptr;
    const auto one = [&](llvm::Value* left, llvm::Value* right) {
        llvm::Value* const first = convert(left, lane, number);
        llvm::Value* made = nullptr;
        if (e.function == Function::square_root) {
            made = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, first);
        } else if (power) {
            made = call_runtime(offsetof(AlgorithmRuntime, power), b.getDoubleTy(),
                                {first, convert(right, lane, number)});
        } else {
            made = call_runtime(e.function == alg::Function::logarithm
                                    ? offsetof(AlgorithmRuntime, logarithm)
                                    : offsetof(AlgorithmRuntime, exponential),
                                b.getDoubleTy(), {first});
        }
        return convert(made, number, lane);
    };
    if (e.type.lanes == 1) return one(x, y);
    llvm::Value* lanes = llvm::PoisonValue::get(x->getType());
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(e.type.lanes); ++i) {
        llvm::Value* const right = power ? b.CreateExtractElement(y, i) : nullptr;
        lanes = b.CreateInsertElement(lanes, one(b.CreateExtractElement(x, i), right), i);
    }
    return lanes;
}

} // namespace tropic::compile
