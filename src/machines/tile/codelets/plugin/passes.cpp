// The two passes over the code of a codelet file: inline assembly goes before optimisation, and
// when all else is done the code is counted, checked and given its entries.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

#include "checking.h"
#include "cost_table.h"
#include "counting.h"
#include "entries.h"
#include "findings.h"
#include "places.h"
#include "restrictions.h"
#include "supervisor.h"

namespace tropic::tile::plugin {

namespace {

using namespace llvm;

struct ReplaceAssembly : PassInfoMixin<ReplaceAssembly> {
    static PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
        replace_assembly(module);
        drop_stream_setup(module);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

struct CountSlots : PassInfoMixin<CountSlots> {
    static PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
        find_unsupported(module);
        auto& functions =
            analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        // Everything is counted before anything is changed.
        const WideValues wide(module);
        std::vector<FunctionCount> counts;
        for (Function& function : module) {
            if (!function.isDeclaration()) counts.push_back(count(function, wide, functions));
        }
        measure_code(counts);
        for (const FunctionCount& one : counts) {
            add_counters(one);
            add_checks(*one.function, findings().checked);
            relax_alignment(*one.function);
        }
        add_entries(module);
        if (const std::string& fault = CostTable::instance().fault(); !fault.empty()) {
            add_problem(DebugLoc(), "instruction costs: " + fault,
                        "start from the table that comes with the codelet compiler");
        }
        write_findings();
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }

  private:
    static void measure_code(const std::vector<FunctionCount>& counts);
};

/// Instructions of 32 bits of compute() and all it calls, and what starts a vertex of the type.
void CountSlots::measure_code(const std::vector<FunctionCount>& counts) {
    constexpr std::uint64_t instruction_bytes = 4;
    constexpr std::uint64_t entry_bytes = 16;
    DenseMap<const Function*, std::uint64_t> sizes;
    for (const FunctionCount& one : counts) sizes[one.function] = one.instructions;
    for (VertexFinding& vertex : findings().vertices) {
        SetVector<const Function*> reached;
        for (const FunctionCount& one : counts) {
            if (one.function->getName() == vertex.compute) reached.insert(one.function);
        }
        std::uint64_t size = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            size += sizes.lookup(reached[i]);
            for (const Instruction& instruction : instructions(*reached[i])) {
                const auto* call = dyn_cast<CallBase>(&instruction);
                const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
                if (callee != nullptr && !callee->isDeclaration()) reached.insert(callee);
            }
        }
        vertex.code_bytes = size * instruction_bytes + entry_bytes;
    }
}

void register_passes(PassBuilder& builder) {
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(ReplaceAssembly()); });
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager& passes, OptimizationLevel, ThinOrFullLTOPhase) {
            passes.addPass(CountSlots());
        });
}

} // namespace

} // namespace tropic::tile::plugin

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "tropic-codelets", "1", tropic::tile::plugin::register_passes};
}
