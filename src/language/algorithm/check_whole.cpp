// Assignments of what is no number: sets, vectors, graphs, results of functions.
#include <fmt/format.h>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

/// Whether the value is a set: braces, names of sets and what |, & and - make of them, pop(stack).
bool Checker::is_set_expression(const Tree& tree) const {
    using Kind = Tree::Kind;
    if (tree.kind == Kind::set || tree.kind == Kind::builder) return true;
    if (tree.kind == Kind::name) {
        const VariableId id = find_variable(tree.name);
        return id >= 0 && variable(id).type.shape == Type::Shape::set;
    }
    if (tree.kind == Kind::call && find_function(tree.name) == nullptr) {
        return tree.name == "pop" || tree.name == "structure";
    }
    return tree.kind == Kind::binary &&
           (tree.name == "|" || tree.name == "&" || tree.name == "-") &&
           is_set_expression(tree.operands[0]) && is_set_expression(tree.operands[1]);
}

/// False if the value is a number and somebody else's business.
bool Checker::assign_whole(const syntax::Statement& words, VariableId known) {
    const Tree& value = *words.value;
    const syntax::Name name{words.target->name, words.target->place};
    if (is_set_expression(value)) {
        assign_set(words, known, value);
        return true;
    }
    if (is_graph(value)) {
        assign_graph(words, known);
        return true;
    }
    const auto refuse_accumulate = [&] {
        if (words.accumulate.empty()) return false;
        report(ErrorCode::inconsistent, words.place,
               fmt::format("'{}=' does not go with whole vectors", words.accumulate),
               {.accepted = fmt::format("{0}[i] {1}= x[i];", name.text, words.accumulate)});
        return true;
    };
    if (value.kind == Tree::Kind::name) {
        const VariableId from = find_variable(value.name);
        if (from < 0 || !variable(from).type.is_known() || variable(from).type.is_scalar()) {
            return false;
        }
        if (!refuse_accumulate()) assign_from(name, known, from, words.place);
        return true;
    }
    if (value.kind != Tree::Kind::call) return false;
    if (const syntax::Function* own = find_function(value.name)) {
        if (!own->can_run() || own->results.size() != 1) return false;
        const std::string& word = own->results[0].type.name.text;
        static const std::set<std::string_view> shapes = {"vector", "sparse", "set",
                                                          "table",  "stack",  "graph"};
        if (!shapes.contains(word)) return false;
        if (refuse_accumulate()) return true;
        const std::vector<VariableId> results = expand(value, *own);
        if (results.size() == 1) assign_from(name, known, results[0], words.place);
        else if (known < 0) poison(name);
        return true;
    }
    if (value.name == "argsort" || value.name == "prefix_sum" || value.name == "permutation") {
        if (!refuse_accumulate()) assign_order(words, known);
        return true;
    }
    return false;
}

/// argsort(x), prefix_sum(x), permutation(A).
void Checker::assign_order(const syntax::Statement& words, VariableId known) {
    const Tree& value = *words.value;
    const syntax::Name name{words.target->name, words.target->place};
    if (in_member()) {
        report(ErrorCode::unsupported, value.place, fmt::format("'{}' inside 'each'", value.name));
        return;
    }
    if (!argument_count(value, 1, 1, fmt::format("{}(x)", value.name))) return;
    Statement result;
    result.place = words.place;
    Type type;
    if (value.name == "permutation") {
        const GraphUse use = graph_of(value.operands[0]);
        if (use.graph < 0) return poison_new(name, known);
        result.kind = Statement::Kind::derive;
        result.name = "permutation";
        result.other = use.graph;
        type = vertex_type();
        type.shape = Type::Shape::vector;
        type.space = rows_of(use);
    } else {
        const bool sort = value.name == "argsort";
        result.kind = sort ? Statement::Kind::sort : Statement::Kind::scan;
        result.other = vector_argument(value.operands[0]);
        if (result.other < 0) return poison_new(name, known);
        type = variable(result.other).type;
        if (type.record >= 0 || type.lanes > 1) {
            report(ErrorCode::inconsistent, value.place,
                   fmt::format("'{}' takes numbers, these are {}", value.name,
                               described(element_of(type))));
            return poison_new(name, known);
        }
        const SpaceId space = type.space;
        if (sort) {
            type = vertex_type();
            type.shape = Type::Shape::vector;
            type.space = space;
        } else if (!is_float(type.element)) {
            type.element = ElementType::int64;
            type.vertex = false;
        }
    }
    if (known < 0) known = introduce(name, type);
    const Type& target = variable(known).type;
    if (target.shape != type.shape || target.space != type.space ||
        !same_scalar(element_of(target), element_of(type))) {
        report(
            ErrorCode::inconsistent, words.place,
            fmt::format("'{}' is {}, this is {}", name.text, described(target), described(type)));
        return;
    }
    result.variable = known;
    emit(std::move(result));
}

void Checker::poison_new(const syntax::Name& name, VariableId known) {
    if (known < 0) poison(name);
}

