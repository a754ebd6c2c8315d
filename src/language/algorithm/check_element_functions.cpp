// Functions that change elements, and those that make values of other types.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

/// What changes an element or a set and says whether it did.
std::optional<Expression> Checker::atomic_function(const Tree& tree) {
    const bool insert = tree.name == "insert";
    const bool improve = tree.name == "improve";
    if (!insert && !improve && tree.name != "swap") return std::nullopt;
    Expression result;
    result.place = tree.place;
    result.type = truth_type();
    if (insert) {
        if (!argument_count(tree, 2, 2, "insert(s, v)")) return unknown_at(tree.place);
        const VariableId set = whole(tree.operands[0], "a set");
        if (set < 0 || !variable(set).type.is_known()) return unknown_at(tree.place);
        if (!variable(set).type.is_members() || !is_assignable(set, tree.operands[0].place)) {
            if (!variable(set).type.is_members()) {
                report(ErrorCode::inconsistent, tree.operands[0].place,
                       fmt::format("a set is wanted here, '{}' is {}", tree.operands[0].name,
                                   described(variable(set).type)));
            }
            return unknown_at(tree.place);
        }
        if (variable(set).type.shape == Type::Shape::sparse) {
            report(ErrorCode::unsupported, tree.operands[0].place,
                   fmt::format("'{}' is {}: its members have values", tree.operands[0].name,
                               described(variable(set).type)),
                   {.accepted = fmt::format("{}[v] = value;", tree.operands[0].name)});
            return unknown_at(tree.place);
        }
        bool checked = false;
        const SpaceId space = variable(set).type.space;
        Expression at = index_value(tree.operands[1], space, checked);
        if (!at.type.is_known()) return unknown_at(tree.place);
        if (checked) at = in_range(std::move(at), space);
        result.kind = Expression::Kind::insert;
        result.variable = set;
        result.operands.push_back(std::move(at));
        return result;
    }
    if (!argument_count(tree, improve ? 1 : 3, improve ? 1 : 3,
                        improve ? "improve(x[k] min= v)" : "swap(x[k], old, new)")) {
        return unknown_at(tree.place);
    }
    const Tree& first = tree.operands[0];
    if (improve && (first.kind != Tree::Kind::accumulate || first.name.empty())) {
        report(ErrorCode::inconsistent, tree.place,
               "'improve' takes an element and what improves it",
               {.accepted = "improve(x[k] min= v)"});
        return unknown_at(tree.place);
    }
    const Tree& place = improve ? first.operands[0] : first;
    as_target_ = true;
    Expression target = expression(place);
    as_target_ = false;
    if (!target.type.is_known()) return unknown_at(tree.place);
    if (target.kind != Expression::Kind::element ||
        variable(target.variable).type.shape != Type::Shape::vector) {
        report(ErrorCode::inconsistent, place.place, "an element of a vector is wanted here",
               {.accepted = "x[k]"});
        return unknown_at(tree.place);
    }
    if (!is_assignable(target.variable, place.place)) return unknown_at(tree.place);
    const Type type = target.type;
    result.kind = improve ? Expression::Kind::improve : Expression::Kind::swap;
    result.variable = target.variable;
    result.checked = target.checked;
    result.operands.push_back(target.operands[0]);
    const auto value = [&](const Tree& operand) {
        Expression e = scalar(operand, "a value");
        if (improve) e = limited(std::move(e), type, first.name);
        e = converted(std::move(e), type, operand.place);
        const bool known = e.type.is_known();
        result.operands.push_back(std::move(e));
        return known;
    };
    if (improve) {
        if (!value(first.operands[1])) return unknown_at(tree.place);
        auto monoid = monoid_of(first.name, type, first.place);
        if (!monoid) return unknown_at(tree.place);
        result.monoid = std::make_shared<Monoid>(std::move(*monoid));
        return result;
    }
    if (!value(tree.operands[1]) || !value(tree.operands[2])) return unknown_at(tree.place);
    return result;
}

