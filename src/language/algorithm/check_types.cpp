#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

namespace {

bool is_literal(const Expression& e) {
    return e.kind == Expression::Kind::constant || e.kind == Expression::Kind::infinity ||
           (e.kind == Expression::Kind::negate && e.operands[0].kind == Expression::Kind::infinity);
}

bool is_infinite(const Expression& e) {
    return is_literal(e) && e.kind != Expression::Kind::constant;
}

/// A number as another type, where that type holds it.
std::optional<Expression> folded(const Expression& value, const Type& type) {
    if (value.kind != Expression::Kind::constant || value.type.record >= 0 || type.record >= 0 ||
        value.type.lanes != 1 || type.lanes != 1) {
        return std::nullopt;
    }
    Expression result = constant_of(value.integer, type, value.place);
    if (!is_float(value.type.element)) {
        const bool fits = is_float(type.element) || holds_integer(type.element, value.integer);
        return fits ? std::optional(result) : std::nullopt;
    }
    result.number = value.number;
    if (is_float(type.element)) return result;
    constexpr double most = 9.2e18; // beyond it, the run decides what becomes of the number
    if (!(value.number > -most && value.number < most)) return std::nullopt;
    result.integer = static_cast<std::int64_t>(value.number);
    return result;
}

} // namespace

// --- words ---

void Checker::add_records() {
    for (const syntax::Function& function : tree_.functions) {
        if (function.kind != syntax::Function::Kind::record) continue;
        Record record;
        record.name = function.name.text;
        for (const syntax::Parameter& field : function.parameters) {
            Type type = element_type(field.type);
            if (type.record >= 0) {
                report(ErrorCode::unsupported, field.name.place,
                       fmt::format("field '{}' is a record itself", field.name.text),
                       {.accepted = "fields are numbers, vertices and small vectors"});
                type = scalar_of(ElementType::float64);
            }
            if (!type.is_known()) type = scalar_of(ElementType::float64);
            record.fields.push_back({.name = field.name.text, .type = type});
        }
        if (record.fields.empty()) {
            report(ErrorCode::syntax, function.name.place,
                   fmt::format("record '{}' has no fields", record.name));
        }
        algorithm_.records.push_back(std::move(record));
    }
}

