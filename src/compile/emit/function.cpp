// The function of a kernel, what it finds in its frame, and its outermost loop.
#include "compile/emit/kernel_emitter_class.h"

#include "compile/known_size.h"
#include "compile/native_code.h"

namespace tropic::compile {

KernelEmitter::KernelEmitter(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name,
                             bool wide)
    : kernel_(kernel), code_(builder, kernel.getLoc(), wide), gathers_(target_has_gathers()) {
    for (const auto label : kernel.getLabels().getAsRange<mlir::StringAttr>()) {
        labels_.push_back(label.str());
    }
    for (const auto label : kernel.getOutLabels().getAsRange<mlir::StringAttr>()) {
        out_labels_.push_back(label.str());
    }
    result_.outer = outer_loop();
    make_function(name);
}

KernelCode KernelEmitter::emit() {
    mlir::OpBuilder& builder = code_.builder();
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body_);
    prepare_output();
    emit_block(kernel_.block());
    for (const auto& [op, row] : workspaces_) {
        code_.store(code_.load(code_.i64(), row.rows), row.header);
    }
    finish_output();
    mlir::LLVM::ReturnOp::create(builder, code_.at(), mlir::ValueRange{});
    separate_memory();
    return result_;
}

void KernelEmitter::make_function(llvm::StringRef name) {
    mlir::OpBuilder& builder = code_.builder();
    mlir::OpBuilder::InsertionGuard guard(builder);
    const mlir::Type pointer = code_.pointer();
    const mlir::Type i64 = code_.i64();
    const auto type = mlir::LLVM::LLVMFunctionType::get(
        mlir::LLVM::LLVMVoidType::get(builder.getContext()), {pointer, i64, i64, i64, pointer});
    result_.function = mlir::LLVM::LLVMFuncOp::create(builder, code_.at(), name, type,
                                                      mlir::LLVM::Linkage::Internal);
    // Slots, the frame's contents and workspaces are asked for in the entry block, whenever the
    // need for one is discovered; the work is in a second one.
    mlir::Block* entry = result_.function.addEntryBlock(builder);
    entry_ = entry;
    body_ = builder.createBlock(&result_.function.getBody());
    builder.setInsertionPointToEnd(entry);
    mlir::LLVM::BrOp::create(builder, code_.at(), body_);
    frame_ = entry->getArgument(0);
    chunk_ = entry->getArgument(1);
    begin_ = entry->getArgument(2);
    end_ = entry->getArgument(3);
    worker_ = entry->getArgument(4);
}

Value KernelEmitter::frame(const FrameSlot& slot, mlir::Type type) {
    for (std::size_t i = 0; i < result_.frame.size(); ++i) {
        if (result_.frame[i] == slot) return frame_values_[i];
    }
    mlir::OpBuilder& builder = code_.builder();
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry_);
    const Value address = code_.element_address(
        code_.i64(), frame_, code_.number(static_cast<std::int64_t>(result_.frame.size())));
    result_.frame.push_back(slot);
    frame_values_.push_back(code_.load(type, address));
    return frame_values_.back();
}

Value KernelEmitter::pos_of(const AccessState& access, std::size_t level) {
    return frame({FrameSlot::Kind::level_pos, access.input, static_cast<int>(level)},
                 code_.pointer());
}

Value KernelEmitter::crd_of(const AccessState& access, std::size_t level) {
    return frame({FrameSlot::Kind::level_crd, access.input, static_cast<int>(level)},
                 code_.pointer());
}

Value KernelEmitter::level_size(const AccessState& access, std::size_t level) {
    if (const auto size = known_label_size(access.label_of(level))) return code_.number(*size);
    return frame({FrameSlot::Kind::level_size, access.input, static_cast<int>(level)}, code_.i64());
}

Value KernelEmitter::label_size(const std::string& label) {
    const auto at = std::find(labels_.begin(), labels_.end(), label) - labels_.begin();
    if (const auto size = known_label_size(label)) return code_.number(*size);
    return frame({FrameSlot::Kind::label_size, static_cast<int>(at), 0}, code_.i64());
}

