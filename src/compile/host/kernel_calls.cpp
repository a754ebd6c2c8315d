// A kernel is called with a frame, in chunks that the runtime plans.
#include "compile/host/host_emitter.h"

namespace tropic::compile {

void HostEmitter::emit_kernel_call(it::KernelOp kernel) {
    KernelCode body;
    {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToEnd(module_.getBody());
        body = emit_kernel(builder_, kernel, "kernel_" + std::to_string(kernels_++), wide_);
    }
    code_.set_location(kernel.getLoc());
    llvm::SmallVector<Value> inputs = mapped(kernel.getInputs());
    llvm::SmallVector<Value> sizes = mapped(kernel.getSizes());
    const auto compacted = compact(kernel, inputs, sizes);
    const Value chunks = plan(kernel, body.outer, inputs, sizes);
    Output output = begin_output(kernel, body, inputs, sizes, chunks);
    const Value frame = code_.slot(code_.i64(), static_cast<std::int64_t>(body.frame.size()) + 1);
    for (std::size_t i = 0; i < body.frame.size(); ++i) {
        code_.set_field(contents(body.frame[i], inputs, sizes, output), frame,
                        static_cast<std::int64_t>(8 * i));
    }
    const Value function = mlir::LLVM::AddressOfOp::create(builder_, code_.at(), body.function);
    call(TROPIC_FUNCTION(run), {}, {function, frame});
    Value result = finish_output(kernel, output, chunks);
    for (const CompactedLabel& label : llvm::reverse(compacted)) {
        const bool in_result = label.level >= 0;
        const Value expanded =
            call(TROPIC_FUNCTION(expand), code_.pointer(),
                 {label.compaction, in_result ? result : code_.null(), code_.number(label.level)});
        if (in_result) result = expanded;
    }
    values_.map(kernel.getResult(), result);
}

Value HostEmitter::plan(it::KernelOp kernel, const OuterLoop& outer, llvm::ArrayRef<Value> inputs,
                        llvm::ArrayRef<Value> sizes) {
    if (outer.kind == OuterLoop::Kind::ranges) {
        Value entries = code_.number(0);
        for (const auto [type, input] : llvm::zip_equal(kernel.getInputs().getTypes(), inputs)) {
            if (!mlir::isa<ga::TensorType>(type)) continue;
            entries = code_.add(
                entries, code_.field(code_.i64(), input, offsetof(cpu::TensorView, entries)));
        }
        return call(TROPIC_FUNCTION(plan_ranges), code_.i64(), {sizes[outer.label], entries});
    }
    Value count = code_.number(1);
    Value pos = code_.null();
    // A guess of the time that one unit of work takes, in nanoseconds.
    bool nested = false;
    kernel.walk([&](it::IndexOp index) {
        nested |= static_cast<bool>(index->getParentOfType<it::IndexOp>());
    });
    const double cost = outer.balance_input >= 0 ? 2 : nested ? 20 : 1;
    if (outer.kind == OuterLoop::Kind::coordinates) count = sizes[outer.label];
    if (outer.kind == OuterLoop::Kind::positions) {
        count = code_.load_index(
            level_field(code_.pointer(), inputs[outer.input], 0, offsetof(cpu::LevelView, pos)),
            code_.number(1));
    }
    if (outer.balance_input >= 0) {
        pos = level_field(code_.pointer(), inputs[outer.balance_input], 1,
                          offsetof(cpu::LevelView, pos));
    }
    return call(TROPIC_FUNCTION(plan), code_.i64(), {count, pos, code_.real(cost)});
}

Value HostEmitter::contents(const FrameSlot& slot, llvm::ArrayRef<Value> inputs,
                            llvm::ArrayRef<Value> sizes, const Output& output) {
    switch (slot.kind) {
    case FrameSlot::Kind::values:
        return code_.field(code_.pointer(), inputs[slot.input], offsetof(cpu::TensorView, values));
    case FrameSlot::Kind::level_pos:
        return level_field(code_.pointer(), inputs[slot.input], slot.level,
                           offsetof(cpu::LevelView, pos));
    case FrameSlot::Kind::level_crd:
        return level_field(code_.pointer(), inputs[slot.input], slot.level,
                           offsetof(cpu::LevelView, crd));
    case FrameSlot::Kind::level_size:
        return level_field(code_.i64(), inputs[slot.input], slot.level,
                           offsetof(cpu::LevelView, size));
    case FrameSlot::Kind::scalar:
        return inputs[slot.input];
    case FrameSlot::Kind::label_size:
        return sizes[slot.input];
    case FrameSlot::Kind::result_values:
        return code_.field(code_.pointer(), output.view, offsetof(cpu::TensorView, values));
    case FrameSlot::Kind::entries:
        return output.entries;
    case FrameSlot::Kind::row_counts:
        return output.row_counts;
    case FrameSlot::Kind::partial_values:
        return output.values;
    case FrameSlot::Kind::partial_present:
        return output.present;
    case FrameSlot::Kind::runtime:
        break;
    }
    return runtime_;
}

} // namespace tropic::compile
