// Sets and sparse vectors of a member's own, as accumulators: bits, values and a list in memory of
// the worker's, which is zero but while a member uses it.
#include "compile/algorithm/code.h"
#include "machines/cpu/algorithm/algorithm_runtime.h"

namespace tropic::compile {

using cpu::AlgorithmRuntime;

const Code::Workspace* Code::workspace_of(alg::VariableId id) const {
    const auto found = workspaces_.find(id);
    return found == workspaces_.end() ? nullptr : &found->second;
}

llvm::Value* Code::worker_memory(std::int64_t slot, llvm::Value* bytes) {
    const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
    b.SetInsertPoint(start_);
    llvm::Value* const memory = call_runtime(offsetof(AlgorithmRuntime, workspace), unit.pointer,
                                             {frame(), worker(), b.getInt64(slot), bytes});
    b.restoreIP(here);
    return memory;
}

void Code::loop_workspace(const Workspace& space,
                          const std::function<void(llvm::Value*, const Loop&)>& body) {
    llvm::Value* const count = b.CreateLoad(unit.i64, space.count);
    loop(b.getInt64(0), count, b.getInt64(1), Pace::single,
         [&](llvm::Value* number, const Loop& blocks) {
             llvm::LoadInst* const item =
                 b.CreateLoad(unit.index, b.CreateInBoundsGEP(unit.index, space.list, number));
             unit.mark(item, Memory::list, -1);
             body(b.CreateSExt(item, unit.i64), blocks);
         });
}

void Code::workspace(const alg::Statement& s) {
    if (!setting.member) unit.refuse(s.place, "`with` stands only inside `each`");
    const alg::Type& type = unit.variable(s.variable).type;
    if (workspace_of(s.variable) == nullptr) {
        const llvm::IRBuilder<>::InsertPoint here = b.saveIP();
        b.SetInsertPoint(start_);
        llvm::Value* const size = space_size(type.space);
        llvm::Value* const words = b.CreateAdd(b.CreateLShr(size, 6), b.getInt64(1));
        const auto bytes = [&](std::int64_t each) { return b.CreateMul(size, b.getInt64(each)); };
        Workspace made{};
        const std::int64_t slot = 4L * s.variable;
        made.bits = worker_memory(slot, b.CreateShl(words, 3));
        made.list = worker_memory(slot + 1, bytes(unit.wide ? 8 : 4));
        if (type.shape == alg::Type::Shape::sparse) {
            made.values = worker_memory(slot + 2, bytes(unit.bytes_of(type)));
        }
        made.count = new_cell(unit.i64, "members");
        b.restoreIP(here);
        workspaces_[s.variable] = made;
    }
    const Workspace space = workspaces_.at(s.variable);
    b.CreateStore(b.getInt64(0), space.count);
    const auto clean = [=, this, &s, &type] {
        loop_workspace(space, [&](llvm::Value* item, const Loop&) {
            unit.mark(b.CreateStore(b.getInt64(0), b.CreateInBoundsGEP(unit.i64, space.bits,
                                                                       b.CreateLShr(item, 6))),
                      Memory::bits, s.variable);
            if (space.values == nullptr) return;
            store(element_of(type), llvm::Constant::getNullValue(unit.value_type(type)),
                  address(s.variable, item), s.variable, false);
        });
    };
    cleanups_.emplace_back(clean);
    statements(s.body);
    cleanups_.pop_back();
    if (is_open()) clean();
}

void Code::visit(const alg::Statement& s) {
    if (loops_deep_ == 0) edges_outermost_ = false;
    const auto body = [&](llvm::Value* item, const Loop& blocks) {
        bind_label(s.variable, item);
        inside_loop(blocks, s.body);
    };
    const Workspace* const space = workspace_of(s.other);
    if (space != nullptr && s.ascending) {
        call_runtime(offsetof(AlgorithmRuntime, sort_list), unit.nothing,
                     {frame(), worker(), space->list, b.CreateLoad(unit.i64, space->count),
                      size_of_variable(s.other)});
    }
    loop_members(s.other, body);
}

llvm::Value* Code::insert_into_workspace(alg::VariableId id, llvm::Value* index) {
    const Workspace space = workspaces_.at(id);
    const alg::Variable& variable = unit.variable(id);
    llvm::Value* const where = b.CreateInBoundsGEP(unit.i64, space.bits, b.CreateLShr(index, 6));
    llvm::Value* const bit = b.CreateShl(b.getInt64(1), b.CreateAnd(index, b.getInt64(63)));
    llvm::LoadInst* const word = b.CreateLoad(unit.i64, where);
    unit.mark(word, Memory::bits, id);
    llvm::Value* const fresh = b.CreateICmpEQ(b.CreateAnd(word, bit), b.getInt64(0));
    when(fresh, [&] {
        unit.mark(b.CreateStore(b.CreateOr(word, bit), where), Memory::bits, id);
        llvm::Value* const count = b.CreateLoad(unit.i64, space.count);
        unit.mark(b.CreateStore(b.CreateTrunc(index, unit.index),
                                b.CreateInBoundsGEP(unit.index, space.list, count)),
                  Memory::list, id);
        b.CreateStore(b.CreateAdd(count, b.getInt64(1)), space.count);
        if (space.values == nullptr || !variable.reset) return;
        const alg::Type type = element_of(variable.type);
        store(type, value_as(*variable.reset, type), address(id, index), id, false);
    });
    return fresh;
}

} // namespace tropic::compile
