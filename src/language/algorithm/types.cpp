#include "language/algorithm/types.h"

#include <fmt/format.h>

namespace tropic::language::algorithm {

Type scalar_of(ElementType element) {
    Type type;
    type.shape = Type::Shape::scalar;
    type.element = element;
    return type;
}

Type truth_type() {
    return scalar_of(ElementType::boolean);
}

Type vertex_type(SpaceId space) {
    Type type = scalar_of(ElementType::int32);
    type.vertex = true;
    type.space = space;
    return type;
}

Type element_of(const Type& type) {
    Type element = type;
    element.shape = Type::Shape::scalar;
    element.space = 0;
    element.columns = -1;
    return element;
}

bool is_truth(const Type& type) {
    return type.is_scalar() && type.record < 0 && type.element == ElementType::boolean;
}

bool is_real(const Type& type) {
    return type.is_scalar() && type.record < 0 && is_float(type.element);
}

bool is_number(const Type& type) {
    return type.is_scalar() && type.record < 0;
}

bool same_scalar(const Type& a, const Type& b) {
    if (a.shape != b.shape || a.record != b.record) return false;
    return a.record >= 0 || (a.element == b.element && a.vertex == b.vertex && a.lanes == b.lanes);
}

std::string name_of(const Type& type, const Algorithm& algorithm) {
    const auto element = [&] {
        if (type.record >= 0) return algorithm.records[static_cast<std::size_t>(type.record)].name;
        if (type.vertex) return std::string("vertex");
        std::string name(name_of(type.element));
        if (type.lanes > 1) name += fmt::format("[{}]", type.lanes);
        return name;
    };
    const auto space = [&](SpaceId id) {
        const Space& space = algorithm.spaces[static_cast<std::size_t>(id)];
        const auto name = [&](VariableId v) {
            return v < 0 ? std::string("?")
                         : algorithm.variables[static_cast<std::size_t>(v)].called();
        };
        if (id == 0) return std::string("vertices");
        switch (space.kind) {
        case Space::Kind::rows:
            return fmt::format("rows({})", name(space.graph));
        case Space::Kind::columns:
            return fmt::format("columns({})", name(space.graph));
        case Space::Kind::edges:
            return fmt::format("edges({})", name(space.graph));
        case Space::Kind::counted:
            break;
        }
        return name(space.size);
    };
    const std::string over = type.space > 0 ? ", " + space(type.space) : std::string();
    switch (type.shape) {
    case Type::Shape::unknown:
        return "unknown";
    case Type::Shape::scalar:
        return element();
    case Type::Shape::vector:
        return fmt::format("vector<{}{}>", element(), over);
    case Type::Shape::sparse:
        return fmt::format("sparse<{}{}>", element(), over);
    case Type::Shape::set:
        return type.space > 0 ? fmt::format("set<{}>", space(type.space)) : "set";
    case Type::Shape::graph:
        return type.pattern ? "graph" : fmt::format("graph<{}>", element());
    case Type::Shape::table:
        return fmt::format("table<{}, {}{}>", element(),
                           type.columns >= 0 ? space(type.columns) : "?", over);
    case Type::Shape::stack:
        return "stack";
    case Type::Shape::marks:
        break;
    }
    return "marks";
}

std::string_view name_of(Operation operation) noexcept {
    switch (operation) {
    case Operation::none:
        return "";
    case Operation::add:
        return "+";
    case Operation::subtract:
        return "-";
    case Operation::multiply:
        return "*";
    case Operation::divide:
        return "/";
    case Operation::remainder:
        return "%";
    case Operation::minimum:
        return "min";
    case Operation::maximum:
        return "max";
    case Operation::any:
        return "any";
    case Operation::first:
        return "first";
    case Operation::second:
        return "second";
    case Operation::pair:
        return "pair";
    case Operation::bit_or:
        return "|";
    case Operation::bit_and:
        return "&";
    case Operation::bit_xor:
        return "^";
    case Operation::logical_or:
        return "||";
    case Operation::logical_and:
        return "&&";
    case Operation::less:
        return "<";
    case Operation::less_equal:
        return "<=";
    case Operation::equal:
        return "==";
    case Operation::not_equal:
        return "!=";
    case Operation::user:
        break;
    }
    return "user";
}

std::string_view name_of(Function function) noexcept {
    switch (function) {
    case Function::absolute:
        return "abs";
    case Function::square_root:
        return "sqrt";
    case Function::logarithm:
        return "log";
    case Function::exponential:
        return "exp";
    case Function::floor:
        return "floor";
    case Function::ceiling:
        return "ceil";
    case Function::power:
        return "pow";
    case Function::random:
        return "random";
    case Function::random_integer:
        break;
    }
    return "random_int";
}

bool is_comparison(Operation operation) noexcept {
    return operation == Operation::less || operation == Operation::less_equal ||
           operation == Operation::equal || operation == Operation::not_equal;
}

Expression constant_of(std::int64_t value, const Type& type, Place place) {
    Expression result;
    result.kind = Expression::Kind::constant;
    result.place = place;
    result.type = type;
    result.integer = value;
    result.number = static_cast<double>(value);
    return result;
}

Expression real_of(double value, Place place) {
    Expression result = constant_of(0, scalar_of(ElementType::float64), place);
    result.number = value;
    return result;
}

Expression truth_of(bool value, Place place) {
    return constant_of(value ? 1 : 0, truth_type(), place);
}

Expression unknown_at(Place place) {
    Expression result;
    result.place = place;
    return result;
}

Expression read_of(const Algorithm& algorithm, VariableId variable, Place place) {
    Expression result;
    result.kind = Expression::Kind::variable;
    result.place = place;
    result.variable = variable;
    result.type = algorithm.variables[static_cast<std::size_t>(variable)].type;
    return result;
}

Expression binary_of(Operation operation, Expression left, Expression right) {
    Expression result;
    result.kind = Expression::Kind::binary;
    result.place = left.place;
    result.operation = operation;
    result.type = left.type;
    if (is_comparison(operation)) {
        const int lanes = left.type.lanes;
        result.type = truth_type();
        result.type.lanes = lanes;
    }
    result.operands.push_back(std::move(left));
    result.operands.push_back(std::move(right));
    return result;
}

Expression not_of(Expression truth) {
    if (truth.kind == Expression::Kind::complement) {
        Expression inner = std::move(truth.operands[0]);
        return inner;
    }
    Expression result;
    result.kind = Expression::Kind::complement;
    result.place = truth.place;
    result.type = truth.type;
    result.operands.push_back(std::move(truth));
    return result;
}

Expression element_at(const Algorithm& algorithm, VariableId variable, Expression index,
                      Place place) {
    Expression result;
    result.kind = Expression::Kind::element;
    result.place = place;
    result.variable = variable;
    result.type = element_of(algorithm.variables[static_cast<std::size_t>(variable)].type);
    result.operands.push_back(std::move(index));
    return result;
}

Expression negation_of(Expression value) {
    Expression result;
    result.kind = Expression::Kind::negate;
    result.place = value.place;
    result.type = value.type;
    result.operands.push_back(std::move(value));
    return result;
}

Expression member_at(VariableId variable, Expression index, Place place) {
    Expression result;
    result.kind = Expression::Kind::member;
    result.place = place;
    result.variable = variable;
    result.type = truth_type();
    result.operands.push_back(std::move(index));
    return result;
}

bool same_literal(const Expression& a, const Expression& b) {
    if (a.kind != b.kind) return false;
    if (a.kind == Expression::Kind::infinity) return true;
    if (a.kind == Expression::Kind::constant) {
        return a.integer == b.integer && a.number == b.number;
    }
    return a.kind == Expression::Kind::negate && same_literal(a.operands[0], b.operands[0]);
}

bool is_zero(const Expression& expression) {
    if (expression.kind == Expression::Kind::convert) return is_zero(expression.operands[0]);
    return expression.kind == Expression::Kind::constant && expression.integer == 0 &&
           expression.number == 0;
}

bool is_constant(const Expression& expression, std::int64_t value) {
    return expression.kind == Expression::Kind::constant && expression.type.lanes == 1 &&
           (is_float(expression.type.element) ? expression.number == static_cast<double>(value)
                                              : expression.integer == value);
}

Expression conjunction(std::vector<Expression> conditions) {
    std::optional<Expression> all;
    for (Expression& condition : conditions) {
        if (is_true(condition)) continue;
        all = all ? binary_of(Operation::logical_and, std::move(*all), std::move(condition))
                  : std::move(condition);
    }
    return all ? std::move(*all) : truth_of(true);
}

void split_conjunction(Expression condition, std::vector<Expression>& parts) {
    const bool joins =
        condition.kind == Expression::Kind::binary && condition.operation == Operation::logical_and;
    if (!joins) {
        if (!is_true(condition)) parts.push_back(std::move(condition));
        return;
    }
    std::vector<Expression> operands = std::move(condition.operands);
    split_conjunction(std::move(operands[0]), parts);
    split_conjunction(std::move(operands[1]), parts);
}

} // namespace tropic::language::algorithm
