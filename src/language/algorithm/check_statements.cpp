#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

namespace {

/// What calls may expand to; programs written by people stay far below.
constexpr std::int64_t most_statements = 100'000;

} // namespace

void Checker::statements(const std::vector<syntax::Statement>& list) {
    for (const syntax::Statement& words : list) statement(words);
}

std::vector<Statement> Checker::block(const std::vector<syntax::Statement>& list) {
    std::vector<Statement> result;
    const Into into(*this, result);
    statements(list);
    return result;
}

void Checker::statement(const syntax::Statement& words) {
    using Kind = syntax::Statement::Kind;
    if (++expanded_ > most_statements) {
        if (!std::exchange(too_large_, true)) {
            report(ErrorCode::range, words.place,
                   fmt::format("the calls of the program expand to more than {} statements",
                               most_statements));
        }
        return;
    }
    switch (words.kind) {
    case Kind::assign:
        return assign(words);
    case Kind::declare:
        return declare(words);
    case Kind::evaluate:
        return evaluate(words);
    case Kind::branch:
        return branch(words);
    case Kind::repeat:
        repeat(words);
        return return_behind_loop(words.place);
    case Kind::until:
        until(words);
        return return_behind_loop(words.place);
    case Kind::loop:
        loop(words);
        return return_behind_loop(words.place);
    case Kind::each:
        return each(words);
    case Kind::with:
        return with(words);
    case Kind::leave:
    case Kind::next:
    case Kind::finish:
        return leave(words);
    }
}

void Checker::branch(const syntax::Statement& words) {
    Statement result;
    result.kind = Statement::Kind::branch;
    result.place = words.place;
    result.value = condition(*words.value);
    ++blocks_;
    result.body = block(words.body);
    result.otherwise = block(words.otherwise);
    --blocks_;
    emit(std::move(result));
}

/// A condition that needs statements of its own is asked inside the loop.
void Checker::repeat(const syntax::Statement& words) {
    Statement result;
    result.kind = Statement::Kind::repeat;
    result.place = words.place;
    std::vector<Statement> before;
    {
        const Into into(*this, before);
        result.value = condition(*words.value);
    }
    ++loops_;
    ++blocks_;
    result.body = block(words.body);
    --blocks_;
    --loops_;
    if (!before.empty()) {
        Statement leave;
        leave.kind = Statement::Kind::leave;
        leave.place = words.place;
        Statement stop;
        stop.kind = Statement::Kind::branch;
        stop.place = words.place;
        if (result.value->type.is_known()) stop.value = not_of(std::move(*result.value));
        stop.body.push_back(std::move(leave));
        before.push_back(std::move(stop));
        result.value = truth_of(true, words.place);
        result.body.insert(result.body.begin(), std::make_move_iterator(before.begin()),
                           std::make_move_iterator(before.end()));
    }
    emit(std::move(result));
}

void Checker::until(const syntax::Statement& words) {
    Statement result;
    result.kind = Statement::Kind::until;
    result.place = words.place;
    ++loops_;
    ++blocks_;
    result.body = block(words.body);
    {
        const Into into(*this, result.body);
        result.value = condition(*words.value);
    }
    --blocks_;
    --loops_;
    emit(std::move(result));
}

void Checker::leave(const syntax::Statement& words) {
    using Kind = syntax::Statement::Kind;
    Statement result;
    result.place = words.place;
    if (words.kind == Kind::finish) {
        result.kind = Statement::Kind::finish;
        if (frame_->caller != nullptr && members_deep_ == frame_->members_around) {
            return leave_by_return(words.place);
        }
    } else {
        if (loops_ == 0) {
            report(ErrorCode::syntax, words.place,
                   fmt::format("'{}' outside of a loop",
                               words.kind == Kind::leave ? "break" : "continue"),
                   {.hint = in_member() ? "'return' ends the code of this member" : ""});
            return;
        }
        result.kind = words.kind == Kind::leave ? Statement::Kind::leave : Statement::Kind::next;
    }
    emit(std::move(result));
}

/// A function is expanded where it is called, as a loop that runs once: whoever returns leaves it,
/// and the loops inside it on the way.
void Checker::leave_by_return(Place place) {
    frame_->returns_early = true;
    if (loops_ > 0) {
        if (frame_->returned < 0) {
            frame_->returned = in_member() ? new_local("returned", truth_type(), place)
                                           : new_variable("returned", truth_type(), place);
        }
        frame_->returning = true;
        emit_scalar(frame_->returned, truth_of(true, place), place);
    }
    Statement result;
    result.kind = Statement::Kind::leave;
    result.place = place;
    emit(std::move(result));
}

