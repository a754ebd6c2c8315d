// Changing elements and sets, at the same time as others where the code runs on several threads.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using alg::Operation;
using cpu::AlgorithmRuntime;
using cpu::Appender;
using cpu::SetView;
using cpu::WorkerView;

namespace {

constexpr llvm::AtomicOrdering relaxed = llvm::AtomicOrdering::Monotonic;

} // namespace

Code::Change Code::update_scalar(llvm::Value* address, const alg::Type& type, alg::VariableId owner,
                                 Operation operation, const alg::Monoid* monoid,
                                 llvm::Value* operand, const language::Place& place) {
    llvm::Type* const bits = b.getIntNTy(static_cast<unsigned>(8 * unit.bytes_of(type)));
    const auto mark = [&](llvm::Instruction* access) {
        if (owner >= 0) unit.mark(access, Memory::data, owner);
    };
    const bool number = !is_real(type) && !is_truth(type);
    if (number && (operation == Operation::add || operation == Operation::subtract)) {
        const auto kind =
            operation == Operation::add ? llvm::AtomicRMWInst::Add : llvm::AtomicRMWInst::Sub;
        auto* const old = b.CreateAtomicRMW(kind, address, operand, llvm::MaybeAlign(), relaxed);
        mark(old);
        return {b.CreateICmpNE(operand, llvm::Constant::getNullValue(operand->getType())),
                combine(operation, monoid, type, old, operand, place)};
    }
    const auto to_bits = [&](llvm::Value* value) {
        return is_truth(type) ? b.CreateZExt(value, bits) : b.CreateBitCast(value, bits);
    };
    const auto from_bits = [&](llvm::Value* value) {
        return is_truth(type) ? b.CreateICmpNE(value, llvm::Constant::getNullValue(bits))
                              : b.CreateBitCast(value, unit.value_type(type));
    };
    // Reads first and writes only what changes; tries again where somebody came between.
    llvm::BasicBlock* const retry = block("retry");
    llvm::BasicBlock* const write = block("write");
    llvm::BasicBlock* const done = block("done");
    llvm::AllocaInst* const changed = new_cell(unit.i1, "changed");
    llvm::AllocaInst* const now = new_cell(unit.value_type(type), "now");
    llvm::AllocaInst* const old_bits = new_cell(bits, "old");
    llvm::LoadInst* const first =
        b.CreateAlignedLoad(bits, address, llvm::Align(unit.bytes_of(type)));
    first->setAtomic(relaxed);
    mark(first);
    b.CreateStore(first, old_bits);
    go_on_in(retry);
    llvm::Value* const old = from_bits(b.CreateLoad(bits, old_bits));
    llvm::Value* differs = nullptr;
    llvm::Value* wanted = operand;
    if (operation == Operation::minimum) differs = compare(Operation::less, type, operand, old);
    else if (operation == Operation::maximum)
        differs = compare(Operation::less, type, old, operand);
    else {
        wanted = combine(operation, monoid, type, old, operand, place);
        differs = b.CreateNot(equal(type, wanted, old));
    }
    b.CreateStore(differs, changed);
    b.CreateStore(b.CreateSelect(differs, wanted, old), now);
    b.CreateCondBr(differs, write, done);
    b.SetInsertPoint(write);
    auto* const tried =
        b.CreateAtomicCmpXchg(address, to_bits(old), to_bits(wanted),
                              llvm::MaybeAlign(unit.bytes_of(type)), relaxed, relaxed);
    tried->setWeak(true);
    mark(tried);
    b.CreateStore(b.CreateExtractValue(tried, 0), old_bits);
    b.CreateCondBr(b.CreateExtractValue(tried, 1), done, retry);
    b.SetInsertPoint(done);
    return {b.CreateLoad(unit.i1, changed), b.CreateLoad(unit.value_type(type), now)};
}

