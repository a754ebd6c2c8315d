// Expressions to values.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

#include <limits>

#include "llvm/IR/Intrinsics.h"

namespace tropic::compile {

using alg::Operation;
using cpu::GraphView;
using cpu::SetView;
using cpu::StackView;
using Kind = alg::Expression::Kind;
using Shape = alg::Type::Shape;

namespace {

bool is_comparison(Operation operation) {
    return operation == Operation::less || operation == Operation::less_equal ||
           operation == Operation::equal || operation == Operation::not_equal;
}

bool is_logical(Operation operation) {
    return operation == Operation::logical_or || operation == Operation::logical_and;
}

} // namespace

bool is_cut_to_index(const Unit& unit, const alg::Expression& e) {
    if (e.kind != Kind::convert || e.checked || !e.type.vertex || unit.wide) return false;
    const alg::Type& from = e.operands[0].type;
    return !from.vertex && !is_real(from) &&
           (size_of(from.element) > 4 || from.element == ElementType::uint32);
}

llvm::Value* Code::nearest_index(llvm::Value* value, const alg::Type& from) {
    llvm::Type* const type = value->getType();
    const auto limit = [&](std::int64_t number) {
        return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(number), true);
    };
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (!is_signed_type(from)) {
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value, limit(most));
    }
    llvm::Value* const below = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, limit(most));
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, below, limit(-most - 1));
}

llvm::Value* Code::value_as(const alg::Expression& e, const alg::Type& type) {
    return convert(value(e), e.type, type);
}

llvm::Value* Code::truth(const alg::Expression& e) {
    alg::Type type = scalar_type(ElementType::boolean);
    type.lanes = e.type.lanes;
    llvm::Value* const made = value_as(e, type);
    return type.lanes == 1 ? made : b.CreateAndReduce(made);
}

llvm::Value* Code::index(const alg::Expression& e) {
    // A label is not made narrow and wide again: LLVM would see a number that may wrap around.
    if (e.kind == Kind::variable && labels.contains(e.variable)) {
        const auto found = wide_cells_.find(e.variable);
        if (found != wide_cells_.end()) return b.CreateLoad(unit.i64, found->second);
    }
    return value_as(e, scalar_type(ElementType::int64));
}

bool Code::is_harmless(const alg::Expression& e) const {
    switch (e.kind) {
    case Kind::constant:
    case Kind::infinity:
    case Kind::variable:
    case Kind::size:
        return true;
    case Kind::member:
    case Kind::element:
        // In range whatever a condition before it says.
        return e.operands.size() == 1 && !e.checked && e.operands[0].kind == Kind::variable &&
               labels.contains(e.operands[0].variable) && (e.kind == Kind::member || e.own);
    case Kind::binary:
        if (e.operation == Operation::divide || e.operation == Operation::remainder) {
            if (!is_real(e.type)) return false;
        }
        break;
    case Kind::convert:
        if (e.checked) return false;
        break;
    case Kind::negate:
    case Kind::complement:
    case Kind::lane:
    case Kind::lanes:
    case Kind::make:
    case Kind::field:
        break;
    default:
        return false;
    }
    for (const alg::Expression& operand : e.operands) {
        if (!is_harmless(operand)) return false;
    }
    return true;
}

llvm::Value* Code::short_circuit(const alg::Expression& e) {
    const bool choice = e.kind == Kind::conditional;
    const alg::Expression& last = e.operands.back();
    llvm::Value* const condition = truth(e.operands[0]);
    if (e.both || (is_harmless(last) && (!choice || is_harmless(e.operands[1])))) {
        if (choice) {
            llvm::Value* const first = value_as(e.operands[1], e.type);
            return b.CreateSelect(condition, first, value_as(last, e.type));
        }
        llvm::Value* const right = truth(last);
        return e.operation == Operation::logical_or
                   ? b.CreateSelect(condition, b.getTrue(), right)
                   : b.CreateSelect(condition, right, b.getFalse());
    }
    llvm::AllocaInst* const made = new_cell(unit.value_type(e.type), "choice");
    const auto put = [&](const alg::Expression& from) {
        b.CreateStore(value_as(from, e.type), made);
    };
    if (choice) {
        when(condition, [&] { put(e.operands[1]); }, [&] { put(last); });
    } else {
        const bool either = e.operation == Operation::logical_or;
        b.CreateStore(convert(b.getInt1(either), scalar_type(ElementType::boolean), e.type), made);
        when(either ? b.CreateNot(condition) : condition, [&] { put(last); });
    }
    return b.CreateLoad(made->getAllocatedType(), made);
}

