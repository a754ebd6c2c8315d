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
    if (module.getGlobalVariable("llvm.global_ctors") != nullptr) {
        add_problem({}, "the codelet file has objects with constructors outside of functions",
                    "codelets have no start-up code (<iostream> brings some): use constants");
    }
    if (!module.getModuleInlineAsm().empty()) {
        add_problem({},
                    "assembly outside of functions cannot run here: " + module.getModuleInlineAsm(),
                    "write it in C++");
    }
}

} // namespace

void find_unsupported(Module& module) {
    for (Function& function : module) {
        if (!function.isDeclaration()) check_calls(function);
    }
    check_recursion(module);
    check_variables(module);
}

} // namespace tropic::tile::plugin
