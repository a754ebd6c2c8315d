#include "compile/contraction_order.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/known_size.h"
#include "compile/source_place.h"
#include "ir/ga.h"

namespace tropic::compile {

namespace {

using Names = std::vector<std::string>;
using Subset = std::uint32_t; ///< of the chain's factors

/// All ways to split a chain are tried: their number grows fast.
constexpr std::size_t most_factors = 8;

/// A new order has to be this much cheaper: estimates are estimates.
constexpr double worth_it = 0.7;

/// An entry written between two products and read again, in steps of a product.
constexpr double stored_entry = 4;

/// Products over these may be multiplied in any order: the second operator is associative and
/// commutative, and distributes over the first.
bool is_free_to_order(ga::Operator add, ga::Operator multiply) {
    using Op = ga::Operator;
    const std::pair<Op, Op> pair{add, multiply};
    return pair == std::pair{Op::add, Op::multiply} || pair == std::pair{Op::minimum, Op::add} ||
           pair == std::pair{Op::maximum, Op::add} || pair == std::pair{Op::minimum, Op::maximum} ||
           pair == std::pair{Op::maximum, Op::minimum} ||
           pair == std::pair{Op::logical_or, Op::logical_and};
}

struct Factor {
    mlir::Value value;
    Names labels;
};

class Chain {
  public:
    explicit Chain(ga::ProductOp root) : root_(root), result_(names_of(root.getLabels())) {
        taken_.insert(result_.begin(), result_.end());
        std::map<std::string, std::string> same;
        for (const std::string& name : result_) same[name] = name;
        collect(root, same);
    }

    std::size_t size() const { return factors_.size(); }

    /// Rewrites the chain if that is worth it; says what was done.
    std::string improve() {
        if (size() < 3 || size() > most_factors || !fits()) return {};
        const Subset all = (Subset{1} << size()) - 1;
        const double best = cost(all);
        if (best >= worth_it * written_cost_) return {};
        std::string order;
        const mlir::Value made = build(all, order);
        root_.getResult().replaceAllUsesWith(made);
        return order;
    }

    /// The products of the chain as they were written, the outermost first.
    const std::vector<ga::ProductOp>& written() const { return written_; }

  private:
    /// The factors of a product whose labels are called `names`; what it folds gets fresh names.
    Subset collect(ga::ProductOp product, std::map<std::string, std::string> names) {
        written_.push_back(product);
        for (const mlir::ArrayAttr side : {product.getLeftLabels(), product.getRightLabels()}) {
            for (const std::string& name : names_of(side)) {
                if (names.count(name) != 0) continue;
                std::string fresh = name;
                for (int n = 1; !taken_.insert(fresh).second; ++n) {
                    fresh = name + "_" + std::to_string(n);
                }
                names[name] = fresh;
            }
        }
        const Subset left = collect(product.getLeft(), product.getLeftLabels(), names);
        const Subset right = collect(product.getRight(), product.getRightLabels(), names);
        steps_as_written_.emplace_back(left, right);
        return left | right;
    }

    Subset collect(mlir::Value operand, mlir::ArrayAttr own,
                   const std::map<std::string, std::string>& names) {
        Names labels = names_of(own);
        for (std::string& label : labels) label = names.at(label);
        auto inner = operand.getDefiningOp<ga::ProductOp>();
        if (inner && inner->hasOneUse() && inner->getBlock() == root_->getBlock() &&
            inner.getAdd() == root_.getAdd() && inner.getMultiply() == root_.getMultiply() &&
            inner.getType().getElement() == root_.getType().getElement()) {
            std::map<std::string, std::string> rename;
            const Names inside = names_of(inner.getLabels());
            for (std::size_t d = 0; d < inside.size(); ++d) rename[inside[d]] = labels[d];
            return collect(inner, rename);
        }
        factors_.push_back({operand, std::move(labels)});
        return Subset{1} << (factors_.size() - 1);
    }

