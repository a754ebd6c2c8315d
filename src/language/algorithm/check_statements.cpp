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
        return repeat(words);
    case Kind::until:
        return until(words);
    case Kind::loop:
        return loop(words);
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
            if (loops_ > 0) {
                report(ErrorCode::unsupported, words.place,
                       fmt::format("'return' in a loop of '{}', which is expanded where it is "
                                   "called",
                                   frame_->function->name.text),
                       {.hint = "leave the loop by 'break'"});
                return;
            }
            frame_->returns_early = true; // the body is a loop that runs once
            result.kind = Statement::Kind::leave;
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

// --- loops ---

void Checker::loop(const syntax::Statement& words) {
    const Tree& over = *words.value;
    if (over.kind == Tree::Kind::call && over.name == "range") return count_loop(words);
    if (over.kind == Tree::Kind::call && over.name == "buckets") return bucket_loop(words);
    if (over.kind == Tree::Kind::index && is_graph(over.operands[0])) return neighbour_loop(words);
    if (const VariableId id = over.kind == Tree::Kind::name ? find_variable(over.name) : -1;
        id >= 0 && variable(id).is_local && variable(id).type.is_members()) {
        return visit_loop(words, id);
    }
    std::string hint;
    if (over.kind == Tree::Kind::name && find_variable(over.name) >= 0 &&
        variable(find_variable(over.name)).type.is_members()) {
        hint = "members of a set have no order: each i in s { ... }";
    }
    report(
        ErrorCode::inconsistent, over.place, "'for' cannot run over this",
        {.accepted = "range(a, b, step), A[i], buckets(key, width, set)", .hint = std::move(hint)});
}

void Checker::count_loop(const syntax::Statement& words) {
    const Tree& over = *words.value;
    if (!argument_count(over, 1, 3, "range(n), range(a, b), range(a, b, step)")) return;
    Statement result;
    result.kind = Statement::Kind::count;
    result.place = words.place;
    const Type type = scalar_of(ElementType::int64);
    const auto number = [&](std::size_t i) {
        return converted(scalar(over.operands[i], "a number"), type, over.operands[i].place);
    };
    const bool from_zero = over.operands.size() == 1;
    result.first = from_zero ? constant_of(0, type, over.place) : number(0);
    result.value = number(from_zero ? 0 : 1);
    result.step = over.operands.size() == 3 ? number(2) : constant_of(1, type, over.place);
    if (is_constant(*result.step, 0)) {
        report(ErrorCode::range, over.operands[2].place, "a step of 0");
    }
    const Scoped scoped(*this);
    const VariableId counter = in_member() ? new_local(words.names[0].text, type, words.place)
                                           : new_variable(words.names[0].text, type, words.place);
    weak_.insert(counter);
    counters_.insert(counter);
    frame_->scopes.back().insert_or_assign(words.names[0].text, Symbol{.variable = counter});
    result.variable = counter;
    ++loops_;
    ++blocks_;
    result.body = block(words.body);
    --blocks_;
    --loops_;
    emit(std::move(result));
}

