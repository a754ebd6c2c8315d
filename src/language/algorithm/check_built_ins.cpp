// Functions of the language itself.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

bool Checker::argument_count(const Tree& call, std::size_t least, std::size_t most,
                             std::string_view usage) {
    const std::size_t count = call.operands.size();
    if (count >= least && count <= most) return true;
    report(
        ErrorCode::inconsistent, call.place,
        fmt::format("'{}' takes {} argument{}, not {}", call.name,
                    least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                    most == 1 ? "" : "s", count),
        {.accepted = std::string(usage)});
    return false;
}

/// The variable that a name stands for, whatever its shape; -1 if there is none.
VariableId Checker::whole(const Tree& tree, std::string_view what) {
    if (tree.kind != Tree::Kind::name) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("the name of {} is wanted here", what));
        return -1;
    }
    const Symbol* symbol = find(tree.name);
    if (symbol == nullptr) {
        report_unknown(tree.name, tree.place, what.substr(what.find(' ') + 1));
        poison({tree.name, tree.place});
        return -1;
    }
    return symbol->variable;
}

VariableId Checker::members_of(const Tree& tree) {
    if (is_set_expression(tree) && tree.kind != Tree::Kind::name) return set_value(tree, -1);
    const VariableId id = whole(tree, "a set");
    if (id < 0 || !variable(id).type.is_known()) return -1;
    if (variable(id).type.is_members()) return id;
    report(
        ErrorCode::inconsistent, tree.place,
        fmt::format("a set is wanted here, '{}' is {}", tree.name, described(variable(id).type)));
    return -1;
}

VariableId Checker::vector_argument(const Tree& tree) {
    const VariableId id = whole(tree, "a vector");
    if (id < 0 || !variable(id).type.is_known()) return -1;
    if (variable(id).type.shape == Type::Shape::vector) return id;
    report(ErrorCode::inconsistent, tree.place,
           fmt::format("a vector is wanted here, '{}' is {}", tree.name,
                       described(variable(id).type)));
    return -1;
}

Expression Checker::call(const Tree& tree) {
    if (const syntax::Function* own = find_function(tree.name);
        own != nullptr && own->kind != syntax::Function::Kind::alias) {
        using Kind = syntax::Function::Kind;
        if (own->kind == Kind::operation || own->kind == Kind::monoid) {
            if (!argument_count(tree, own->parameters.size(), own->parameters.size(), {})) {
                return unknown_at(tree.place);
            }
            std::vector<Expression> arguments;
            for (const Tree& operand : tree.operands) {
                arguments.push_back(scalar(operand, "a value"));
                if (!arguments.back().type.is_known()) return unknown_at(tree.place);
            }
            return expand_operator(*own, std::move(arguments), tree.place);
        }
        if (own->kind == Kind::record) return make_record(tree, record_of(own->name.text));
        if (own->kind == Kind::semiring) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("'{}' is a semiring: x[i] @{} A[i, j]", tree.name, tree.name));
            return unknown_at(tree.place);
        }
        if (own->kind == Kind::constant) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("'{}' is a constant and takes no values", tree.name));
            return unknown_at(tree.place);
        }
        if (folds_deep_ > 0 && can_be_formula(*own)) return expand_formula(tree, *own);
        const std::vector<VariableId> results = expand(tree, *own);
        if (results.size() != 1) {
            if (!results.empty() || own->results.empty()) {
                report(ErrorCode::inconsistent, tree.place,
                       fmt::format("'{}' gives {} results; one is wanted here", tree.name,
                                   own->results.size()));
            }
            return unknown_at(tree.place);
        }
        return read(results[0], tree.place);
    }
    if (std::optional<Expression> result = built_in(tree)) return std::move(*result);
    if (is_built_in(tree.name)) {
        const bool vector = tree.name == "argsort" || tree.name == "prefix_sum";
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' is no value of an element", tree.name),
               {.hint = vector ? fmt::format("it makes a whole vector, on a right side of its own: "
                                             "y = {}(x);",
                                             tree.name)
                               : ""});
        return unknown_at(tree.place);
    }
    report_unknown(tree.name, tree.place, "function");
    return unknown_at(tree.place);
}

