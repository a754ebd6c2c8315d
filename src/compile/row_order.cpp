#include "compile/row_order.h"

#include <set>

#include <fmt/format.h>

#include "compile/source_place.h"
#include "ir/it.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

/// Nothing that the kernel computes depends on the order in which it meets the entries of a row of
/// that input.
bool minds_no_order(it::KernelOp kernel, unsigned input) {
    bool fine = true;
    const auto output = kernel.getOutput();
    const bool appends = output != it::Output::dense && output != it::Output::scalar;
    kernel.walk([&](it::ComputeOp compute) {
        fine &= !compute.getFold() || !ga::is_ordered(*compute.getFold());
    });
    std::set<void*> accesses;
    for (auto access : kernel.block().getOps<it::AccessOp>()) {
        if (mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber() != input) continue;
        accesses.insert(access.getResult().getAsOpaquePointer());
        const auto labels = access.getLabels().getValue();
        llvm::SmallPtrSet<const void*, 8> distinct;
        for (const mlir::Attribute label : labels) distinct.insert(label.getAsOpaquePointer());
        fine &= distinct.size() == labels.size();
    }
    kernel.walk([&](it::IndexOp index) {
        for (const mlir::Value driver : index.getDrivers()) {
            if (accesses.count(driver.getAsOpaquePointer()) == 0) continue;
            const bool in_result =
                llvm::is_contained(kernel.getOutLabels().getValue(), index.getLabelAttr());
            // Those of a range are found by where they are in their row.
            fine &= index.getDomain() == "0" && !(appends && in_result) &&
                    kernel.getRangesAttr() != index.getLabelAttr();
        }
    });
    return fine;
}

/// All readers of a value, through loops and branches that carry it, do not mind the order.
bool may_be_jumbled(mlir::Value value, std::set<void*>& seen) {
    if (!seen.insert(value.getAsOpaquePointer()).second) return true;
    for (mlir::OpOperand& use : value.getUses()) {
        mlir::Operation* user = use.getOwner();
        if (mlir::isa<ga::SizeOp, ga::ConvertOp>(user)) continue;
        if (auto kernel = mlir::dyn_cast<it::KernelOp>(user)) {
            if (!minds_no_order(kernel, use.getOperandNumber())) return false;
            continue;
        }
        if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(user)) {
            const auto carried = loop.getTiedLoopResult(&use);
            if (!carried || !may_be_jumbled(carried, seen) ||
                !may_be_jumbled(loop.getTiedLoopRegionIterArg(&use), seen)) {
                return false;
            }
            continue;
        }
        auto loop = mlir::dyn_cast<mlir::scf::ForOp>(user->getParentOp());
        if (!mlir::isa<mlir::scf::YieldOp>(user) || !loop) return false;
        const unsigned number = use.getOperandNumber();
        if (!may_be_jumbled(loop.getResult(number), seen) ||
            !may_be_jumbled(loop.getRegionIterArg(number), seen)) {
            return false;
        }
    }
    return true;
}

/// The kernel sorts nothing but finished rows, right before it appends them.
bool sorts_rows_only(it::KernelOp kernel, std::vector<it::IndexOp>& sorted) {
    bool only = true;
    kernel.walk([&](it::IndexOp index) {
        if (!index.getSorted()) return;
        only &= index.getDomain() == "0";
        sorted.push_back(index);
    });
    return only && !sorted.empty();
}

} // namespace

void leave_rows_jumbled(mlir::ModuleOp module, std::vector<std::string>& explained) {
    module.walk([&](it::KernelOp kernel) {
        std::vector<it::IndexOp> sorted;
        std::set<void*> seen;
        if (kernel.getOutput() != it::Output::rows || !sorts_rows_only(kernel, sorted) ||
            !may_be_jumbled(kernel.getResult(), seen)) {
            return;
        }
        kernel.setOutput(it::Output::jumbled_rows);
        for (it::IndexOp index : sorted) index.setSorted(false);
        explained.push_back(fmt::format("{}: rows left unsorted, nothing needs their order",
                                        place_of(kernel.getLoc())));
    });
}

} // namespace tropic::compile
