// Labels that have very many values are numbered anew for the time of a kernel.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

std::vector<HostEmitter::CompactedLabel> HostEmitter::compact(it::KernelOp kernel,
                                                              llvm::SmallVector<Value>& inputs,
                                                              llvm::SmallVector<Value>& sizes) {
    std::vector<CompactedLabel> compacted;
    for (const auto& [label, uses] : wide_labels(kernel)) {
        llvm::SmallVector<Value> views, levels;
        for (const auto& [input, level] : uses) {
            views.push_back(inputs[input]);
            levels.push_back(code_.number(level));
        }
        const auto all = kernel.getLabels().getValue();
        const auto number = llvm::find(all, label) - all.begin();
        const Value view_array = array(views);
        const Value size = array(ValueRange(sizes[number]));
        CompactedLabel done;
        done.compaction = call(TROPIC_FUNCTION(compact), code_.pointer(),
                               {code_.number(static_cast<std::int64_t>(uses.size())), view_array,
                                array(levels), size});
        for (std::size_t u = 0; u < uses.size(); ++u) {
            inputs[uses[u].first] =
                code_.field(code_.pointer(), view_array, static_cast<std::int64_t>(8 * u));
        }
        sizes[number] = code_.field(code_.i64(), size, 0);
        const auto out = kernel.getOutLabels().getValue();
        const auto at = llvm::find(out, label);
        if (at != out.end()) done.level = at - out.begin();
        compacted.push_back(done);
    }
    return compacted;
}

std::vector<std::pair<mlir::Attribute, HostEmitter::LabelUses>>
HostEmitter::wide_labels(it::KernelOp kernel) {
    std::vector<std::pair<mlir::Attribute, LabelUses>> found;
    kernel.walk([&](it::WorkspaceOp row) {
        const mlir::Attribute label = row.getLabelAttr();
        if (llvm::any_of(found, [&](const auto& other) { return other.first == label; })) return;
        const auto out = kernel.getOutLabels().getValue();
        const auto at = llvm::find(out, label);
        const auto result = mlir::dyn_cast<ga::TensorType>(kernel.getResult().getType());
        // A dense level of the result has room for every value anyway.
        bool fits = at == out.end() || result.getKinds()[at - out.begin()] != 0;
        LabelUses uses;
        for (auto access : kernel.block().getOps<it::AccessOp>()) {
            const auto type = mlir::cast<ga::TensorType>(access.getTensor().getType());
            const auto input = mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber();
            for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
                const auto dimension = static_cast<unsigned>(type.getOrder()[level]);
                const bool is_here = access.getLabels()[dimension] == label;
                const bool is_input =
                    llvm::any_of(uses, [&](const auto& use) { return use.first == input; });
                if (!is_here) continue;
                // Under another label the same tensor has to stay as it is.
                fits &= !type.isWhole(level) && !is_input;
                uses.emplace_back(input, static_cast<std::int64_t>(level));
            }
        }
        for (auto access : kernel.block().getOps<it::AccessOp>()) {
            const auto input = mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber();
            const bool is_used =
                llvm::any_of(uses, [&](const auto& use) { return use.first == input; });
            fits &= !is_used || llvm::is_contained(access.getLabels().getValue(), label);
        }
        if (fits && !uses.empty()) found.emplace_back(label, std::move(uses));
    });
    return found;
}

} // namespace tropic::compile
