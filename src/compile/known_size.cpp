#include "compile/known_size.h"

#include "ir/it.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

/// The size of a dimension of what a kernel makes.
std::optional<std::int64_t> kernel_size(it::KernelOp kernel, std::size_t dimension) {
    const auto type = mlir::cast<ga::TensorType>(kernel.getResult().getType());
    for (unsigned level = 0; level < type.getOrder().size(); ++level) {
        if (static_cast<std::size_t>(type.getOrder()[level]) != dimension) continue;
        const auto labels = kernel.getLabels().getValue();
        const auto at = llvm::find(labels, kernel.getOutLabels()[level]) - labels.begin();
        return constant_of(kernel.getSizes()[static_cast<unsigned>(at)]);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> constant_of(mlir::Value size) {
    if (auto other = size.getDefiningOp<ga::SizeOp>()) {
        return known_size(other.getTensor(), other.getDimension());
    }
    auto constant = size.getDefiningOp<mlir::arith::ConstantOp>();
    if (!constant) return std::nullopt;
    const auto number = mlir::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    return number ? std::optional(number.getInt()) : std::nullopt;
}

std::optional<std::int64_t> known_size(mlir::Value tensor, std::size_t dimension) {
    mlir::Operation* made = tensor.getDefiningOp();
    if (made == nullptr) return std::nullopt;
    if (auto read = mlir::dyn_cast<ga::ReadOp>(made)) {
        if (read.getShape()[dimension] < 0) return std::nullopt;
        return read.getShape()[dimension];
    }
    if (auto kernel = mlir::dyn_cast<it::KernelOp>(made)) return kernel_size(kernel, dimension);
    if (auto repeat = mlir::dyn_cast<ga::RepeatOp>(made)) {
        const auto type = mlir::cast<ga::TensorType>(repeat.getType());
        const auto level =
            static_cast<unsigned>(llvm::find(type.getOrder(), static_cast<std::int8_t>(dimension)) -
                                  type.getOrder().begin());
        const auto stored =
            static_cast<unsigned>(mlir::cast<ga::TensorType>(repeat.getTensor().getType()).rank());
        if (level < stored) return std::nullopt;
        return constant_of(repeat.getSizes()[level - stored]);
    }
    if (auto convert = mlir::dyn_cast<ga::ConvertOp>(made)) {
        return known_size(convert.getTensor(), dimension);
    }
    if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(made)) {
        // Whether it runs at all or not.
        const unsigned number = mlir::cast<mlir::OpResult>(tensor).getResultNumber();
        auto yield = mlir::cast<mlir::scf::YieldOp>(loop.getBody()->getTerminator());
        const auto before = known_size(loop.getInitArgs()[number], dimension);
        const auto after = known_size(yield.getOperand(number), dimension);
        return before == after ? before : std::nullopt;
    }
    mlir::OperandRange sizes = made->getOperands();
    if (auto fill = mlir::dyn_cast<ga::FillOp>(made)) sizes = fill.getSizes();
    else if (!mlir::isa<ga::RandomOp, ga::EmptyOp>(made)) return std::nullopt;
    return constant_of(sizes[static_cast<unsigned>(dimension)]);
}

} // namespace tropic::compile
