// The program's level: statements about whole variables, which the runtime carries out.
#include "compile/algorithm/body.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using cpu::AlgorithmRuntime;
using cpu::ChooseView;
using cpu::Frame;
using Kind = alg::Statement::Kind;
using Shape = alg::Type::Shape;

namespace {

void choose(Code& code, const alg::Statement& s) {
    Unit& unit = code.unit;
    const alg::Choose& given = *s.choose;
    static_assert(sizeof(ChooseView) == 48);
    llvm::Constant* const view = constant_view(
        unit, {int32_constant(unit, given.number), int32_constant(unit, given.front),
               int32_constant(unit, given.graph), int32_constant(unit, given.inward ? 1 : 0),
               int32_constant(unit, given.early ? 1 : 0),
               int32_constant(unit, static_cast<int>(given.forced)),
               int32_constant(unit, given.alone ? 1 : 0), int32_constant(unit, 0),
               unit.place(s.place), unit.line(s.place)});
    llvm::Value* const push =
        code.call_runtime(offsetof(AlgorithmRuntime, choose), unit.i64, {code.frame(), view});
    code.when(
        code.b.CreateICmpNE(push, code.b.getInt64(0)), [&] { code.statements(s.body); },
        [&] { code.statements(s.otherwise); });
    code.call_runtime(offsetof(AlgorithmRuntime, chosen), unit.nothing, {code.frame(), view});
}

void create(Code& code, const alg::Statement& s) {
    Unit& unit = code.unit;
    const alg::Variable& variable = unit.variable(s.variable);
    if (s.unset && variable.type.shape == Shape::graph) return;
    llvm::Value* size = code.b.getInt64(0);
    llvm::Value* columns = code.b.getInt64(1);
    llvm::Value* reset = llvm::ConstantPointerNull::get(unit.pointer);
    if (variable.type.shape != Shape::stack) size = code.space_size(variable.type.space);
    if (variable.type.columns >= 0) columns = code.space_size(variable.type.columns);
    if (s.early) {
        llvm::Value* const none = code.b.getInt64(0);
        size = code.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, size, none);
        columns = code.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, columns, none);
    }
    if (s.unset) {
        code.call_runtime(offsetof(AlgorithmRuntime, reserve), unit.nothing,
                          {code.frame(), code.b.getInt64(s.variable), size, columns});
        return;
    }
    if (variable.type.shape == Shape::sparse) {
        const alg::Type type = element_of(variable.type);
        reset = code.new_cell(llvm::ArrayType::get(unit.i8, unit.bytes_of(type)), "reset");
        llvm::Value* const value = variable.reset
                                       ? code.value_as(*variable.reset, type)
                                       : llvm::Constant::getNullValue(unit.value_type(type));
        code.store(type, value, reset, -1, false);
    }
    code.call_runtime(offsetof(AlgorithmRuntime, create), unit.nothing,
                      {code.frame(), code.b.getInt64(s.variable), size, columns, reset});
}

void members(Code& code, const alg::Statement& s) {
    Unit& unit = code.unit;
    llvm::Value* const which = code.b.getInt64(s.variable);
    const auto count = static_cast<std::int64_t>(s.members.size());
    llvm::AllocaInst* const items =
        code.new_cell(llvm::ArrayType::get(unit.i64, std::max<std::int64_t>(count, 1)), "items");
    // They may ask for the members there were.
    for (std::int64_t i = 0; i < count; ++i) {
        code.b.CreateStore(code.index(s.members[i]), code.at(code.b, items, 8 * i));
    }
    code.call_runtime(offsetof(AlgorithmRuntime, clear), unit.nothing, {code.frame(), which});
    code.call_runtime(offsetof(AlgorithmRuntime, members), unit.nothing,
                      {code.frame(), which, items, code.b.getInt64(count), unit.place(s.place)});
}

