#include "ir/ga.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/enums.cpp.inc"
#include "ir/ga_dialect.cpp.inc"

namespace tropic::ga {

using mlir::ArrayAttr;
using mlir::failure;
using mlir::LogicalResult;
using mlir::ParseResult;
using mlir::StringAttr;
using mlir::success;

ParseResult parseLabels(mlir::OpAsmParser& parser, ArrayAttr& labels) {
    llvm::SmallVector<mlir::Attribute> names;
    const auto parse_one = [&]() -> ParseResult {
        std::string name;
        if (parser.parseKeywordOrString(&name)) return failure();
        names.push_back(parser.getBuilder().getStringAttr(name));
        return success();
    };
    if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parse_one)) {
        return failure();
    }
    labels = parser.getBuilder().getArrayAttr(names);
    return success();
}

void printLabels(mlir::OpAsmPrinter& printer, mlir::Operation*, ArrayAttr labels) {
    printer << "[";
    llvm::interleaveComma(labels.getAsRange<StringAttr>(), printer.getStream(),
                          [&](StringAttr name) { printer.printKeywordOrString(name.getValue()); });
    printer << "]";
}

int64_t rank_of(mlir::Type type) {
    const auto tensor = mlir::dyn_cast<TensorType>(type);
    return tensor ? tensor.rank() : 0;
}

bool is_element(mlir::Type type) {
    return type.isF32() || type.isF64() || type.isInteger(1) ||
           (type.isInteger() && !type.isSignlessInteger());
}

namespace {

constexpr llvm::StringRef level_letters = "dcsr";
constexpr int64_t last_presentation = 4; // of tropic::language::Presentation

/// One label for each dimension.
LogicalResult verify_labels(mlir::Operation* op, mlir::Type type, ArrayAttr labels,
                            llvm::StringRef whose) {
    if (rank_of(type) == static_cast<int64_t>(labels.size())) return success();
    return op->emitOpError() << whose << " has " << rank_of(type) << " dimensions and "
                             << labels.size() << " labels";
}

/// Every label of `labels` occurs in one of the operands' lists, and only once in the result.
LogicalResult verify_result_labels(mlir::Operation* op, ArrayAttr labels,
                                   llvm::ArrayRef<ArrayAttr> operands) {
    llvm::SmallPtrSet<mlir::Attribute, 8> seen;
    for (const auto label : labels.getAsRange<StringAttr>()) {
        if (!seen.insert(label).second) {
            return op->emitOpError() << "label " << label << " occurs twice in the result";
        }
        const bool known = llvm::any_of(operands, [&](ArrayAttr operand) {
            return llvm::is_contained(operand.getValue(), label);
        });
        if (!known) {
            return op->emitOpError() << "label " << label << " of the result is in no operand";
        }
    }
    return success();
}

LogicalResult verify_sizes(mlir::Operation* op, mlir::Type type, size_t sizes) {
    if (rank_of(type) == static_cast<int64_t>(sizes)) return success();
    return op->emitOpError() << "a tensor of rank " << rank_of(type) << " wants as many sizes, not "
                             << sizes;
}

template <class BinaryOp> LogicalResult verify_binary(BinaryOp op) {
    if (failed(verify_labels(op, op.getLeft().getType(), op.getLeftLabels(), "the left operand")) ||
        failed(
            verify_labels(op, op.getRight().getType(), op.getRightLabels(), "the right operand")) ||
        failed(verify_labels(op, op.getType(), op.getLabels(), "the result"))) {
        return failure();
    }
    return verify_result_labels(op, op.getLabels(), {op.getLeftLabels(), op.getRightLabels()});
}

} // namespace

bool TensorType::isDense() const {
    return llvm::all_of(getKinds(),
                        [](int8_t kind) { return kind == 0 || kind == repeated_level; });
}

bool TensorType::isWhole(size_t level) const {
    return getKinds()[level] == 0 || getKinds()[level] == repeated_level;
}