Code::Change Code::update_whole(llvm::Value* address, const alg::Type& type, Operation operation,
                                const alg::Monoid* monoid, llvm::Value* operand,
                                const language::Place& place) {
    llvm::Value* const bytes = b.getInt64(unit.bytes_of(type));
    llvm::AllocaInst* const before = new_copy(type);
    llvm::AllocaInst* const after = new_copy(type);
    llvm::AllocaInst* const changed = new_cell(unit.i1, "changed");
    llvm::BasicBlock* const retry = block("retry");
    llvm::BasicBlock* const write = block("write");
    llvm::BasicBlock* const done = block("done");
    call_runtime(offsetof(AlgorithmRuntime, copy_whole), unit.nothing,
                 {before, address, address, bytes});
    go_on_in(retry);
    llvm::Value* const old = load(type, before, -1, false);
    llvm::Value* const now = combine(operation, monoid, type, old, operand, place);
    store(type, now, after, -1, false);
    llvm::Value* const differs = b.CreateNot(equal(type, now, old));
    b.CreateStore(differs, changed);
    b.CreateCondBr(differs, write, done);
    b.SetInsertPoint(write);
    // Nobody is kept waiting by what the operation does, which may end the run.
    llvm::Value* const taken = call_runtime(offsetof(AlgorithmRuntime, replace_whole), unit.i64,
                                            {address, before, after, bytes});
    b.CreateCondBr(b.CreateICmpNE(taken, b.getInt64(0)), done, retry);
    b.SetInsertPoint(done);
    return {b.CreateLoad(unit.i1, changed), load(type, after, -1, false)};
}

Code::Change Code::update(const alg::Expression& target, Operation operation,
                          const alg::Monoid* monoid, llvm::Value* operand) {
    const alg::Variable& variable = unit.variable(target.variable);
    const alg::Type type = element_of(variable.type);
    const bool is_element = target.kind != alg::Expression::Kind::variable;
    const alg::VariableId owner = is_element ? target.variable : -1;
    const bool ordered = setting.buckets != nullptr && owner == setting.buckets->key;
    llvm::Value* const where = address(target);
    const bool local = is_element && variable.is_local;
    const bool together = setting.atomic && !local && (!target.own || setting.buckets != nullptr);
    const bool replaces = operation == Operation::none || operation == Operation::any;
    Change change{};
    if (together && !replaces) {
        if (is_whole(target.variable)) {
            change = update_whole(where, type, operation, monoid, operand, target.place);
        } else if (type.lanes == 1) {
            change = update_scalar(where, type, owner, operation, monoid, operand, target.place);
        } else {
            alg::Type lane = type;
            lane.lanes = 1;
            change = {b.getFalse(), llvm::PoisonValue::get(operand->getType())};
            for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(type.lanes); ++i) {
                const Change one = update_scalar(
                    at(b, where, static_cast<std::int64_t>(i) * unit.bytes_of(lane)), lane, owner,
                    operation, monoid, b.CreateExtractElement(operand, i), target.place);
                change = {b.CreateOr(change.changed, one.changed),
                          b.CreateInsertElement(change.now, one.now, i)};
            }
        }
    } else {
        const bool shared = together || (is_element && is_shared(target));
        // Nobody may ask whether something changed: then the old element is not looked at.
        const bool compares = target.kind == alg::Expression::Kind::improve || ordered || !replaces;
        if (!compares) {
            store(type, operand, where, owner, shared);
            change = {b.getTrue(), operand};
        } else {
            llvm::Value* const old = load(type, where, owner, shared);
            const bool less = operation == Operation::minimum;
            if (type.lanes == 1 && type.record < 0 && (less || operation == Operation::maximum)) {
                llvm::Value* const better = less ? compare(Operation::less, type, operand, old)
                                                 : compare(Operation::less, type, old, operand);
                change = {better, b.CreateSelect(better, operand, old)};
                when(better, [&] { store(type, operand, where, owner, shared); });
            } else {
                llvm::Value* const now =
                    combine(operation, monoid, type, old, operand, target.place);
                store(type, now, where, owner, shared);
                change = {b.CreateNot(equal(type, now, old)), now};
            }
        }
    }
    if (ordered) {
        llvm::Value* const which = index(target.operands[0]);
        when(change.changed, [&] { push_to_bucket(which, change.now); });
    }
    return change;
}

