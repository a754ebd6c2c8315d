// The frame, views, and elements in memory.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using cpu::Frame;
using cpu::GraphView;
using cpu::SetView;
using cpu::VectorView;
using Shape = alg::Type::Shape;

llvm::AllocaInst* Code::new_cell(llvm::Type* type, const char* name) {
    llvm::IRBuilder<> first(start_, start_->begin());
    return first.CreateAlloca(type, nullptr, name);
}

llvm::AllocaInst* Code::cell(alg::VariableId id) {
    llvm::AllocaInst*& known = cells_[id];
    if (known == nullptr) {
        const alg::Variable& variable = unit.variable(id);
        llvm::Type* const type = unit.value_type(variable.type);
        known = new_cell(type, variable.name.c_str());
        prologue_.CreateStore(llvm::Constant::getNullValue(type), known);
    }
    return known;
}

llvm::Value* Code::at(llvm::IRBuilder<>& builder, llvm::Value* base, std::int64_t offset) {
    return offset == 0 ? base : builder.CreateConstInBoundsGEP1_64(unit.i8, base, offset);
}

llvm::Value* Code::slot(alg::VariableId id) {
    constexpr std::int64_t slot_field = -1;
    if (setting.member) {
        const auto known = fields_.find({id, slot_field});
        if (known != fields_.end()) return known->second;
    }
    llvm::IRBuilder<>& builder = prologue();
    llvm::LoadInst* const slots =
        builder.CreateLoad(unit.pointer, at(builder, frame(), offsetof(Frame, slots)));
    unit.mark_constant(slots);
    llvm::LoadInst* const found = builder.CreateLoad(unit.pointer, at(builder, slots, 8L * id));
    if (setting.member) {
        unit.mark_constant(found);
        fields_[{id, slot_field}] = found;
    }
    return found;
}

llvm::Value* Code::view_field(alg::VariableId id, std::int64_t offset, llvm::Type* type) {
    if (unit.variable(id).type.is_members() && offset == offsetof(SetView, bits)) {
        if (setting.member) marked_.insert(id);
        else mark({id});
    }
    if (!setting.member) return b.CreateLoad(type, at(b, slot(id), offset));
    llvm::Value*& known = fields_[{id, offset}];
    if (known == nullptr) {
        llvm::Value* const view = slot(id);
        llvm::LoadInst* const loaded =
            prologue_.CreateLoad(type, at(prologue_, view, offset), unit.variable(id).name);
        unit.mark_constant(loaded);
        fields_[{id, offset}] = loaded;
        return loaded;
    }
    return known;
}

void Code::mark(const VariableSet& sets) {
    for (const alg::VariableId set : sets) {
        call_runtime(offsetof(cpu::AlgorithmRuntime, mark), unit.nothing,
                     {frame(), b.getInt64(set)});
    }
}

llvm::Value* Code::worker_field(std::int64_t offset, llvm::Type* type) {
    return b.CreateLoad(type, at(b, worker(), offset));
}

llvm::CallInst* Code::call_runtime(std::int64_t offset, llvm::Type* result,
                                   llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::LoadInst* const table =
        b.CreateLoad(unit.pointer, at(b, frame(), offsetof(Frame, runtime)));
    unit.mark_constant(table);
    llvm::LoadInst* const function = b.CreateLoad(unit.pointer, at(b, table, offset));
    unit.mark_constant(function);
    llvm::SmallVector<llvm::Type*> types;
    for (llvm::Value* const argument : arguments) types.push_back(argument->getType());
    return b.CreateCall(llvm::FunctionType::get(result, types, false), function, arguments);
}

llvm::Value* Code::scalar(alg::VariableId id) {
    const alg::Variable& variable = unit.variable(id);
    const bool kept = variable.is_local || !setting.member || setting.gathered.contains(id);
    if (kept) return b.CreateLoad(unit.value_type(variable.type), cell(id), variable.name);
    if (setting.buckets != nullptr) {
        if (setting.buckets->bucket == id) {
            return convert(function_->getArg(2), scalar_type(ElementType::int64), variable.type);
        }
        const bool shared = setting.atomic && setting.contended.contains(id);
        if (shared && is_whole(id)) return load_whole(variable.type, slot(id));
        return load(variable.type, slot(id), -1, setting.contended.contains(id));
    }
    constexpr std::int64_t value_field = -2;
    const auto known = fields_.find({id, value_field});
    if (known != fields_.end()) return known->second;
    llvm::Value* const from = slot(id);
    const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
    b.SetInsertPoint(start_);
    llvm::Value* const loaded = load(variable.type, from, -1, false);
    b.restoreIP(here);
    fields_[{id, value_field}] = loaded;
    return loaded;
}

llvm::Value* Code::space_size(alg::SpaceId id) {
    const alg::Space& space = unit.algorithm.spaces[id];
    switch (space.kind) {
    case alg::Space::Kind::rows:
        return view_field(space.graph, offsetof(GraphView, rows), unit.i64);
    case alg::Space::Kind::columns:
        return view_field(space.graph, offsetof(GraphView, columns), unit.i64);
    case alg::Space::Kind::edges:
        return view_field(space.graph, offsetof(GraphView, entries), unit.i64);
    case alg::Space::Kind::counted:
        break;
    }
    return convert(scalar(space.size), unit.variable(space.size).type,
                   scalar_type(ElementType::int64));
}

llvm::Value* Code::size_of_variable(alg::VariableId id) {
    if (unit.variable(id).is_local) return space_size(unit.variable(id).type.space);
    const Shape shape = unit.variable(id).type.shape;
    if (shape == Shape::set || shape == Shape::sparse) {
        return view_field(id, offsetof(SetView, size), unit.i64);
    }
    return view_field(id, offsetof(VectorView, size), unit.i64);
}