/// lanes(T), T a type with lanes: 0, 1, 2...
Expression Checker::numbers_of_lanes(const Tree& tree) {
    const Tree& named = tree.operands[0];
    const auto type = named.kind == Tree::Kind::name ? alias_of(named.name) : std::optional<Type>();
    if (!type || type->lanes == 1) {
        report(ErrorCode::inconsistent, named.place,
               "'lanes' of one argument numbers the lanes of a type",
               {.accepted = "type four = float[4]; ... lanes(four), or lanes(a, b, c, d)"});
        return unknown_at(tree.place);
    }
    Expression result;
    result.kind = Expression::Kind::lanes;
    result.place = tree.place;
    result.type = scalar_of(ElementType::int64);
    result.type.lanes = type->lanes;
    for (int lane = 0; lane < type->lanes; ++lane) {
        result.operands.push_back(constant_of(lane, scalar_of(ElementType::int64), tree.place));
    }
    return result;
}

/// float(x), int(x), vertex(x), pair(a, b), lanes(a, b, c, d).
std::optional<Expression> Checker::conversion(const Tree& tree) {
    if (tree.name == "pair") {
        if (!argument_count(tree, 2, 2, "pair(a, b)")) return unknown_at(tree.place);
        Expression first = scalar(tree.operands[0], "a value");
        Expression second = scalar(tree.operands[1], "a value");
        if (!first.type.is_known() || !second.type.is_known()) return unknown_at(tree.place);
        if (!is_number(first.type) || !is_number(second.type)) {
            report(ErrorCode::unsupported, tree.place, "a pair of pairs or records");
            return unknown_at(tree.place);
        }
        const Type a = stored_type(first);
        const Type b = stored_type(second);
        Expression result;
        result.kind = Expression::Kind::make;
        result.place = tree.place;
        result.type = scalar_of(ElementType::float64);
        result.type.record = pair_of(element_of(a), element_of(b));
        result.operands.push_back(converted_silently(std::move(first), element_of(a)));
        result.operands.push_back(converted_silently(std::move(second), element_of(b)));
        return result;
    }
    if (tree.name == "lanes") {
        if (tree.operands.size() == 1) return numbers_of_lanes(tree);
        if (!argument_count(tree, 2, syntax::most_lanes, "lanes(a, b, c, d)")) {
            return unknown_at(tree.place);
        }
        Expression result;
        result.kind = Expression::Kind::lanes;
        result.place = tree.place;
        std::vector<Expression> parts;
        parts.reserve(tree.operands.size());
        for (const Tree& operand : tree.operands) parts.push_back(scalar(operand, "a number"));
        Expression widest = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            Expression next = parts[i];
            if (!agree(widest, next, tree.operands[i].place, "'lanes'")) {
                return unknown_at(tree.place);
            }
        }
        if (!is_number(widest.type) || widest.type.lanes > 1) return unknown_at(tree.place);
        result.type = widest.type;
        result.type.vertex = false;
        const Type one = result.type;
        result.type.lanes = static_cast<int>(tree.operands.size());
        for (Expression& part : parts) {
            result.operands.push_back(converted_silently(std::move(part), one));
        }
        return result;
    }
    std::optional<Type> wanted = alias_of(tree.name);
    if (const auto element = parse_type_word(tree.name)) wanted = scalar_of(*element);
    if (tree.name == "vertex") wanted = vertex_type();
    if (!wanted) return std::nullopt;
    if (!argument_count(tree, 1, 1, fmt::format("{}(x)", tree.name))) return unknown_at(tree.place);
    Expression value = scalar(tree.operands[0], "a number");
    if (!value.type.is_known()) return value;
    if (!is_number(value.type)) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' does not convert {}", tree.name, described(value.type)));
        return unknown_at(tree.place);
    }
    Type type = *wanted;
    if (type.lanes == 1) type.lanes = value.type.lanes;
    if (value.type.lanes != 1 && value.type.lanes != type.lanes) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' has {} lanes, this is {}", tree.name, type.lanes,
                           described(value.type)));
        return unknown_at(tree.place);
    }
    if (type.element == ElementType::boolean && type.lanes == 1) return truth(value);
    Expression result = converted_silently(std::move(value), type);
    result.typed = true;
    result.place = tree.place;
    return result;
}

} // namespace tropic::language::algorithm
