// Folds: sum[i](...), x[i] @(min,+) A[i, j], and the monoids they gather with.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

std::optional<Checker::Fold> Checker::fold_of(const Tree& tree) {
    Fold words;
    words.place = tree.place;
    words.monoid = tree.name;
    if (tree.kind == Tree::Kind::reduction) {
        words.labels = tree.labels;
        words.value = &tree.operands[0];
        if (tree.operands.size() > 1) words.condition = &tree.operands[1];
        const std::string_view word = monoid_word(tree.name);
        const syntax::Function* own = find_function(word);
        const bool is_monoid = own != nullptr ? own->kind == syntax::Function::Kind::monoid
                                              : operation_of(word).has_value();
        if (!is_monoid) {
            report_unknown(tree.name, tree.place, "fold");
            return std::nullopt;
        }
        for (const syntax::Name& label : tree.labels) {
            if (const VariableId id = find_variable(label.text);
                id >= 0 && !variable(id).is_local) {
                report(ErrorCode::inconsistent, label.place,
                       fmt::format("'{}' is a variable and cannot be a label", label.text));
                return std::nullopt;
            }
        }
        return words;
    }
    words.multiply = tree.second;
    if (tree.second.empty()) {
        if (const syntax::Function* own = find_function(tree.name);
            own != nullptr && own->kind == syntax::Function::Kind::semiring) {
            if (!is_sound(*own)) return std::nullopt; // said where it is defined
            words.monoid = own->add;
            words.multiply = own->multiply;
        } else if (own == nullptr && !operation_of(monoid_word(tree.name))) {
            report_unknown(tree.name, tree.place, "operator or semiring");
            return std::nullopt;
        }
    }
    // a @(+,*) b @(+,*) c folds everything at once.
    const std::function<void(const Tree&)> flatten = [&](const Tree& factor) {
        if (factor.kind == Tree::Kind::product && factor.name == tree.name &&
            factor.second == tree.second) {
            flatten(factor.operands[0]);
            flatten(factor.operands[1]);
        } else {
            words.factors.push_back(&factor);
        }
    };
    flatten(tree);
    for (const Tree* factor : words.factors) free_labels(*factor, words.labels);
    return words;
}

Expression Checker::reduction(const Tree& tree) {
    const std::optional<Fold> words = fold_of(tree);
    return words ? fold(*words) : unknown_at(tree.place);
}

/// A product whose labels are all bound; a variable may stand where a label was meant.
void Checker::report_nothing_folded(const Tree& product, const Fold& words) {
    std::string taken;
    const std::function<void(const Tree&)> look = [&](const Tree& tree) {
        for (std::size_t i = 0; i < tree.operands.size(); ++i) {
            const Tree& operand = tree.operands[i];
            look(operand);
            if (tree.kind != Tree::Kind::index || i == 0 || operand.kind != Tree::Kind::name) {
                continue;
            }
            const VariableId id = find_variable(operand.name);
            if (id < 0 || in_range_.contains(id) || !taken.empty()) continue;
            taken = fmt::format("'{}' is a {} and no label", operand.name,
                                variable(id).is_parameter ? "parameter" : "variable");
        }
    };
    for (const Tree* factor : words.factors) look(*factor);
    report(
        ErrorCode::inconsistent, product.place,
        fmt::format("nothing is folded here: {}", taken.empty() ? "all labels are bound" : taken),
        {.hint = taken.empty() ? "a @(op) b joins two values element by element"
                               : "give the label a name that nothing else has"});
}

Expression Checker::product(const Tree& tree) {
    const std::optional<Fold> words = fold_of(tree);
    if (!words) return unknown_at(tree.place);
    if (words->multiply.empty() || words->labels.empty()) {
        if (!words->multiply.empty()) {
            report_nothing_folded(tree, *words);
            return unknown_at(tree.place);
        }
        if (!words->labels.empty()) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("'{}' stands on this side only; @({}) joins element by element",
                               words->labels.front().text, tree.name),
                   {.hint = fmt::format("@({}, *) folds it", tree.name)});
            return unknown_at(tree.place);
        }
        return joined(tree, Restricts::members);
    }
    if (!is_monoid(words->monoid)) {
        report_no_monoid(words->monoid, tree.place);
        return unknown_at(tree.place);
    }
    return fold(*words);
}

