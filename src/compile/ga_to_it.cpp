#include "compile/ga_to_it.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/contraction_order.h"
#include "compile/kernel_builder.h"
#include "compile/known_size.h"
#include "compile/repeated_result.h"
#include "compile/row_order.h"
#include "compile/source_place.h"
#include "compile/spread_vectors.h"
#include "compile/structural_result.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

/// Sizes of labels that are constants of the program.
void find_sizes(const Node& root, KnownSizes& sizes) {
    for_each_node(root, [&](const Node& node) {
        if (node.kind != Node::Kind::access) return;
        for (std::size_t d = 0; d < node.labels.size(); ++d) {
            if (const auto size = known_size(node.value, d)) {
                sizes[node.labels[d]] = static_cast<double>(*size);
            }
        }
    });
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
                                   place_of(root.operation->getLoc()), root.fused.size(),
                                   root.fused.size() == 1 ? "" : "s", fmt::join(plan.order, ", "));
    for (const ProductPlan& product : plan.products) text += "; " + way_text(product);
    for_each_node(*root.value, [&](const Node& node) {
        if (node.kind != Node::Kind::access || !node.value.getDefiningOp<ga::PresenceOp>()) return;
        text +=
            fmt::format("; a sparse vector along {} spread out and looked into", node.labels[0]);
    });
    for (const Lookup& lookup : plan.lookups) {
        text += fmt::format("; rows along {} spread out and looked into", lookup.row);
    }
    if (!plan.conversions.empty()) {
        text += fmt::format("; {} operand{} stored in another order first", plan.conversions.size(),
                            plan.conversions.size() == 1 ? "" : "s");
    }
    if (plan.convert_result) text += "; the result stored in another order after";
    return text;
}

/// Why it was not done otherwise.
void explain_rejected(const Root& root, const Plan& plan, std::vector<std::string>& explained) {
    constexpr std::size_t most_shown = 3;
    const std::string place = place_of(root.operation->getLoc());
    for (std::size_t a = 0; a < plan.rejected.size() && a < most_shown; ++a) {
        const Alternative& other = plan.rejected[a];
        std::string text =
            fmt::format("{}: rejected: loops {}", place, fmt::join(other.order, ", "));
        for (const ProductPlan& product : other.products) text += "; " + way_text(product);
        text += fmt::format("; estimated at {:.1f} times the steps", other.cost / plan.cost);
        if (other.storing > other.cost / 2) {
            text += ", most of them for storing operands or products first";
        }
        explained.push_back(std::move(text));
    }
    if (plan.kept_to_push) {
        explained.push_back(place + ": rejected: dot products, the mask says push");
    }
    if (plan.kept_to_pull) {
        explained.push_back(place + ": rejected: rows, the mask says pull");
    }
}

bool has_materialised(const Plan& plan) {
    return std::any_of(plan.products.begin(), plan.products.end(), [](const ProductPlan& product) {
        return product.way == ProductWay::materialise;
    });
}

/// Spreading a sparse vector out, per place of it, in steps of a loop.
constexpr double spread_cost = 2;

/// Takes the plan with sparse vectors spread out, if that is cheaper.
void consider_spreading(mlir::Operation* operation, Root& root, Plan& plan) {
    mlir::OpBuilder builder(operation);
    Root other = build_root(operation);
    KnownSizes sizes;
    find_sizes(*other.value, sizes);
    std::vector<mlir::Operation*> made = spread_vectors(other, builder);
    if (made.empty()) return;
    join_accesses(other);
    Plan spread = make_plan(other, sizes);
    spread.cost += spread_cost * static_cast<double>(made.size()) * guessed_size;
    if (!has_materialised(spread) && spread.cost < plan.cost) {
        root = std::move(other);
        plan = std::move(spread);
        return;
    }
    for (mlir::Operation* unused : made) unused->erase();
}