llvm::Value* Code::swap_element(const alg::Expression& e) {
    const alg::Type type = element_of(unit.variable(e.variable).type);
    if (type.record >= 0 || type.lanes > 1) {
        unit.refuse(e.place, "only plain numbers can be swapped");
    }
    llvm::Value* const where = address(e);
    llvm::Value* const expected = value_as(e.operands[e.operands.size() - 2], type);
    llvm::Value* const wanted = value_as(e.operands.back(), type);
    llvm::Value* done = nullptr;
    if (!setting.atomic) {
        done = equal(type, load(type, where, e.variable, false), expected);
        when(done, [&] { store(type, wanted, where, e.variable, false); });
    } else {
        llvm::Type* const bits = b.getIntNTy(static_cast<unsigned>(8 * unit.bytes_of(type)));
        const auto to_bits = [&](llvm::Value* value) {
            return is_truth(type) ? b.CreateZExt(value, bits) : b.CreateBitCast(value, bits);
        };
        auto* const tried =
            b.CreateAtomicCmpXchg(where, to_bits(expected), to_bits(wanted),
                                  llvm::MaybeAlign(unit.bytes_of(type)), relaxed, relaxed);
        unit.mark(tried, Memory::data, e.variable);
        done = b.CreateExtractValue(tried, 1);
    }
    if (setting.buckets != nullptr && setting.buckets->key == e.variable) {
        llvm::Value* const which = index(e.operands[0]);
        when(done, [&] { push_to_bucket(which, wanted); });
    }
    return done;
}

llvm::AllocaInst* Code::appender_cell(int number) {
    llvm::AllocaInst*& known = appenders_[number];
    if (known == nullptr) {
        known = new_cell(unit.i64, "appended");
        llvm::Value* const appenders = prologue_.CreateLoad(
            unit.pointer, at(prologue_, worker(), offsetof(WorkerView, appenders)));
        llvm::Value* const from =
            at(prologue_, appenders,
               static_cast<std::int64_t>(sizeof(Appender)) * number + offsetof(Appender, count));
        prologue_.CreateStore(prologue_.CreateLoad(unit.i64, from), known);
    }
    return known;
}

llvm::Value* Code::appender_field(alg::VariableId set, const Setting::Insert& insert,
                                  std::int64_t offset, llvm::Type* type) {
    // In the cache of fields, behind those of the set's view.
    llvm::Value*& known = fields_[{set, 1000 + offset}];
    if (known == nullptr) {
        llvm::Value* const appenders = prologue_.CreateLoad(
            unit.pointer, at(prologue_, worker(), offsetof(WorkerView, appenders)));
        known = prologue_.CreateLoad(
            type, at(prologue_, appenders,
                     static_cast<std::int64_t>(sizeof(Appender)) * insert.number + offset));
    }
    return known;
}

void Code::append_lanes(alg::VariableId set, const Setting::Insert& insert, llvm::Value* indices,
                        llvm::Value* chosen) {
    llvm::Value* const items = appender_field(set, insert, offsetof(Appender, items), unit.pointer);
    llvm::AllocaInst* const cell = appender_cell(insert.number);
    llvm::Value* const count = b.CreateLoad(unit.i64, cell);
    pack(indices, chosen, b.CreateInBoundsGEP(unit.index, items, count));
    b.CreateStore(b.CreateNSWAdd(count, how_many(chosen)), cell);
}

