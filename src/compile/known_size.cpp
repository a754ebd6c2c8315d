#include "compile/known_size.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tropic::compile {

std::optional<double> known_size(mlir::Value tensor, std::size_t dimension) {
    mlir::Operation* made = tensor.getDefiningOp();
    if (made == nullptr) return std::nullopt;
    if (auto read = mlir::dyn_cast<ga::ReadOp>(made)) {
        if (read.getShape()[dimension] < 0) return std::nullopt;
        return static_cast<double>(read.getShape()[dimension]);
    }
    mlir::OperandRange sizes = made->getOperands();
    if (auto fill = mlir::dyn_cast<ga::FillOp>(made)) sizes = fill.getSizes();
    else if (!mlir::isa<ga::RandomOp, ga::EmptyOp>(made)) return std::nullopt;
    auto constant =
        sizes[static_cast<unsigned>(dimension)].getDefiningOp<mlir::arith::ConstantOp>();
    if (!constant) return std::nullopt;
    const auto number = mlir::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    if (!number) return std::nullopt;
    return static_cast<double>(number.getInt());
}

} // namespace tropic::compile
