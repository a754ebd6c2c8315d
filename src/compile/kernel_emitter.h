// From an index tree to loops: the body of one kernel as a function that does a range of iterations
// of its outermost loop, and the description of what its caller has to provide.
#pragma once

#include <vector>

#include "compile/llvm_builder.h"
#include "ir/it.h"

namespace tropic::compile {

/// One 8-byte slot of a kernel's frame and where its contents come from.
struct FrameSlot {
    enum class Kind : std::uint8_t {
        values,          ///< of input `input`
        level_pos,       ///< of level `level` of input `input`
        level_crd,       ///< likewise
        level_size,      ///< likewise
        scalar,          ///< the bits of scalar input `input`
        label_size,      ///< of label `input` of the kernel
        result_values,   ///< dense results
        entries,         ///< sparse results: what begin_entries returned
        row_counts,      ///< rows: the array that begin_entries gave
        partial_values,  ///< scalars: an array with a value for each chunk...
        partial_present, ///< ...and a byte that says whether there was any
        runtime,         ///< the table of functions
    };
    Kind kind = Kind::values;
    int input = 0;
    int level = 0;

    bool operator==(const FrameSlot&) const = default;
};

/// How the iterations of the outermost loop are counted.
struct OuterLoop {
    enum class Kind : std::uint8_t {
        once,        ///< the kernel is one piece
        coordinates, ///< of label `label`
        positions,   ///< of the outermost level of input `input`
        ranges,      ///< coordinates of label `label`; every one of them goes through the kernel
    };
    Kind kind = Kind::once;
    int label = 0;
    int input = 0;
    int balance_input = -1; ///< its second level's positions tell how much work an iteration is
};

struct KernelCode {
    mlir::LLVM::LLVMFuncOp function;
    std::vector<FrameSlot> frame;
    OuterLoop outer;
    bool writes_everywhere = false; ///< dense results: no place is left out, none is read
};

/// Emits the function `name` at the end of the module that `builder` is in.
KernelCode emit_kernel(mlir::OpBuilder& builder, it::KernelOp kernel, llvm::StringRef name,
                       bool wide);

} // namespace tropic::compile
