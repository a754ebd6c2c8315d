#include "compile/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "compile/domain.h"
#include "compile/known_size.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tropic::compile {

namespace {

using Names = std::vector<std::string>;

// Costs of one step, relative to one step of a plain loop.
constexpr double merge_step = 2;        // following two sorted lists
constexpr double workspace_step = 3;    // a scattered write and its bookkeeping
constexpr double masked_step = 2.5;     // most of them are turned away
constexpr double row_walk_step = 8;     // sorting and emptying a row
constexpr double spread_step = 2;       // an entry of a row that is spread out to be looked into
constexpr double lookup_step = 0.5;     // looking into such a row, on top of a step
constexpr double strided_factor = 4;    // an inner loop that jumps through a dense operand
constexpr double conversion_step = 30;  // per entry stored in another order
constexpr double materialise_step = 10; // per entry written and read again
constexpr double sequential_factor = 2; // a kernel whose outermost loop cannot be split

constexpr double guessed_rounds = 8; // of a loop whose bounds are not known

constexpr std::size_t most_permuted = 6;
constexpr std::size_t most_fused_products = 3;

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The product nearest above each node, by pointer; null at the level of the expression itself.
using Enclosing = std::map<const Node*, const Node*>;

void find_enclosing(const Node& node, const Node* product, Enclosing& enclosing) {
    enclosing[&node] = product;
    const Node* inner = node.kind == Node::Kind::product ? &node : product;
    for (const auto& operand : node.operands) find_enclosing(*operand, inner, enclosing);
}

/// A sparse access with just these labels that `product` is intersected with on its way up to the
/// root: nothing outside of its entries is needed. `way` becomes that of the mask, if it is one.
const Node* find_sample(const Node& node, const Node& product, const Names& labels, ga::Way& way) {
    const auto holds = [&](const Node& part) {
        bool found = false;
        for_each_node(part, [&](const Node& n) { found |= &n == &product; });
        return found;
    };
    // Where a part has a value, each of what it is intersected of has one.
    const std::function<const Node*(const Node&)> fitting = [&](const Node& part) -> const Node* {
        if (part.is_sparse_access()) {
            const bool fits = std::is_permutation(part.labels.begin(), part.labels.end(),
                                                  labels.begin(), labels.end());
            return fits ? &part : nullptr;
        }
        if (part.kind == Node::Kind::apply) return fitting(*part.operands[0]);
        if (part.kind != Node::Kind::combine || part.meeting != ga::Meeting::both) return nullptr;
        const Node* left = fitting(*part.operands[0]);
        return left != nullptr ? left : fitting(*part.operands[1]);
    };
    const Node* at = &node;
    while (at != &product) {
        const Node* next = nullptr;
        if (at->kind == Node::Kind::merge && holds(*at->operands[1])) {
            way = at->way;
            if (const Node* sample = fitting(*at->operands[0])) return sample;
            next = at->operands[1].get();
        } else if (at->kind == Node::Kind::combine && at->meeting == ga::Meeting::both) {
            const bool left = holds(*at->operands[0]);
            if (const Node* sample = fitting(*at->operands[left ? 1 : 0])) return sample;
            next = at->operands[left ? 0 : 1].get();
        } else if (at->kind == Node::Kind::apply) next = at->operands[0].get();
        if (next == nullptr || !holds(*next)) return nullptr;
        at = next;
    }
    return nullptr;
}

class Planner {
  public:
    Planner(const Root& root, const KnownSizes& sizes)
        : root_(root), sizes_(sizes), free_(free_labels(root)) {
        find_enclosing(*root.value, nullptr, enclosing_);
        for_each_node(*root.value, [&](const Node& node) {
            if (node.kind == Node::Kind::product) products_.push_back(&node);
            const bool is_own = node.kind == Node::Kind::access && node.same_as == nullptr;
            if (is_own) accesses_.push_back(&node);
        });
        // Outermost first: inner ones are placed within the loops of outer ones.
        std::reverse(products_.begin(), products_.end());
    }

    Plan best() {
        Plan plan;
        Names order = free_;
        std::sort(order.begin(), order.end());
        const bool is_scalar = !mlir::isa<ga::TensorType>(root_.type);
        const bool permute =
            order.size() <= most_permuted && !(is_scalar && ga::is_ordered(root_.fold));
        if (!permute) order = free_;
        do {
            plan = Plan();
            plan.order = order;
            choose_ways(plan, 0);
        } while (permute && std::next_permutation(order.begin(), order.end()));
        return with_rejected();
    }