TensorType TensorType::stored() const {
    llvm::SmallVector<int8_t> kinds;
    llvm::SmallVector<int8_t> dimensions;
    for (size_t level = 0; level < getKinds().size(); ++level) {
        if (getKinds()[level] == repeated_level) continue;
        kinds.push_back(getKinds()[level]);
        dimensions.push_back(getOrder()[level]);
    }
    llvm::SmallVector<int8_t> order;
    for (const int8_t dimension : dimensions) {
        order.push_back(static_cast<int8_t>(
            llvm::count_if(dimensions, [&](int8_t other) { return other < dimension; })));
    }
    return get(getContext(), getElement(), kinds, order);
}

mlir::Type TensorType::parse(mlir::AsmParser& parser) {
    mlir::Type element;
    llvm::SmallVector<int8_t> kinds;
    llvm::SmallVector<int8_t> order;
    if (parser.parseLess() || parser.parseType(element)) return {};
    while (succeeded(parser.parseOptionalComma())) {
        llvm::StringRef level;
        const auto location = parser.getCurrentLocation();
        int dimension = 0;
        if (parser.parseKeyword(&level)) return {};
        const size_t kind = level_letters.find(level.front());
        if (kind == llvm::StringRef::npos || level.drop_front().getAsInteger(10, dimension) ||
            dimension > 127) {
            parser.emitError(location, "expected a level such as d0, c1, s1 or r1");
            return {};
        }
        kinds.push_back(static_cast<int8_t>(kind));
        order.push_back(static_cast<int8_t>(dimension));
    }
    if (parser.parseGreater()) return {};
    return parser.getChecked<TensorType>(parser.getContext(), element, kinds, order);
}

void TensorType::print(mlir::AsmPrinter& printer) const {
    printer << "<" << getElement();
    for (size_t level = 0; level < getKinds().size(); ++level) {
        printer << ", " << level_letters[static_cast<size_t>(getKinds()[level])]
                << static_cast<int>(getOrder()[level]);
    }
    printer << ">";
}

LogicalResult TensorType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emit,
                                 mlir::Type element, llvm::ArrayRef<int8_t> kinds,
                                 llvm::ArrayRef<int8_t> order) {
    if (!is_element(element)) return emit() << element << " is not an element type";
    if (kinds.size() != order.size()) return emit() << "levels and dimensions differ in number";
    llvm::SmallVector<bool> seen(order.size(), false);
    for (const int8_t dimension : order) {
        if (dimension < 0 || static_cast<size_t>(dimension) >= order.size() ||
            seen[static_cast<size_t>(dimension)]) {
            return emit() << "the levels do not store each dimension once";
        }
        seen[static_cast<size_t>(dimension)] = true;
    }
    if (!kinds.empty() && kinds.front() == 2) return emit() << "the first level is a singleton";
    const auto* const repeated = llvm::find(kinds, repeated_level);
    if (repeated == kinds.end()) return success();
    const auto is = [](int8_t wanted) { return [=](int8_t kind) { return kind == wanted; }; };
    if (repeated == kinds.begin() || !std::all_of(kinds.begin(), repeated, is(0)) ||
        !std::all_of(repeated, kinds.end(), is(repeated_level))) {
        return emit() << "repeated levels come last, behind dense ones";
    }
    return success();
}

