#include "compile/kernel_builder.h"

#include <algorithm>

#include "compile/domain.h"
#include "compile/known_size.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tropic::compile {

namespace {

using mlir::Value;
using Names = std::vector<std::string>;

class KernelBuilder {
  public:
    KernelBuilder(mlir::OpBuilder& builder, const Root& root, const Plan& plan)
        : builder_(builder), root_(root), plan_(plan), at_(root.operation->getLoc()),
          result_type_(mlir::dyn_cast<ga::TensorType>(root.type)) {}

    Value build() {
        collect_inputs();
        collect_labels();
        const it::Output output = choose_output();
        const mlir::Type kernel_type = result_type_ ? mlir::Type(appended_type()) : root_.type;
        Names out_labels;
        if (result_type_) {
            // In storage order of the kernel's result.
            for (const auto dimension : appended_type().getOrder()) {
                out_labels.push_back(root_.labels[static_cast<std::size_t>(dimension)]);
            }
        }
        auto kernel = it::KernelOp::create(builder_, at_, kernel_type, output, names(labels_),
                                           names(out_labels), inputs_, sizes_, mlir::IntegerAttr(),
                                           start_of_result(), shared_label());
        {
            mlir::OpBuilder::InsertionGuard guard(builder_);
            mlir::Block* block = builder_.createBlock(&kernel.getBody());
            for (const Value input : inputs_) block->addArgument(input.getType(), at_);
            block_ = block;
            open_accesses();
            emit(nullptr, 0);
        }
        Value result = kernel.getResult();
        if (result.getType() != root_.type) {
            result = ga::ConvertOp::create(builder_, at_, root_.type, result);
        }
        return result;
    }

  private:
    mlir::ArrayAttr names(const Names& labels) {
        llvm::SmallVector<mlir::Attribute> attributes;
        for (const std::string& label : labels) attributes.push_back(builder_.getStringAttr(label));
        return builder_.getArrayAttr(attributes);
    }

    // --- what the kernel works on ----------------------------------------------------------------

    std::size_t input_of(Value value) {
        const auto found = std::find(inputs_.begin(), inputs_.end(), value);
        if (found != inputs_.end()) return found - inputs_.begin();
        inputs_.push_back(value);
        return inputs_.size() - 1;
    }

    void collect_inputs() {
        for_each_node(*root_.value, [&](const Node& node) {
            if (node.kind == Node::Kind::scalar) input_numbers_[&node] = input_of(node.value);
            if (node.kind != Node::Kind::access || node.same_as != nullptr) return;
            Value tensor = node.value;
            const auto type = plan_.type_of(node);
            if (type != tensor.getType()) {
                tensor = ga::ConvertOp::create(builder_, at_, type, tensor);
            }
            accesses_.push_back(&node);
            if (may_be_renumbered(node, type)) {
                inputs_.push_back(tensor);
                input_numbers_[&node] = inputs_.size() - 1;
            } else {
                input_numbers_[&node] = input_of(tensor);
            }
        });
    }

    /// A tensor without dense levels along a row that is spread out: where that is very long, this
    /// access gets other coordinates than others to the same tensor.
    bool may_be_renumbered(const Node& access, ga::TensorType type) const {
        if (llvm::is_contained(type.getKinds(), 0)) return false;
        const auto has = [&](const std::string& row) {
            return !row.empty() && llvm::is_contained(access.labels, row);
        };
        return llvm::any_of(plan_.products,
                            [&](const auto& product) { return has(product.row); }) ||
               llvm::any_of(plan_.lookups, [&](const auto& lookup) { return has(lookup.row); });
    }

    void collect_labels() {
        const auto add = [&](const Names& loops) {
            for (const std::string& label : loops) {
                if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) {
                    labels_.push_back(label);
                }
            }
        };
        add(plan_.order);
        for (const ProductPlan& product : plan_.products) add(product.loops);
        for (const std::string& label : labels_) sizes_.push_back(size_of(label));
    }

    Value size_of(const std::string& label) {
        if (const auto size = known_size_of(label)) {
            return mlir::arith::ConstantOp::create(builder_, at_,
                                                   builder_.getI64IntegerAttr(*size));
        }
        for (const Node* access : accesses_) {
            const auto found = std::find(access->labels.begin(), access->labels.end(), label);
            if (found == access->labels.end()) continue;
            return ga::SizeOp::create(builder_, at_, builder_.getI64Type(), access->value,
                                      found - access->labels.begin())
                .getResult();
        }
        llvm_unreachable("a label belongs to some access");
    }

