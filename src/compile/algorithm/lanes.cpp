#include "compile/algorithm/lanes.h"

#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;
using cpu::GraphView;
using Kind = alg::Expression::Kind;

namespace {

bool is_plain(const alg::Type& type) {
    return type.record < 0 && type.lanes == 1;
}

} // namespace

bool Lanes::can(const Unit& unit, const alg::Expression& e, const EdgeGroup& group,
                const VariableSet& changing) {
    if (!is_plain(e.type)) return false;
    const auto all_can = [&] {
        for (const alg::Expression& operand : e.operands) {
            if (!can(unit, operand, group, changing)) return false;
        }
        return true;
    };
    switch (e.kind) {
    case Kind::constant:
    case Kind::infinity:
        return true;
    case Kind::variable:
        if (e.variable == group.label) return true;
        if (e.variable == group.weight) {
            const alg::Type& stored = unit.variable(group.graph).type;
            return stored.pattern || (is_plain(stored) && !is_truth(stored));
        }
        if (const auto given = group.given.find(e.variable); given != group.given.end()) {
            return can(unit, *given->second, group, changing);
        }
        return !changing.contains(e.variable);
    case Kind::element:
        if (e.checked || e.operands.size() > 1 || changing.contains(e.variable)) return false;
        if (group.side_by_side) {
            return e.own && is_label(e.operands[0], group.label) &&
                   is_plain(unit.variable(e.variable).type);
        }
        if (is_label(e.operands[0], group.label)) {
            return can_gather(unit, unit.variable(e.variable).type);
        }
        // The same for all edges: an element of a local that stays.
        return e.operands[0].kind == Kind::variable && e.operands[0].variable != group.weight &&
               !group.given.contains(e.operands[0].variable) &&
               !changing.contains(e.operands[0].variable) &&
               is_plain(unit.variable(e.variable).type);
    case Kind::member:
        // Marks are bytes, and fetched fast enough one by one.
        return !e.checked && is_label(e.operands[0], group.label) &&
               !changing.contains(e.variable) &&
               unit.variable(e.variable).type.shape != alg::Type::Shape::marks;
    case Kind::negate:
    case Kind::complement:
        return all_can();
    case Kind::convert:
        return !e.checked && !is_cut_to_index(unit, e) && all_can() &&
               (is_real(e.type) == is_real(e.operands[0].type) || !is_real(e.operands[0].type));
    case Kind::binary:
        switch (e.operation) {
        case Operation::add:
        case Operation::subtract:
        case Operation::multiply:
        case Operation::minimum:
        case Operation::maximum:
        case Operation::logical_and:
        case Operation::logical_or:
        case Operation::bit_and:
        case Operation::bit_or:
        case Operation::bit_xor:
        case Operation::less:
        case Operation::less_equal:
        case Operation::equal:
        case Operation::not_equal:
            return all_can();
        default:
            return false;
        }
    default:
        return false;
    }
}

llvm::Value* Lanes::spread(llvm::Value* value) {
    if (value->getType()->isVectorTy()) return value;
    return code_.b.CreateVectorSplat(static_cast<unsigned>(count(code_.unit)), value);
}

llvm::Value* Lanes::fetch(llvm::Type* type, llvm::Value* from, std::int64_t alignment) {
    auto* const all = llvm::FixedVectorType::get(type, static_cast<unsigned>(count(code_.unit)));
    return code_.b.CreateMaskedLoad(all, from, llvm::Align(alignment), group_.inside,
                                    llvm::Constant::getNullValue(all));
}

llvm::Value* Lanes::values_at(llvm::Value* values, const alg::Type& type, llvm::Value* place,
                              llvm::Value* inside) {
    const Unit& unit = code_.unit;
    llvm::Type* const one = unit.stored_type(type);
    auto* const all = llvm::FixedVectorType::get(one, static_cast<unsigned>(count(unit)));
    llvm::Value* const from = code_.b.CreateInBoundsGEP(one, values, place);
    const auto alignment = llvm::Align(static_cast<std::uint64_t>(unit.bytes_of(type)));
    // There is something behind the last value, and not every processor loads bytes under a mask.
    if (unit.bytes_of(type) < 4) return code_.b.CreateAlignedLoad(all, from, alignment);
    return code_.b.CreateMaskedLoad(all, from, alignment, inside,
                                    llvm::Constant::getNullValue(all));
}

