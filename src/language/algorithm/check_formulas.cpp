// Functions of numbers as formulas, so that folds can call them: what a function assigns to its
// names stands for them from then on, and a branch becomes a choice between two values.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// A formula is written out wherever it is used.
constexpr std::size_t most_operations = 10'000;

bool is_formula(const std::vector<syntax::Statement>& list) {
    using Kind = syntax::Statement::Kind;
    return std::ranges::all_of(list, [](const syntax::Statement& s) {
        if (s.kind == Kind::branch) return is_formula(s.body) && is_formula(s.otherwise);
        if (s.kind == Kind::declare) return true;
        return s.kind == Kind::assign && s.target && !s.mask && !s.changed &&
               s.target->kind == syntax::Expression::Kind::name;
    });
}

} // namespace

bool Checker::is_small(const Expression& formula, Place place) {
    std::size_t operations = 0;
    for_each_expression(formula, [&](const Expression&) { ++operations; });
    if (operations <= most_operations) return true;
    report(ErrorCode::range, place,
           fmt::format("the formula has {} operations when it is written out; {} are allowed",
                       operations, most_operations),
           {.hint = "name what is used often, and compute it in a loop"});
    return false;
}

bool Checker::can_be_formula(const syntax::Function& function) {
    return function.can_run() && function.results.size() == 1 && is_formula(function.body);
}

Expression Checker::expand_formula(const Tree& call, const syntax::Function& function) {
    facts_.expanded.insert(&function);
    if (recursion_reported(function, call.place)) return unknown_at(call.place);
    std::size_t least = function.parameters.size();
    while (least > 0 && function.parameters[least - 1].initial) --least;
    if (!argument_count(call, least, function.parameters.size(), {})) return unknown_at(call.place);
    Frame frame{.function = &function, .scopes = {{}}, .caller = frame_, .called = call.place};
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const syntax::Parameter& words = function.parameters[i];
        const Tree& argument = i < call.operands.size() ? call.operands[i] : *words.initial;
        Frame* const outer = std::exchange(frame_, &frame);
        const Type type = type_of(words.type);
        frame_ = outer;
        if (!type.is_known()) return unknown_at(call.place);
        if (!type.is_scalar()) {
            bind_argument(frame, words, argument);
            continue;
        }
        Expression value = converted(once(scalar(argument, "a value")), type, argument.place);
        if (!value.type.is_known()) return unknown_at(call.place);
        frame.scopes[0].insert_or_assign(
            words.name.text, Symbol{.value = std::make_shared<const Expression>(std::move(value))});
    }
    Frame* const outer = std::exchange(frame_, &frame);
    Guards* const guards = std::exchange(guards_, nullptr);
    const Restricts restricted = std::exchange(restricts_, Restricts::nothing);
    const syntax::Parameter& result = function.results[0];
    const Type type = type_of(result.type);
    Expression value = unknown_at(call.place);
    if (type.is_known() && type.is_scalar()) {
        Types fixed{{result.name.text, type}};
        frame.scopes[0].insert_or_assign(
            result.name.text, Symbol{.value = std::make_shared<const Expression>(zero_of(type))});
        if (follow_formula(function.body, fixed)) {
            value = deep_copy(*frame.scopes[0].find(result.name.text)->second.value);
        }
    }
    restricts_ = restricted;
    guards_ = guards;
    frame_ = outer;
    if (value.type.is_known() && !is_small(value, call.place)) return unknown_at(call.place);
    return value;
}

/// `fixed`: the names whose type is said, with that type.
bool Checker::follow_formula(const std::vector<syntax::Statement>& list, Types& fixed) {
    using Kind = syntax::Statement::Kind;
    for (const syntax::Statement& s : list) {
        if (s.kind == Kind::branch) {
            if (!follow_branch(s, fixed)) return false;
            continue;
        }
        const std::string& name = s.kind == Kind::declare ? s.names[0].text : s.target->name;
        if (s.type) {
            const Type type = type_of(*s.type);
            if (!type.is_known() || !type.is_scalar()) return false;
            fixed.insert_or_assign(name, type);
        }
        Expression value;
        if (s.kind == Kind::declare) {
            value = zero_of(fixed.at(name));
        } else {
            value = scalar(*s.value, "a value");
            if (!s.accumulate.empty()) {
                value =
                    apply(s.accumulate, scalar(*s.target, "a value"), std::move(value), s.place);
            }
            if (const auto known = fixed.find(name); known != fixed.end()) {
                value = converted(std::move(value), known->second, s.value->place);
            }
        }
        if (!value.type.is_known() || !is_small(value, s.place)) return false;
        frame_->scopes[0].insert_or_assign(
            name, Symbol{.value = std::make_shared<const Expression>(std::move(value))});
    }
    return true;
}

bool Checker::follow_branch(const syntax::Statement& s, Types& fixed) {
    const Expression test = condition(*s.value);
    if (!test.type.is_known()) return false;
    const Scope before = frame_->scopes[0];
    if (!follow_formula(s.body, fixed)) return false;
    const Scope yes = std::exchange(frame_->scopes[0], before);
    if (!follow_formula(s.otherwise, fixed)) return false;
    for (auto& [name, symbol] : frame_->scopes[0]) {
        const auto other = yes.find(name);
        if (other == yes.end() || !symbol.value || symbol.value == other->second.value) continue;
        Expression choice;
        choice.kind = Expression::Kind::conditional;
        choice.place = s.place;
        Expression first = deep_copy(*other->second.value);
        Expression second = deep_copy(*symbol.value);
        if (!agree(first, second, s.place, "a branch")) return false;
        choice.type = first.type;
        choice.operands.push_back(deep_copy(test));
        choice.operands.push_back(std::move(first));
        choice.operands.push_back(std::move(second));
        if (!is_small(choice, s.place)) return false;
        symbol.value = std::make_shared<const Expression>(std::move(choice));
    }
    return true;
}

} // namespace tropic::language::algorithm