llvm::Value* Code::load_whole(const alg::Type& type, llvm::Value* address) {
    llvm::AllocaInst* const copy = new_copy(type);
    call_runtime(offsetof(cpu::AlgorithmRuntime, copy_whole), unit.nothing,
                 {copy, address, address, b.getInt64(unit.bytes_of(type))});
    return load(type, copy, -1, false);
}

llvm::Value* Code::load(const alg::Type& type, llvm::Value* address, alg::VariableId owner,
                        bool shared) {
    if (shared && is_whole(owner)) return load_whole(type, address);
    if (type.record >= 0) {
        llvm::Value* whole = llvm::PoisonValue::get(unit.value_type(type));
        const auto& fields = unit.algorithm.records[type.record].fields;
        for (unsigned i = 0; i < fields.size(); ++i) {
            llvm::Value* const field = load(
                fields[i].type, at(b, address, unit.field_offset(type.record, static_cast<int>(i))),
                owner, shared);
            whole = b.CreateInsertValue(whole, field, i);
        }
        return whole;
    }
    llvm::Type* stored = unit.stored_type(type);
    const llvm::Align alignment(unit.alignment_of(type));
    if (type.lanes > 1) stored = llvm::FixedVectorType::get(stored, type.lanes);
    llvm::LoadInst* const loaded = b.CreateAlignedLoad(stored, address, alignment);
    if (shared && type.lanes == 1) loaded->setAtomic(llvm::AtomicOrdering::Monotonic);
    if (owner >= 0) unit.mark(loaded, Memory::data, owner);
    if (!is_truth(type)) return loaded;
    return b.CreateICmpNE(loaded, llvm::Constant::getNullValue(stored));
}

void Code::store(const alg::Type& type, llvm::Value* value, llvm::Value* address,
                 alg::VariableId owner, bool shared) {
    if (shared && is_whole(owner)) {
        llvm::AllocaInst* const copy = new_copy(type);
        store(type, value, copy, -1, false);
        call_runtime(offsetof(cpu::AlgorithmRuntime, copy_whole), unit.nothing,
                     {address, copy, address, b.getInt64(unit.bytes_of(type))});
        return;
    }
    if (type.record >= 0) {
        const auto& fields = unit.algorithm.records[type.record].fields;
        for (unsigned i = 0; i < fields.size(); ++i) {
            store(fields[i].type, b.CreateExtractValue(value, i),
                  at(b, address, unit.field_offset(type.record, static_cast<int>(i))), owner,
                  shared);
        }
        return;
    }
    llvm::Type* stored = unit.stored_type(type);
    if (type.lanes > 1) stored = llvm::FixedVectorType::get(stored, type.lanes);
    if (is_truth(type)) value = b.CreateZExt(value, stored);
    llvm::StoreInst* const made =
        b.CreateAlignedStore(value, address, llvm::Align(unit.alignment_of(type)));
    if (shared && type.lanes == 1) made->setAtomic(llvm::AtomicOrdering::Monotonic);
    if (owner >= 0) unit.mark(made, Memory::data, owner);
}

llvm::Value* Code::address(alg::VariableId id, llvm::Value* index) {
    const alg::Type& type = unit.variable(id).type;
    const std::int64_t field =
        type.shape == Shape::sparse ? offsetof(SetView, values) : offsetof(VectorView, data);
    const Workspace* const own = workspace_of(id);
    llvm::Value* const data = own != nullptr ? own->values : view_field(id, field, unit.pointer);
    const std::int64_t bytes = unit.bytes_of(type);
    if (type.record < 0 && type.lanes == 1) {
        return b.CreateInBoundsGEP(unit.stored_type(type), data, index);
    }
    return b.CreateInBoundsGEP(unit.i8, data, b.CreateNSWMul(index, b.getInt64(bytes)));
}

void Code::check_index(llvm::Value* index, llvm::Value* size, const std::string& name,
                       const language::Place& place) {
    fail_when(b.CreateICmpUGE(index, size), [&] {
        call_runtime(offsetof(cpu::AlgorithmRuntime, bad_index), unit.nothing,
                     {frame(), index, size, unit.text(name), unit.place(place)});
    });
}

llvm::Value* Code::address(const alg::Expression& e) {
    if (e.kind == alg::Expression::Kind::variable) return slot(e.variable);
    llvm::Value* place = index(e.operands[0]);
    const std::string& name = unit.variable(e.variable).called();
    if (e.checked) check_index(place, size_of_variable(e.variable), name, e.place);
    if (unit.variable(e.variable).type.shape == Shape::table) {
        llvm::Value* const columns =
            view_field(e.variable, offsetof(VectorView, columns), unit.i64);
        llvm::Value* const column = index(e.operands[1]);
        if (e.checked) check_index(column, columns, name, e.place);
        place = b.CreateNSWAdd(b.CreateNSWMul(place, columns), column);
    }
    return address(e.variable, place);
}

bool Code::is_whole(alg::VariableId owner) const {
    return setting.uses != nullptr && setting.uses->whole.contains(owner);
}

llvm::AllocaInst* Code::new_copy(const alg::Type& type) {
    llvm::AllocaInst* const made =
        new_cell(llvm::ArrayType::get(unit.i8, unit.bytes_of(type)), "copy");
    made->setAlignment(llvm::Align(unit.alignment_of(type)));
    return made;
}

bool Code::is_shared(const alg::Expression& element) const {
    if (!setting.atomic || !setting.contended.contains(element.variable)) return false;
    if (is_whole(element.variable)) return true;
    // A fold may take the old or the new element: an ordinary load does, and lets several sums go
    // on at once.
    return folding == 0 || !setting.settled.contains(element.variable);
}

} // namespace tropic::compile