  private:
    Plan with_rejected() {
        for (const auto& [ways, other] : cheapest_) {
            if (ways != ways_of(best_)) best_.rejected.push_back(other);
        }
        std::sort(best_.rejected.begin(), best_.rejected.end(), [](const auto& a, const auto& b) {
            return std::tie(a.cost, a.order) < std::tie(b.cost, b.order);
        });
        best_.kept_to_push = kept_to_push_;
        best_.kept_to_pull = kept_to_pull_;
        return best_;
    }

    using Ways = std::vector<std::pair<const Node*, ProductWay>>;
    static Ways ways_of(const Plan& plan) {
        Ways ways;
        for (const ProductPlan& product : plan.products) {
            ways.emplace_back(product.product, product.way);
        }
        return ways;
    }

    double size_of(const std::string& label) const {
        const auto known = sizes_.find(label);
        return known == sizes_.end() ? guessed_size : known->second;
    }

    // --- which way each product is computed ------------------------------------------------------

    void choose_ways(Plan& plan, std::size_t next) {
        if (next == products_.size()) return evaluate(plan);
        const Node* product = products_[next];
        const Node* outer = enclosing_.at(product);
        // What is inside of a materialised product is that product's business.
        for (const Node* above = outer; above != nullptr; above = enclosing_.at(above)) {
            if (plan.is_materialised(*above)) return choose_ways(plan, next + 1);
        }
        if (product != root_.value.get()) {
            try_way(plan, next, {product, ProductWay::materialise, 0, {}, {}, nullptr});
        }
        if (next < most_fused_products) {
            try_dot(plan, next, product);
            try_workspace(plan, next, product);
        }
    }

    void try_way(Plan& plan, std::size_t next, ProductPlan way) {
        plan.products.push_back(std::move(way));
        choose_ways(plan, next + 1);
        plan.products.pop_back();
    }

    /// The loops around the inside of a product (or of the whole expression).
    Names loops_around(const Plan& plan, const Node* product) const {
        if (product == nullptr) return plan.order;
        const ProductPlan* own = plan.find(product);
        Names loops = loops_around(plan, enclosing_.at(product));
        loops.resize(own->depth);
        loops.insert(loops.end(), own->loops.begin(), own->loops.end());
        return loops;
    }

    ga::Way wanted_way(const Node* product, const Node*& sample) const {
        ga::Way way = ga::Way::automatic;
        sample = find_sample(*root_.value, *product, product->labels, way);
        return way;
    }

    void try_dot(Plan& plan, std::size_t next, const Node* product) {
        const Names around = loops_around(plan, enclosing_.at(product));
        ProductPlan way{product, ProductWay::dot, 0, {}, {}, nullptr};
        for (const std::string& label : product->labels) {
            const auto at = std::find(around.begin(), around.end(), label);
            if (at == around.end()) return;
            way.depth = std::max<std::size_t>(way.depth, at - around.begin() + 1);
        }
        // Within loops over other labels it would be computed again and again.
        for (std::size_t d = 0; d < way.depth; ++d) {
            if (!contains(product->labels, around[d])) return;
        }
        const Node* sample = nullptr;
        if (wanted_way(product, sample) == ga::Way::push) {
            kept_to_push_ = true;
            return;
        }
        try_loops(plan, next, way, product->reduced);
    }

    /// All orders of the loops that give the fold its terms in an order it allows.
    void try_loops(Plan& plan, std::size_t next, ProductPlan& way, Names loops) {
        std::sort(loops.begin(), loops.end());
        do {
            const Names& folded = way.product->reduced;
            Names met;
            std::copy_if(loops.begin(), loops.end(), std::back_inserter(met),
                         [&](const std::string& label) { return contains(folded, label); });
            if (ga::is_ordered(way.product->add) && met != folded) continue;
            way.loops = loops;
            try_way(plan, next, way);
        } while (loops.size() <= most_permuted &&
                 std::next_permutation(loops.begin(), loops.end()));
    }

    void try_workspace(Plan& plan, std::size_t next, const Node* product) {
        if (product->labels.empty() || enclosing_.at(product) != nullptr) return;
        for (const ProductPlan& other : plan.products) {
            if (other.way == ProductWay::workspace) return;
        }
        ProductPlan way{product, ProductWay::workspace, product->labels.size() - 1, {}, {},
                        nullptr};
        if (plan.order.size() < product->labels.size()) return;
        for (std::size_t d = 0; d <= way.depth; ++d) {
            if (!contains(product->labels, plan.order[d])) return;
        }
        way.row = plan.order[way.depth];
        if (wanted_way(product, way.row_mask) == ga::Way::pull) {
            kept_to_pull_ = true;
            return;
        }
        Names loops = product->reduced;
        loops.push_back(way.row);
        try_loops(plan, next, way, loops);
    }