std::optional<std::int64_t> KernelEmitter::known_label_size(const std::string& label) {
    const auto at = std::find(labels_.begin(), labels_.end(), label) - labels_.begin();
    return constant_of(kernel_.getSizes()[static_cast<unsigned>(at)]);
}

it::IndexOp KernelEmitter::outermost() {
    for (mlir::Operation& op : kernel_.block()) {
        if (auto index = mlir::dyn_cast<it::IndexOp>(op)) {
            if (index.getParallel()) return index;
        }
    }
    return {};
}

int KernelEmitter::label_number(llvm::StringRef label) const {
    return static_cast<int>(std::find(labels_.begin(), labels_.end(), label.str()) -
                            labels_.begin());
}

OuterLoop KernelEmitter::outer_loop() {
    OuterLoop outer;
    if (const auto shared = kernel_.getRanges()) {
        outer.kind = OuterLoop::Kind::ranges;
        outer.label = label_number(*shared);
        return outer;
    }
    it::IndexOp index = outermost();
    if (!index) return outer;
    outer.kind = OuterLoop::Kind::coordinates;
    outer.label = label_number(index.getLabel());
    if (index.getDomain() == "0") {
        auto access = index.getDrivers()[0].getDefiningOp<it::AccessOp>();
        if (access) {
            outer.kind = OuterLoop::Kind::positions;
            outer.input = input_number(access);
        }
    }
    const bool by_position = outer.kind == OuterLoop::Kind::positions;
    for (auto access : kernel_.block().getOps<it::AccessOp>()) {
        const auto type = mlir::cast<ga::TensorType>(access.getTensor().getType());
        if (type.rank() < 2 || type.getKinds()[1] != 1) continue;
        if (by_position ? input_number(access) != outer.input : type.getKinds()[0] != 0) {
            continue;
        }
        const auto first = static_cast<unsigned>(type.getOrder()[0]);
        const auto label = mlir::cast<mlir::StringAttr>(access.getLabels()[first]);
        if (label.getValue() == index.getLabel()) {
            outer.balance_input = input_number(access);
            break;
        }
    }
    return outer;
}

int KernelEmitter::input_number(it::AccessOp access) {
    return static_cast<int>(mlir::cast<mlir::BlockArgument>(access.getTensor()).getArgNumber());
}

void KernelEmitter::emit_block(mlir::Block& block) {
    for (mlir::Operation& op : block) {
        code_.set_location(op.getLoc());
        if (auto access = mlir::dyn_cast<it::AccessOp>(op)) open(access);
        else if (auto index = mlir::dyn_cast<it::IndexOp>(op)) emit_index(index);
        else if (auto compute = mlir::dyn_cast<it::ComputeOp>(op)) emit_compute(compute);
        else if (auto sum = mlir::dyn_cast<it::AccumulatorOp>(op)) begin_accumulator(sum);
        else if (auto row = mlir::dyn_cast<it::WorkspaceOp>(op)) begin_workspace(row);
        else if (auto mark = mlir::dyn_cast<it::MarkOp>(op)) mark_place(mark);
    }
}

void KernelEmitter::open(it::AccessOp op) {
    AccessState state;
    const auto type = mlir::cast<ga::TensorType>(op.getTensor().getType());
    // Along repeated dimensions there is nothing to look for; their levels come last.
    state.type = type.stored();
    for (unsigned d = 0; d < op.getLabels().size(); ++d) {
        const auto level = llvm::find(type.getOrder(), d) - type.getOrder().begin();
        if (type.getKinds()[static_cast<std::size_t>(level)] == ga::repeated_level) continue;
        state.labels.push_back(mlir::cast<mlir::StringAttr>(op.getLabels()[d]).str());
    }
    state.input = input_number(op);
    accesses_[op.getResult()] = state;
}

KernelCode emit_kernel(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name,
                       bool wide) {
    return KernelEmitter(builder, kernel, name, wide).emit();
}

} // namespace tropic::compile
