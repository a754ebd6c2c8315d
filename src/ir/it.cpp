#include "ir/it.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/it_dialect.cpp.inc"

namespace tropic::it {

using mlir::LogicalResult;
using mlir::success;

// The generated code of this dialect calls these in its own namespace, by names that TableGen
// makes. NOLINTBEGIN(readability-identifier-naming)
static mlir::ParseResult parseLabels(mlir::OpAsmParser& parser, mlir::ArrayAttr& labels) {
    return ga::parseLabels(parser, labels);
}
static void printLabels(mlir::OpAsmPrinter& printer, mlir::Operation* op, mlir::ArrayAttr labels) {
    ga::printLabels(printer, op, labels);
}
// NOLINTEND(readability-identifier-naming)

namespace {

/// The label is one of the kernel around it.
LogicalResult verify_label(mlir::Operation* op, mlir::StringAttr label) {
    auto kernel = op->getParentOfType<KernelOp>();
    if (kernel && llvm::is_contained(kernel.getLabels().getValue(), label)) return success();
    return op->emitOpError() << "label " << label << " is none of the kernel's";
}

LogicalResult verify_element(mlir::Operation* op, mlir::Type element) {
    if (ga::is_element(element)) return success();
    return op->emitOpError() << element << " is not an element type";
}

/// Of what is read or written; none if it is nothing of the kind.
mlir::Type element_of(mlir::Value access) {
    if (auto tensor = access.getDefiningOp<AccessOp>()) {
        return mlir::cast<ga::TensorType>(tensor.getTensor().getType()).getElement();
    }
    if (auto workspace = access.getDefiningOp<WorkspaceOp>()) return workspace.getElement();
    if (auto accumulator = access.getDefiningOp<AccumulatorOp>()) return accumulator.getElement();
    return {};
}

} // namespace

LogicalResult KernelOp::verify() {
    const auto tensor = mlir::dyn_cast<ga::TensorType>(getResult().getType());
    const bool fits =
        tensor ? getOutput() != Output::scalar && (getOutput() == Output::dense) == tensor.isDense()
               : getOutput() == Output::scalar;
    if (!fits) {
        return emitOpError() << "a result of type " << getResult().getType() << " is not made as '"
                             << stringifyOutput(getOutput()) << "'";
    }
    if (getLabels().size() != getSizes().size()) return emitOpError() << "a label lacks its size";
    for (const mlir::Attribute label : getOutLabels()) {
        if (!llvm::is_contained(getLabels().getValue(), label)) {
            return emitOpError() << "label " << label << " of the result has no size";
        }
    }
    if (ga::rank_of(getResult().getType()) != static_cast<int64_t>(getOutLabels().size())) {
        return emitOpError() << "the result's rank and labels differ";
    }
    if (block().getNumArguments() != getInputs().size()) {
        return emitOpError() << "the body wants one argument for each input";
    }
    if (getRanges() && !llvm::is_contained(getOutLabels().getValue(), getRangesAttr())) {
        return emitOpError() << "label " << getRangesAttr() << " is none of the result's";
    }
    for (const auto old : {getInPlace(), getOnto()}) {
        if (old && (*old >= getInputs().size() ||
                    getInputs()[static_cast<unsigned>(*old)].getType() != getResult().getType())) {
            return emitOpError() << "the result cannot take the place of input " << *old;
        }
    }
    for (const auto [argument, input] : llvm::zip_equal(block().getArguments(), getInputs())) {
        if (argument.getType() != input.getType()) {
            return emitOpError() << "argument " << argument.getArgNumber() << " is "
                                 << argument.getType() << ", its input " << input.getType();
        }
    }
    return success();
}

LogicalResult AccessOp::verify() {
    for (const auto label : getLabels().getAsRange<mlir::StringAttr>()) {
        if (failed(verify_label(*this, label))) return mlir::failure();
    }
    if (ga::rank_of(getTensor().getType()) == static_cast<int64_t>(getLabels().size())) {
        return success();
    }
    return emitOpError() << "the tensor has " << ga::rank_of(getTensor().getType())
                         << " dimensions and " << getLabels().size() << " labels";
}

LogicalResult WorkspaceOp::verify() {
    if (failed(verify_label(*this, getLabelAttr()))) return mlir::failure();
    return verify_element(*this, getElement());
}

LogicalResult AccumulatorOp::verify() {
    return verify_element(*this, getElement());
}

LogicalResult MarkOp::verify() {
    if (getWorkspace().getDefiningOp<WorkspaceOp>()) return success();
    return emitOpError() << "only places of a workspace are marked";
}

LogicalResult ComputeOp::verify() {
    const bool workspace = getTarget() && getTarget().getDefiningOp<WorkspaceOp>();
    if (getMasked() && !workspace) {
        return emitOpError() << "only computations into a workspace are masked";
    }
    if (!getTarget() || workspace) return success();
    auto accumulator = getTarget().getDefiningOp<AccumulatorOp>();
    if (!accumulator) return emitOpError() << "the target can only be read";
    if (getFold() == accumulator.getFold()) return success();
    return emitOpError() << "the target is folded with " << stringifyOperator(accumulator.getFold())
                         << " only";
}

LogicalResult ElementOp::verify() {
    const mlir::Type element = element_of(getAccess());
    if (getType() == element) return success();
    return emitOpError() << "an element of type " << getType() << " where there are " << element;
}

LogicalResult YieldOp::verify() {
    const mlir::Value target = mlir::cast<ComputeOp>((*this)->getParentOp()).getTarget();
    if (!target || element_of(target) == getValue().getType()) return success();
    return emitOpError() << "an element of type " << getValue().getType() << " for a target of "
                         << element_of(target);
}

LogicalResult IndexOp::verify() {
    if (failed(verify_label(*this, getLabelAttr()))) return mlir::failure();
    // Operators alternate with operands, parentheses match and drivers exist.
    int depth = 0;
    bool operand_next = true;
    const llvm::StringRef text = getDomain();
    for (size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (letter == '(' && operand_next) ++depth;
        else if (letter == ')' && !operand_next && depth > 0) --depth;
        else if ((letter == '&' || letter == '|') && !operand_next) operand_next = true;
        else if (letter == '*' && operand_next) operand_next = false;
        else if (llvm::isDigit(letter) && operand_next) {
            size_t number = 0;
            while (at < text.size() && llvm::isDigit(text[at])) {
                number = number * 10 + static_cast<size_t>(text[at++] - '0');
            }
            --at;
            if (number >= getDrivers().size()) {
                return emitOpError() << "there is no access " << number << " in the domain";
            }
            operand_next = false;
        } else return emitOpError() << "cannot read the domain '" << text << "'";
    }
    if (depth != 0 || operand_next) {
        return emitOpError() << "cannot read the domain '" << text << "'";
    }
    return success();
}

void ItDialect::initialize() {
    addTypes<
#define GET_TYPEDEF_LIST
#include "ir/it_types.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "ir/it_ops.cpp.inc"
        >();
}

} // namespace tropic::it

#define GET_TYPEDEF_CLASSES
#include "ir/it_types.cpp.inc"

#define GET_OP_CLASSES
#include "ir/it_ops.cpp.inc"