/// `x[i] @(op) y[i]`: where one of them has no value, the other one's; 0 less it of a difference.
Expression Checker::joined(const Tree& tree, Restricts restricts) {
    const auto side = [&](const Tree& operand, Guards& guards) {
        Guards* outer = std::exchange(guards_, &guards);
        const Restricts restricted = std::exchange(restricts_, restricts);
        if (outer != nullptr) guards.labels = outer->labels;
        Expression value = once(scalar(operand, "a value"));
        guards_ = outer;
        restricts_ = restricted;
        return value;
    };
    Guards left_guards;
    Guards right_guards;
    Expression left = side(tree.operands[0], left_guards);
    Expression right = side(tree.operands[1], right_guards);
    const auto operation = tree.name;
    Expression both = apply(operation, left, right, tree.place);
    if (!both.type.is_known()) return both;
    if (left_guards.conditions.empty() && right_guards.conditions.empty()) return both;
    Expression has_left = conjunction(left_guards.conditions);
    Expression has_right = conjunction(right_guards.conditions);
    if (guards_ != nullptr) {
        if (!is_true(has_left) && !is_true(has_right)) {
            guards_->conditions.push_back(
                binary_of(Operation::logical_or, deep_copy(has_left), deep_copy(has_right)));
        }
    }
    const auto choice = [&](Expression test, Expression yes, Expression no) {
        if (is_true(test)) return yes;
        Expression result;
        result.kind = Expression::Kind::conditional;
        result.place = tree.place;
        result.type = yes.type;
        result.operands.push_back(std::move(test));
        result.operands.push_back(std::move(yes));
        result.operands.push_back(std::move(no));
        return result;
    };
    left = converted_silently(std::move(left), both.type);
    right = converted_silently(std::move(right), both.type);
    // What is taken from nothing is negative.
    if (operation == "-" && find_function(operation) == nullptr) {
        right = arithmetic(Operation::subtract, constant_of(0, both.type, tree.place),
                           std::move(right), tree.place);
    }
    Expression with_left = choice(deep_copy(has_right), std::move(both), std::move(left));
    return choice(std::move(has_left), std::move(with_left), std::move(right));
}

std::vector<const Checker::Tree*> Checker::trees_of(const Fold& fold) const {
    std::vector<const Tree*> trees = fold.factors;
    if (fold.value != nullptr) trees.push_back(fold.value);
    if (fold.condition != nullptr) trees.push_back(fold.condition);
    return trees;
}

Expression Checker::fold(const Fold& words) {
    Guards guards;
    if (guards_ != nullptr) {
        guards.around = guards_->around;
        guards.around.insert(guards_->labels.begin(), guards_->labels.end());
    }
    Guards* outer = std::exchange(guards_, &guards);
    const Restricts restricted = std::exchange(restricts_, Restricts::members);
    const Nowhere nowhere = std::exchange(nowhere_, Nowhere::none);
    ++folds_deep_;
    Expression result = fold_label(words, words.labels, guards);
    --folds_deep_;
    nowhere_ = nowhere;
    guards_ = outer;
    restricts_ = restricted;
    return result;
}

/// The label that can be reached from what is bound: by an edge, else by members, else the first.
std::size_t Checker::next_label(const Fold& fold, const std::vector<syntax::Name>& labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (const Tree* tree : trees_of(fold)) {
            if (find_edge(*tree, labels[i].text) != nullptr) return i;
        }
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (const Tree* tree : trees_of(fold)) {
            if (indexes_members(*tree, labels[i].text)) return i;
        }
    }
    return 0;
}

Expression Checker::fold_label(const Fold& words, std::vector<syntax::Name> labels,
                               Guards& guards) {
    const std::size_t pick = next_label(words, labels);
    const syntax::Name name = labels[pick];
    labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(pick));
    const Tree* edge = nullptr;
    std::optional<SpaceId> space;
    for (const Tree* tree : trees_of(words)) {
        if (edge == nullptr) edge = find_edge(*tree, name.text);
        if (!space) space = label_space(*tree, name.text);
    }
    const Scoped scoped(*this);
    auto result = std::make_shared<Reduction>();
    if (edge != nullptr) {
        const GraphUse use = edges_of(edge->operands[0]);
        if (use.graph < 0) return unknown_at(words.place);
        const Tree& column = edge->operands[2];
        const bool to_column = column.kind == Tree::Kind::name && column.name == name.text;
        bool checked = false;
        const SpaceId from = to_column ? rows_of(use) : columns_of(use);
        Expression center = index_value(edge->operands[to_column ? 1 : 2], from, checked);
        if (!center.type.is_known()) return unknown_at(words.place);
        if (checked) center = in_range(std::move(center), from);
        result->graph = use.graph;
        result->inward = to_column == use.flipped;
        result->center = std::move(center);
        space = to_column ? columns_of(use) : rows_of(use);
    }
    result->space = space.value_or(0);
    result->label = bind_label(name, result->space);
    guards.labels.insert(result->label);
    if (edge != nullptr) {
        edges_.push_back({.graph = result->graph,
                          .inward = result->inward,
                          .center = *result->center,
                          .label = result->label,
                          .weight = &result->weight,
                          .edge = &result->edge});
    }
    const bool nested = !labels.empty();
    std::vector<Statement> before;
    Expression value;
    {
        const Into into(*this, before);
        value = labels.empty() ? folded_value(words, guards)
                               : fold_label(words, std::move(labels), guards);
    }
    if (edge != nullptr) edges_.pop_back();
    if (!value.type.is_known()) return unknown_at(words.place);
    if (!before.empty()) {
        report(ErrorCode::unsupported, words.place,
               "a function with loops of its own cannot be called inside a fold",
               {.hint = "call it in a loop that gathers: each i in vertices(A) n += f(x[i]);"});
        return unknown_at(words.place);
    }
    return finish_fold(words, nested, std::move(value), std::move(result), guards);
}

