// Functions of the program: expanded where they are called.
#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// Whether the first statement that touches the variable gives all of it a new value.
bool overwritten_first(const std::vector<Statement>& list, VariableId id) {
    for (const Statement& s : list) {
        using Kind = Statement::Kind;
        const bool whole = s.kind == Kind::assign || s.kind == Kind::members ||
                           s.kind == Kind::clear || s.kind == Kind::create ||
                           s.kind == Kind::sort || s.kind == Kind::scan || s.kind == Kind::derive ||
                           (s.kind == Kind::scalar && s.operation == Operation::none);
        bool reads = false;
        for_each_expression(s, [&](const Expression& e) { reads = reads || e.variable == id; });
        if (whole && s.variable == id && s.other != id && !(s.value && reads)) return true;
        if (s.kind == Kind::each && s.each->members < 0 && !s.each->condition && !s.body.empty()) {
            const Statement& first = s.body[0];
            const bool store = first.kind == Kind::element && first.operation == Operation::none &&
                               first.target->variable == id && first.target->operands.size() == 1 &&
                               first.target->operands[0].kind == Expression::Kind::variable &&
                               first.target->operands[0].variable == s.each->label;
            bool value_reads = false;
            if (store) {
                for_each_expression(*first.value, [&](const Expression& e) {
                    value_reads = value_reads || e.variable == id;
                });
            }
            if (store && !value_reads) return true;
        }
        if (s.kind == Kind::each &&
            std::ranges::find(s.each->rebuilt, id) != s.each->rebuilt.end()) {
            return true;
        }
        if (s.kind == Kind::each && s.each->built == id) {
            bool follows = reads;
            for_each_statement(
                s.body, [&](const Statement& inner) { follows = follows || inner.graph == id; });
            for_each_expression(s, [&](const Expression& e) {
                follows = follows || (e.reduction && e.reduction->graph == id);
            });
            if (!follows) return true;
        }
        bool touched = reads || s.variable == id || s.other == id || s.argument == id;
        for_each_statement(s.body, [&](const Statement& inner) {
            touched = touched || inner.variable == id || inner.other == id || inner.graph == id;
        });
        if (touched || s.kind == Kind::choose) return false;
    }
    return false;
}

syntax::TypeWords without_spaces(syntax::TypeWords words) {
    words.dimensions.clear();
    return words;
}

} // namespace

const syntax::Function* Checker::find_function(std::string_view name) const {
    for (const syntax::Function& function : tree_.functions) {
        const bool hidden = function.can_run() && is_built_in(name); // a word of the language wins
        if (function.name.text == name && !hidden) return &function;
    }
    return nullptr;
}

VariableId Checker::parameter(const syntax::Parameter& words, bool result) {
    // The spaces of a graph that is given may be its own: they are found when it is there.
    const bool given = words.type.name.text == "graph" && !result;
    Type type = type_of(given ? without_spaces(words.type) : words.type);
    const VariableId id = new_variable(words.name.text, type, words.name.place);
    Variable& made = variable(id);
    made.is_parameter = !result;
    made.is_result = result;
    made.comment = words.comment;
    auto [known, added] = frame_->scopes[0].try_emplace(words.name.text, Symbol{.variable = id});
    if (!added) {
        report(ErrorCode::inconsistent, words.name.place,
               fmt::format("'{}' is there twice", words.name.text));
    }
    if (type.shape == Type::Shape::graph && result) {
        made.type = made_graph(type);
        changing_.insert(id);
    }
    if (given) {
        if (algorithm_.spaces[0].graph < 0) algorithm_.spaces[0].graph = id;
        made.rectangular = facts_.rectangular.contains(words.name.text);
        give_spaces(words, id);
    }
    if (type.shape == Type::Shape::stack && (frame_->caller == nullptr)) {
        report(ErrorCode::unsupported, words.name.place,
               "a stack cannot be a parameter or result of what is run");
    }
    if (type.shape == Type::Shape::sparse && result && frame_->caller == nullptr &&
        (type.record >= 0 || type.lanes > 1)) {
        report(ErrorCode::unsupported, words.name.place,
               fmt::format("'{}' is {}, which cannot be a result of what is run", words.name.text,
                           described(type)),
               {.hint = "assign it to a vector"});
    }
    if (words.initial) {
        if (type.is_scalar() && !type.vertex) {
            Expression value = converted(expression(*words.initial), type, words.initial->place);
            const bool literal = value.kind == Expression::Kind::constant ||
                                 value.kind == Expression::Kind::infinity ||
                                 value.kind == Expression::Kind::negate;
            if (value.type.is_known() && !literal) {
                report(ErrorCode::inconsistent, words.initial->place,
                       "what a parameter is if nobody says must be a constant");
            }
            variable(id).initial = std::make_shared<Expression>(std::move(value));
        } else if (type.vertex) {
            Expression value = converted(expression(*words.initial), type, words.initial->place);
            variable(id).initial = std::make_shared<Expression>(std::move(value));
        } else if (type.is_known()) {
            report(ErrorCode::unsupported, words.initial->place,
                   "only numbers can be left out by the caller");
        }
    }
    return id;
}