void Checker::return_behind_loop(Place place) {
    if (!frame_->returning) return;
    frame_->returning = loops_ > 0;
    Statement leave;
    leave.kind = Statement::Kind::leave;
    leave.place = place;
    Statement result;
    result.kind = Statement::Kind::branch;
    result.place = place;
    result.value = read(frame_->returned, place);
    result.body.push_back(std::move(leave));
    emit(std::move(result));
}

// --- declarations and calls ---

void Checker::declare(const syntax::Statement& words) {
    const syntax::Name& name = words.names[0];
    if (words.confirms) return confirm(words);
    if (find_variable(name.text) >= 0) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is there already, from line {}", name.text,
                           variable(find_variable(name.text)).place.line));
        return;
    }
    Type type = type_of(*words.type);
    if (!type.is_known()) return poison(name);
    const bool graph = type.shape == Type::Shape::graph;
    if (graph) type = made_graph(type);
    const VariableId id = introduce(name, type, true);
    if (graph) changing_.insert(id);
    if (type.is_scalar()) emit_scalar(id, zero_of(type), words.place);
    else if (blocks_ > 0 && !is_sized_by_parameter(type)) fill(id, zero_of(type), words.place);
}

/// Data of the vertices that is a result is said to be of a type twice.
void Checker::confirm(const syntax::Statement& words) {
    const syntax::Name& name = words.names[0];
    const VariableId id = find_variable(name.text);
    const Type type = type_of(*words.type);
    if (id < 0 || !type.is_known() || !variable(id).type.is_known()) return;
    if (described(variable(id).type) == described(type)) return;
    report(ErrorCode::inconsistent, name.place,
           fmt::format("'{}' is {} here and {} among the results", name.text, described(type),
                       described(variable(id).type)),
           {.accepted = fmt::format("-> {}: {}", name.text, described(type))});
}

void Checker::evaluate(const syntax::Statement& words) {
    const Tree& call = *words.value;
    if (built_in_statement(call)) return;
    if (const syntax::Function* own = find_function(call.name); own != nullptr && own->can_run()) {
        expand(call, *own);
        return;
    }
    Statement result;
    result.kind = Statement::Kind::evaluate;
    result.place = words.place;
    result.value = expression(call);
    if (!result.value->type.is_known()) return;
    using Kind = Expression::Kind;
    const Kind kind = result.value->kind;
    if (kind != Kind::insert && kind != Kind::improve && kind != Kind::swap) {
        report(ErrorCode::inconsistent, words.place,
               fmt::format("the value of '{}' is not used", call.name));
        return;
    }
    emit(std::move(result));
}

bool Checker::built_in_statement(const Tree& call) {
    if (find_function(call.name) != nullptr) return false;
    Statement result;
    result.place = call.place;
    if (call.name == "require") {
        if (!argument_count(call, 2, 2, "require(condition, \"text\")")) return true;
        result.kind = Statement::Kind::fail;
        result.value = condition(call.operands[0]);
        if (call.operands[1].kind != Tree::Kind::text) {
            report(ErrorCode::inconsistent, call.operands[1].place,
                   "a message in quotes is wanted here",
                   {.accepted = "require(condition, \"text\")"});
            return true;
        }
        result.name = call.operands[1].name;
        emit(std::move(result));
        return true;
    }
    if (call.name == "print") {
        if (!argument_count(call, 1, 1, "print(x)")) return true;
        if (in_member()) {
            report(ErrorCode::unsupported, call.place, "'print' inside 'each'");
            return true;
        }
        result.kind = Statement::Kind::print;
        const Tree& what = call.operands[0];
        const VariableId id = what.kind == Tree::Kind::name ? find_variable(what.name) : -1;
        if (id >= 0 && variable(id).type.is_known() && !variable(id).type.is_scalar()) {
            result.variable = id;
        } else {
            result.value = scalar(what, "a value");
            if (!result.value->type.is_known()) return true;
        }
        emit(std::move(result));
        return true;
    }
    if (call.name == "push") {
        if (!argument_count(call, 2, 2, "push(stack, set)")) return true;
        const VariableId stack = whole(call.operands[0], "a stack");
        const VariableId set = members_of(call.operands[1]);
        if (stack < 0 || set < 0 || !variable(stack).type.is_known()) return true;
        if (variable(stack).type.shape != Type::Shape::stack) {
            report(ErrorCode::inconsistent, call.operands[0].place,
                   fmt::format("a stack is wanted here, '{}' is {}", call.operands[0].name,
                               described(variable(stack).type)));
            return true;
        }
        result.kind = Statement::Kind::push;
        result.variable = stack;
        result.other = set;
        emit(std::move(result));
        return true;
    }
    return false;
}

} // namespace tropic::language::algorithm
