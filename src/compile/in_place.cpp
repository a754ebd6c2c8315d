#include "compile/in_place.h"

#include <optional>

#include <fmt/format.h>

#include "compile/source_place.h"
#include "ir/it.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

/// Others hold what was read, and arrays with one value everywhere: taking their place would begin
/// with a copy.
bool is_made_here(mlir::Value value) {
    if (mlir::isa<mlir::BlockArgument>(value)) {
        return mlir::isa<mlir::scf::ForOp>(value.getParentBlock()->getParentOp());
    }
    return mlir::isa<it::KernelOp, ga::RandomOp, mlir::scf::ForOp>(value.getDefiningOp());
}

/// Nobody looks at the value after the kernel, in this turn of the loop around or in the next.
bool ends_here(mlir::Value value, it::KernelOp kernel) {
    mlir::Block* const block = kernel->getBlock();
    if (value.getParentBlock() != block || llvm::count(kernel.getInputs(), value) != 1) {
        return false;
    }
    return llvm::all_of(value.getUsers(), [&](mlir::Operation* user) {
        mlir::Operation* const here = block->findAncestorOpInBlock(*user);
        return here == kernel || here->isBeforeInBlock(kernel);
    });
}

/// Every place of the result is stored to, once, at the end of loops over its labels.
bool stores_every_place_once(it::KernelOp kernel) {
    if (kernel.getOutput() != it::Output::dense) return false;
    it::ComputeOp store;
    bool once = true;
    kernel.walk([&](it::ComputeOp compute) {
        if (compute.getTarget()) return;
        once &= !store && !compute.getFold();
        store = compute;
    });
    if (!once || !store) return false;
    std::size_t loops = 0;
    for (auto loop = store->getParentOfType<it::IndexOp>(); loop;
         loop = loop->getParentOfType<it::IndexOp>()) {
        if (loop.getDomain() != "*") return false;
        ++loops;
    }
    return loops == kernel.getOutLabels().size();
}

/// The kernel looks at a place of the input only on its way to the same place of its result.
bool reads_own_place_only(it::KernelOp kernel, unsigned input) {
    const auto out = kernel.getOutLabels();
    return llvm::all_of(kernel.block().getOps<it::AccessOp>(), [&](it::AccessOp access) {
        if (mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber() != input) {
            return true;
        }
        const auto order = mlir::cast<ga::TensorType>(access.getTensor().getType()).getOrder();
        for (unsigned level = 0; level < order.size(); ++level) {
            if (access.getLabels()[static_cast<unsigned>(order[level])] != out[level]) return false;
        }
        return true;
    });
}

/// The kernel folds terms onto what the input has, and looks at it in no other way.
bool folds_onto_only(it::KernelOp kernel, unsigned input) {
    return llvm::all_of(kernel.block().getOps<it::AccessOp>(), [&](it::AccessOp access) {
        return mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber() != input ||
               access.use_empty();
    });
}

std::optional<unsigned> find_operand(it::KernelOp kernel) {
    if (const auto start = kernel.getOnto()) {
        const auto input = static_cast<unsigned>(*start);
        const mlir::Value value = kernel.getInputs()[input];
        const bool fits = ends_here(value, kernel) && folds_onto_only(kernel, input);
        return fits ? std::optional(input) : std::nullopt;
    }
    if (!stores_every_place_once(kernel)) return std::nullopt;
    for (unsigned input = 0; input < kernel.getInputs().size(); ++input) {
        const mlir::Value value = kernel.getInputs()[input];
        if (value.getType() == kernel.getResult().getType() && is_made_here(value) &&
            ends_here(value, kernel) && reads_own_place_only(kernel, input)) {
            return input;
        }
    }
    return std::nullopt;
}

} // namespace

void update_in_place(mlir::ModuleOp module, std::vector<std::string>& explained) {
    module.walk([&](it::KernelOp kernel) {
        const auto operand = find_operand(kernel);
        if (!operand) return;
        kernel.setInPlace(*operand);
        explained.push_back(
            fmt::format("{}: the result takes the place of an operand", place_of(kernel.getLoc())));
    });
}

} // namespace tropic::compile