void Checker::neighbour_loop(const syntax::Statement& words) {
    const Tree& over = *words.value;
    if (words.names.size() > 3 || over.operands.size() != 2) {
        report(ErrorCode::syntax, words.place, "neighbours are followed with up to three names",
               {.accepted = "for j in A[i], for j, w in A[i], for j, w, e in A[i]"});
        return;
    }
    if (!in_member()) {
        // At the program's level one member runs alone: a loop over a set of one.
        return lone_member(words);
    }
    const GraphUse use = graph_of(over.operands[0]);
    if (use.graph < 0) return;
    Statement result;
    result.kind = Statement::Kind::neighbours;
    result.place = words.place;
    result.graph = use.graph;
    result.inward = use.flipped;
    bool checked = false;
    Expression center = index_value(over.operands[1], rows_of(use), checked);
    if (!center.type.is_known()) return;
    if (checked) center = in_range(std::move(center), rows_of(use));
    result.first = center;
    const Scoped scoped(*this);
    result.variable = bind_label(words.names[0], columns_of(use));
    if (words.names.size() > 1) {
        const Type& type = variable(use.graph).type;
        Symbol symbol;
        if (type.pattern) {
            symbol.value = std::make_shared<const Expression>(
                constant_of(1, scalar_of(ElementType::int64), words.names[1].place));
        } else {
            result.weight =
                new_local(words.names[1].text, scalar_of(type.element), words.names[1].place);
            symbol.variable = result.weight;
        }
        frame_->scopes.back().insert_or_assign(words.names[1].text, symbol);
    }
    if (words.names.size() > 2) {
        result.edge = bind_label(words.names[2],
                                 space_of(Space{.kind = Space::Kind::edges, .graph = use.graph}));
    }
    edges_.push_back({.graph = use.graph,
                      .inward = result.inward,
                      .center = center,
                      .label = result.variable,
                      .weight = &result.weight,
                      .edge = &result.edge});
    ++loops_;
    ++blocks_;
    result.body = block(words.body);
    --blocks_;
    --loops_;
    edges_.pop_back();
    emit(std::move(result));
}

/// `for j in A[v]` on the program's level.
void Checker::lone_member(const syntax::Statement& words) {
    report(ErrorCode::unsupported, words.place,
           "neighbours are followed inside 'each', not on the program's level",
           {.hint = "each i in {v} needs a name for the set: s = {v}; each i in s { for j in A[i] "
                    "{ ... } }"});
}

void Checker::each(const syntax::Statement& words) {
    if (in_member()) {
        report(ErrorCode::unsupported, words.place, "'each' inside 'each'",
               {.hint = "use 'for' inside: for j in A[i], for k in range(n)"});
        return;
    }
    if (words.names.size() != 1) {
        report(ErrorCode::syntax, words.names[1].place, "'each' takes one name",
               {.accepted = "each i in set { ... }, each i in vertices(A) { ... }"});
        return;
    }
    Statement result;
    result.kind = Statement::Kind::each;
    result.place = words.place;
    result.each = std::make_shared<Each>();
    const Tree& over = *words.value;
    const bool call = over.kind == Tree::Kind::call;
    if (call && (over.name == "vertices" || over.name == "edges" || over.name == "columns")) {
        result.each->space = space_of(over);
    } else if (call && over.name == "range") {
        if (!argument_count(over, 1, 2, "range(n), range(a, b)")) return;
        if (over.operands.size() == 2) return each_between(words);
        result.each->space = space_of(over.operands[0]);
    } else if (is_graph(over)) {
        const GraphUse use = graph_of(over);
        if (use.graph < 0) return;
        result.each->space = rows_of(use);
    } else {
        const VariableId set = members_of(over);
        if (set < 0) return;
        result.each->members = set;
        result.each->space = variable(set).type.space;
    }
    {
        const MemberCode code(*this);
        result.each->label = bind_label(words.names[0], result.each->space);
        result.body = member_body(words.body);
    }
    if (result.each->members >= 0) {
        for_each_expression(result, [&](const Expression& e) {
            if (e.kind == Expression::Kind::insert && e.variable == result.each->members) {
                report(ErrorCode::inconsistent, e.place,
                       fmt::format("'{}' grows while the loop runs over it",
                                   variable(e.variable).name),
                       {.hint = "insert into another set and assign it behind the loop"});
            }
        });
    }
    emit(std::move(result));
}