    // --- what a complete plan costs --------------------------------------------------------------

    void evaluate(Plan& plan) {
        plan.conversions.clear();
        double cost = 0;
        const auto place = [&](const Node* node) {
            for (const Node* above = enclosing_.at(node); above != nullptr;
                 above = enclosing_.at(above)) {
                if (plan.is_materialised(*above)) return;
            }
            convert_if_needed(plan, node, cost);
        };
        for (const Node* access : accesses_) place(access);
        for (const ProductPlan& product : plan.products) {
            if (product.way != ProductWay::materialise) continue;
            place(product.product);
            cost += materialised_cost(product.product);
        }
        const auto result = mlir::dyn_cast<ga::TensorType>(root_.type);
        plan.convert_result = false;
        if (result && !result.isDense()) {
            for (std::size_t level = 0; level < plan.order.size(); ++level) {
                const auto dimension = static_cast<std::size_t>(result.getOrder()[level]);
                plan.convert_result |= root_.labels[dimension] != plan.order[level];
            }
            if (plan.convert_result) cost += conversion_step * guessed_entries(plan.order);
        }
        plan.lookups.clear();
        double loops = loops_cost(plan, nullptr, *root_.value, 0, 1);
        for (const Node* access : accesses_) {
            const std::optional<Lookup> lookup = possible_lookup(plan, access);
            if (!lookup) continue;
            plan.lookups.push_back(*lookup);
            const double with =
                follows(plan, *lookup) ? loops : loops_cost(plan, nullptr, *root_.value, 0, 1);
            if (with < loops) loops = with;
            else plan.lookups.pop_back();
        }
        plan.cost = cost + loops;
        if (!found_ || plan.cost < best_.cost) best_ = plan;
        found_ = true;
        const Ways ways = ways_of(plan);
        auto known = std::find_if(cheapest_.begin(), cheapest_.end(),
                                  [&](const auto& other) { return other.first == ways; });
        if (known == cheapest_.end()) {
            cheapest_.emplace_back(ways, Alternative{plan.order, plan.products, plan.cost, cost});
        } else if (plan.cost < known->second.cost) {
            known->second = {plan.order, plan.products, plan.cost, cost};
        }
    }

    /// The last level of a sparse operand, if loops that do not concern it stand between that and
    /// the level before: the same row is met by each of their steps.
    std::optional<Lookup> possible_lookup(const Plan& plan, const Node* access) const {
        if (!access->is_sparse_access()) return std::nullopt;
        for (const Node* above = enclosing_.at(access); above != nullptr;
             above = enclosing_.at(above)) {
            if (plan.is_materialised(*above)) return std::nullopt;
        }
        const auto type = plan.type_of(*access);
        if (type.rank() < 2 || type.getKinds().back() != 1) return std::nullopt;
        const Names around = loops_around(plan, enclosing_.at(access));
        std::size_t before = 0;
        for (std::size_t level = 0; level + 1 < type.getOrder().size(); ++level) {
            const std::string& label = label_of(*access, type, level);
            before = std::max<std::size_t>(before, std::find(around.begin(), around.end(), label) -
                                                       around.begin() + 1);
        }
        const std::string& row = label_of(*access, type, type.getOrder().size() - 1);
        const auto at = std::find(around.begin(), around.end(), row);
        if (at == around.end() || static_cast<std::size_t>(at - around.begin()) <= before) {
            return std::nullopt;
        }
        return Lookup{access, before, row};
    }

    static const std::string& label_of(const Node& access, ga::TensorType type, std::size_t level) {
        return access.labels[static_cast<std::size_t>(type.getOrder()[level])];
    }

    /// Some loop has to follow the row's entries all the same.
    bool follows(const Plan& plan, const Lookup& lookup) const {
        const Node* product = enclosing_.at(lookup.access);
        const Domain domain = product == nullptr ? domain_of(*root_.value, lookup.row, plan)
                                                 : inside_domain(*product, lookup.row, plan);
        return domain.walks(lookup.access);
    }

    double guessed_entries(const Names& labels) const {
        if (labels.empty()) return 1;
        double entries = size_of(labels.front());
        for (std::size_t l = 1; l < labels.size(); ++l) {
            entries *= std::min(guessed_row, size_of(labels[l]));
        }
        return entries;
    }