/// The whole of one variable becomes that of another.
void Checker::assign_from(const syntax::Name& name, VariableId known, VariableId from,
                          Place place) {
    const Type type = variable(from).type;
    if (in_member() && !type.is_scalar()) {
        report(ErrorCode::unsupported, place,
               "whole vectors and sets are not copied inside 'each'");
        return;
    }
    if (type.shape == Type::Shape::graph) return copy_graph(name, known, from, place);
    if (known < 0) known = introduce(name, type);
    if (known == from || !is_assignable(known, name.place)) return;
    const Type target = variable(known).type;
    if (!target.is_known() || !type.is_known()) return;
    if (type.is_scalar()) {
        if (!target.is_scalar()) {
            report(ErrorCode::inconsistent, place,
                   fmt::format("'{}' is {}, this is {}", name.text, described(target),
                               described(type)));
            return;
        }
        Expression value = converted(read(from, place), target, place);
        if (value.type.is_known()) emit_scalar(known, std::move(value), place);
        return;
    }
    // The set of a sparse vector's members.
    const bool structure = target.shape == Type::Shape::set && type.shape == Type::Shape::sparse;
    const bool same_elements = structure || same_scalar(element_of(target), element_of(type));
    if ((target.shape != type.shape && !structure) || target.space != type.space ||
        target.columns != type.columns) {
        report(
            ErrorCode::inconsistent, place,
            fmt::format("'{}' is {}, this is {}", name.text, described(target), described(type)));
        return;
    }
    if (!same_elements || structure) return copy_elements(known, from, place);
    Statement result;
    result.kind = Statement::Kind::assign;
    result.place = place;
    result.variable = known;
    result.other = from;
    emit(std::move(result));
}

/// Copies that convert elements, or take the members of a sparse vector only.
void Checker::copy_elements(VariableId to, VariableId from, Place place) {
    const Type type = variable(from).type;
    Statement loop;
    loop.kind = Statement::Kind::each;
    loop.place = place;
    loop.each = std::make_shared<Each>();
    loop.each->space = type.space;
    loop.each->label = new_local("i", vertex_type(type.space), place);
    in_range_.insert(loop.each->label);
    if (type.shape == Type::Shape::sparse) {
        loop.each->members = from;
        loop.each->rebuilt.push_back(to);
        Statement put;
        put.kind = Statement::Kind::evaluate;
        put.place = place;
        put.value = insert_of(to, read(loop.each->label), place);
        loop.body.push_back(std::move(put));
    }
    if (variable(to).type.shape != Type::Shape::set) {
        if (type.shape == Type::Shape::table) {
            report(ErrorCode::inconsistent, place,
                   fmt::format("{} does not become {}", described(type),
                               described(variable(to).type)));
            return;
        }
        Statement store;
        store.kind = Statement::Kind::element;
        store.place = place;
        store.target = element_at(algorithm_, to, read(loop.each->label), place);
        store.value = converted(element_at(algorithm_, from, read(loop.each->label), place),
                                variable(to).type, place);
        if (!store.value->type.is_known()) return;
        loop.body.insert(loop.body.begin(), std::move(store));
    }
    emit(std::move(loop));
}

Expression Checker::insert_of(VariableId set, Expression index, Place place) {
    Expression insert;
    insert.kind = Expression::Kind::insert;
    insert.place = place;
    insert.type = truth_type();
    insert.variable = set;
    insert.operands.push_back(std::move(index));
    return insert;
}

// --- graphs ---

void Checker::assign_graph(const syntax::Statement& words, VariableId known) {
    const syntax::Name name{words.target->name, words.target->place};
    if (!words.accumulate.empty()) {
        report(ErrorCode::inconsistent, words.place,
               fmt::format("'{}=' does not go with graphs", words.accumulate));
        return;
    }
    if (in_member()) {
        report(ErrorCode::unsupported, words.place, "a graph is assigned inside 'each'");
        return;
    }
    GraphUse use = graph_of(*words.value);
    if (use.graph < 0) return poison_new(name, known);
    const auto times = frame_->assigned.find(name.text);
    const bool once = times == frame_->assigned.end() || times->second <= 1;
    if (known < 0 && once && !changing_.contains(use.graph)) {
        // Another name for the same graph.
        frame_->scopes[0].insert_or_assign(name.text,
                                           Symbol{.variable = use.graph, .flipped = use.flipped});
        return;
    }
    if (use.flipped) use = stored(use, words.place);
    copy_graph(name, known, use.graph, words.place);
}

/// The variable stands for another graph from here on; nothing is moved.
void Checker::copy_graph(const syntax::Name& name, VariableId known, VariableId from, Place place) {
    const Type type = variable(from).type;
    if (known < 0) {
        Type own = type;
        own.space = rows_of({.graph = from});
        own.columns = columns_of({.graph = from});
        known = introduce(name, own);
        changing_.insert(known);
    }
    if (known == from || !is_assignable(known, name.place)) return;
    const Type target = variable(known).type;
    if (!target.is_known()) return;
    const bool same = target.shape == Type::Shape::graph && target.pattern == type.pattern &&
                      target.element == type.element;
    if (!same || rows_of({.graph = known}) != rows_of({.graph = from}) ||
        columns_of({.graph = known}) != columns_of({.graph = from})) {
        std::string about = described(type);
        if (same) {
            about = fmt::format("of {} and {}", described(rows_of({.graph = from})),
                                described(columns_of({.graph = from})));
        }
        report(ErrorCode::inconsistent, place,
               fmt::format("'{}' is {}, this is {}", name.text,
                           same ? fmt::format("a graph of {} and {}", described(target.space),
                                              described(target.columns))
                                : described(target),
                           about));
        return;
    }
    Statement result;
    result.kind = Statement::Kind::derive;
    result.place = place;
    result.name = "same";
    result.variable = known;
    result.other = from;
    emit(std::move(result));
    renew_edges(known, place);
}

} // namespace tropic::language::algorithm