std::optional<Expression> Checker::built_in(const Tree& tree) {
    for (const auto part : {&Checker::number_function, &Checker::set_function,
                            &Checker::atomic_function, &Checker::conversion}) {
        if (std::optional<Expression> result = (this->*part)(tree)) return result;
    }
    return std::nullopt;
}

Expression Checker::make_record(const Tree& tree, int id) {
    const std::vector<Record::Field> fields =
        algorithm_.records[static_cast<std::size_t>(id)].fields;
    if (!argument_count(tree, fields.size(), fields.size(), {})) return unknown_at(tree.place);
    Expression result;
    result.kind = Expression::Kind::make;
    result.place = tree.place;
    result.type = scalar_of(ElementType::float64);
    result.type.record = id;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Expression part =
            converted(scalar(tree.operands[i], "a value"), fields[i].type, tree.operands[i].place);
        if (!part.type.is_known()) return unknown_at(tree.place);
        result.operands.push_back(std::move(part));
    }
    return result;
}

namespace {

struct NumberFunction {
    std::string_view name;
    Function function;
    std::size_t arguments;
    bool real; ///< the outcome is a real number whatever goes in
};

constexpr std::array<NumberFunction, 9> number_functions = {{
    {"abs", Function::absolute, 1, false},
    {"sqrt", Function::square_root, 1, true},
    {"log", Function::logarithm, 1, true},
    {"exp", Function::exponential, 1, true},
    {"floor", Function::floor, 1, true},
    {"ceil", Function::ceiling, 1, true},
    {"pow", Function::power, 2, true},
    {"random", Function::random, 2, false},
    {"random_int", Function::random_integer, 3, false},
}};

} // namespace

std::optional<Expression> Checker::number_function(const Tree& tree) {
    const bool extreme = tree.name == "min" || tree.name == "max";
    const bool across = tree.name == "any" || tree.name == "all" || tree.name == "sum" ||
                        tree.name == "product" || extreme;
    if (across && tree.operands.size() == 1) return across_lanes(tree);
    if (extreme) {
        if (!argument_count(tree, 2, 16, fmt::format("{}(a, b)", tree.name))) {
            return unknown_at(tree.place);
        }
        Expression result = scalar(tree.operands[0], "a number");
        for (std::size_t i = 1; i < tree.operands.size(); ++i) {
            result = arithmetic(*operation_of(tree.name), std::move(result),
                                scalar(tree.operands[i], "a number"), tree.place);
        }
        return result;
    }
    for (const NumberFunction& known : number_functions) {
        if (known.name != tree.name) continue;
        if (!argument_count(tree, known.arguments, known.arguments, {})) {
            return unknown_at(tree.place);
        }
        return function_of(tree, known.function, known.real);
    }
    return std::nullopt;
}

Expression Checker::function_of(const Tree& tree, Function function, bool real) {
    Expression result;
    result.kind = Expression::Kind::function;
    result.place = tree.place;
    result.function = function;
    const bool random = function == Function::random || function == Function::random_integer;
    for (const Tree& operand : tree.operands) {
        Expression value = scalar(operand, "a number");
        if (!value.type.is_known()) return value;
        if (!is_number(value.type)) {
            report(ErrorCode::inconsistent, operand.place,
                   fmt::format("a number is wanted here, this is {}", described(value.type)));
            return unknown_at(tree.place);
        }
        if (random) {
            Type whole = scalar_of(ElementType::int64);
            // Numbers of many lanes at once: only what they are counted by has lanes.
            if (result.operands.size() == 1) whole.lanes = value.type.lanes;
            value = converted(std::move(value), whole, operand.place);
            if (!value.type.is_known()) return value;
            const bool of = result.operands.size() == 2;
            if (of && value.kind == Expression::Kind::constant && value.integer < 1) {
                report(ErrorCode::range, operand.place,
                       "random_int(seed, i, n) wants an n of at least 1");
                return unknown_at(tree.place);
            }
        } else if (real && !is_float(value.type.element)) {
            Type wide = scalar_of(ElementType::float64);
            wide.lanes = value.type.lanes;
            value = converted_silently(std::move(value), wide);
        }
        result.operands.push_back(std::move(value));
    }
    if (function == Function::power &&
        !agree(result.operands[0], result.operands[1], tree.place, "'pow'")) {
        return unknown_at(tree.place);
    }
    result.type =
        function == Function::random ? scalar_of(ElementType::float64) : result.operands[0].type;
    if (random) result.type.lanes = result.operands[1].type.lanes;
    return result;
}

