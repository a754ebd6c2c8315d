// Which types go together, and what becomes of values on the way.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/constant_values.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

namespace {

/// A number as it stands in the text, which says nothing of its type.
bool is_literal(const Expression& e) {
    return (e.kind == Expression::Kind::constant && !e.typed) ||
           e.kind == Expression::Kind::infinity ||
           (e.kind == Expression::Kind::negate && e.operands[0].kind == Expression::Kind::infinity);
}

/// A number as another type, where that type holds it.
std::optional<Expression> folded(const Expression& value, const Type& type) {
    if (value.kind != Expression::Kind::constant || value.type.record >= 0 || type.record >= 0 ||
        value.type.lanes != 1 || type.lanes != 1) {
        return std::nullopt;
    }
    Expression result = constant_of(value.integer, type, value.place);
    result.typed = value.typed;
    if (is_float(type.element)) {
        result.number = real_value(value, type);
        return result;
    }
    if (!is_float(value.type.element)) {
        return fits(value, type) ? std::optional(result) : std::nullopt;
    }
    result.number = value.number;
    constexpr double most = 9.2e18; // beyond it, the run decides what becomes of the number
    if (!(value.number > -most && value.number < most)) return std::nullopt;
    result.integer = static_cast<std::int64_t>(value.number);
    return result;
}

/// Whether a type has what a number of the text is; anything else is not asked here.
bool has_room_for(ElementType type, const Expression& e) {
    const bool integer = is_literal(e) && e.kind == Expression::Kind::constant &&
                         !is_float(e.type.element) && e.type.element != ElementType::boolean;
    return !integer || type == ElementType::pattern || is_float(type) ||
           holds_integer(type, e.integer);
}

/// What of an expression is of its type: of a choice, the values that it chooses between.
std::size_t first_value(const Expression& e) {
    return e.kind == Expression::Kind::conditional ? 1 : 0;
}

/// Whether it is worked out from integers narrower than 64 bits, so that it might not fit them.
bool may_wrap(const Expression& e) {
    using Kind = Expression::Kind;
    const bool narrow = e.type.is_scalar() && e.type.record < 0 && !e.type.vertex &&
                        !is_float(e.type.element) && e.type.element != ElementType::boolean &&
                        size_of(e.type.element) < 8;
    if (!narrow || e.both) return false;
    if (e.kind == Kind::negate) return true;
    if (e.kind == Kind::function) return e.function == Function::absolute;
    if (e.kind == Kind::binary &&
        (e.operation == Operation::add || e.operation == Operation::subtract ||
         e.operation == Operation::multiply || e.operation == Operation::divide ||
         e.operation == Operation::remainder)) {
        return true;
    }
    // What only passes on what others worked out.
    const bool passes = e.kind == Kind::conditional ||
                        (e.kind == Kind::binary &&
                         (e.operation == Operation::minimum || e.operation == Operation::maximum ||
                          e.operation == Operation::bit_or || e.operation == Operation::bit_and ||
                          e.operation == Operation::bit_xor));
    return passes && std::any_of(e.operands.begin() + static_cast<std::ptrdiff_t>(first_value(e)),
                                 e.operands.end(), may_wrap);
}

} // namespace

bool Checker::is_infinite(const Expression& e) {
    return e.kind != Expression::Kind::constant && is_literal(e);
}

Expression Checker::converted_silently(Expression value, const Type& type) const {
    if (!value.type.is_known() || same_scalar(value.type, type)) return value;
    if (std::optional<Expression> constant = folded(value, type)) return std::move(*constant);
    if (is_infinite(value) && type.lanes == 1) {
        // Of integers the least, as what maxima start from.
        if (value.kind == Expression::Kind::negate && is_number(type) && !type.vertex &&
            !is_float(type.element) && type.element != ElementType::boolean) {
            return *lowest_of(type);
        }
        if (value.kind == Expression::Kind::negate) value.operands[0].type = type;
        value.type = type;
        return value;
    }
    // What goes somewhere wider is worked out there, and does not wrap around before.
    if (may_wrap(value) && (size_of(type.element) == 8 || is_float(type.element)) && !type.vertex) {
        Type wide = scalar_of(ElementType::int64);
        wide.lanes = value.type.lanes;
        // Each value of a choice goes its own way, and infinity becomes that of the type.
        const bool chosen =
            value.kind == Expression::Kind::conditional && value.type.lanes == type.lanes;
        if (chosen) wide = type;
        for (std::size_t i = first_value(value); i < value.operands.size(); ++i) {
            value.operands[i] = converted_silently(std::move(value.operands[i]), wide);
        }
        value.type = wide;
        return converted_silently(std::move(value), type);
    }
    if (value.both) { // no way is no way in every type
        Expression& none = value.operands[1];
        const bool least =
            is_infinite(none.kind == Expression::Kind::convert ? none.operands[0] : none);
        Expression infinite;
        infinite.kind = Expression::Kind::infinity;
        infinite.place = value.place;
        infinite.type = type;
        infinite.type.lanes = 1;
        none = least ? converted_silently(std::move(infinite), type) : *lowest_of(type);
        value.operands[2] = converted_silently(std::move(value.operands[2]), type);
        value.type = type;
        return value;
    }
    Expression result;
    result.kind = Expression::Kind::convert;
    result.place = value.place;
    result.type = type;
    result.operands.push_back(std::move(value));
    return result;
}