    /// Small sizes make better loops when they are known; workspaces of large ones may get another
    /// size while the program runs.
    std::optional<std::int64_t> known_size_of(const std::string& label) const {
        constexpr std::int64_t most = 1 << 16;
        for (const Node* access : accesses_) {
            for (std::size_t d = 0; d < access->labels.size(); ++d) {
                if (access->labels[d] != label) continue;
                const auto size = known_size(access->value, d);
                if (size && *size <= most) return size;
            }
        }
        return std::nullopt;
    }

    void open_accesses() {
        for (const Node* access : accesses_) {
            values_[access] = it::AccessOp::create(
                builder_, at_, it::AccessType::get(builder_.getContext()),
                block_->getArgument(static_cast<unsigned>(input_numbers_.at(access))),
                names(access->labels));
        }
    }

    // --- the result ------------------------------------------------------------------------------

    it::Output choose_output() const {
        if (!result_type_) return it::Output::scalar;
        if (result_type_.isDense()) return it::Output::dense;
        // Rows are counted where there is a place for each of them.
        const bool rows = result_type_.rank() == 2 && result_type_.getKinds()[0] == 0;
        return rows ? it::Output::rows : it::Output::entries;
    }

    /// Sparse results are appended in the order of the loops.
    ga::TensorType appended_type() const {
        if (result_type_.isDense() || !plan_.convert_result) return result_type_;
        llvm::SmallVector<std::int8_t> order;
        for (const std::string& label : plan_.order) {
            const auto found = std::find(root_.labels.begin(), root_.labels.end(), label);
            order.push_back(static_cast<std::int8_t>(found - root_.labels.begin()));
        }
        return ga::TensorType::get(result_type_.getContext(), result_type_.getElement(),
                                   result_type_.getKinds(), order);
    }

    /// The whole expression is one product that can be folded straight into a dense result, or such
    /// a product added to what the result starts as.
    bool scatters(const ProductPlan& product) const {
        if (!result_type_ || !result_type_.isDense() || product.row_mask != nullptr) return false;
        const bool sums = product.product->add == ga::Operator::add;
        if (sums && product.product == added_product()) return true;
        return product.product == root_.value.get() && (sums || fills_rows(product));
    }

    /// The product that the expression adds to a dense tensor stored like the result; null: it is
    /// none of that kind.
    const Node* added_product() const {
        const Node& sum = *root_.value;
        if (sum.kind != Node::Kind::combine || sum.op != ga::Operator::add ||
            sum.meeting != ga::Meeting::either) {
            return nullptr;
        }
        const Node& old = *sum.operands[0];
        const Node& product = *sum.operands[1];
        const bool fits = old.kind == Node::Kind::access && old.labels == root_.labels &&
                          plan_.type_of(old) == result_type_ &&
                          product.kind == Node::Kind::product && product.element == sum.element &&
                          result_type_.getElement() == sum.element;
        return fits ? &product : nullptr;
    }

    mlir::IntegerAttr start_of_result() {
        const ProductPlan* const product = plan_.find(added_product());
        if (product == nullptr || product->way != ProductWay::workspace || !scatters(*product)) {
            return {};
        }
        return builder_.getI64IntegerAttr(
            static_cast<std::int64_t>(input_numbers_.at(&root_.value->operands[0]->origin())));
    }

    /// Each step of the loops over what is folded has a term for every place of the row.
    bool fills_rows(const ProductPlan& product) const {
        if (product.loops.back() != product.row || product.loops.size() < 2) return false;
        return llvm::all_of(product.product->operands, [&](const auto& operand) {
            if (operand->kind == Node::Kind::scalar) return true;
            if (operand->kind != Node::Kind::access) return false;
            const bool has_row = llvm::is_contained(operand->labels, product.row);
            return !has_row || operand->tensor().isDense();
        });
    }

    // --- loops -----------------------------------------------------------------------------------

    /// The loops of `product` (null: of the expression) from number `d` of those around its inside.
    void emit(const ProductPlan* product, std::size_t d) {
        const Names& loops = product == nullptr ? plan_.order : product->loops;
        const std::size_t first = product == nullptr ? 0 : product->depth;
        const Node* inside = product == nullptr ? nullptr : product->product;
        for (const ProductPlan& inner : plan_.products) {
            if (inner.depth != first + d || home_of(inner.product, inner.depth) != inside) continue;
            emit_product(inner);
            if (product == nullptr && inner.way == ProductWay::workspace && scatters(inner)) return;
        }
        for (const Lookup& lookup : plan_.lookups) {
            if (lookup.depth == first + d && home_of(lookup.access, lookup.depth) == inside) {
                spread_out(lookup);
            }
        }
        if (d == loops.size()) {
            if (product == nullptr) emit_result();
            else emit_inside(*product);
            return;
        }
        const std::string& label = loops[d];
        const Domain domain = product == nullptr ? domain_of(*root_.value, label, plan_)
                                                 : inside_domain(*inside, label, plan_);
        const bool parallel = product == nullptr && d == 0 && !has_root_workspace() && can_split();
        nest(label, domain, parallel, [&] { emit(product, d + 1); });
    }

