#include "entries.h"

#include "cost_table.h"
#include "findings.h"
#include "places.h"
#include "runtime_calls.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

/// VertexDescription of the runtime.
Constant* description(Module& module, const VertexFinding& vertex, const Function& compute) {
    const CostTable& table = CostTable::instance();
    Type* const number = Type::getInt64Ty(module.getContext());
    SmallVector<Constant*> numbers;
    const auto add = [&](std::uint64_t value) {
        numbers.push_back(ConstantInt::get(number, value));
    };
    add(vertex.host_bytes);
    add(vertex.kind == "supervisor" ? 0
        : vertex.kind == "multi"    ? table.at("multi_entry").slots
                                    : table.at("worker_entry").slots);
    add(table.at("supervisor_instruction").slots);
    add(compute.getReturnType()->isIntegerTy(1) ? 1 : 0);
    add(vertex.kind == "worker" ? 0 : 1);
    const std::size_t lists_at = numbers.size();
    for (const FieldFinding& field : vertex.fields) {
        if (field.shape != "list") continue;
        add(field.offset);
        add(field.inner_has_size ? 16 : 8);
    }
    const std::uint64_t lists = (numbers.size() - lists_at) / 2;
    numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(lists_at),
                   ConstantInt::get(number, lists));
    ArrayType* const type = ArrayType::get(number, numbers.size());
    return new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                              ConstantArray::get(type, numbers), "tropic_description");
}

} // namespace

void add_entries(Module& module) {
    RuntimeCalls runtime(module);
    LLVMContext& context = module.getContext();
    for (const VertexFinding& vertex : findings().vertices) {
        Function* const compute = module.getFunction(vertex.compute);
        if (compute == nullptr || compute->isDeclaration()) {
            add_problem({}, "compute() of vertex " + vertex.name + " was not compiled",
                        "define it in the file that has the class");
            continue;
        }
        Type* const number = Type::getInt64Ty(context);
        auto* const type = FunctionType::get(number, {PointerType::get(context, 0)}, false);
        Function* const entry =
            Function::Create(type, GlobalValue::ExternalLinkage, entry_symbol(vertex.name), module);
        entry->setUWTableKind(UWTableKind::Async);
        IRBuilder<> builder(BasicBlock::Create(context, "", entry));
        const char* const run =
            vertex.kind == "supervisor" ? "tropic_run_supervisor" : "tropic_run_worker";
        builder.CreateRet(
            runtime.call(builder, run, number,
                         {entry->getArg(0), compute, description(module, vertex, *compute)}));
    }
}

} // namespace tropic::tile::plugin