/// What is compared with an element, or divides it, and may be too large for its type: nothing is
/// cut off before. The nearest that the type has stands for it where it is compared; what divides
/// stays as wide as it is, and so does the division.
Expression Checker::limited(Expression value, const Type& wanted, std::string_view operation) {
    const bool matters = operation == "min" || operation == "max" || operation == "/";
    const Type type = wanted.is_scalar() ? wanted : element_of(wanted);
    const auto is_integer = [](const Type& t) {
        return t.is_scalar() && t.record < 0 && !is_float(t.element) &&
               t.element != ElementType::boolean && t.element != ElementType::pattern;
    };
    if (!matters || !is_integer(value.type) || !is_integer(type) || type.vertex ||
        is_literal(value)) {
        return value;
    }
    if (value.both && operation != "/") { // no way is no way in every type
        value.operands[2] = limited(std::move(value.operands[2]), wanted, operation);
        return value;
    }
    const auto bounds = [](ElementType element) {
        const auto bits = static_cast<int>(8 * size_of(element));
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        const bool is_signed = holds_integer(element, -1);
        // What uint64 has beyond int64 is nobody's limit here.
        const std::int64_t high = bits == 64 ? most : most >> (is_signed ? 64 - bits : 63 - bits);
        return std::pair{is_signed ? -high - 1 : std::int64_t{0}, high};
    };
    const auto [low, high] = bounds(type.element);
    const auto [least, most] = bounds(value.type.element);
    const Place place = value.place;
    Type one = value.type;
    one.lanes = 1;
    if (operation == "/" && size_of(type.element) < 8) {
        const bool huge = value.type.element == ElementType::uint64;
        if (least >= low && most <= high && !huge) return value;
        if (huge) {
            value = arithmetic(Operation::minimum, std::move(value), constant_of(most, one, place),
                               place);
        }
        Type wide = scalar_of(ElementType::int64);
        wide.lanes = std::max(value.type.lanes, type.lanes);
        return converted_silently(std::move(value), wide);
    }
    if (least < low) {
        Expression limit = constant_of(low, one, place);
        value = arithmetic(Operation::maximum, std::move(value), std::move(limit), place);
    }
    if (most > high ||
        (value.type.element == ElementType::uint64 && type.element != ElementType::uint64)) {
        Expression limit = constant_of(high, one, place);
        value = arithmetic(Operation::minimum, std::move(value), std::move(limit), place);
    }
    return value;
}

/// What an accumulator takes, in the type of what it changes; a divisor may be wider.
Expression Checker::accumulated(Expression value, const Type& type, std::string_view operation,
                                bool silently, Place place) {
    value = limited(std::move(value), type, operation);
    const bool integers = is_number(value.type) && is_number(type) && !type.vertex &&
                          !is_float(type.element) && type.element != ElementType::boolean;
    if (operation == "/" && integers && value.type.element == ElementType::int64 &&
        !is_literal(value) && value.type.lanes == type.lanes) {
        return value;
    }
    return silently ? converted_silently(std::move(value), type)
                    : converted(std::move(value), type, place);
}