/// B: graph<T, columns(A), columns(B)>: what the rows and columns of a graph that is given are.
void Checker::give_spaces(const syntax::Parameter& words, VariableId id) {
    const std::vector<Tree>& spaces = words.type.dimensions;
    if (spaces.empty()) return;
    const auto is_side = [&](const Tree& tree) {
        if (tree.kind != Tree::Kind::call || (tree.name != "vertices" && tree.name != "columns") ||
            tree.operands.size() != 1 || tree.operands[0].kind != Tree::Kind::name) {
            return false;
        }
        const VariableId of = find_variable(tree.operands[0].name);
        return of < 0 || variable(of).type.shape == Type::Shape::graph; // or nobody knows it
    };
    if (spaces.size() != 2 || !is_side(spaces[0]) || !is_side(spaces[1])) {
        report(ErrorCode::unsupported, words.name.place,
               "the rows and columns of a graph that is given are those of a graph",
               {.accepted = fmt::format("{0}: graph<T>, {0}: graph<T, vertices(A), columns({0})>, "
                                        "{0}: graph<T, columns(A), columns({0})>",
                                        words.name.text),
                .hint = "name graphs that stand before it, or itself"});
        return;
    }
    const auto side = [&](const Tree& tree) {
        if (tree.operands[0].name != words.name.text) return space_of(tree);
        const auto kind = tree.name == "columns" ? Space::Kind::columns : Space::Kind::rows;
        return space_of(Space{.kind = kind, .graph = id});
    };
    const SpaceId rows = side(spaces[0]);
    const SpaceId columns = side(spaces[1]);
    variable(id).rectangular = true;
    variable(id).type.space = rows;
    variable(id).type.columns = columns;
}

void Checker::count_assignments(const std::vector<syntax::Statement>& list, Frame& frame) const {
    for (const syntax::Statement& s : list) {
        if (s.kind == syntax::Statement::Kind::assign && s.target) {
            const Tree& target = *s.target;
            if (target.kind == Tree::Kind::name) ++frame.assigned[target.name];
            else if (target.kind == Tree::Kind::index && target.operands.size() == 3) {
                ++frame.assigned[target.operands[0].name];
            }
        }
        for (const syntax::Name& name : s.names) {
            if (s.kind == syntax::Statement::Kind::assign) ++frame.assigned[name.text];
        }
        count_assignments(s.body, frame);
        count_assignments(s.otherwise, frame);
    }
}

bool Checker::recursion_reported(const syntax::Function& function, Place place) {
    for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller) {
        if (frame->function != &function) continue;
        report(ErrorCode::unsupported, place,
               fmt::format("'{}' calls itself; functions are expanded where they are called",
                           function.name.text),
               {.hint = "use a loop"});
        return true;
    }
    return false;
}