/// each i in range(a, b): counted from 0, and a added.
void Checker::each_between(const syntax::Statement& words) {
    const Tree& over = *words.value;
    const Type type = scalar_of(ElementType::int64);
    const auto number = [&](std::size_t i) {
        return converted(scalar(over.operands[i], "a number"), type, over.operands[i].place);
    };
    Expression from = number(0);
    Expression to = number(1);
    if (!from.type.is_known() || !to.type.is_known()) return;
    const VariableId first = new_variable("first", type, over.place);
    const VariableId length = new_variable("length", type, over.place);
    emit_scalar(first, std::move(from), over.place);
    emit_scalar(length,
                binary_of(Operation::maximum, constant_of(0, type, over.place),
                          binary_of(Operation::subtract, std::move(to), read(first))),
                over.place);
    Statement result;
    result.kind = Statement::Kind::each;
    result.place = words.place;
    result.each = std::make_shared<Each>();
    result.each->space = space_of(Space{.kind = Space::Kind::counted, .size = length});
    const MemberCode code(*this);
    result.each->label =
        new_local(words.names[0].text, vertex_type(result.each->space), over.place);
    Expression value =
        binary_of(Operation::add, read(first), converted_silently(read(result.each->label), type));
    frame_->scopes.back().insert_or_assign(
        words.names[0].text, Symbol{.value = std::make_shared<const Expression>(
                                        converted_silently(std::move(value), vertex_type()))});
    result.body = member_body(words.body);
    emit(std::move(result));
}

/// The code of a member; locals that only some of its paths assign start as zero.
std::vector<Statement> Checker::member_body(const std::vector<syntax::Statement>& body) {
    const int outer = std::exchange(blocks_, 0);
    std::vector<VariableId> late;
    std::swap(late, late_locals_);
    std::vector<Statement> list = block(body);
    std::swap(late, late_locals_);
    blocks_ = outer;
    std::vector<Statement> zeros;
    {
        const Into into(*this, zeros);
        for (const VariableId id : late) {
            emit_scalar(id, zero_of(variable(id).type), variable(id).place);
        }
    }
    list.insert(list.begin(), std::make_move_iterator(zeros.begin()),
                std::make_move_iterator(zeros.end()));
    return list;
}

Expression Checker::zero_of(const Type& type) const {
    if (type.record >= 0) return constant_of(0, type);
    Type one = element_of(type);
    one.lanes = 1;
    return converted_silently(constant_of(0, one), element_of(type));
}

void Checker::bucket_loop(const syntax::Statement& words) {
    const Tree& over = *words.value;
    if (in_member()) {
        report(ErrorCode::unsupported, words.place, "'buckets' inside 'each'");
        return;
    }
    if (!argument_count(over, 3, 3, "for i in buckets(key, width, set) { ... }")) return;
    Statement result;
    result.kind = Statement::Kind::buckets;
    result.place = words.place;
    result.buckets = std::make_shared<Buckets>();
    Buckets& buckets = *result.buckets;
    buckets.key = vector_argument(over.operands[0]);
    Expression width = scalar(over.operands[1], "a number");
    buckets.start = members_of(over.operands[2]);
    if (buckets.key < 0 || buckets.start < 0 || !width.type.is_known()) return;
    const Type key = element_of(variable(buckets.key).type);
    if (!is_number(key) || key.lanes > 1) {
        report(ErrorCode::inconsistent, over.operands[0].place,
               fmt::format("keys are numbers, these are {}", described(key)));
        return;
    }
    if (!is_assignable(buckets.key, over.operands[0].place)) return;
    if (is_constant(width, 0)) {
        report(ErrorCode::range, over.operands[1].place, "buckets of width 0");
    }
    buckets.width = converted(std::move(width), key, over.operands[1].place);
    const Scoped scoped(*this);
    buckets.bucket = new_variable("bucket", scalar_of(ElementType::int64), words.place);
    frame_->scopes.back().insert_or_assign("bucket", Symbol{.variable = buckets.bucket});
    {
        const MemberCode code(*this);
        buckets.label = bind_label(words.names[0], variable(buckets.key).type.space);
        result.body = member_body(words.body);
    }
    emit(std::move(result));
}