llvm::Value* Lanes::has_row() {
    Unit& unit = code_.unit;
    llvm::IRBuilder<>& b = code_.b;
    llvm::Value* const pos = code_.view_field(
        group_.graph, group_.inward ? offsetof(GraphView, in_pos) : offsetof(GraphView, out_pos),
        unit.pointer);
    llvm::Value* const begin = b.CreateInBoundsGEP(unit.index, pos, group_.place);
    llvm::Value* const end = b.CreateInBoundsGEP(unit.index, begin, b.getInt64(1));
    const std::int64_t alignment = unit.wide ? 8 : 4;
    return b.CreateICmpNE(fetch(unit.index, begin, alignment), fetch(unit.index, end, alignment));
}

llvm::Value* Lanes::label() {
    if (label_ != nullptr) return label_;
    Unit& unit = code_.unit;
    llvm::IRBuilder<>& b = code_.b;
    if (group_.side_by_side) {
        label_ = code_.numbers_from(group_.place);
        return label_;
    }
    llvm::Value* const crd = code_.view_field(
        group_.graph, group_.inward ? offsetof(GraphView, in_crd) : offsetof(GraphView, out_crd),
        unit.pointer);
    label_ =
        fetch(unit.index, b.CreateInBoundsGEP(unit.index, crd, group_.place), unit.wide ? 8 : 4);
    return label_;
}

llvm::Value* Lanes::is_member(alg::VariableId set) {
    // Words of 32 bits, so that a vector holds as many of them as of vertices.
    Unit& unit = code_.unit;
    llvm::IRBuilder<>& b = code_.b;
    llvm::Value* const bits = code_.bits_of(set);
    if (group_.side_by_side) {
        // Groups begin at multiples of their size: their bits are a whole number of bytes.
        const auto lanes = static_cast<unsigned>(count(unit));
        llvm::Value* const from = b.CreateInBoundsGEP(unit.i8, bits, b.CreateLShr(group_.place, 3));
        llvm::LoadInst* const some =
            b.CreateAlignedLoad(b.getIntNTy(lanes), from, llvm::Align(lanes / 8));
        unit.mark(some, Memory::bits, set);
        return b.CreateBitCast(some, llvm::FixedVectorType::get(unit.i1, lanes));
    }
    llvm::Value* const ends = label();
    llvm::Type* const lanes = ends->getType();
    const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(lanes, value); };
    auto* const words = llvm::FixedVectorType::get(unit.i32, static_cast<unsigned>(count(unit)));
    llvm::Value* const from = b.CreateInBoundsGEP(unit.i32, bits, b.CreateLShr(ends, number(5)));
    llvm::Value* const word = b.CreateMaskedGather(words, from, llvm::Align(4), group_.inside,
                                                   llvm::Constant::getNullValue(words));
    llvm::Value* const shift = b.CreateZExtOrTrunc(b.CreateAnd(ends, number(31)), words);
    return b.CreateTrunc(b.CreateLShr(word, shift),
                         llvm::FixedVectorType::get(unit.i1, static_cast<unsigned>(count(unit))));
}

llvm::Value* Lanes::element(alg::VariableId vector) {
    Unit& unit = code_.unit;
    llvm::IRBuilder<>& b = code_.b;
    const alg::Type& type = unit.variable(vector).type;
    llvm::Type* const one = unit.stored_type(type);
    auto* const all = llvm::FixedVectorType::get(one, static_cast<unsigned>(count(unit)));
    if (group_.side_by_side) {
        llvm::Value* const found =
            fetch(one, code_.address(vector, group_.place), unit.bytes_of(type));
        if (!is_truth(type)) return found;
        return b.CreateICmpNE(found, llvm::Constant::getNullValue(all));
    }
    llvm::Value* const base = code_.address(vector, b.getInt64(0));
    llvm::Value* const from = b.CreateInBoundsGEP(one, base, label());
    return b.CreateMaskedGather(all, from, llvm::Align(unit.bytes_of(type)), group_.inside,
                                llvm::Constant::getNullValue(all));
}

llvm::Value* Lanes::value_as(const alg::Expression& e, const alg::Type& type) {
    llvm::Value* const made = value(e);
    alg::Type from = e.type;
    alg::Type to = type;
    if (made->getType()->isVectorTy()) from.lanes = to.lanes = count(code_.unit);
    return code_.convert(made, from, to);
}

