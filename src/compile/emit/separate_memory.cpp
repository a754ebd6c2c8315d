// Which memory accesses of a kernel cannot meet. What a kernel makes is memory of its own: results,
// workspaces and buffers are different arrays, and none of them is an operand. LLVM sees nothing
// but pointers out of a frame, and would compare addresses in front of every loop.
#include "compile/emit/kernel_emitter_class.h"

namespace tropic::compile {

namespace {

Value base_of(Value address) {
    while (auto element = address.getDefiningOp<mlir::LLVM::GEPOp>()) address = element.getBase();
    return address;
}

} // namespace

KernelEmitter::Memory KernelEmitter::memory_of(Value address) {
    const Value base = base_of(address);
    const auto slot = std::find(frame_values_.begin(), frame_values_.end(), base);
    if (slot != frame_values_.end()) {
        switch (result_.frame[slot - frame_values_.begin()].kind) {
        case FrameSlot::Kind::values:
        case FrameSlot::Kind::level_pos:
        case FrameSlot::Kind::level_crd:
            return {Memory::Kind::operand, {}};
        case FrameSlot::Kind::result_values:
        case FrameSlot::Kind::row_counts:
        case FrameSlot::Kind::partial_values:
        case FrameSlot::Kind::partial_present:
            return {Memory::Kind::own, base};
        default:
            return {};
        }
    }
    for (const auto& [op, row] : workspaces_) {
        for (const Value array : {row.header, row.values, row.list}) {
            if (array && array == base) return {Memory::Kind::own, base};
        }
    }
    // Arrays that may move while they grow are known by the slot that holds their address.
    auto loaded = base.getDefiningOp<mlir::LLVM::LoadOp>();
    if (loaded && (loaded.getAddr() == buffer_values_ ||
                   llvm::is_contained(buffer_coordinates_, loaded.getAddr()))) {
        return {Memory::Kind::own, loaded.getAddr()};
    }
    return {};
}

void KernelEmitter::separate_memory() {
    mlir::MLIRContext* const context = kernel_.getContext();
    std::vector<std::pair<mlir::LLVM::AliasAnalysisOpInterface, Memory>> accesses;
    std::map<Value, mlir::LLVM::AliasScopeAttr, ByPointer> scopes;
    const auto domain =
        mlir::LLVM::AliasScopeDomainAttr::get(context, result_.function.getNameAttr());
    result_.function.walk([&](mlir::LLVM::AliasAnalysisOpInterface access) {
        const auto addresses = access.getAccessedOperands();
        if (addresses.size() != 1) return;
        const Memory memory = memory_of(addresses[0]);
        if (memory.kind == Memory::Kind::other) return;
        accesses.emplace_back(access, memory);
        if (memory.kind == Memory::Kind::own && scopes.count(memory.array) == 0) {
            scopes.emplace(memory.array, mlir::LLVM::AliasScopeAttr::get(domain));
        }
    });
    for (auto& [access, memory] : accesses) {
        llvm::SmallVector<mlir::Attribute> others;
        for (const auto& [array, scope] : scopes) {
            if (array != memory.array) others.push_back(scope);
        }
        if (!others.empty()) access.setNoAliasScopes(mlir::ArrayAttr::get(context, others));
        if (memory.kind == Memory::Kind::own) {
            access.setAliasScopes(mlir::ArrayAttr::get(context, {scopes.at(memory.array)}));
        }
    }
}

} // namespace tropic::compile