/// with votes: sparse<int> { ... }
void Checker::workspace(const syntax::Statement& words) {
    const Type type = type_of(*words.type);
    if (!type.is_known()) return;
    if (!type.is_members()) {
        report(ErrorCode::inconsistent, words.type->name.place,
               fmt::format("a workspace is a sparse vector or a set, not {}", described(type)),
               {.accepted = "with votes: sparse<int> { ... }"});
        return;
    }
    Statement result;
    result.kind = Statement::Kind::workspace;
    result.place = words.place;
    const Scoped scoped(*this);
    result.variable = new_local(words.names[0].text, type, words.names[0].place);
    frame_->scopes.back().insert_or_assign(words.names[0].text,
                                           Symbol{.variable = result.variable});
    result.body = block(words.body);
    emit(std::move(result));
}

/// for l in votes, for l, n in votes
void Checker::visit_loop(const syntax::Statement& words, VariableId workspace) {
    const std::size_t most = variable(workspace).type.shape == Type::Shape::set ? 1 : 2;
    if (words.names.size() > most) {
        report(ErrorCode::syntax, words.names[most].place,
               "members are visited with a name, and one for the value of a sparse vector",
               {.accepted = "for l in votes, for l, n in votes"});
        return;
    }
    Statement result;
    result.kind = Statement::Kind::visit;
    result.place = words.place;
    result.other = workspace;
    const Scoped scoped(*this);
    result.variable = bind_label(words.names[0], variable(workspace).type.space);
    if (words.names.size() > 1) {
        frame_->scopes.back().insert_or_assign(
            words.names[1].text,
            Symbol{.value = std::make_shared<const Expression>(
                       element_at(algorithm_, workspace, read(result.variable), words.place))});
    }
    ++loops_;
    ++blocks_;
    result.body = block(words.body);
    --blocks_;
    --loops_;
    emit(std::move(result));
}

void Checker::with(const syntax::Statement& words) {
    if (!in_member()) {
        report(ErrorCode::unsupported, words.place, "'with' outside of 'each'",
               {.accepted = "each i in vertices(A) { with near = A[i] { ... } }"});
        return;
    }
    if (words.type) return workspace(words);
    const Tree& over = *words.value;
    if (over.kind != Tree::Kind::index || over.operands.size() != 2 ||
        !is_graph(over.operands[0])) {
        report(ErrorCode::inconsistent, over.place, "'with' takes the neighbours of a vertex",
               {.accepted = "with near = A[i] { ... near[j] ... }"});
        return;
    }
    const GraphUse use = graph_of(over.operands[0]);
    if (use.graph < 0) return;
    Statement result;
    result.kind = Statement::Kind::marks;
    result.place = words.place;
    result.graph = use.graph;
    result.inward = use.flipped;
    bool checked = false;
    Expression center = index_value(over.operands[1], rows_of(use), checked);
    if (!center.type.is_known()) return;
    if (checked) center = in_range(std::move(center), rows_of(use));
    result.first = std::move(center);
    const Scoped scoped(*this);
    Type type;
    type.shape = Type::Shape::marks;
    type.element = ElementType::boolean;
    type.space = columns_of(use);
    result.variable = new_local(words.names[0].text, type, words.names[0].place);
    frame_->scopes.back().insert_or_assign(words.names[0].text,
                                           Symbol{.variable = result.variable});
    result.body = block(words.body);
    emit(std::move(result));
}

// --- declarations and calls ---

void Checker::declare(const syntax::Statement& words) {
    const syntax::Name& name = words.names[0];
    if (find_variable(name.text) >= 0) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is there already, from line {}", name.text,
                           variable(find_variable(name.text)).place.line));
        return;
    }
    Type type = type_of(*words.type);
    if (!type.is_known()) return poison(name);
    if (type.shape == Type::Shape::graph) {
        report(ErrorCode::unsupported, name.place, "graphs are not declared but derived",
               {.accepted = "B = symmetrised(A);"});
        return poison(name);
    }
    const VariableId id = introduce(name, type);
    if (type.is_scalar()) emit_scalar(id, zero_of(type), words.place);
    else if (blocks_ > 0) fill(id, zero_of(type), words.place);
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
