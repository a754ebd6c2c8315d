#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/number_types.h"
#include "language/algorithm/visit.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

namespace {

constexpr std::array<std::string_view, 6> shapes = {"graph", "vector", "sparse",
                                                    "set",   "table",  "stack"};

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
            if (std::ranges::find(record.fields, field.name.text, &Record::Field::name) !=
                record.fields.end()) {
                report(ErrorCode::inconsistent, field.name.place,
                       fmt::format("field '{}' is there twice", field.name.text));
            }
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
std::optional<Type> Checker::alias_of(std::string_view name) {
    const syntax::Function* alias = find_function(name);
    if (alias == nullptr || alias->kind != syntax::Function::Kind::alias) return std::nullopt;
    const syntax::TypeWords& words = *alias->type;
    if (const auto given = options_.types.find(std::string(name)); given != options_.types.end()) {
        if (const auto wanted = parse_type_of_numbers(given->second)) return wanted;
    }
    if (const auto own = type_of_numbers(words.name.text, words.lanes)) return own;
    // Another name stands for what it stands for; only those before this one, so that no two stand
    // for each other.
    const syntax::Function* const other = find_function(words.name.text);
    if (words.lanes == 1 && other != nullptr && other < alias) {
        if (const auto of_other = alias_of(words.name.text)) return of_other;
    }
    // Said of the definition, not of the calls that lead to it.
    diagnostics_.add(ErrorCode::not_found, words.name.place,
                     no_type_of_numbers(name, words.name.text),
                     {.accepted = accepted_types_of_numbers() +
                                  "; the name of such a type that stands before it"});
    return scalar_of(ElementType::float64);
}

/// `whole` where a vector or a graph may be as well.
void Checker::unknown_type(const syntax::Name& name, bool whole) {
    std::vector<std::string_view> known = {
        "bool",   "int",    "int8",  "int16",  "int32",   "int64",   "uint8",  "uint16",
        "uint32", "uint64", "float", "double", "float32", "float64", "vertex", "pair"};
    if (whole) known.insert(known.end(), shapes.begin(), shapes.end());
    for (const syntax::Function& function : tree_.functions) {
        using Kind = syntax::Function::Kind;
        if (function.kind == Kind::record || function.kind == Kind::alias) {
            known.push_back(function.name.text);
        }
    }
    report(ErrorCode::not_found, name.place,
           fmt::format("unknown type{} '{}'", whole ? "" : " of elements", name.text),
           {.accepted = fmt::format(
                "{}bool, int8 to int64, uint8 to uint64, int, float, double, vertex, a "
                "record, pair<T, U>",
                whole ? "graph, graph<T>, vector<T>, sparse<T>, table<T, n>, set, stack, " : ""),
            .hint = did_you_mean(name.text, known)});
}

Type Checker::element_type(const syntax::TypeWords& words, bool whole) {
    const std::string& name = words.name.text;
    Type type;
    if (name == "pair") {
        if (words.elements.size() != 2) {
            report(ErrorCode::syntax, words.name.place, "'pair' needs two types",
                   {.accepted = "pair<int, vertex>, pair<double, int>..."});
            return {};
        }
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
        type = *alias;
    } else if (const int record = record_of(name); record >= 0) {
        type = scalar_of(ElementType::float64);
        type.record = record;
    } else {
        unknown_type(words.name, whole);
        return {};
    }
    if (words.lanes > 1) {
        if (type.record >= 0 || type.vertex || type.lanes > 1) {
            report(ErrorCode::unsupported, words.name.place,
                   "lanes are numbers, not vertices, records or lanes themselves");
        } else {
            type.lanes = words.lanes;
        }
    }
    return type;
}

Type Checker::type_of(const syntax::TypeWords& words) {
    const std::string& name = words.name.text;
    using Shape = Type::Shape;
    if (std::ranges::find(shapes, name) == shapes.end()) {
        const Type type = element_type(words, true);
        if (type.is_known() && !words.elements.empty() && name != "pair") {
            report(ErrorCode::syntax, words.name.place,
                   fmt::format("'{}' takes no type in angle brackets", name));
        }
        return type;
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
    const std::size_t most = type.shape == Shape::stack                                 ? 0
                             : type.shape == Shape::table || type.shape == Shape::graph ? 2
                                                                                        : 1;
    if (type.shape == Shape::graph && words.dimensions.size() == 1) {
        report(ErrorCode::syntax, words.name.place, "a graph has rows and columns",
               {.accepted = "graph<T>, graph<T, rows, columns>"});
        return {};
    }
    if (words.dimensions.size() < least || words.dimensions.size() > most) {
        report(ErrorCode::syntax, words.name.place,
               fmt::format("'{}' takes {} sizes or spaces, not {}", name,
                           least == most ? fmt::format("{}", most)
                                         : fmt::format("{} to {}", least, most),
                           words.dimensions.size()));
        return {};
    }
    if (type.shape == Shape::graph) {
        if (words.dimensions.empty()) return type;
        type.space = space_of(words.dimensions[0]);
        type.columns = space_of(words.dimensions[1]);
    } else if (type.shape == Shape::table) {
        type.columns = space_of(words.dimensions[0]);
        if (words.dimensions.size() == 2) type.space = space_of(words.dimensions[1]);
    } else if (!words.dimensions.empty()) {
        type.space = space_of(words.dimensions[0]);
    }
    return type;
}

/// Whether a size is known as soon as the parameters are.
bool Checker::is_told(const Expression& size) const {
    using Kind = Expression::Kind;
    const bool known = size.kind == Kind::constant || size.kind == Kind::size ||
                       (size.kind == Kind::variable && variable(size.variable).is_parameter) ||
                       (size.kind == Kind::convert && !is_float(size.operands[0].type.element)) ||
                       (size.kind == Kind::binary && (size.operation == Operation::add ||
                                                      size.operation == Operation::subtract ||
                                                      size.operation == Operation::multiply));
    return known && std::ranges::all_of(
                        size.operands, [&](const Expression& operand) { return is_told(operand); });
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
            variable(known->second).shown = fmt::format("{}", size.integer);
            variable(known->second).length = std::make_shared<Expression>(size);
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
    if (size.kind == Expression::Kind::variable) variable(id).shown = variable(size.variable).name;
    if (is_told(size)) variable(id).length = std::make_shared<Expression>(deep_copy(size));
    emit_scalar(id, std::move(size), tree.place);
    return space_of(Space{.kind = Space::Kind::counted, .size = id});
}

} // namespace tropic::language::algorithm