    template <class Body>
    void nest(const std::string& label, const Domain& domain, bool parallel, const Body& body) {
        llvm::SmallVector<Value> drivers;
        std::string text;
        const bool walks_row = describe(domain, drivers, text);
        const bool sorted = walks_row && (domain.kind != Domain::Kind::workspace ||
                                          (result_type_ && !result_type_.isDense()));
        auto index = it::IndexOp::create(builder_, at_, builder_.getStringAttr(label), drivers,
                                         builder_.getStringAttr(text),
                                         parallel ? builder_.getUnitAttr() : mlir::UnitAttr(),
                                         sorted ? builder_.getUnitAttr() : mlir::UnitAttr());
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.createBlock(&index.getBody());
        body();
    }

    /// Appends the domain's text; true if a workspace is among its drivers.
    bool describe(const Domain& domain, llvm::SmallVector<Value>& drivers, std::string& text) {
        switch (domain.kind) {
        case Domain::Kind::none:
        case Domain::Kind::all:
            text += "*";
            return false;
        case Domain::Kind::access:
        case Domain::Kind::workspace:
            text += std::to_string(drivers.size());
            drivers.push_back(values_.at(domain.node));
            return domain.kind == Domain::Kind::workspace;
        case Domain::Kind::both:
        case Domain::Kind::either:
            break;
        }
        text += "(";
        bool row = describe(domain.parts[0], drivers, text);
        text += domain.kind == Domain::Kind::both ? "&" : "|";
        row |= describe(domain.parts[1], drivers, text);
        text += ")";
        return row;
    }

    const ProductPlan* root_workspace() const {
        const auto found =
            std::find_if(plan_.products.begin(), plan_.products.end(), [](const auto& product) {
                return product.way == ProductWay::workspace && product.depth == 0;
            });
        return found == plan_.products.end() ? nullptr : &*found;
    }
    bool has_root_workspace() const { return root_workspace() != nullptr; }

    /// The label whose coordinates threads share where the outermost loop is over what is folded:
    /// each coordinate's terms come in the same order however many threads there are.
    mlir::StringAttr shared_label() const {
        constexpr std::int64_t short_row = 1024;
        const ProductPlan* const product = root_workspace();
        if (product == nullptr || !result_type_) return {};
        const auto size = known_size_of(product->row);
        const bool replaces = scatters(*product) && product->product->add != ga::Operator::add;
        if (replaces || (size && *size <= short_row)) return {};
        return builder_.getStringAttr(product->row);
    }

    /// The product among whose loops another is computed; null: among those of the expression.
    const Node* home_of(const Node* inner, std::size_t depth) const {
        return plan_.home_of(inner, depth, [&](const Node* node) { return enclosing(node); });
    }

    /// Parts of a result can be computed by themselves and joined.
    bool can_split() const {
        return result_type_ ||
               (root_.fold != ga::Operator::subtract && root_.fold != ga::Operator::pair);
    }

    const Node* enclosing(const Node* wanted) const {
        const Node* found = nullptr;
        for (const ProductPlan& outer : plan_.products) {
            if (outer.product == wanted) continue;
            for (const auto& operand : outer.product->operands) {
                for_each_node(*operand, [&](const Node& node) {
                    // The innermost of several: they are listed outermost first.
                    if (&node == wanted) found = outer.product;
                });
            }
        }
        return found;
    }

    /// From here on the access is read from the row that is made of it.
    void spread_out(const Lookup& lookup) {
        const Node& access = *lookup.access;
        const Value row = it::WorkspaceOp::create(
            builder_, at_, it::AccessType::get(builder_.getContext()),
            builder_.getStringAttr(lookup.row), mlir::TypeAttr::get(access.element));
        nest(lookup.row, {Domain::Kind::access, &access, {}}, false,
             [&] { compute(row, ga::Operator::any, false, [&] { return element(access); }); });
        values_[&access] = row;
    }