llvm::Value* Lanes::value(const alg::Expression& e) {
    Unit& unit = code_.unit;
    llvm::IRBuilder<>& b = code_.b;
    alg::Type many = e.type;
    many.lanes = count(unit);
    switch (e.kind) {
    case Kind::variable:
        if (e.variable == group_.label) {
            alg::Type from = vertex_type();
            from.lanes = count(unit);
            return code_.convert(label(), from, many);
        }
        if (e.variable == group_.weight && !unit.variable(group_.graph).type.pattern) {
            alg::Type stored = element_of(unit.variable(group_.graph).type);
            llvm::Value* const values = code_.view_field(
                group_.graph,
                group_.inward ? offsetof(GraphView, in_values) : offsetof(GraphView, out_values),
                unit.pointer);
            llvm::Value* const loaded = values_at(values, stored, group_.place, group_.inside);
            stored.lanes = count(unit);
            return code_.convert(loaded, stored, many);
        }
        if (e.variable == group_.weight) {
            return code_.convert(b.getInt64(1), scalar_type(ElementType::int64), e.type);
        }
        if (const auto given = group_.given.find(e.variable); given != group_.given.end()) {
            return value_as(*given->second, e.type);
        }
        return code_.value(e);
    case Kind::element:
        if (is_label(e.operands[0], group_.label)) {
            alg::Type stored = element_of(unit.variable(e.variable).type);
            stored.lanes = count(unit);
            return code_.convert(element(e.variable), stored, many);
        }
        return code_.value(e);
    case Kind::member:
        return is_member(e.variable);
    case Kind::negate: {
        llvm::Value* const operand = value_as(e.operands[0], e.type);
        return is_real(e.type) ? b.CreateFNeg(operand) : b.CreateNeg(operand);
    }
    case Kind::complement:
        return b.CreateNot(value_as(e.operands[0], e.type));
    case Kind::convert:
        return value_as(e.operands[0], e.type);
    case Kind::binary: {
        const bool compares =
            e.operation == Operation::less || e.operation == Operation::less_equal ||
            e.operation == Operation::equal || e.operation == Operation::not_equal;
        const alg::Type type =
            compares ? common_type(e.operands[0].type, e.operands[1].type) : e.type;
        llvm::Value* left = value_as(e.operands[0], type);
        llvm::Value* right = value_as(e.operands[1], type);
        if (left->getType() != right->getType()) {
            left = spread(left);
            right = spread(right);
        }
        if (compares) return code_.compare(e.operation, type, left, right);
        return code_.combine(e.operation, nullptr, type, left, right, e.place);
    }
    default:
        return code_.value(e);
    }
}

Lanes::Improvement Lanes::improvement(const EdgeTest& test) {
    const alg::Type type = element_of(code_.unit.variable(test.variable).type);
    llvm::Value* const given = spread(value_as(*test.expression, type));
    llvm::Value* const old = element(test.variable);
    const bool less = test.kind == EdgeTest::Kind::less;
    llvm::Value* const better =
        code_.compare(Operation::less, type, less ? given : old, less ? old : given);
    return {code_.b.CreateAnd(better, group_.inside), label(), given};
}

llvm::Value* Lanes::passing(const std::vector<EdgeTest>& tests) {
    const alg::Type truth = scalar_type(ElementType::boolean);
    llvm::Value* all = group_.inside;
    for (const EdgeTest& test : tests) {
        llvm::Value* holds = nullptr;
        if (test.kind == EdgeTest::Kind::condition) {
            holds = spread(value_as(*test.expression, truth));
        } else if (test.kind == EdgeTest::Kind::row) {
            holds = has_row();
        } else if (test.kind == EdgeTest::Kind::outsider) {
            holds = code_.b.CreateNot(is_member(test.variable));
        } else {
            holds = improvement(test).better;
        }
        all = code_.b.CreateAnd(all, holds);
    }
    for (const alg::VariableId local : group_.apart) {
        alg::Expression e;
        e.kind = alg::Expression::Kind::variable;
        e.type = code_.unit.variable(local).type;
        e.variable = local;
        llvm::Value* const there = spread(code_.b.CreateTrunc(code_.index(e), code_.unit.index));
        llvm::Value* const ends =
            code_.b.CreateAnd(code_.b.CreateICmpEQ(label(), there), group_.inside);
        all = code_.b.CreateSelect(code_.b.CreateOrReduce(ends), group_.inside, all);
    }
    return all;
}

} // namespace tropic::compile