Expression Checker::finish_fold(const Fold& words, bool nested, Expression value,
                                std::shared_ptr<Reduction> result, Guards& guards) {
    const bool argument = words.monoid == "argmin" || words.monoid == "argmax";
    if (nested && (argument || words.monoid == "any")) {
        report(ErrorCode::unsupported, words.place,
               fmt::format("'{}' takes one label at a time", words.monoid));
        return unknown_at(words.place);
    }
    // What concerns this label is tested here, the rest further out.
    const auto concerns = [&](const Expression& e) {
        return mentions(e, result->label) || (result->weight >= 0 && mentions(e, result->weight)) ||
               (result->edge >= 0 && mentions(e, result->edge));
    };
    std::vector<Expression> here;
    std::vector<Expression> outside;
    const bool outermost = guards.labels.size() == 1 || *guards.labels.begin() == result->label;
    for (Expression& condition : guards.conditions) {
        (concerns(condition) || outermost ? here : outside).push_back(std::move(condition));
    }
    guards.conditions = std::move(outside);
    for (auto condition = here.begin(); result->graph < 0 && condition != here.end(); ++condition) {
        if (condition->kind != Expression::Kind::member ||
            !is_label_of(condition->operands[0], result->label) ||
            !variable(condition->variable).type.is_members()) {
            continue;
        }
        result->members = condition->variable;
        here.erase(condition);
        break;
    }
    if (!here.empty()) result->condition = conjunction(std::move(here));
    auto monoid = monoid_of(monoid_word(words.monoid), value.type, words.place);
    if (!monoid) return unknown_at(words.place);
    result->monoid = std::move(*monoid);
    result->argument = argument;
    Expression fold;
    fold.kind = Expression::Kind::reduction;
    fold.place = words.place;
    fold.type = argument ? vertex_type(result->space) : value.type;
    result->value = std::move(value);
    fold.reduction = std::move(result);
    return fold;
}

Expression Checker::product_of(const Fold& words) {
    std::vector<Expression> factors;
    factors.reserve(words.factors.size());
    for (const Tree* tree : words.factors) factors.push_back(scalar(*tree, "a value"));
    Expression value = deep_copy(factors[0]);
    for (std::size_t i = 1; i < factors.size(); ++i) {
        value = apply(words.multiply, std::move(value), deep_copy(factors[i]), words.place);
    }
    if (words.multiply != "+" || (words.monoid != "min" && words.monoid != "max")) return value;
    std::vector<Addend> addends;
    addends.reserve(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        addends.push_back({words.factors[i], std::move(factors[i])});
    }
    const Nowhere nowhere = words.monoid == "min" ? Nowhere::largest : Nowhere::least;
    return keep_nowhere(nowhere, std::move(value), addends, words.place);
}

/// Whether a tree is worked out by an operator that leads on from what there is no way to.
bool Checker::leads_on(const Tree& tree) {
    return tree.kind == Tree::Kind::binary &&
           (tree.name == "+" || tree.name == "-" || tree.name == "*" || tree.name == "/");
}

/// A message of a vertex program, where its operators are those of numbers: nothing leads on from
/// what there is no way to, however long the formula.
Expression Checker::way(const Tree& tree) {
    std::vector<Addend> addends;
    Expression sum = way_sum(tree, 1, addends);
    return keep_nowhere(nowhere_, std::move(sum), addends, tree.place);
}