    /// Levels have to be met in the order of the loops; a dense tensor can be entered anywhere.
    void convert_if_needed(Plan& plan, const Node* node, double& cost) const {
        const auto type = node->tensor();
        if (type.isDense()) return;
        const Names around = loops_around(plan, enclosing_.at(node));
        std::vector<std::int8_t> order(type.getOrder().begin(), type.getOrder().end());
        const auto at = [&](std::int8_t dimension) {
            const std::string& label = node->labels[static_cast<std::size_t>(dimension)];
            return std::find(around.begin(), around.end(), label) - around.begin();
        };
        const auto before = [&](std::int8_t a, std::int8_t b) {
            return std::pair(at(a), a) < std::pair(at(b), b);
        };
        if (std::is_sorted(order.begin(), order.end(),
                           [&](auto a, auto b) { return at(a) < at(b); })) {
            return;
        }
        std::sort(order.begin(), order.end(), before);
        double entries = 1;
        for (std::size_t level = 0; level < order.size(); ++level) {
            const auto dimension = static_cast<std::size_t>(type.getOrder()[level]);
            const double size = size_of(node->labels[dimension]);
            entries *=
                level == 0 || type.getKinds()[level] == 0 ? size : std::min(guessed_row, size);
        }
        cost += conversion_step * entries / rounds_with(node->value);
        plan.conversions.push_back({node, std::move(order)});
    }

    /// How often the kernel runs while a value stays the same, which is converted once for all of
    /// them. Loops that look at the clock want it done where it stands.
    double rounds_with(mlir::Value value) const {
        double rounds = 1;
        for (auto loop = root_.operation->getParentOfType<mlir::scf::ForOp>(); loop;
             loop = loop->getParentOfType<mlir::scf::ForOp>()) {
            const bool changes = loop->isAncestor(value.getParentBlock()->getParentOp());
            const bool timed = loop->walk([](ga::TimeOp) { return mlir::WalkResult::interrupt(); })
                                   .wasInterrupted();
            if (changes || timed) break;
            const auto begin = constant_of(loop.getLowerBound());
            const auto end = constant_of(loop.getUpperBound());
            const auto step = constant_of(loop.getStep());
            const bool known = begin && end && step && *step > 0;
            rounds *=
                known
                    ? std::max(1.0, static_cast<double>(*end - *begin) / static_cast<double>(*step))
                    : guessed_rounds;
        }
        return rounds;
    }

    double materialised_cost(const Node* product) {
        const auto known = materialised_.find(product);
        if (known != materialised_.end()) return known->second;
        Root part;
        part.labels = product->labels;
        part.type = product->value.getType();
        part.operation = product->value.getDefiningOp();
        // The planner only reads the tree, which stays with its owner.
        part.value.reset(const_cast<Node*>(product));
        const double cost =
            Planner(part, sizes_).best().cost + materialise_step * guessed_entries(product->labels);
        (void)part.value.release();
        return materialised_[product] = cost;
    }

    double steps(const Domain& domain, const std::string& label, const Plan& plan) const {
        const double size = size_of(label);
        switch (domain.kind) {
        case Domain::Kind::none:
        case Domain::Kind::all:
            return size;
        case Domain::Kind::workspace:
            return std::min(size, guessed_row * guessed_row);
        case Domain::Kind::access: {
            const auto type = plan.type_of(*domain.node);
            const auto first = static_cast<std::size_t>(type.getOrder()[0]);
            if (domain.node->labels[first] == label) return size / 2;
            return std::min(size, guessed_row);
        }
        case Domain::Kind::both: {
            const double left = steps(domain.parts[0], label, plan);
            const double right = steps(domain.parts[1], label, plan);
            if (domain.parts[0].has_driver() && domain.parts[1].has_driver()) {
                return merge_step * (left + right);
            }
            return std::min(left, right);
        }
        case Domain::Kind::either:
            return merge_step * std::min(size, steps(domain.parts[0], label, plan) +
                                                   steps(domain.parts[1], label, plan));
        }
        return size;
    }

    /// Dense operands that the innermost loop does not walk along.
    double stride_factor(const Plan& plan, const Names& loops, const Node* product) const {
        if (loops.empty()) return 1;
        const std::string& inner = loops.back();
        double factor = 1;
        for (const Node* access : accesses_) {
            if (enclosing_.at(access) != product || !plan.type_of(*access).isDense()) continue;
            const auto last = static_cast<std::size_t>(plan.type_of(*access).getOrder().back());
            if (contains(access->labels, inner) && access->labels[last] != inner) {
                factor += strided_factor;
            }
        }
        return factor;
    }