Expression Checker::across_lanes(const Tree& tree) {
    if (const Tree& only = tree.operands[0]; only.kind == Tree::Kind::name) {
        const VariableId id = find_variable(only.name);
        if (id >= 0 && variable(id).type.is_known() && !variable(id).type.is_scalar()) {
            report(ErrorCode::inconsistent, tree.place,
                   fmt::format("'{}' folds the lanes of a small vector", tree.name),
                   {.accepted = fmt::format("{}[i]({}[i])", tree.name == "all" ? "and" : tree.name,
                                            only.name)});
            return unknown_at(tree.place);
        }
    }
    Expression value = scalar(tree.operands[0], "a small vector");
    if (!value.type.is_known()) return value;
    if (value.type.lanes == 1) {
        report(ErrorCode::inconsistent, tree.place,
               fmt::format("'{}' of one value folds the lanes of a small vector, this is {}",
                           tree.name, described(value.type)));
        return unknown_at(tree.place);
    }
    const bool truths = tree.name == "any" || tree.name == "all";
    if (truths && value.type.element != ElementType::boolean) {
        Expression zero =
            converted_silently(constant_of(0, scalar_of(value.type.element)), value.type);
        value = binary_of(Operation::not_equal, std::move(value), std::move(zero));
    }
    Expression result;
    result.kind = Expression::Kind::across;
    result.place = tree.place;
    result.type = value.type;
    result.type.lanes = 1;
    result.operation = tree.name == "any"       ? Operation::bit_or
                       : tree.name == "all"     ? Operation::bit_and
                       : tree.name == "sum"     ? Operation::add
                       : tree.name == "product" ? Operation::multiply
                       : tree.name == "min"     ? Operation::minimum
                                                : Operation::maximum;
    result.operands.push_back(std::move(value));
    return result;
}