/// `addends` are the parts without which there is no sum: what is added; what is taken away (`sign`
/// is -1) or divided by (0) is none.
Expression Checker::way_sum(const Tree& tree, int sign, std::vector<Addend>& addends) {
    if (!leads_on(tree)) {
        Expression value = scalar(tree, "a number");
        if (sign > 0 && value.type.is_known()) addends.push_back({&tree, deep_copy(value)});
        return value;
    }
    const int other = tree.name == "/" ? 0 : tree.name == "-" ? -sign : sign;
    Expression left = way_sum(tree.operands[0], sign, addends);
    Expression right = way_sum(tree.operands[1], other, addends);
    return apply(tree.name, std::move(left), std::move(right), tree.place);
}

/// The sums of (min, +) and (max, +), and of messages: what the fold starts with says that there is
/// no way, and no sum leads on from there. Reals have an infinity that stays one; of integers it is
/// the largest or the least, and is asked for. Who folds by a formula of his own may mean either.
Expression Checker::keep_nowhere(Nowhere nowhere, Expression sum,
                                 const std::vector<Addend>& addends, Place place) {
    if (nowhere == Nowhere::either) {
        sum = keep_nowhere(Nowhere::least, std::move(sum), addends, place);
        return keep_nowhere(Nowhere::largest, std::move(sum), addends, place);
    }
    const bool largest = nowhere == Nowhere::largest;
    const std::string_view monoid = largest ? "min" : "max";
    // An unsigned type has no least value to spare: that is 0.
    const auto counts = [&](const Type& type) {
        return is_number(type) && !type.vertex && !is_float(type.element) &&
               type.element != ElementType::boolean && (largest || holds_integer(type.element, -1));
    };
    // An integer that is nowhere may be added to a real.
    const bool real = is_number(sum.type) && is_float(sum.type.element);
    if (!sum.type.is_known() || (!real && !counts(sum.type))) return sum;
    std::optional<Expression> test;
    for (const auto& [tree, part] : addends) {
        if (!counts(part.type) || part.kind == Expression::Kind::constant) continue;
        // An edge that is there is a way, whatever its value.
        if (tree->kind == Tree::Kind::index && is_graph(tree->operands[0])) continue;
        Type type = part.type;
        type.lanes = sum.type.lanes;
        const auto gathers = monoid_of(monoid, type, place);
        if (!gathers) return sum;
        Expression none = binary_of(Operation::equal, converted_silently(deep_copy(part), type),
                                    deep_copy(*gathers->identity));
        test = test ? binary_of(Operation::bit_or, std::move(*test), std::move(none))
                    : std::move(none);
    }
    if (!test) return sum;
    Expression result;
    result.kind = Expression::Kind::conditional;
    result.both = true;
    result.place = place;
    result.type = sum.type;
    result.operands.push_back(std::move(*test));
    result.operands.push_back(*monoid_of(monoid, sum.type, place)->identity);
    result.operands.push_back(std::move(sum));
    return result;
}

Expression Checker::folded_value(const Fold& words, Guards& guards) {
    Expression value;
    if (words.monoid == "count") {
        split_conjunction(condition(*words.value), guards.conditions);
        value = constant_of(1, scalar_of(ElementType::int64), words.place);
    } else if (words.value != nullptr) {
        // Whether all are members is a question about those who are not.
        const bool all = words.monoid == "and" || words.monoid == "&";
        const Restricts outer = restricts_;
        if (all) restricts_ = std::min(restricts_, Restricts::sparse);
        const bool asks = words.monoid == "or" || words.monoid == "and";
        value = asks ? value_for(*words.value, truth_type()) : scalar(*words.value, "a value");
        restricts_ = outer;
    } else {
        value = product_of(words);
    }
    if (words.condition != nullptr) {
        Expression test = condition(*words.condition);
        if (!test.type.is_known()) return test;
        split_conjunction(std::move(test), guards.conditions);
    }
    if (!value.type.is_known()) return value;
    const std::string_view word = monoid_word(words.monoid);
    if ((word == "or" || word == "and") && value.type.lanes == 1) value = truth(std::move(value));
    const bool adds = word == "+" || word == "*";
    if (adds && is_number(value.type) && !is_float(value.type.element)) {
        Type wide = scalar_of(value.type.element == ElementType::uint64 ? ElementType::uint64
                                                                        : ElementType::int64);
        wide.lanes = value.type.lanes;
        value = converted_silently(std::move(value), wide);
    }
    return value;
}

} // namespace tropic::language::algorithm