/// The size of a label of the result, which some operand of the product has.
mlir::Value size_of(mlir::OpBuilder& builder, const Root& root, const std::string& label) {
    for (const auto& operand : root.value->operands) {
        const auto found = std::find(operand->labels.begin(), operand->labels.end(), label);
        if (found == operand->labels.end()) continue;
        return ga::SizeOp::create(builder, root.operation->getLoc(), builder.getI64Type(),
                                  operand->value, found - operand->labels.begin())
            .getResult();
    }
    llvm_unreachable("a label belongs to some operand");
}

/// Asks the structure first, and computes only if that does not say it all.
mlir::Value build_structural(mlir::OpBuilder& builder, const Root& root, const Plan& plan,
                             const Node& matrix, std::vector<std::string>& explained) {
    const mlir::Location at = root.operation->getLoc();
    explained.push_back(fmt::format(
        "{}: 1 everywhere, without a kernel, if no row along {} is "
        "empty",
        place_of(at), matrix.labels[static_cast<std::size_t>(matrix.tensor().getOrder()[1])]));
    const mlir::Value filled =
        ga::RowsFilledOp::create(builder, at, builder.getI1Type(), matrix.value);
    auto choice = mlir::scf::IfOp::create(builder, at, mlir::TypeRange{root.type}, filled, true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&choice.getThenRegion().front());
    llvm::SmallVector<mlir::Value> sizes;
    for (const std::string& label : root.labels) sizes.push_back(size_of(builder, root, label));
    const mlir::Value one =
        mlir::arith::ConstantOp::create(builder, at, builder.getF64FloatAttr(1));
    const mlir::Value ones = ga::FillOp::create(builder, at, root.type, one, sizes);
    mlir::scf::YieldOp::create(builder, at, ones);
    builder.setInsertionPointToStart(&choice.getElseRegion().front());
    mlir::scf::YieldOp::create(builder, at, build_kernel(builder, root, plan));
    return choice.getResult(0);
}

mlir::Value build(mlir::OpBuilder& builder, const Root& root, const Plan& plan,
                  std::vector<std::string>& explained) {
    explained.push_back(explain(root, plan));
    explain_rejected(root, plan, explained);
    const Node* matrix = find_deciding_matrix(root);
    return matrix == nullptr ? build_kernel(builder, root, plan)
                             : build_structural(builder, root, plan, *matrix, explained);
}

void erase_unused(const std::vector<mlir::Operation*>& fused) {
    for (mlir::Operation* operation : fused) {
        if (operation->use_empty()) operation->erase();
    }
}

void lower_repeated(const Repeated& repeated, mlir::OpBuilder& builder,
                    std::vector<std::string>& explained) {
    mlir::Operation* const operation = repeated.root.operation;
    KnownSizes sizes;
    find_sizes(*repeated.root.value, sizes);
    const mlir::Value stored =
        build(builder, repeated.root, make_plan(repeated.root, sizes), explained);
    explained.push_back(fmt::format("{}: the same for all values of {}, and stored once for them",
                                    place_of(operation->getLoc()),
                                    fmt::join(repeated.labels, ", ")));
    hand_on_repeated(operation->getResult(0), make_repeated(repeated, stored, builder));
    erase_unused(repeated.root.fused);
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
    mlir::OpBuilder builder(operation);
    if (const auto repeated = find_repetition(root, builder)) {
        return lower_repeated(*repeated, builder, explained);
    }
    consider_spreading(operation, root, plan);
    // Storing what is stored that way already takes no kernel: tensors are values.
    const bool nothing_to_do = root.value->kind == Node::Kind::access &&
                               root.value->labels == root.labels &&
                               root.value->value.getType() == root.type;
    mlir::Value result = root.value->value;
    if (!nothing_to_do) result = build(builder, root, plan, explained);
    operation->getResult(0).replaceAllUsesWith(result);
    erase_unused(root.fused);
}

} // namespace

void ga_to_it(mlir::ModuleOp module, std::vector<std::string>& explained) {
    order_contractions(module, explained);
    std::vector<mlir::Operation*> roots;
    module.walk([&](mlir::Operation* operation) {
        if (is_computation(operation) && !is_inlinable(operation)) roots.push_back(operation);
    });
    for (mlir::Operation* root : roots) lower(root, explained);
    leave_rows_jumbled(module, explained);
}

} // namespace tropic::compile
