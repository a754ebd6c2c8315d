#include "program/signature.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tropic/error.h"

namespace tropic::program {

namespace la = language::algorithm;

namespace {

std::string element_text(const la::Algorithm& algorithm, const la::Type& type) {
    if (type.record >= 0) return algorithm.records[static_cast<std::size_t>(type.record)].name;
    std::string name(name_of(type.element));
    if (type.vertex) name = "vertex";
    else if (type.element == ElementType::int32) name = "int";
    else if (type.element == ElementType::float32) name = "float";
    else if (type.element == ElementType::float64) name = "double";
    return type.lanes > 1 ? fmt::format("{}[{}]", name, type.lanes) : name;
}

/// What stands behind the element type: ", edges(A)"; nothing for the vertices that need no name.
std::string space_text(const la::Algorithm& algorithm, la::SpaceId id, bool named = false) {
    if (id < 0) return "";
    const la::Space& space = algorithm.spaces[static_cast<std::size_t>(id)];
    const auto name = [&](la::VariableId variable) {
        return variable < 0 ? std::string("n")
                            : algorithm.variables[static_cast<std::size_t>(variable)].called();
    };
    switch (space.kind) {
    case la::Space::Kind::rows:
        return id > 0 || named ? fmt::format(", vertices({})", name(space.graph)) : "";
    case la::Space::Kind::columns:
        return fmt::format(", columns({})", name(space.graph));
    case la::Space::Kind::edges:
        return fmt::format(", edges({})", name(space.graph));
    case la::Space::Kind::counted:
        return fmt::format(", {}", name(space.size));
    }
    return "";
}

AlgorithmVariable::Kind kind_of(const la::Type& type) {
    using Kind = AlgorithmVariable::Kind;
    switch (type.shape) {
    case la::Type::Shape::graph:
        return Kind::graph;
    case la::Type::Shape::vector:
        return Kind::vector;
    case la::Type::Shape::sparse:
        return Kind::sparse;
    case la::Type::Shape::set:
        return Kind::set;
    case la::Type::Shape::table:
        return Kind::table;
    default:
        return Kind::number;
    }
}

std::string constant_text(const Constant& constant, const la::Type& type) {
    if (type.vertex && constant.integer < 0) return "none";
    if (type.element == ElementType::boolean) return constant.integer != 0 ? "true" : "false";
    return text_of(constant);
}

} // namespace

std::string text_of(const Constant& constant) {
    if (constant.real) return fmt::format("{}", constant.number);
    return constant.large ? fmt::format("{}", static_cast<std::uint64_t>(constant.integer))
                          : fmt::format("{}", constant.integer);
}

std::string type_text(const la::Algorithm& algorithm, const la::Type& type) {
    std::string element = element_text(algorithm, type);
    switch (type.shape) {
    case la::Type::Shape::graph:
        if (type.columns > 0 || (type.columns == 0 && type.space > 0)) {
            return fmt::format("graph<{}{}{}>", element, space_text(algorithm, type.space, true),
                               space_text(algorithm, type.columns, true));
        }
        return type.pattern ? "graph" : fmt::format("graph<{}>", element);
    case la::Type::Shape::vector:
        return fmt::format("vector<{}{}>", element, space_text(algorithm, type.space));
    case la::Type::Shape::sparse:
        return fmt::format("sparse<{}{}>", element, space_text(algorithm, type.space));
    case la::Type::Shape::set: {
        const std::string space = space_text(algorithm, type.space);
        return space.empty() ? "set" : fmt::format("set<{}>", space.substr(2));
    }
    case la::Type::Shape::table:
        return fmt::format("table<{}{}{}>", element, space_text(algorithm, type.columns, true),
                           space_text(algorithm, type.space));
    case la::Type::Shape::stack:
        return "stack";
    default:
        return element;
    }
}

Constant value_of(const la::Expression& constant) {
    using Kind = la::Expression::Kind;
    const bool real = is_float(constant.type.element) && !constant.type.vertex;
    const auto whole = [](std::int64_t value) {
        return Constant{.integer = value, .number = static_cast<double>(value)};
    };
    switch (constant.kind) {
    case Kind::constant:
        if (!real) return whole(constant.integer);
        return {.real = true, .number = constant.number};
    case Kind::infinity:
        if (real) return {.real = true, .number = std::numeric_limits<double>::infinity()};
        return visit_type(constant.type.element, [&](auto tag) {
            using T = typename decltype(tag)::type;
            constexpr T most = std::numeric_limits<T>::max();
            Constant largest = whole(static_cast<std::int64_t>(most));
            largest.number = static_cast<double>(most);
            largest.large = std::is_same_v<T, std::uint64_t>;
            return largest;
        });
    case Kind::negate: {
        Constant value = value_of(constant.operands[0]);
        value.integer = -value.integer;
        value.number = -value.number;
        return value;
    }
    case Kind::convert: {
        const Constant value = value_of(constant.operands[0]);
        if (real) return {.real = true, .number = value.number};
        return whole(value.real ? static_cast<std::int64_t>(value.number) : value.integer);
    }
    default:
        throw Error(ErrorCode::internal, "the default of a parameter is no constant");
    }
}

std::vector<AlgorithmVariable> describe(const la::Algorithm& algorithm,
                                        const std::vector<la::VariableId>& ids) {
    std::vector<AlgorithmVariable> list;
    for (const la::VariableId id : ids) {
        const la::Variable& variable = algorithm.variables[static_cast<std::size_t>(id)];
        const la::Type& type = variable.type;
        AlgorithmVariable about;
        about.name = variable.name;
        about.kind = kind_of(type);
        about.type = type_text(algorithm, type);
        about.element = type.shape == la::Type::Shape::graph && type.pattern ? ElementType::pattern
                                                                             : type.element;
        about.lanes = type.lanes;
        about.vertex = type.vertex;
        about.over_vertices =
            algorithm.spaces.empty() ||
            algorithm.spaces[static_cast<std::size_t>(type.space)].kind == la::Space::Kind::rows;
        about.required = variable.initial == nullptr;
        if (variable.initial) about.initial = constant_text(value_of(*variable.initial), type);
        about.comment = variable.comment;
        if (type.record >= 0) {
            const la::Record& record = algorithm.records[static_cast<std::size_t>(type.record)];
            for (const la::Record::Field& field : record.fields) {
                la::Type part = type;
                part.record = -1;
                part.element = field.type.element;
                part.lanes = field.type.lanes;
                part.vertex = field.type.vertex;
                AlgorithmVariable one = about;
                one.name = fmt::format("{}.{}", about.name, field.name);
                one.type = type_text(algorithm, part);
                one.element = part.element;
                one.lanes = part.lanes;
                one.vertex = part.vertex;
                one.fields.clear();
                about.fields.push_back(std::move(one));
            }
        }
        list.push_back(std::move(about));
    }
    return list;
}

} // namespace tropic::program
