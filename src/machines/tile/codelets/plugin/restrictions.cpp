#include "restrictions.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instruction_cost.h"
#include "places.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

void check_calls(Function& function) {
    for (Instruction& instruction : instructions(function)) {
        if (const Function* callee = unknown_callee(instruction)) {
            add_problem(instruction.getDebugLoc(),
                        "codelets cannot call '" + readable_name(callee->getName()) +
                            "': a tile has no such function",
                        "define it in the codelet file, or use what <cmath> offers for float");
            continue;
        }
        const auto* call = dyn_cast<CallBase>(&instruction);
        if (call != nullptr && !call->isInlineAsm() && call->getCalledFunction() == nullptr) {
            add_problem(instruction.getDebugLoc(),
                        "codelets cannot call through a pointer: the stack of a tile is sized "
                        "when the program is compiled",
                        "call the function by its name");
        }
        if (instruction.isAtomic()) {
            add_problem(instruction.getDebugLoc(), "a tile has no atomic memory operations",
                        "let each worker write words of its own");
        }
    }
}

DebugLoc place_of(const Function& function) {
    const DISubprogram* const program = function.getSubprogram();
    if (program == nullptr) return {};
    return DILocation::get(function.getContext(), program->getLine(), 0,
                           const_cast<DISubprogram*>(program));
}

void check_recursion(Module& module) {
    CallGraph graph(module);
    for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
        if (!component.hasCycle()) continue;
        const Function* const function = component->front()->getFunction();
        if (function == nullptr) continue;
        add_problem(place_of(*function),
                    "'" + readable_name(function->getName()) +
                        "' calls itself: the stack of a tile is sized when the program is compiled",
                    "turn the recursion into a loop");
    }
}

DebugLoc first_use(const GlobalVariable& variable) {
    for (const User* user : variable.users()) {
        const auto* instruction = dyn_cast<Instruction>(user);
        if (instruction != nullptr && instruction->getDebugLoc()) return instruction->getDebugLoc();
    }
    return {};
}

/// Of the code that runs at start-up.
DebugLoc first_line(const GlobalVariable& setup) {
    const auto* list = dyn_cast<ConstantArray>(setup.getInitializer());
    if (list == nullptr) return {};
    for (const Use& entry : list->operands()) {
        const auto* function =
            dyn_cast<Function>(cast<Constant>(entry)->getOperand(1)->stripPointerCasts());
        if (function == nullptr) continue;
        for (const Instruction& instruction : instructions(function)) {
            if (instruction.getDebugLoc() && instruction.getDebugLoc().getLine() > 0) {
                return instruction.getDebugLoc();
            }
        }
    }
    return {};
}

void check_variables(const Module& module) {
    for (const GlobalVariable& variable : module.globals()) {
        if (variable.getName().starts_with("llvm.") || variable.isConstant() ||
            variable.getName().starts_with("tropic_")) {
            continue;
        }
        add_problem(first_use(variable),
                    "'" + readable_name(variable.getName()) +
                        "' is a variable that outlives compute(): all tiles would share it here",
                    "make it const, a field of the vertex, or local");
    }
    if (!module.getModuleInlineAsm().empty()) {
        add_problem({},
                    "assembly outside of functions cannot run here: " +
                        StringRef(module.getModuleInlineAsm()).trim().str(),
                    "write it in C++");
    }
}

} // namespace

void drop_stream_setup(Module& module) {
    GlobalVariable* const streams = module.getGlobalVariable("_ZStL8__ioinit", true);
    if (streams == nullptr) return;
    for (User* user : make_early_inc_range(streams->users())) {
        auto* const call = dyn_cast<CallInst>(user);
        if (call == nullptr) continue;
        call->replaceAllUsesWith(PoisonValue::get(call->getType()));
        call->eraseFromParent();
    }
}

void find_unsupported(Module& module) {
    // What runs at start-up brings calls and variables of its own; one message is enough.
    const GlobalVariable* const setup = module.getGlobalVariable("llvm.global_ctors");
    if (setup != nullptr && setup->getValueType()->getArrayNumElements() > 0) {
        add_problem(first_line(*setup),
                    "the codelet file has objects with constructors outside of functions",
                    "codelets have no start-up code: use constants, or fields of the vertex");
        return;
    }
    for (Function& function : module) {
        if (!function.isDeclaration()) check_calls(function);
    }
    check_recursion(module);
    check_variables(module);
}

} // namespace tropic::tile::plugin