void swap(Code& code, const alg::Statement& s) {
    llvm::IRBuilder<>& b = code.b;
    llvm::Value* const slots =
        b.CreateLoad(code.unit.pointer, code.at(b, code.frame(), offsetof(Frame, slots)));
    llvm::Value* const left = code.at(b, slots, 8L * s.variable);
    llvm::Value* const right = code.at(b, slots, 8L * s.other);
    llvm::Value* const first = b.CreateLoad(code.unit.pointer, left);
    llvm::Value* const second = b.CreateLoad(code.unit.pointer, right);
    b.CreateStore(second, left);
    b.CreateStore(first, right);
}

void print(Code& code, const alg::Statement& s) {
    Unit& unit = code.unit;
    if (!s.value) {
        const alg::Type& type = unit.variable(s.variable).type;
        if (!type.is_scalar()) {
            code.call_runtime(offsetof(AlgorithmRuntime, print_variable), unit.nothing,
                              {code.frame(), code.b.getInt64(s.variable)});
            return;
        }
    }
    const alg::Type type = element_of(s.value ? s.value->type : unit.variable(s.variable).type);
    llvm::Value* const value = s.value ? code.value(*s.value) : code.scalar(s.variable);
    llvm::AllocaInst* const cell =
        code.new_cell(llvm::ArrayType::get(unit.i64, (unit.bytes_of(type) + 7) / 8), "printed");
    cell->setAlignment(llvm::Align(64));
    code.store(type, value, cell, -1, false);
    code.call_runtime(offsetof(AlgorithmRuntime, print_value), unit.nothing,
                      {code.frame(), cell, code.b.getInt64(static_cast<int>(type.element)),
                       code.b.getInt64(type.vertex ? 1 : 0), code.b.getInt64(type.lanes),
                       llvm::ConstantInt::getSigned(unit.i64, type.record)});
}

} // namespace

bool Code::whole(const alg::Statement& s) {
    if (setting.member) return false;
    const auto call = [&](std::int64_t function, llvm::ArrayRef<llvm::Value*> arguments) {
        llvm::SmallVector<llvm::Value*> all{frame()};
        all.append(arguments.begin(), arguments.end());
        call_runtime(function, unit.nothing, all);
    };
    llvm::Value* const variable = llvm::ConstantInt::getSigned(unit.i64, s.variable);
    llvm::Value* const other = llvm::ConstantInt::getSigned(unit.i64, s.other);
    switch (s.kind) {
    case Kind::each:
        each(s);
        return true;
    case Kind::choose:
        choose(*this, s);
        return true;
    case Kind::buckets:
        buckets(s);
        return true;
    case Kind::create:
        create(*this, s);
        return true;
    case Kind::members:
        members(*this, s);
        return true;
    case Kind::clear:
        call(offsetof(AlgorithmRuntime, clear), {variable});
        return true;
    case Kind::assign:
        call(offsetof(AlgorithmRuntime, assign), {variable, other});
        return true;
    case Kind::swap:
        swap(*this, s);
        return true;
    case Kind::combine: {
        const std::int64_t operation = s.operation == alg::Operation::bit_or    ? 0
                                       : s.operation == alg::Operation::bit_and ? 1
                                                                                : 2;
        call(offsetof(AlgorithmRuntime, combine), {variable, other, b.getInt64(operation)});
        return true;
    }
    case Kind::push:
        call(offsetof(AlgorithmRuntime, push), {variable, other});
        return true;
    case Kind::pop:
        call(offsetof(AlgorithmRuntime, pop), {variable, other, unit.place(s.place)});
        return true;
    case Kind::derive:
        call(offsetof(AlgorithmRuntime, derive),
             {variable, unit.text(s.name), other,
              llvm::ConstantInt::getSigned(unit.i64, s.argument), unit.place(s.place)});
        return true;
    case Kind::sort:
        call(offsetof(AlgorithmRuntime, sort), {variable, other});
        return true;
    case Kind::scan:
        call(offsetof(AlgorithmRuntime, scan), {variable, other});
        return true;
    case Kind::print:
        print(*this, s);
        return true;
    default:
        return false;
    }
}

} // namespace tropic::compile