    /// The loops of `plan.order` (product null) or of a product, whose inside is `body`, entered
    /// `times` times, with the products computed between them.
    double loops_cost(const Plan& plan, const Node* product, const Node& body, std::size_t first,
                      double times) {
        const ProductPlan* own = product == nullptr ? nullptr : plan.find(product);
        const Names& loops = own == nullptr ? plan.order : own->loops;
        double total = 0;
        for (std::size_t d = 0; d <= loops.size(); ++d) {
            for (const ProductPlan& inner : plan.products) {
                if (inner.way == ProductWay::materialise || inner.depth != first + d ||
                    inner.product == product ||
                    home_of(plan, inner.product, inner.depth) != product) {
                    continue;
                }
                total += product_cost(plan, inner, times);
            }
            for (const Lookup& lookup : plan.lookups) {
                if (lookup.depth == first + d &&
                    home_of(plan, lookup.access, lookup.depth) == product) {
                    total += times * spread_step * std::min(guessed_row, size_of(lookup.row));
                }
            }
            if (d == loops.size()) break;
            const Domain domain = product == nullptr ? domain_of(body, loops[d], plan)
                                                     : inside_domain(*product, loops[d], plan);
            times *= std::max(steps(domain, loops[d], plan), 1e-3);
            double step = 1;
            if (own != nullptr && own->way == ProductWay::workspace && d + 1 == loops.size()) {
                step = own->row_mask != nullptr ? masked_step : workspace_step;
            }
            if (domain.kind == Domain::Kind::workspace) step = row_walk_step;
            for (const Lookup& lookup : plan.lookups) {
                if (lookup.row == loops[d] && enclosing_.at(lookup.access) == product) {
                    step += lookup_step;
                }
            }
            if (d + 1 == loops.size()) step *= stride_factor(plan, loops, product);
            total += times * step;
        }
        return total;
    }

    const Node* home_of(const Plan& plan, const Node* inner, std::size_t depth) const {
        return plan.home_of(inner, depth, [&](const Node* node) { return enclosing_.at(node); });
    }

    double product_cost(const Plan& plan, const ProductPlan& way, double times) {
        double cost = loops_cost(plan, way.product, *way.product, way.depth, times);
        if (way.way == ProductWay::workspace && way.depth == 0) cost *= sequential_factor;
        return cost;
    }

    const Root& root_;
    const KnownSizes& sizes_;
    Names free_;
    Enclosing enclosing_;
    std::vector<const Node*> products_;
    std::vector<const Node*> accesses_;
    std::map<const Node*, double> materialised_;
    std::vector<std::pair<Ways, Alternative>> cheapest_; ///< by ways, in the order of discovery
    bool kept_to_push_ = false;
    bool kept_to_pull_ = false;
    Plan best_;
    bool found_ = false;
};

} // namespace

const ProductPlan* Plan::find(const Node* product) const {
    const auto found = std::find_if(products.begin(), products.end(),
                                    [&](const ProductPlan& p) { return p.product == product; });
    return found == products.end() ? nullptr : &*found;
}

const Lookup* Plan::find_lookup(const Node* access) const {
    const auto found = std::find_if(lookups.begin(), lookups.end(),
                                    [&](const Lookup& l) { return l.access == &access->origin(); });
    return found == lookups.end() ? nullptr : &*found;
}

bool Plan::is_materialised(const Node& node) const {
    const ProductPlan* own = find(&node);
    return own != nullptr && own->way == ProductWay::materialise;
}

ga::TensorType Plan::type_of(const Node& node) const {
    const auto type = node.tensor();
    for (const Conversion& conversion : conversions) {
        if (conversion.access != &node.origin()) continue;
        llvm::SmallVector<std::int8_t> kinds(type.getKinds());
        // Dense levels below others hold places of the old order that are none in the new one.
        bool below = false;
        bool blocks = false;
        for (const std::int8_t kind : kinds) {
            blocks |= below && kind == 0;
            below |= kind != 0;
        }
        if (blocks) std::fill(kinds.begin(), kinds.end(), std::int8_t{1});
        return ga::TensorType::get(type.getContext(), type.getElement(), kinds, conversion.order);
    }
    return type;
}

std::vector<std::string> free_labels(const Root& root) {
    if (mlir::isa<ga::TensorType>(root.type)) return root.labels;
    Names labels;
    for (const std::string& label : root.value->labels) {
        if (!contains(labels, label)) labels.push_back(label);
    }
    return labels;
}

Plan make_plan(const Root& root, const KnownSizes& sizes) {
    return Planner(root, sizes).best();
}

} // namespace tropic::compile