/// Operators are expressions; their parameters stand for what they are given.
Expression Checker::expand_operator(const syntax::Function& function,
                                    std::vector<Expression> arguments, Place place) {
    for (const Expression& argument : arguments) {
        if (!argument.type.is_known()) return unknown_at(place);
    }
    if (arguments.size() != function.parameters.size()) {
        report(ErrorCode::inconsistent, place,
               fmt::format("'{}' takes {} values, not {}", function.name.text,
                           function.parameters.size(), arguments.size()));
        return unknown_at(place);
    }
    if (recursion_reported(function, place)) return unknown_at(place);
    Frame frame{.function = &function, .scopes = {{}}, .caller = frame_, .called = place};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        Expression argument = once(std::move(arguments[i]));
        if (!argument.type.is_known()) return unknown_at(place);
        frame.scopes[0].insert_or_assign(
            function.parameters[i].name.text,
            Symbol{.value = std::make_shared<const Expression>(std::move(argument))});
    }
    Frame* outer = std::exchange(frame_, &frame);
    Guards* guards = std::exchange(guards_, nullptr);
    Expression result = scalar(*function.value, "a value");
    guards_ = guards;
    frame_ = outer;
    if (result.type.is_known() && !is_small(result, place)) return unknown_at(place);
    return deep_copy(result);
}

/// A graph that is handed to a function has the rows and columns that the function says.
void Checker::require_spaces(const syntax::Parameter& words, const Symbol& symbol, Place place) {
    const std::vector<Tree>& spaces = words.type.dimensions;
    if (symbol.variable < 0 || spaces.size() != 2) return;
    const GraphUse use{.graph = symbol.variable, .flipped = symbol.flipped};
    const SpaceId rows = space_of(spaces[0]);
    const SpaceId columns = space_of(spaces[1]);
    const auto require = [&](SpaceId wanted, SpaceId found, std::string_view side) {
        if (wanted == found) return;
        report(ErrorCode::inconsistent, place,
               fmt::format("the {} of '{}' are to be {}, and those of this graph are {}", side,
                           words.name.text, described(wanted), described(found)));
    };
    require(rows, rows_of(use), "rows");
    require(columns, columns_of(use), "columns");
}

void Checker::bind_argument(Frame& frame, const syntax::Parameter& words, const Tree& argument) {
    // Types of parameters name what the callee knows, values what the caller knows.
    const std::string& shape = words.type.name.text;
    const bool whole_thing = shape == "graph" || shape == "vector" || shape == "sparse" ||
                             shape == "set" || shape == "table" || shape == "stack";
    Symbol symbol;
    if (shape == "graph") {
        const GraphUse use = graph_of(argument);
        symbol = Symbol{.variable = use.graph, .flipped = use.flipped};
        if (use.graph >= 0 && !words.type.elements.empty() && variable(use.graph).type.pattern) {
            report(ErrorCode::inconsistent, argument.place,
                   fmt::format("'{}' wants a graph with values on its edges", words.name.text));
        }
    } else if (shape == "set" && is_set_expression(argument)) {
        symbol.variable = set_value(argument, -1);
    } else if (whole_thing) {
        symbol.variable = whole(argument, fmt::format("a {}", shape));
    }
    Frame* outer = std::exchange(frame_, &frame);
    if (shape == "graph") { // its spaces may be its own
        frame.scopes[0].insert_or_assign(words.name.text, symbol);
        require_spaces(words, symbol, argument.place);
    }
    const Type type = type_of(shape == "graph" ? without_spaces(words.type) : words.type);
    frame_ = outer;
    if (whole_thing) {
        if (symbol.variable < 0)
            symbol.variable = new_variable(words.name.text, Type{}, argument.place);
        const Type given = variable(symbol.variable).type;
        const bool graph = type.shape == Type::Shape::graph;
        const bool fits =
            given.shape == type.shape &&
            (graph || (given.space == type.space && given.columns == type.columns &&
                       (type.shape == Type::Shape::set || type.shape == Type::Shape::stack ||
                        same_scalar(element_of(given), element_of(type)))));
        if (given.is_known() && type.is_known() && !fits) {
            report(ErrorCode::inconsistent, argument.place,
                   fmt::format("'{}' is {}, this is {}", words.name.text, described(type),
                               described(given)));
        }
        frame.scopes[0].insert_or_assign(words.name.text, symbol);
        return;
    }
    // A number that the function changes is the caller's, if the caller has a name for it.
    if (argument.kind == Tree::Kind::name && frame.assigned.contains(words.name.text)) {
        const VariableId given = find_variable(argument.name);
        if (given >= 0 && same_scalar(variable(given).type, type)) {
            frame.scopes[0].insert_or_assign(words.name.text, Symbol{.variable = given});
            return;
        }
    }
    Expression value = converted(scalar(argument, "a value"), type, argument.place);
    if (!type.is_known() || !value.type.is_known()) {
        symbol.variable = new_variable(words.name.text, Type{}, argument.place);
    } else {
        symbol.variable = in_member() ? new_local(words.name.text, type, words.name.place)
                                      : new_variable(words.name.text, type, words.name.place);
        emit_scalar(symbol.variable, std::move(value), argument.place);
    }
    frame.scopes[0].insert_or_assign(words.name.text, symbol);
}