int Checker::record_of(std::string_view name) {
    for (std::size_t i = 0; i < algorithm_.records.size(); ++i) {
        if (algorithm_.records[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

int Checker::pair_of(const Type& first, const Type& second) {
    const std::string name = fmt::format("pair<{}, {}>", described(first), described(second));
    if (const int known = record_of(name); known >= 0) return known;
    algorithm_.records.push_back({.name = name, .fields = {{"first", first}, {"second", second}}});
    return static_cast<int>(algorithm_.records.size()) - 1;
}

/// What `type name = int;` says, or the caller instead of it.
std::optional<ElementType> Checker::alias_of(std::string_view name) {
    const syntax::Function* alias = find_function(name);
    if (alias == nullptr || alias->kind != syntax::Function::Kind::alias) return std::nullopt;
    const auto given = options_.types.find(std::string(name));
    const std::string& word =
        given != options_.types.end() ? given->second : alias->type->name.text;
    if (const auto element = parse_type_word(word)) return element;
    report(ErrorCode::not_found, alias->type->name.place,
           fmt::format("'{}' stands for a type of numbers, not for '{}'", name, word),
           {.accepted = "bool, int8 to int64, uint8 to uint64, int, float, double"});
    return ElementType::float64;
}

Type Checker::element_type(const syntax::TypeWords& words) {
    const std::string& name = words.name.text;
    Type type;
    if (name == "pair" && words.elements.size() == 2) {
        const Type first = element_type(words.elements[0]);
        const Type second = element_type(words.elements[1]);
        if (!first.is_known() || !second.is_known()) return {};
        if (first.record >= 0 || second.record >= 0) {
            report(ErrorCode::unsupported, words.name.place, "a pair of pairs or records");
            return {};
        }
        type = scalar_of(ElementType::float64);
        type.record = pair_of(first, second);
        return type;
    }
    if (name == "vertex") {
        type = vertex_type();
    } else if (const auto element = parse_type_word(name)) {
        type = scalar_of(*element);
    } else if (const auto alias = alias_of(name)) {
        type = scalar_of(*alias);
    } else if (const int record = record_of(name); record >= 0) {
        type = scalar_of(ElementType::float64);
        type.record = record;
    } else {
        static constexpr std::array<std::string_view, 15> words_of_types = {
            "bool",   "int",    "int8",  "int16",  "int32",  "int64",   "uint8",  "uint16",
            "uint32", "uint64", "float", "double", "vertex", "float32", "float64"};
        report(ErrorCode::not_found, words.name.place,
               fmt::format("unknown type of elements '{}'", name),
               {.accepted = "bool, int8 to int64, uint8 to uint64, int, float, double, vertex, a "
                            "record, pair<T, U>",
                .hint = did_you_mean(name, words_of_types)});
        return {};
    }
    if (words.lanes > 1) {
        if (type.record >= 0 || type.vertex) {
            report(ErrorCode::unsupported, words.name.place,
                   "lanes are numbers, not vertices or records");
        } else {
            type.lanes = words.lanes;
        }
    }
    return type;
}

Type Checker::type_of(const syntax::TypeWords& words) {
    const std::string& name = words.name.text;
    using Shape = Type::Shape;
    const bool has_shape = name == "graph" || name == "vector" || name == "sparse" ||
                           name == "set" || name == "table" || name == "stack";
    if (!has_shape) {
        if (!words.elements.empty() && name != "pair") {
            report(ErrorCode::syntax, words.name.place,
                   fmt::format("'{}' takes no type in angle brackets", name));
        }
        static constexpr std::array<std::string_view, 6> shapes = {"graph", "vector", "sparse",
                                                                   "set",   "table",  "stack"};
        if (const std::string hint = did_you_mean(name, shapes);
            !hint.empty() && !parse_type_word(name) && record_of(name) < 0 && name != "vertex" &&
            !alias_of(name)) {
            report(ErrorCode::not_found, words.name.place, fmt::format("unknown type '{}'", name),
                   {.hint = hint});
            return {};
        }
        return element_type(words);
    }
    Type type;
    if (!words.elements.empty()) type = element_type(words.elements[0]);
    else if (name == "vector" || name == "sparse" || name == "table") {
        report(ErrorCode::syntax, words.name.place,
               fmt::format("'{}' needs the type of its elements", name),
               {.accepted = fmt::format("{}<int>, {}<double>...", name, name)});
        return {};
    }
    if (!words.elements.empty() && !type.is_known()) return {};
    type.shape = name == "graph"    ? Shape::graph
                 : name == "vector" ? Shape::vector
                 : name == "sparse" ? Shape::sparse
                 : name == "set"    ? Shape::set
                 : name == "table"  ? Shape::table
                                    : Shape::stack;
    if (type.shape == Shape::graph) {
        type.pattern = words.elements.empty();
        if (type.pattern) type.element = ElementType::pattern;
        if (type.record >= 0 || type.lanes > 1) {
            report(ErrorCode::unsupported, words.name.place, "values of edges are numbers");
        }
    }
    if (type.shape == Shape::set || type.shape == Shape::stack) {
        type.element = ElementType::boolean;
    }
    const std::size_t least = type.shape == Shape::table ? 1 : 0;
    const std::size_t most = type.shape == Shape::graph || type.shape == Shape::stack ? 0
                             : type.shape == Shape::table                             ? 2
                                                                                      : 1;
    if (words.dimensions.size() < least || words.dimensions.size() > most) {
        report(ErrorCode::syntax, words.name.place,
               fmt::format("'{}' takes {} sizes or spaces, not {}", name,
                           least == most ? fmt::format("{}", most)
                                         : fmt::format("{} to {}", least, most),
                           words.dimensions.size()));
        return {};
    }
    if (type.shape == Shape::table) {
        type.columns = space_of(words.dimensions[0]);
        if (words.dimensions.size() == 2) type.space = space_of(words.dimensions[1]);
    } else if (!words.dimensions.empty()) {
        type.space = space_of(words.dimensions[0]);
    }
    return type;
}

/// edges(A), columns(A), vertices(A), size(A), or a number.
SpaceId Checker::space_of(const Tree& tree) {
    const bool call = tree.kind == Tree::Kind::call;
    if (call && (tree.name == "edges" || tree.name == "columns" || tree.name == "vertices")) {
        if (!argument_count(tree, 1, 1, fmt::format("{}(A)", tree.name))) return 0;
        const VariableId named =
            tree.operands[0].kind == Tree::Kind::name ? find_variable(tree.operands[0].name) : -1;
        if (tree.name == "vertices" && named >= 0 && !variable(named).type.is_scalar() &&
            variable(named).type.is_known() && variable(named).type.shape != Type::Shape::graph) {
            return variable(named).type.space;
        }
        const GraphUse use = graph_of(tree.operands[0]);
        if (use.graph < 0) return 0;
        if (tree.name == "vertices") return rows_of(use);
        if (tree.name == "columns") {
            // Found out late: rows and columns are two spaces, from the start.
            const Variable& graph = variable(use.graph);
            if (!graph.rectangular && graph.is_parameter &&
                facts_.rectangular.insert(graph.name).second) {
                facts_.changed = true;
            }
            return columns_of(use);
        }
        return space_of(Space{.kind = Space::Kind::edges, .graph = use.graph});
    }
    if (call && tree.name == "size" && tree.operands.size() == 1) {
        const Expression size = scalar(tree, "a size");
        return size.type.is_known() ? size.space : 0;
    }
    Expression size = scalar(tree, "a size");
    if (!size.type.is_known()) return 0;
    size = converted(std::move(size), scalar_of(ElementType::int64), tree.place);
    if (size.kind == Expression::Kind::constant) {
        const std::string key = fmt::format("size {}", size.integer);
        auto [known, added] = derived_.try_emplace(key, -1);
        if (added) {
            known->second = new_variable(fmt::format("size_{}", size.integer),
                                         scalar_of(ElementType::int64), tree.place);
            early_.insert(known->second);
            const Into prologue(*this, prologue_);
            emit_scalar(known->second, std::move(size), tree.place);
        }
        return space_of(Space{.kind = Space::Kind::counted, .size = known->second});
    }
    if (size.kind == Expression::Kind::variable && variable(size.variable).is_parameter) {
        return space_of(Space{.kind = Space::Kind::counted, .size = size.variable});
    }
    if (in_member()) {
        report(ErrorCode::unsupported, tree.place, "a size that each member has its own of");
        return 0;
    }
    const VariableId id = new_variable("size", scalar_of(ElementType::int64), tree.place);
    emit_scalar(id, std::move(size), tree.place);
    return space_of(Space{.kind = Space::Kind::counted, .size = id});
}

// --- conversions ---

Expression Checker::converted_silently(Expression value, const Type& type) const {
    if (!value.type.is_known() || same_scalar(value.type, type)) return value;
    if (std::optional<Expression> constant = folded(value, type)) return std::move(*constant);
    if (is_infinite(value) && type.lanes == 1) {
        if (value.kind == Expression::Kind::negate) value.operands[0].type = type;
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
        return is_float(to.element) || to.vertex || holds_integer(to.element, literal.integer);
    };
    const bool both = is_literal(left) && is_literal(right);
    if (!both && adapts(left, right.type)) {
        common = right.type;
    } else if (!both && adapts(right, left.type)) {
        common = left.type;
    } else if (left.type.vertex && right.type.vertex) {
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
        const bool written = value.integer == 1;
        const bool integer = !is_float(value.operands[0].type.element);
        return !written && integer ? needed(value.operands[0]) : value.type.element;
    }
    case Kind::binary:
        return common_type(needed(value.operands[0]), needed(value.operands[1]));
    case Kind::conditional:
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
    const bool wide_scalar = target.type.is_scalar() && !target.is_local;
    const ElementType wanted =
        wide_scalar ? scalar_type(value.type.element) : stored_type(value).element;
    if (value.type.element == ElementType::boolean || is_infinite(value)) return;
    const ElementType wide = common_type(target.type.element, wanted);
    if (wide == target.type.element) return;
    const std::pair place{target.place.line, target.place.column};
    auto [known, added] = facts_.widened.emplace(place, wide);
    known->second = common_type(known->second, wide);
    facts_.changed = true;
}

} // namespace tropic::language::algorithm
