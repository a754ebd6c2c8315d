// The host part of a compiled program, what happens between kernels: the class behind it_to_loops,
// whose parts are in the files of this folder.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compile/kernel_emitter.h"
#include "machines/cpu/runtime.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace tropic::compile {

using cpu::Runtime;
using mlir::ValueRange;

#define TROPIC_FUNCTION(name) offsetof(Runtime, name)

class HostEmitter {
  public:
    HostEmitter(mlir::ModuleOp module, bool wide, llvm::StringRef source)
        : source_(source), module_(module), builder_(module.getContext()),
          code_(builder_, module.getLoc(), wide), wide_(wide) {}

    void run();

  private:
    // --- constants (constants.cpp) ---------------------------------------------------------------

    Value call(std::size_t function, mlir::Type result, llvm::SmallVector<Value> arguments);

    Value bytes(llvm::StringRef contents);
    Value text(llvm::StringRef contents) { return bytes((contents + llvm::Twine('\0')).str()); }
    Value bytes_of(llvm::ArrayRef<std::int8_t> numbers);
    /// A FormatView.
    Value format(ga::TensorType type);
    Value type_number(mlir::Type element);
    /// Numbers one after the other in memory.
    Value array(ValueRange numbers);

    // --- tensors (tensors.cpp) -------------------------------------------------------------------

    Value levels_of(Value view);
    Value level_field(mlir::Type type, Value view, int level, std::size_t offset);
    Value dimension_size(Value view, ga::TensorType type, std::int64_t dimension);
    Value identity(std::int64_t rank);
    Value convert_view(Value view, ga::TensorType type, Value permutation);
    void release(Value view) { call(TROPIC_FUNCTION(release), {}, {view}); }
    void retain(Value view) { call(TROPIC_FUNCTION(retain), {}, {view}); }

    // --- blocks, loops and choices (blocks.cpp) --------------------------------------------------

    Value mapped(Value value) { return values_.lookup(value); }
    llvm::SmallVector<Value> mapped(ValueRange values);

    /// What takes time is timed, under the place of its statement.
    void emit_timed(mlir::Operation& op);
    void emit_block(mlir::Block& block);
    /// The tensors made in a block, by the operation after which nobody needs them.
    std::map<mlir::Operation*, std::vector<Value>> last_uses(mlir::Block& block);
    /// A loop owns what it carries: one count for each value, handed on from turn to turn.
    void emit_loop(mlir::scf::ForOp op);
    /// A block that hands on what it made.
    void emit_yielding(mlir::Block& body, mlir::scf::YieldOp yield);
    /// One of two ways to a tensor.
    void emit_choice(mlir::scf::IfOp op);

    // --- operations (operations.cpp) -------------------------------------------------------------

    void emit(mlir::Operation& op);
    template <class Op> static ga::TensorType type_of(Op op) {
        return mlir::cast<ga::TensorType>(op.getResult().getType());
    }
    void emit_read(ga::ReadOp op);
    void emit_fill(ga::FillOp op);
    void emit_convert(ga::ConvertOp op);
    void emit_require(ga::RequireEqualOp op);
    void emit_print(ga::PrintOp op);
    void emit_result(ga::ResultOp op);

    // --- kernels (kernel_calls.cpp) --------------------------------------------------------------

    void emit_kernel_call(it::KernelOp kernel);
    Value plan(it::KernelOp kernel, const OuterLoop& outer, llvm::ArrayRef<Value> inputs,
               llvm::ArrayRef<Value> sizes);

    /// Where the result of a kernel comes about.
    struct Output {
        Value view;       ///< dense
        Value entries;    ///< sparse
        Value row_counts; ///< rows
        Value values;     ///< scalar: partial values
        Value present;    ///< scalar: a byte for each of them
        Value shape;      ///< sizes in the order of dimensions
        mlir::Type element;
    };
    Value contents(const FrameSlot& slot, llvm::ArrayRef<Value> inputs, llvm::ArrayRef<Value> sizes,
                   const Output& output);

    // --- labels with many values (compacted_labels.cpp) ------------------------------------------

    /// A label of workspaces that may be numbered anew for a kernel.
    struct CompactedLabel {
        Value compaction;
        std::int64_t level = -1; ///< of the result
    };
    /// Replaces what the kernel works on where its workspaces would be very long.
    std::vector<CompactedLabel> compact(it::KernelOp kernel, llvm::SmallVector<Value>& inputs,
                                        llvm::SmallVector<Value>& sizes);
    using LabelUses = std::vector<std::pair<unsigned, std::int64_t>>; ///< input, level
    /// Labels of workspaces of which only sparse levels tell the values.
    static std::vector<std::pair<mlir::Attribute, LabelUses>> wide_labels(it::KernelOp kernel);

    // --- results of kernels (kernel_results.cpp) -------------------------------------------------

    Output begin_output(it::KernelOp kernel, const KernelCode& body, llvm::ArrayRef<Value> inputs,
                        llvm::ArrayRef<Value> sizes, Value chunks);
    Value scratch(Value bytes) { return call(TROPIC_FUNCTION(scratch), code_.pointer(), {bytes}); }
    Value finish_output(it::KernelOp kernel, const Output& output, Value chunks);
    /// Folds the chunks' values in their order, so that the result is always the same.
    Value combine_chunks(it::KernelOp kernel, const Output& output, Value chunks);

    llvm::StringRef source_;
    mlir::ModuleOp module_;
    mlir::OpBuilder builder_;
    Code code_;
    bool wide_;
    Value runtime_, session_;
    mlir::IRMapping values_;
    std::map<std::string, mlir::LLVM::GlobalOp> globals_;
    int kernels_ = 0;
};

} // namespace tropic::compile