std::vector<VariableId> Checker::expand(const Tree& call, const syntax::Function& function) {
    facts_.expanded.insert(&function);
    if (recursion_reported(function, call.place)) return {};
    std::size_t least = function.parameters.size();
    while (least > 0 && function.parameters[least - 1].initial) --least;
    if (!argument_count(call, least, function.parameters.size(), {})) return {};
    Frame frame{.function = &function,
                .scopes = {{}},
                .caller = frame_,
                .called = call.place,
                .members_around = members_deep_};
    count_assignments(function.body, frame);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const syntax::Parameter& words = function.parameters[i];
        bind_argument(frame, words, i < call.operands.size() ? call.operands[i] : *words.initial);
    }
    Frame* outer = std::exchange(frame_, &frame);
    const std::size_t outer_scope = std::exchange(member_scope_, 0);
    const int blocks = std::exchange(blocks_, 0);
    const int loops = std::exchange(loops_, 0);
    std::vector<VariableId> results;
    std::vector<Statement> body;
    {
        const Into into(*this, body);
        for (const syntax::Parameter& words : function.results) {
            Type type = type_of(words.type);
            const bool graph = type.shape == Type::Shape::graph;
            if (graph) type = made_graph(type);
            results.push_back(introduce(words.name, type));
            if (graph) changing_.insert(results.back());
        }
        statements(function.body);
    }
    blocks_ = blocks;
    loops_ = loops;
    member_scope_ = outer_scope;
    frame_ = outer;
    // A function starts with zeros and empty sets each time it is called.
    for (const VariableId id : frame.introduced) {
        if (!overwritten_first(body, id)) fill(id, zero_of(variable(id).type), call.place);
        outer->introduced.push_back(id);
    }
    for (const VariableId id : results) {
        if (variable(id).type.is_scalar() && !overwritten_first(body, id)) {
            emit_scalar(id, zero_of(variable(id).type), call.place);
        }
    }
    if (frame.returned >= 0) emit_scalar(frame.returned, truth_of(false, call.place), call.place);
    if (frame.returns_early) {
        Statement once;
        once.kind = Statement::Kind::until;
        once.place = call.place;
        once.body = std::move(body);
        once.value = truth_of(true, call.place);
        body.clear();
        body.push_back(std::move(once));
    }
    for (Statement& s : body) emit(std::move(s));
    return results;
}

} // namespace tropic::language::algorithm
