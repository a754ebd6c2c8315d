#include "compile/ga_to_it.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/kernel_builder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tropic::compile {

namespace {

/// Sizes of labels that are constants of the program.
void find_sizes(const Node& root, KnownSizes& sizes) {
    for_each_node(root, [&](const Node& node) {
        if (node.kind != Node::Kind::access) return;
        mlir::Operation* made = node.value.getDefiningOp();
        if (made == nullptr) return;
        mlir::OperandRange operands = made->getOperands();
        if (auto fill = mlir::dyn_cast<ga::FillOp>(made)) operands = fill.getSizes();
        else if (!mlir::isa<ga::RandomOp, ga::EmptyOp>(made)) {
            auto read = mlir::dyn_cast<ga::ReadOp>(made);
            if (!read) return;
            for (std::size_t d = 0; d < node.labels.size(); ++d) {
                if (read.getShape()[d] >= 0) {
                    sizes[node.labels[d]] = static_cast<double>(read.getShape()[d]);
                }
            }
            return;
        }
        for (std::size_t d = 0; d < node.labels.size(); ++d) {
            auto constant =
                operands[static_cast<unsigned>(d)].getDefiningOp<mlir::arith::ConstantOp>();
            if (!constant) continue;
            const auto number = mlir::dyn_cast<mlir::IntegerAttr>(constant.getValue());
            if (number) sizes[node.labels[d]] = static_cast<double>(number.getInt());
        }
    });
}

std::string place_of(mlir::Operation* operation) {
    if (const auto at = mlir::dyn_cast<mlir::FileLineColLoc>(operation->getLoc())) {
        return fmt::format("{}:{}", at.getLine(), at.getColumn());
    }
    return "?";
}

std::string way_text(const ProductPlan& product) {
    const std::string loops = fmt::format("{}", fmt::join(product.loops, ", "));
    switch (product.way) {
    case ProductWay::dot:
        return fmt::format("a product as dot products over {}", loops);
    case ProductWay::workspace:
        return fmt::format("a product row by row ({}){}", loops,
                           product.row_mask != nullptr ? ", kept to the places of its mask" : "");
    case ProductWay::materialise:
        break;
    }
    return "a product by a kernel of its own";
}

std::string explain(const Root& root, const Plan& plan) {
    std::string text = fmt::format("{}: one kernel for {} operation{}, loops {}",
                                   place_of(root.operation), root.fused.size(),
                                   root.fused.size() == 1 ? "" : "s", fmt::join(plan.order, ", "));
    for (const ProductPlan& product : plan.products) text += "; " + way_text(product);
    if (!plan.conversions.empty()) {
        text += fmt::format("; {} operand{} stored in another order first", plan.conversions.size(),
                            plan.conversions.size() == 1 ? "" : "s");
    }
    if (plan.convert_result) text += "; the result stored in another order after";
    return text;
}

void lower(mlir::Operation* operation, std::vector<std::string>& explained) {
    Root root;
    Plan plan;
    for (bool whole = false; !whole;) {
        root = build_root(operation);
        KnownSizes sizes;
        find_sizes(*root.value, sizes);
        plan = make_plan(root, sizes);
        whole = true;
        for (const ProductPlan& product : plan.products) {
            if (product.way != ProductWay::materialise) continue;
            // It is replaced by the result of its kernel, and the expression ends there.
            lower(product.product->value.getDefiningOp(), explained);
            whole = false;
        }
    }
    // Storing what is stored that way already takes no kernel: tensors are values.
    const bool nothing_to_do = root.value->kind == Node::Kind::access &&
                               root.value->labels == root.labels &&
                               root.value->value.getType() == root.type;
    mlir::Value result = root.value->value;
    if (!nothing_to_do) {
        explained.push_back(explain(root, plan));
        mlir::OpBuilder builder(operation);
        result = build_kernel(builder, root, plan);
    }
    operation->getResult(0).replaceAllUsesWith(result);
    for (mlir::Operation* fused : root.fused) {
        if (fused->use_empty()) fused->erase();
    }
}

} // namespace

void ga_to_it(mlir::ModuleOp module, std::vector<std::string>& explained) {
    std::vector<mlir::Operation*> roots;
    module.walk([&](mlir::Operation* operation) {
        if (is_computation(operation) && !is_inlinable(operation)) roots.push_back(operation);
    });
    for (mlir::Operation* root : roots) lower(root, explained);
}

} // namespace tropic::compile