void Code::append(alg::VariableId set, const Setting::Insert& insert, llvm::Value* index,
                  llvm::Value* by, llvm::Value* claimed) {
    llvm::AllocaInst* const cell = appender_cell(insert.number);
    llvm::Value* const count = b.CreateLoad(unit.i64, cell);
    if (insert.bits_only) {
        b.CreateStore(b.CreateAdd(count, by), cell);
        return;
    }
    llvm::Value* const items = appender_field(set, insert, offsetof(Appender, items), unit.pointer);
    llvm::Value* const capacity =
        appender_field(set, insert, offsetof(Appender, capacity), unit.i64);
    llvm::StoreInst* const stored = b.CreateStore(b.CreateTrunc(index, unit.index),
                                                  b.CreateInBoundsGEP(unit.index, items, count));
    unit.mark(stored, Memory::list, set);
    if (claimed != nullptr) {
        llvm::Value* const values =
            appender_field(set, insert, offsetof(Appender, claims), unit.pointer);
        llvm::StoreInst* const kept =
            b.CreateStore(claimed, b.CreateInBoundsGEP(unit.index, values, count));
        unit.mark(kept, Memory::list, set);
    }
    llvm::Value* const more = b.CreateAdd(count, by);
    b.CreateStore(more, cell);
    if (!setting.atomic) return;
    when(b.CreateICmpEQ(more, capacity), [&] {
        llvm::Value* const kept = appended_by_worker(insert.number);
        b.CreateStore(more, kept);
        call_runtime(offsetof(AlgorithmRuntime, flush), unit.nothing,
                     {frame(), worker(), b.getInt64(insert.number)});
        b.CreateStore(b.CreateLoad(unit.i64, kept), cell);
    });
}

llvm::Value* Code::appended_by_worker(int number) {
    llvm::Value* const appenders = worker_field(offsetof(WorkerView, appenders), unit.pointer);
    return at(b, appenders,
              static_cast<std::int64_t>(sizeof(Appender)) * number + offsetof(Appender, count));
}

void Code::write_back_appenders() {
    for (const auto& [number, cell] : appenders_) {
        b.CreateStore(b.CreateLoad(unit.i64, cell), appended_by_worker(number));
    }
}

void Code::read_appenders() {
    for (const auto& [number, cell] : appenders_) {
        b.CreateStore(b.CreateLoad(unit.i64, appended_by_worker(number)), cell);
    }
}

llvm::Value* Code::insert(const alg::Expression& e) {
    llvm::Value* const which = index(e.operands[0]);
    if (!setting.member) {
        llvm::Value* const fresh =
            call_runtime(offsetof(AlgorithmRuntime, insert), unit.i64,
                         {frame(), b.getInt64(e.variable), which, unit.place(e.place)});
        return b.CreateICmpNE(fresh, b.getInt64(0));
    }
    if (e.checked) {
        check_index(which, size_of_variable(e.variable), unit.variable(e.variable).called(),
                    e.place);
    }
    if (workspace_of(e.variable) != nullptr) return insert_into_workspace(e.variable, which);
    const Setting::Insert& how = setting.inserts.at(e.variable);
    llvm::Value* const bits = view_field(e.variable, offsetof(SetView, bits), unit.pointer);
    llvm::Value* const where = b.CreateInBoundsGEP(unit.i64, bits, b.CreateLShr(which, 6));
    llvm::Value* const bit = b.CreateShl(b.getInt64(1), b.CreateAnd(which, b.getInt64(63)));
    const bool together = setting.atomic && !how.bits_only;
    llvm::LoadInst* const word = b.CreateLoad(unit.i64, where);
    if (together) word->setAtomic(relaxed);
    unit.mark(word, Memory::bits, e.variable);
    llvm::Value* const is_new = b.CreateICmpEQ(b.CreateAnd(word, bit), b.getInt64(0));
    llvm::AllocaInst* const fresh = new_cell(unit.i1, "fresh");
    b.CreateStore(is_new, fresh);
    when(is_new, [&] {
        if (!together) {
            unit.mark(b.CreateStore(b.CreateOr(word, bit), where), Memory::bits, e.variable);
            append(e.variable, how, which, b.getInt64(1));
            return;
        }
        auto* const old =
            b.CreateAtomicRMW(llvm::AtomicRMWInst::Or, where, bit, llvm::MaybeAlign(), relaxed);
        unit.mark(old, Memory::bits, e.variable);
        llvm::Value* const won = b.CreateICmpEQ(b.CreateAnd(old, bit), b.getInt64(0));
        b.CreateStore(won, fresh);
        when(won, [&] { append(e.variable, how, which, b.getInt64(1)); });
    });
    return b.CreateLoad(unit.i1, fresh);
}

} // namespace tropic::compile