    void emit_product(const ProductPlan& product) {
        const Node* node = product.product;
        const mlir::Type access = it::AccessType::get(builder_.getContext());
        if (product.way == ProductWay::dot) {
            values_[node] = it::AccumulatorOp::create(
                builder_, at_, access, ga::OperatorAttr::get(builder_.getContext(), node->add),
                mlir::TypeAttr::get(node->element));
        } else if (!scatters(product)) {
            values_[node] =
                it::WorkspaceOp::create(builder_, at_, access, builder_.getStringAttr(product.row),
                                        mlir::TypeAttr::get(node->element));
            if (product.row_mask != nullptr) {
                const Domain row = domain_of(*product.row_mask, product.row, plan_);
                nest(product.row, row, false,
                     [&] { it::MarkOp::create(builder_, at_, values_.at(node)); });
            }
        }
        emit(&product, 0);
    }

    // --- computations ----------------------------------------------------------------------------

    template <class Body>
    void compute(Value target, std::optional<ga::Operator> fold, bool masked, const Body& body) {
        auto op = it::ComputeOp::create(builder_, at_, target,
                                        fold ? ga::OperatorAttr::get(builder_.getContext(), *fold)
                                             : ga::OperatorAttr(),
                                        masked ? builder_.getUnitAttr() : mlir::UnitAttr());
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.createBlock(&op.getBody());
        it::YieldOp::create(builder_, at_, body());
    }

    void emit_inside(const ProductPlan& product) {
        const Node* node = product.product;
        const bool direct = product.way == ProductWay::workspace && scatters(product);
        compute(direct ? Value() : values_.at(node), node->add, product.row_mask != nullptr, [&] {
            const Value left = element(*node->operands[0]);
            const Value right = element(*node->operands[1]);
            return combine(node->op, ga::Meeting::both, left, right);
        });
    }

    void emit_result() {
        if (result_type_) {
            compute({}, std::nullopt, false, [&] { return element(*root_.value); });
            return;
        }
        compute({}, root_.fold, false, [&]() -> Value {
            const Value value = element(*root_.value);
            const mlir::Type wanted =
                root_.type.isF64()
                    ? root_.type
                    : mlir::IntegerType::get(builder_.getContext(), 64, mlir::IntegerType::Signed);
            if (value.getType() == wanted) return value;
            return it::ApplyOp::create(builder_, at_, wanted, ga::Function::convert, value);
        });
    }

    Value combine(ga::Operator op, ga::Meeting meeting, Value left, Value right) {
        return it::CombineOp::create(builder_, at_, left.getType(), op, meeting, left, right);
    }

    Value element(const Node& node) {
        switch (node.kind) {
        case Node::Kind::access:
        case Node::Kind::product:
            return it::ElementOp::create(builder_, at_, node.element, values_.at(&node.origin()));
        case Node::Kind::scalar:
            return it::ScalarOp::create(
                builder_, at_, node.element,
                block_->getArgument(static_cast<unsigned>(input_numbers_.at(&node))));
        case Node::Kind::apply:
            return it::ApplyOp::create(builder_, at_, node.element, node.function,
                                       element(*node.operands[0]));
        case Node::Kind::combine: {
            const Value left = element(*node.operands[0]);
            const Value right = element(*node.operands[1]);
            return combine(node.op, node.meeting, left, right);
        }
        case Node::Kind::merge:
            break;
        }
        const Value mask = element(*node.operands[0]);
        const Value value = element(*node.operands[1]);
        const Value old = node.operands.size() > 2 ? element(*node.operands[2]) : Value();
        // Where the last level is dense, what is stored is whole rows: zeros are no entries.
        const bool structural = node.operands[0]->is_sparse_access() &&
                                node.operands[0]->tensor().getKinds().back() != 0;
        return it::MergeOp::create(builder_, at_, node.element,
                                   structural ? builder_.getUnitAttr() : mlir::UnitAttr(), mask,
                                   value, old);
    }

    mlir::OpBuilder& builder_;
    const Root& root_;
    const Plan& plan_;
    mlir::Location at_;
    ga::TensorType result_type_;
    llvm::SmallVector<Value> inputs_;
    Names labels_;
    llvm::SmallVector<Value> sizes_;
    std::vector<const Node*> accesses_;
    std::map<const Node*, std::size_t> input_numbers_;
    std::map<const Node*, Value> values_; ///< access, accumulator or workspace of a node
    mlir::Block* block_ = nullptr;
};

} // namespace

Value build_kernel(mlir::OpBuilder& builder, const Root& root, const Plan& plan) {
    return KernelBuilder(builder, root, plan).build();
}

} // namespace tropic::compile
