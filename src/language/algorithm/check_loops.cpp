// Loops: counting, over neighbours, over members, in order.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/algorithm/visit.h"

namespace tropic::language::algorithm {

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
        members_of_label_[result.each->label] = result.each->members;
        one_by_one_ = false;
        result.body = member_body(words.body);
        result.each->alone = one_by_one_;
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
    one_by_one_ = false;
    result.body = member_body(words.body);
    result.each->alone = one_by_one_;
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
    if (!is_number(key) || is_truth(key) || key.lanes > 1) {
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
        one_by_one_ = false;
        result.body = member_body(words.body);
    }
    if (one_by_one_) {
        report(ErrorCode::unsupported, words.place,
               "'/=' of elements of a sparse vector inside 'buckets', where members come in any "
               "order",
               {.hint = "divide elements of a vector, or in a loop of its own"});
        return;
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
    members_of_label_[result.variable] = workspace;
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

} // namespace tropic::language::algorithm