llvm::Value* Code::value(const alg::Expression& e) {
    const alg::Type wide = scalar_type(ElementType::int64);
    switch (e.kind) {
    case Kind::constant: {
        if (e.type.record >= 0) return llvm::Constant::getNullValue(unit.value_type(e.type));
        alg::Type one = e.type;
        one.lanes = 1;
        llvm::Type* const type = unit.lane_type(e.type);
        llvm::Constant* const lane =
            is_real(e.type) ? llvm::ConstantFP::get(type, e.number)
                            : static_cast<llvm::Constant*>(llvm::ConstantInt::get(
                                  type, static_cast<std::uint64_t>(e.integer), true, true));
        return convert(lane, one, e.type);
    }
    case Kind::infinity:
        return infinity(e.type);
    case Kind::variable:
        return convert(scalar(e.variable), unit.variable(e.variable).type, e.type);
    case Kind::element: {
        const alg::Type type = element_of(unit.variable(e.variable).type);
        llvm::Value* const found = load(type, address(e), e.variable, is_shared(e));
        const alg::Variable& variable = unit.variable(e.variable);
        if (workspace_of(e.variable) == nullptr || !variable.reset) {
            return convert(found, type, e.type);
        }
        // What is no member of a workspace is not set.
        llvm::Value* const other = value_as(*variable.reset, type);
        llvm::Value* const member = is_member(e.variable, index(e.operands[0]));
        return convert(b.CreateSelect(member, found, other), type, e.type);
    }
    case Kind::member: {
        llvm::Value* const number = index(e.operands[0]);
        if (e.checked) {
            check_index(number, size_of_variable(e.variable), unit.variable(e.variable).called(),
                        e.place);
        }
        return is_member(e.variable, number);
    }
    case Kind::negate: {
        llvm::Value* const operand = value_as(e.operands[0], e.type);
        return is_real(e.type) ? b.CreateFNeg(operand) : b.CreateNeg(operand);
    }
    case Kind::complement:
        return b.CreateNot(value_as(e.operands[0], e.type));
    case Kind::binary: {
        const bool single = e.operands[0].type.lanes == 1 && e.operands[1].type.lanes == 1;
        if (is_logical(e.operation) && single) return short_circuit(e);
        if (is_comparison(e.operation)) {
            const alg::Type type = common_type(e.operands[0].type, e.operands[1].type);
            llvm::Value* const left = value_as(e.operands[0], type);
            llvm::Value* const right = value_as(e.operands[1], type);
            if (type.record >= 0) {
                llvm::Value* const same = equal(type, left, right);
                return e.operation == Operation::equal ? same : b.CreateNot(same);
            }
            return compare(e.operation, type, left, right);
        }
        llvm::Value* const left = value_as(e.operands[0], e.type);
        llvm::Value* const right = value_as(e.operands[1], e.type);
        return combine(e.operation, e.monoid.get(), e.type, left, right, e.place);
    }
    case Kind::conditional:
        if (e.operands[0].type.lanes > 1) {
            llvm::Value* const condition = value(e.operands[0]);
            llvm::Value* const first = value_as(e.operands[1], e.type);
            return b.CreateSelect(condition, first, value_as(e.operands[2], e.type));
        }
        return short_circuit(e);
    case Kind::convert: {
        llvm::Value* operand = value(e.operands[0]);
        if (is_cut_to_index(unit, e)) operand = nearest_index(operand, e.operands[0].type);
        if (e.checked) {
            llvm::Value* const number = convert(operand, e.operands[0].type, wide);
            check_index(number, space_size(e.space), unit.space_name(e.space), e.place);
        }
        return convert(operand, e.operands[0].type, e.type);
    }
    case Kind::function:
        return function(e);
    case Kind::lane:
        return b.CreateExtractElement(value(e.operands[0]), static_cast<std::uint64_t>(e.integer));
    case Kind::lanes: {
        alg::Type one = e.type;
        one.lanes = 1;
        llvm::Value* made = llvm::PoisonValue::get(unit.value_type(e.type));
        for (std::uint64_t i = 0; i < e.operands.size(); ++i) {
            made = b.CreateInsertElement(made, value_as(e.operands[i], one), i);
        }
        return made;
    }
    case Kind::across:
        return across(e);
    case Kind::make: {
        llvm::Value* made = llvm::PoisonValue::get(unit.value_type(e.type));
        const auto& fields = unit.algorithm.records[e.type.record].fields;
        for (unsigned i = 0; i < fields.size(); ++i) {
            made = b.CreateInsertValue(made, value_as(e.operands[i], fields[i].type), i);
        }
        return made;
    }
    case Kind::field:
        return b.CreateExtractValue(value(e.operands[0]), static_cast<unsigned>(e.integer));
    case Kind::degree: {
        const Edges edges = edges_of(e.variable, e.inward, index(e.operands[0]));
        return convert(b.CreateNSWSub(edges.end, edges.begin), wide, e.type);
    }
    case Kind::neighbour: {
        const Edges edges = edges_of(e.variable, e.inward, index(e.operands[0]));
        llvm::Value* const number = index(e.operands[1]);
        if (e.checked) {
            check_index(number, b.CreateNSWSub(edges.end, edges.begin),
                        "the neighbours in " + unit.variable(e.variable).called(), e.place);
        }
        llvm::Value* const found =
            neighbour_at(e.variable, e.inward, b.CreateNSWAdd(edges.begin, number));
        return convert(found, wide, e.type);
    }
    case Kind::size:
        return convert(space_size(e.space), wide, e.type);
    case Kind::count: {
        if (const Workspace* const own = workspace_of(e.variable)) {
            return convert(b.CreateLoad(unit.i64, own->count), wide, e.type);
        }
        const Shape shape = unit.variable(e.variable).type.shape;
        const std::int64_t field = shape == Shape::graph   ? offsetof(GraphView, entries)
                                   : shape == Shape::stack ? offsetof(StackView, count)
                                                           : offsetof(SetView, count);
        return convert(view_field(e.variable, field, unit.i64), wide, e.type);
    }
    case Kind::reduction:
        return reduce(e);
    case Kind::swap:
        return swap_element(e);
    case Kind::improve: {
        const alg::Type type = element_of(unit.variable(e.variable).type);
        llvm::Value* const operand = value_as(e.operands.back(), type);
        return update(e, e.monoid->operation, e.monoid.get(), operand).changed;
    }
    case Kind::insert:
        return insert(e);
    case Kind::edge:
        return convert(edge_between(e), wide, e.type);
    }
    unit.refuse(e.place, "this expression cannot be compiled");
}

} // namespace tropic::compile