    /// Every factor is a tensor of the chain's type without a label twice.
    bool fits() {
        for (const Factor& factor : factors_) {
            const auto type = mlir::dyn_cast<ga::TensorType>(factor.value.getType());
            if (!type || type.getElement() != root_.getType().getElement()) return false;
            if (std::set<std::string>(factor.labels.begin(), factor.labels.end()).size() !=
                factor.labels.size()) {
                return false;
            }
            for (std::size_t d = 0; d < factor.labels.size(); ++d) {
                if (const auto size = known_size(factor.value, d)) {
                    sizes_[factor.labels[d]] = static_cast<double>(*size);
                }
            }
        }
        for (const auto& [left, right] : steps_as_written_) written_cost_ += step(left, right);
        return true;
    }

    double size_of(const std::string& label) const {
        const auto known = sizes_.find(label);
        return known == sizes_.end() ? guessed_size : known->second;
    }

    std::set<std::string> labels_within(Subset subset) const {
        std::set<std::string> labels;
        for (std::size_t f = 0; f < factors_.size(); ++f) {
            if ((subset >> f & 1) == 0) continue;
            labels.insert(factors_[f].labels.begin(), factors_[f].labels.end());
        }
        return labels;
    }

    /// The labels of a subset's product: those that the result or another factor has too.
    Names labels_of(Subset subset) const {
        const Subset all = (Subset{1} << factors_.size()) - 1;
        if (subset == all) return result_;
        if (std::has_single_bit(subset)) return factors_[std::countr_zero(subset)].labels;
        const std::set<std::string> outside = labels_within(all & ~subset);
        Names kept;
        for (const std::string& label : labels_within(subset)) {
            const bool in_result =
                std::find(result_.begin(), result_.end(), label) != result_.end();
            if (in_result || outside.count(label) != 0) kept.push_back(label);
        }
        return kept;
    }

    double places(const Names& labels) const {
        double all = 1;
        for (const std::string& label : labels) all *= size_of(label);
        return all;
    }

    double entries(Subset subset) {
        const auto known = entries_.find(subset);
        if (known != entries_.end()) return known->second;
        const Names labels = labels_of(subset);
        double count = places(labels);
        if (std::has_single_bit(subset)) {
            const auto& factor = factors_[std::countr_zero(subset)];
            const auto type = mlir::cast<ga::TensorType>(factor.value.getType());
            if (!type.isDense() && !labels.empty()) {
                double guess = size_of(labels.front());
                for (std::size_t d = 1; d < labels.size(); ++d) {
                    guess *= std::min(guessed_row, size_of(labels[d]));
                }
                count = std::min(count, guess);
            }
        } else {
            // Of the first way that computes it; others estimate about the same.
            const Subset first = subset & -subset;
            count = std::min(count, meetings(first, subset & ~first));
        }
        return entries_[subset] = count;
    }

    /// Pairs of entries that meet when two parts are multiplied.
    double meetings(Subset left, Subset right) {
        const std::set<std::string> other = [&] {
            const Names names = labels_of(right);
            return std::set<std::string>(names.begin(), names.end());
        }();
        double shared = 1;
        for (const std::string& label : labels_of(left)) {
            if (other.count(label) != 0) shared *= size_of(label);
        }
        return entries(left) * entries(right) / shared;
    }

    double step(Subset left, Subset right) {
        const Subset all = (Subset{1} << factors_.size()) - 1;
        const double stored = (left | right) == all ? 0 : stored_entry * entries(left | right);
        return meetings(left, right) + stored;
    }