/// Sizes, counts, degrees.
std::optional<Expression> Checker::set_function(const Tree& tree) {
    Expression result;
    result.place = tree.place;
    result.type = scalar_of(ElementType::int64);
    if (tree.name == "size") {
        if (!argument_count(tree, 1, 1, "size(A)")) return unknown_at(tree.place);
        result.kind = Expression::Kind::size;
        const Tree& of = tree.operands[0];
        if (of.kind == Tree::Kind::call &&
            (of.name == "columns" || of.name == "edges" || of.name == "vertices")) {
            result.space = space_of(of);
        } else if (is_graph(of)) {
            const GraphUse use = graph_of(of);
            if (use.graph < 0) return unknown_at(tree.place);
            result.space = rows_of(use);
        } else if (const auto alias =
                       of.kind == Tree::Kind::name ? alias_of(of.name) : std::optional<Type>()) {
            return constant_of(alias->lanes, result.type, tree.place);
        } else {
            const VariableId id = whole(of, "a graph");
            if (id < 0 || !variable(id).type.is_known()) return unknown_at(tree.place);
            if (variable(id).type.is_scalar()) {
                report(ErrorCode::inconsistent, of.place,
                       fmt::format("'{}' has no size, it is {}", of.name,
                                   described(variable(id).type)));
                return unknown_at(tree.place);
            }
            result.space = variable(id).type.space;
        }
        return result;
    }
    if (tree.name == "vertices" || tree.name == "columns" || tree.name == "edges") {
        result.kind = Expression::Kind::size;
        if (!argument_count(tree, 1, 1, fmt::format("{}(A)", tree.name))) {
            return unknown_at(tree.place);
        }
        result.space = space_of(tree);
        return result;
    }
    if (tree.name == "count") {
        if (!argument_count(tree, 1, 1, "count(s)")) return unknown_at(tree.place);
        result.kind = Expression::Kind::count;
        const Tree& of = tree.operands[0];
        if (is_graph(of)) {
            result.variable = graph_of(of).graph;
        } else if (is_set_expression(of) && of.kind != Tree::Kind::name) {
            result.variable = set_value(of, -1);
        } else {
            const VariableId id = whole(of, "a set");
            if (id < 0 || !variable(id).type.is_known()) return unknown_at(tree.place);
            const Type& type = variable(id).type;
            if (!type.is_members() && type.shape != Type::Shape::stack) {
                report(ErrorCode::inconsistent, of.place,
                       fmt::format("'{}' is {}; members are counted of sets, sparse vectors, "
                                   "stacks and graphs",
                                   of.name, described(type)),
                       {.hint = fmt::format("count[i]({}[i] != 0)", of.name)});
                return unknown_at(tree.place);
            }
            result.variable = id;
        }
        return result.variable < 0 ? unknown_at(tree.place) : result;
    }
    if (tree.name == "edge") return edge_between(tree);
    const bool neighbour = tree.name == "neighbour" || tree.name == "in_neighbour";
    if (tree.name != "degree" && tree.name != "in_degree" && !neighbour) return std::nullopt;
    const std::size_t count = neighbour ? 3 : 2;
    if (!argument_count(tree, count, count,
                        neighbour ? "neighbour(A, i, k)" : fmt::format("{}(A, i)", tree.name))) {
        return unknown_at(tree.place);
    }
    const GraphUse use = graph_of(tree.operands[0]);
    if (use.graph < 0) return unknown_at(tree.place);
    const bool inward = tree.name.starts_with("in_");
    result.kind = neighbour ? Expression::Kind::neighbour : Expression::Kind::degree;
    result.variable = use.graph;
    result.inward = inward != use.flipped;
    bool checked = false;
    const SpaceId space = inward ? columns_of(use) : rows_of(use);
    Expression at = index_value(tree.operands[1], space, checked);
    if (!at.type.is_known()) return unknown_at(tree.place);
    if (checked) at = in_range(std::move(at), space);
    result.operands.push_back(std::move(at));
    if (neighbour) {
        result.type = vertex_type(inward ? rows_of(use) : columns_of(use));
        result.checked = true;
        Expression which = converted(scalar(tree.operands[2], "a number"),
                                     scalar_of(ElementType::int64), tree.operands[2].place);
        if (!which.type.is_known()) return unknown_at(tree.place);
        result.operands.push_back(std::move(which));
    }
    return result;
}

/// edge(A, i, j): the number of the edge, or none.
Expression Checker::edge_between(const Tree& tree) {
    if (!argument_count(tree, 3, 3, "edge(A, i, j)")) return unknown_at(tree.place);
    GraphUse use = graph_of(tree.operands[0]);
    if (use.graph < 0) return unknown_at(tree.place);
    Expression result;
    result.place = tree.place;
    result.kind = Expression::Kind::edge;
    result.variable = use.graph;
    result.type = vertex_type(space_of(Space{.kind = Space::Kind::edges, .graph = use.graph}));
    for (const std::size_t i : {1U, 2U}) {
        bool checked = false;
        const SpaceId space = i == 1 ? rows_of(use) : columns_of(use);
        Expression at = index_value(tree.operands[i], space, checked);
        if (!at.type.is_known()) return unknown_at(tree.place);
        if (checked) at = in_range(std::move(at), space);
        result.operands.push_back(std::move(at));
    }
    if (use.flipped) std::swap(result.operands[0], result.operands[1]);
    return result;
}

} // namespace tropic::language::algorithm
