// Dense results that are the same along some of their labels: computed and stored without them.
#pragma once

#include <memory>
#include <optional>

#include "compile/expression.h"

#include "mlir/IR/Builders.h"

namespace tropic::compile {

/// An expression without the labels along which its result repeats itself.
struct Repeated {
    Root root;                       ///< of a result that has the other labels only
    std::vector<std::string> labels; ///< those left out, in the order of the result's levels
    std::unique_ptr<Node> dropped;   ///< an access that has them
    ga::TensorType type;             ///< of the whole result
};

/// A product with a dense operand whose values do not matter, (any, pair) and the like. The tree is
/// taken out of `whole`; none if `whole` is no such one.
std::optional<Repeated> find_repetition(Root& whole, mlir::OpBuilder& builder);

/// The whole result, of which `stored` is what is stored.
mlir::Value make_repeated(const Repeated& repeated, mlir::Value stored, mlir::OpBuilder& builder);

/// Puts `repeated` in the place of `whole`, the same result with every place stored. Computations
/// read it as it is, and loops that only carry it carry it as it is; anybody else gets every place.
void hand_on_repeated(mlir::Value whole, mlir::Value repeated);

} // namespace tropic::compile