Expression Checker::converted(Expression value, const Type& wanted, Place place) {
    if (!value.type.is_known() || !wanted.is_known()) return unknown_at(place);
    const Type type = wanted.is_scalar() ? wanted : element_of(wanted);
    if (same_scalar(value.type, type)) return value;
    const auto refuse = [&](std::string hint) {
        report(ErrorCode::inconsistent, place,
               fmt::format("{} is wanted here, this is {}", described(type), described(value.type)),
               {.hint = std::move(hint)});
        return unknown_at(place);
    };
    if (!value.type.is_scalar() || value.type.record >= 0 || type.record >= 0) return refuse({});
    if (value.type.lanes != type.lanes && value.type.lanes != 1) return refuse({});
    if (type.element == ElementType::boolean && !is_truth(value.type) &&
        value.type.element != ElementType::boolean) {
        if (is_constant(value, 0) || is_constant(value, 1)) return converted_silently(value, type);
        return refuse("compare with 0: x != 0");
    }
    if (is_float(value.type.element) && !is_float(type.element) && !is_infinite(value)) {
        return refuse(fmt::format("{}(x) cuts off what is behind the point",
                                  type.vertex ? "vertex" : name_of(type.element)));
    }
    const bool integers = !is_float(value.type.element) && !is_float(type.element) &&
                          !type.vertex && type.element != ElementType::boolean;
    // What is worked out from numbers of the text may wrap around in 64 bits, as it says.
    const bool asked =
        value.kind == Expression::Kind::constant || size_of(type.element) < sizeof(std::int64_t);
    const std::optional<Expression> number =
        integers && asked ? worked_out(value) : std::optional<Expression>();
    if (number && number->kind == Expression::Kind::constant && !fits(*number, type)) {
        report(ErrorCode::range, place,
               fmt::format("{} does not fit {}", integer_text(*number), name_of(type.element)));
        return unknown_at(place);
    }
    return converted_silently(std::move(value), type);
}

bool Checker::agree(Expression& left, Expression& right, Place place, std::string_view what) {
    if (!left.type.is_known() || !right.type.is_known()) return false;
    const auto refuse = [&] {
        report(ErrorCode::inconsistent, place,
               fmt::format("{} does not go with {} and {}", what, described(left.type),
                           described(right.type)));
        return false;
    };
    if (!left.type.is_scalar() || !right.type.is_scalar()) return refuse();
    if (left.type.record >= 0 || right.type.record >= 0) {
        return left.type.record == right.type.record || refuse();
    }
    const int lanes = std::max(left.type.lanes, right.type.lanes);
    if ((left.type.lanes != 1 && left.type.lanes != lanes) ||
        (right.type.lanes != 1 && right.type.lanes != lanes)) {
        return refuse();
    }
    Type common;
    const auto adapts = [&](const Expression& literal, const Type& to) {
        if (!is_literal(literal) || to.element == ElementType::boolean) return false;
        if (is_infinite(literal)) return true;
        if (is_float(literal.type.element)) return is_float(to.element);
        return is_float(to.element) || fits(literal, to);
    };
    const bool both = is_literal(left) && is_literal(right);
    if (!both && adapts(left, right.type)) {
        common = right.type;
    } else if ((!both && adapts(right, left.type)) || (left.type.vertex && right.type.vertex)) {
        common = left.type;
    } else {
        common = scalar_of(common_type(left.type.element, right.type.element));
        // A float stays one beside an integer, as in C.
        const auto keeps = [](const Type& real, const Type& other) {
            return real.element == ElementType::float32 && !is_float(other.element);
        };
        if (keeps(left.type, right.type) || keeps(right.type, left.type)) {
            common.element = ElementType::float32;
        }
        const auto narrow = [](const Type& type) {
            return !is_float(type.element) && size_of(type.element) <= 4 &&
                   type.element != ElementType::uint32;
        };
        // An index with a narrow integer is as wide as an index.
        if ((left.type.vertex || right.type.vertex) && narrow(left.type) && narrow(right.type)) {
            common = vertex_type();
        }
    }
    common.lanes = lanes;
    common.space = 0;
    left = converted_silently(std::move(left), common);
    right = converted_silently(std::move(right), common);
    return true;
}

Expression Checker::truth(Expression value) {
    if (!value.type.is_known()) return value;
    const Place place = value.place;
    if (!value.type.is_scalar() || value.type.record >= 0) {
        report(ErrorCode::inconsistent, place,
               fmt::format("a condition is wanted here, this is {}", described(value.type)));
        return unknown_at(place);
    }
    if (value.type.lanes > 1) {
        report(ErrorCode::inconsistent, place,
               fmt::format("a condition is wanted here, this is {}", described(value.type)),
               {.hint = "any(x) or all(x) of its lanes"});
        return unknown_at(place);
    }
    if (value.type.vertex) { // the first vertex is as good as the others
        report(ErrorCode::inconsistent, place, "a condition is wanted here, this is a vertex",
               {.hint = "compare it: v != none"});
        return unknown_at(place);
    }
    if (is_truth(value.type)) return value;
    if (value.kind == Expression::Kind::constant) {
        return truth_of(!is_constant(value, 0), place);
    }
    Expression zero = constant_of(0, value.type, place);
    return binary_of(Operation::not_equal, std::move(value), std::move(zero));
}