LogicalResult ReadOp::verify() {
    const auto mode = static_cast<int64_t>(getMode());
    if (mode < 1 || mode > 5) {
        return emitOpError() << "there is no mode " << mode << ", only 1 to 5";
    }
    for (const int64_t size : getShape()) {
        if (size < -1) return emitOpError() << "a size of " << size << "; any is -1";
    }
    return verify_sizes(*this, getType(), getShape().size());
}
LogicalResult PrintOp::verify() {
    const auto number = static_cast<int64_t>(getPresentation());
    const int64_t last = mlir::isa<TensorType>(getValue().getType()) ? last_presentation : 0;
    if (number >= 0 && number <= last) return success();
    return emitOpError() << "there is no presentation " << number << " of " << getValue().getType();
}
LogicalResult SizeOp::verify() {
    if (getDimension() < static_cast<uint64_t>(rank_of(getTensor().getType()))) return success();
    return emitOpError() << "there is no dimension " << getDimension();
}
LogicalResult FillOp::verify() {
    return verify_sizes(*this, getType(), getSizes().size());
}
LogicalResult EmptyOp::verify() {
    return verify_sizes(*this, getType(), getSizes().size());
}
LogicalResult RandomOp::verify() {
    return verify_sizes(*this, getType(), getSizes().size());
}
LogicalResult ElementwiseOp::verify() {
    return verify_binary(*this);
}
LogicalResult ProductOp::verify() {
    return verify_binary(*this);
}
LogicalResult ApplyOp::verify() {
    if (rank_of(getType()) != rank_of(getOperand().getType())) {
        return emitOpError() << "operand and result differ in rank";
    }
    return verify_labels(*this, getOperand().getType(), getLabels(), "the operand");
}
LogicalResult ReduceOp::verify() {
    return verify_labels(*this, getOperand().getType(), getLabels(), "the operand");
}
LogicalResult AssignOp::verify() {
    if (failed(verify_labels(*this, getValue().getType(), getValueLabels(), "the value")) ||
        failed(verify_labels(*this, getType(), getLabels(), "the result"))) {
        return failure();
    }
    if (getMask()) {
        if (!getMaskLabels() || !getWay()) return emitOpError() << "the mask lacks labels or a way";
        if (failed(verify_labels(*this, getMask().getType(), *getMaskLabels(), "the mask"))) {
            return failure();
        }
    }
    if (getAccumulate() && !getOld()) return emitOpError() << "there is nothing to accumulate into";
    if (getOld() && rank_of(getOld().getType()) != rank_of(getType())) {
        return emitOpError() << "the old value has another rank";
    }
    return verify_result_labels(*this, getLabels(), {getValueLabels()});
}
LogicalResult ConvertOp::verify() {
    if (rank_of(getType()) == rank_of(getTensor().getType())) return success();
    return emitOpError() << "operand and result differ in rank";
}

LogicalResult RepeatOp::verify() {
    if (getType().stored() != getTensor().getType()) {
        return emitOpError() << "the result stores something else than the operand";
    }
    const auto more = static_cast<size_t>(rank_of(getType()) - rank_of(getTensor().getType()));
    if (more > 0 && more == getSizes().size()) return success();
    return emitOpError() << more << " repeated levels want as many sizes, not "
                         << getSizes().size();
}

LogicalResult PresenceOp::verify() {
    if (rank_of(getType()) != rank_of(getTensor().getType())) {
        return emitOpError() << "operand and result differ in rank";
    }
    if (getType().isDense() && getType().getElement().isInteger(1)) return success();
    return emitOpError() << "the result is not a dense tensor of truths";
}

LogicalResult RowsFilledOp::verify() {
    const auto kinds = mlir::cast<TensorType>(getTensor().getType()).getKinds();
    if (kinds.size() == 2 && kinds[0] == 0 && kinds[1] == 1) return success();
    return emitOpError() << "the tensor has no compressed rows";
}

bool is_ordered(Operator fold) {
    return fold == Operator::subtract || fold == Operator::first || fold == Operator::second;
}

void GaDialect::initialize() {
    addTypes<
#define GET_TYPEDEF_LIST
#include "ir/ga_types.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "ir/ga_ops.cpp.inc"
        >();
}

} // namespace tropic::ga

#define GET_TYPEDEF_CLASSES
#include "ir/ga_types.cpp.inc"

#define GET_OP_CLASSES
#include "ir/ga_ops.cpp.inc"