    double cost(Subset subset) {
        if (std::has_single_bit(subset)) return 0;
        const auto known = costs_.find(subset);
        if (known != costs_.end()) return known->second;
        double best = 0;
        Subset split = 0;
        const Subset first = subset & -subset;
        // Parts are named by the one with the first factor, which stays on the left.
        for (Subset left = (subset - 1) & subset; left != 0; left = (left - 1) & subset) {
            if ((left & first) == 0) continue;
            const Subset right = subset & ~left;
            if (labels_of(subset).size() > 2 && subset != (Subset{1} << size()) - 1) continue;
            const double here = cost(left) + cost(right) + step(left, right);
            if (split == 0 || here < best) {
                best = here;
                split = left;
            }
        }
        splits_[subset] = split;
        // What has more than two dimensions is not made on the way.
        if (split == 0) best = 1e300;
        return costs_[subset] = best;
    }

    mlir::Value build(Subset subset, std::string& order) {
        mlir::OpBuilder builder(root_);
        if (std::has_single_bit(subset)) {
            const int factor = std::countr_zero(subset);
            order += fmt::format("{}", factor + 1);
            return factors_[factor].value;
        }
        const Subset left = splits_.at(subset);
        order += "(";
        const mlir::Value a = build(left, order);
        order += " ";
        const mlir::Value b = build(subset & ~left, order);
        order += ")";
        const auto attribute = [&](Subset part) {
            llvm::SmallVector<mlir::Attribute> names;
            for (const std::string& label : labels_of(part)) {
                names.push_back(builder.getStringAttr(label));
            }
            return builder.getArrayAttr(names);
        };
        return ga::ProductOp::create(builder, root_.getLoc(), type_of(subset, a, b), root_.getAdd(),
                                     root_.getMultiply(), a, attribute(left), b,
                                     attribute(subset & ~left), attribute(subset))
            .getResult();
    }

    mlir::Type type_of(Subset subset, mlir::Value a, mlir::Value b) const {
        if (subset == (Subset{1} << factors_.size()) - 1) return root_.getType();
        const bool dense = mlir::cast<ga::TensorType>(a.getType()).isDense() &&
                           mlir::cast<ga::TensorType>(b.getType()).isDense();
        const std::size_t rank = labels_of(subset).size();
        llvm::SmallVector<std::int8_t> kinds(rank, dense ? 0 : 1);
        if (!dense && rank == 2) kinds[0] = 0;
        llvm::SmallVector<std::int8_t> order;
        for (std::size_t d = 0; d < rank; ++d) order.push_back(static_cast<std::int8_t>(d));
        return ga::TensorType::get(root_->getContext(), root_.getType().getElement(), kinds, order);
    }

    mutable ga::ProductOp root_;
    Names result_;
    std::set<std::string> taken_;
    std::vector<Factor> factors_;
    std::vector<ga::ProductOp> written_;
    std::vector<std::pair<Subset, Subset>> steps_as_written_;
    double written_cost_ = 0;
    std::map<std::string, double> sizes_;
    std::map<Subset, double> entries_;
    std::map<Subset, double> costs_;
    std::map<Subset, Subset> splits_;
};

} // namespace

void order_contractions(mlir::ModuleOp module, std::vector<std::string>& explained) {
    std::vector<ga::ProductOp> products;
    module.walk([&](ga::ProductOp product) { products.push_back(product); });
    std::set<mlir::Operation*> within;
    std::vector<ga::ProductOp> dead;
    // Users come after what they use: from behind, chains are met at their outermost product.
    for (ga::ProductOp product : llvm::reverse(products)) {
        if (within.count(product) != 0) continue;
        if (!is_free_to_order(product.getAdd(), product.getMultiply())) continue;
        Chain chain(product);
        for (ga::ProductOp part : chain.written()) within.insert(part);
        const std::string order = chain.improve();
        if (order.empty()) continue;
        explained.push_back(
            fmt::format("{}: a chain of {} factors multiplied in the order {}, which takes fewer "
                        "steps",
                        place_of(product->getLoc()), chain.size(), order));
        dead.insert(dead.end(), chain.written().begin(), chain.written().end());
    }
    for (ga::ProductOp product : dead) {
        if (product->use_empty()) product->erase();
    }
}

} // namespace tropic::compile