// --- inference ---

/// The element type that the strong parts of an integer ask for; `pattern` if none do. Literals and
/// scalars that were never declared ask for nothing.
ElementType Checker::needed(const Expression& value) const {
    using Kind = Expression::Kind;
    switch (value.kind) {
    case Kind::constant:
        if (value.typed) return value.type.element;
        return holds_integer(ElementType::int32, value.integer) ? ElementType::pattern
                                                                : ElementType::int64;
    case Kind::variable:
        return weak_.contains(value.variable) || in_range_.contains(value.variable)
                   ? ElementType::pattern
                   : value.type.element;
    case Kind::count:
    case Kind::size:
    case Kind::degree:
        return ElementType::pattern;
    case Kind::negate:
    case Kind::complement:
        return needed(value.operands[0]);
    case Kind::convert: {
        const bool integer = !is_float(value.operands[0].type.element);
        return !value.typed && integer ? needed(value.operands[0]) : value.type.element;
    }
    case Kind::binary: {
        const Expression& left = value.operands[0];
        const Expression& right = value.operands[1];
        const ElementType strong = common_type(needed(left), needed(right));
        const bool fit = has_room_for(strong, left) && has_room_for(strong, right);
        return fit ? strong : common_type(strong, ElementType::int32);
    }
    case Kind::conditional:
        if (value.both) return needed(value.operands[2]);
        return common_type(needed(value.operands[1]), needed(value.operands[2]));
    case Kind::reduction:
        return value.reduction->value.kind == Kind::constant ? ElementType::pattern
                                                             : value.type.element;
    default:
        return value.type.element;
    }
}

Type Checker::stored_type(const Expression& value) const {
    Type type = value.type;
    if (!type.is_scalar() || type.record >= 0 || type.vertex || is_float(type.element) ||
        type.element == ElementType::boolean) {
        return type;
    }
    type.element = needed(value);
    if (type.element == ElementType::pattern) type.element = ElementType::int32;
    return type;
}

/// Remembers, for the next time the text is checked, that the variable must hold such values too.
void Checker::widen(VariableId id, const Expression& value) {
    if (!inferred_.contains(id) || !value.type.is_scalar() || value.type.record >= 0) return;
    const Variable& target = variable(id);
    if (target.type.record >= 0 || target.type.vertex) return;
    const bool counts =
        target.type.is_scalar() && is_weak(value) && has_room_for(target.type.element, value);
    const ElementType wanted = counts ? target.type.element : stored_type(value).element;
    if (value.type.element == ElementType::boolean || is_infinite(value)) return;
    const ElementType wide = common_type(target.type.element, wanted);
    if (wide == target.type.element) return;
    const std::pair place{target.place.line, target.place.column};
    auto [known, added] = facts_.widened.emplace(place, wide);
    known->second = common_type(known->second, wide);
    facts_.changed = true;
}

// --- infinity: each type has its own ---

void Checker::note_infinity(VariableId id, const Expression& value) {
    if (!inferred_.contains(id) || is_infinite(value) || !is_number(value.type)) return;
    const Variable& target = variable(id);
    const std::pair place{target.place.line, target.place.column};
    const ElementType given = needed(value);
    if (given == ElementType::pattern || value.type.vertex) return;
    if (endless_.contains(id)) {
        const auto [known, added] = facts_.of_infinity.emplace(place, given);
        if (!added) known->second = common_type(known->second, given);
        facts_.changed = true;
        return;
    }
    if (is_float(given) || size_of(given) >= size_of(target.type.element)) return;
    facts_.changed |= facts_.narrower.emplace(place, given).second;
}

void Checker::check_infinity(const Expression& left, const Expression& right, Place place) {
    const bool turned = is_infinite(left);
    const Expression& other = turned ? right : left;
    if (!is_infinite(turned ? left : right) || other.kind != Expression::Kind::variable) return;
    const Variable& scalar = variable(other.variable);
    const auto found = facts_.narrower.find({scalar.place.line, scalar.place.column});
    if (found == facts_.narrower.end() || !inferred_.contains(other.variable)) return;
    report(ErrorCode::inconsistent, place,
           fmt::format("'{}' is {} and takes values of {}, whose infinity is another", scalar.name,
                       described(scalar.type), name_of(found->second)),
           {.hint =
                fmt::format("say what it is: {}: {} = ...;", scalar.name, name_of(found->second))});
}

} // namespace tropic::language::algorithm
