#include "compile/domain.h"

#include <algorithm>

namespace tropic::compile {

namespace {

Domain meet(Domain left, Domain right) {
    using Kind = Domain::Kind;
    if (left.kind == Kind::none || (left.kind == Kind::all && right.kind != Kind::none)) {
        return right;
    }
    if (right.kind == Kind::none || right.kind == Kind::all) return left;
    if (left.kind == right.kind && left.node != nullptr && left.node == right.node) return left;
    // A row under construction is looked into rather than walked where there is something else.
    if (left.kind == Kind::workspace) return right;
    if (right.kind == Kind::workspace) return left;
    return {Kind::both, nullptr, {std::move(left), std::move(right)}};
}

Domain join(Domain left, Domain right) {
    using Kind = Domain::Kind;
    if (left.kind == Kind::none) return right;
    if (right.kind == Kind::none) return left;
    if (left.kind == Kind::all && right.kind == Kind::all) return left;
    if (left.kind == right.kind && left.node != nullptr && left.node == right.node) return left;
    return {Kind::either, nullptr, {std::move(left), std::move(right)}};
}

/// The level that stores the first dimension with that label decides.
Domain access_domain(const Node& node, const std::string& label, const Plan& plan) {
    const auto type = plan.type_of(node);
    for (std::size_t level = 0; level < type.getOrder().size(); ++level) {
        if (node.labels[static_cast<std::size_t>(type.getOrder()[level])] != label) continue;
        if (type.isWhole(level)) return {Domain::Kind::all, nullptr, {}};
        const Lookup* lookup = plan.find_lookup(&node);
        if (lookup != nullptr && lookup->row == label) {
            return {Domain::Kind::workspace, &node.origin(), {}};
        }
        return {Domain::Kind::access, &node.origin(), {}};
    }
    return {};
}

} // namespace

bool Domain::has_driver() const {
    if (kind == Kind::access || kind == Kind::workspace) return true;
    return std::any_of(parts.begin(), parts.end(), [](const Domain& d) { return d.has_driver(); });
}

bool Domain::walks(const Node* wanted) const {
    if (node == wanted) return true;
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Domain& d) { return d.walks(wanted); });
}

Domain domain_of(const Node& node, const std::string& label, const Plan& plan) {
    switch (node.kind) {
    case Node::Kind::access:
        return access_domain(node, label, plan);
    case Node::Kind::scalar:
        return {};
    case Node::Kind::apply:
        return domain_of(*node.operands[0], label, plan);
    case Node::Kind::combine:
        if (node.meeting == ga::Meeting::either) {
            return join(domain_of(*node.operands[0], label, plan),
                        domain_of(*node.operands[1], label, plan));
        }
        return meet(domain_of(*node.operands[0], label, plan),
                    domain_of(*node.operands[1], label, plan));
    case Node::Kind::product: {
        const ProductPlan* product = plan.find(&node);
        if (plan.is_materialised(node)) return access_domain(node, label, plan);
        if (product != nullptr && product->way == ProductWay::workspace && product->row == label) {
            return {Domain::Kind::workspace, &node, {}};
        }
        return inside_domain(node, label, plan);
    }
    case Node::Kind::merge: {
        Domain inside = meet(domain_of(*node.operands[0], label, plan),
                             domain_of(*node.operands[1], label, plan));
        if (node.operands.size() < 3) return inside;
        return join(domain_of(*node.operands[2], label, plan), std::move(inside));
    }
    }
    return {};
}

Domain inside_domain(const Node& product, const std::string& label, const Plan& plan) {
    return meet(domain_of(*product.operands[0], label, plan),
                domain_of(*product.operands[1], label, plan));
}

} // namespace tropic::compile
