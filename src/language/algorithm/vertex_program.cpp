#include "language/algorithm/vertex_program.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

namespace tropic::language::algorithm {

namespace {

using syntax::Expression;
using syntax::Function;
using syntax::Name;
using syntax::Statement;
using syntax::VertexProgram;

class Rewriter {
  public:
    Rewriter(const Function& function, Diagnostics& diagnostics)
        : function_(function), program_(*function.program), diagnostics_(diagnostics),
          place_(function.name.place) {}

    Function run() {
        Function result = function_;
        result.kind = Function::Kind::function;
        result.program.reset();
        for (const syntax::Parameter& parameter : function_.parameters) {
            if (parameter.type.name.text == "graph" && graph_.empty()) {
                graph_ = parameter.name.text;
                if (!parameter.type.dimensions.empty()) {
                    diagnostics_.add(
                        ErrorCode::inconsistent, parameter.name.place,
                        fmt::format("messages go from vertex to vertex, and '{}' has rows and "
                                    "columns of its own",
                                    graph_),
                        {.accepted = fmt::format("{0}: graph, {0}: graph<int>...", graph_)});
                    return result;
                }
            }
        }
        if (graph_.empty()) {
            diagnostics_.add(ErrorCode::inconsistent, place_, "a vertex program needs a graph",
                             {.accepted = "program name(A: graph) -> x: vector<int> { ... }"});
            return result;
        }
        for (const Statement& data : program_.data) data_.insert(data.names[0].text);
        if (!names_are_free()) return result;
        declare_data(result);
        declare_active(result.body);
        for (const Statement& statement : program_.start) result.body.push_back(statement);
        result.body.push_back(assign(name("round."), number(0)));
        if (program_.tolerance) {
            Statement change = assign(name("change."), name("infinity"));
            change.type = syntax::TypeWords{.name = {"double", place_}};
            change.names.push_back({"change.", place_});
            result.body.push_back(std::move(change));
        }
        result.body.push_back(round_loop());
        return result;
    }

  private:
    /// Whether nothing has the name of the set of those who send, nor data that of a parameter.
    bool names_are_free() const {
        bool fine = true;
        const auto free = [&](const Name& given) {
            if (given.text != "active") return;
            fine = false;
            diagnostics_.add(ErrorCode::inconsistent, given.place,
                             "'active' is the set of the vertices that send",
                             {.hint = "give it another name"});
        };
        for (const syntax::Parameter& parameter : function_.parameters) free(parameter.name);
        for (const syntax::Parameter& parameter : function_.results) free(parameter.name);
        for (const Statement& data : program_.data) {
            const Name& given = data.names[0];
            free(given);
            for (const syntax::Parameter& parameter : function_.parameters) {
                if (parameter.name.text != given.text) continue;
                fine = false;
                diagnostics_.add(
                    ErrorCode::inconsistent, given.place,
                    fmt::format("'{}' is a parameter, and cannot be data of the vertices as well",
                                given.text),
                    {.hint = "give it another name"});
            }
        }
        return fine;
    }

    // --- pieces of syntax ---

    Expression node(Expression::Kind kind, std::vector<Expression> operands = {}) const {
        Expression result;
        result.kind = kind;
        result.place = place_;
        result.operands = std::move(operands);
        for (const Expression& operand : result.operands) {
            result.depth = std::max(result.depth, operand.depth + 1);
        }
        return result;
    }
    Expression name(std::string text) const {
        Expression result = node(Expression::Kind::name);
        result.name = std::move(text);
        return result;
    }
    Expression number(std::int64_t value) const {
        Expression result = node(Expression::Kind::number);
        result.is_integer = true;
        result.integer = value;
        result.number = static_cast<double>(value);
        return result;
    }
    Expression at(std::string vector, Expression index) const {
        return node(Expression::Kind::index, {name(std::move(vector)), std::move(index)});
    }
    Expression edge(Expression from, Expression to) const {
        return node(Expression::Kind::index, {name(graph_), std::move(from), std::move(to)});
    }
    Expression call(std::string function, std::vector<Expression> arguments) const {
        Expression result = node(Expression::Kind::call, std::move(arguments));
        result.name = std::move(function);
        return result;
    }
    Expression binary(std::string op, Expression left, Expression right) const {
        Expression result = node(Expression::Kind::binary, {std::move(left), std::move(right)});
        result.name = std::move(op);
        return result;
    }
    Statement assign(Expression target, Expression value, std::string accumulate = {}) const {
        Statement result;
        result.kind = Statement::Kind::assign;
        result.place = value.place.line > 0 ? value.place : place_;
        result.target = std::move(target);
        result.value = std::move(value);
        result.accumulate = std::move(accumulate);
        return result;
    }
    Statement branch(Expression test, std::vector<Statement> body,
                     std::vector<Statement> otherwise = {}) const {
        Statement result;
        result.kind = Statement::Kind::branch;
        result.place = place_;
        result.value = std::move(test);
        result.body = std::move(body);
        result.otherwise = std::move(otherwise);
        return result;
    }

    // --- formulas with their parameters filled in ---

    using Meanings = std::map<std::string, Expression, std::less<>>;

    /// `vertices` are parameters that stand for a vertex: v.x is its element of x.
    Expression filled(const Expression& tree, const Meanings& values,
                      const Meanings& vertices) const {
        if (tree.kind == Expression::Kind::field &&
            tree.operands[0].kind == Expression::Kind::name) {
            const auto vertex = vertices.find(tree.operands[0].name);
            if (vertex != vertices.end()) {
                Expression element = at(tree.name, vertex->second);
                element.place = tree.place;
                element.operands[0].place = tree.place;
                if (!data_.contains(tree.name)) {
                    diagnostics_.add(ErrorCode::not_found, tree.place,
                                     fmt::format("vertices have no data '{}'", tree.name),
                                     {.accepted = fmt::format("vertex {}: int = 0;", tree.name)});
                }
                return element;
            }
        }
        if (tree.kind == Expression::Kind::name) {
            for (const Meanings* meanings : {&values, &vertices}) {
                if (const auto found = meanings->find(tree.name); found != meanings->end()) {
                    return placed(found->second, tree.place);
                }
            }
        }
        for (const Name& label : tree.labels) require_new(label, values, vertices);
        Expression result = tree;
        for (Expression& operand : result.operands) operand = filled(operand, values, vertices);
        return result;
    }

    /// What no text has is said to be where the text has the parameter that it stands for.
    Expression placed(Expression tree, Place place) const {
        const bool ours = tree.place.line == place_.line && tree.place.column == place_.column;
        if (ours) tree.place = place;
        for (Expression& operand : tree.operands) operand = placed(std::move(operand), place);
        return tree;
    }

    /// A name that code of the program's own binds must not be that of a parameter, which is
    /// replaced wherever it stands.
    void require_new(const Name& given, const Meanings& values, const Meanings& vertices) const {
        if (!values.contains(given.text) && !vertices.contains(given.text)) return;
        diagnostics_.add(ErrorCode::inconsistent, given.place,
                         fmt::format("'{}' is a parameter of this clause", given.text),
                         {.hint = "give it another name"});
    }

    /// The code of `apply`.
    void fill(Statement& statement, const Meanings& values, const Meanings& vertices,
              int loops = 0) const {
        using enum Statement::Kind;
        for (Name& given : statement.names) {
            // What a function gives may go to a name that stands for a parameter.
            const auto meant = values.find(given.text);
            const bool takes = statement.kind == Statement::Kind::assign && meant != values.end() &&
                               meant->second.kind == Expression::Kind::name;
            if (takes) given.text = meant->second.name;
            else require_new(given, values, vertices);
        }
        if (statement.target && statement.target->kind == Expression::Kind::name) {
            const Expression& target = *statement.target;
            if (statement.type) require_new({target.name, target.place}, values, vertices);
            if (vertices.contains(target.name)) {
                diagnostics_.add(
                    ErrorCode::inconsistent, target.place,
                    fmt::format("'{}' is the vertex and cannot be assigned to", target.name),
                    {.accepted =
                         fmt::format("{}.{} = ...;", target.name,
                                     program_.data.empty() ? std::string("x")
                                                           : program_.data.front().names[0].text)});
            }
        }
        if (statement.target) statement.target = filled(*statement.target, values, vertices);
        if (statement.value) statement.value = filled(*statement.value, values, vertices);
        if (statement.mask) {
            statement.mask->condition = filled(statement.mask->condition, values, vertices);
        }
        const bool inside =
            statement.kind == loop || statement.kind == repeat || statement.kind == until;
        for (auto* list : {&statement.body, &statement.otherwise}) {
            for (Statement& inner : *list) fill(inner, values, vertices, loops + (inside ? 1 : 0));
        }
        const bool leaves = (statement.kind == leave || statement.kind == next) && loops == 0;
        if (statement.kind == finish || leaves) {
            diagnostics_.add(ErrorCode::unsupported, statement.place,
                             fmt::format("'{}' in 'apply'", statement.kind == finish  ? "return"
                                                            : statement.kind == leave ? "break"
                                                                                      : "continue"),
                             {.hint = "put the rest into an 'else'"});
        }
    }

    Expression sent(const Expression& vertex) const {
        return filled(program_.send->value, {}, {{program_.send->parameters[0].text, vertex}});
    }

    /// The message from one vertex to another, as it arrives: no way leads on from what there is
    /// no way to.
    Expression message(const Expression& from, const Expression& to, Expression value) const {
        Expression result = made_of(from, to, std::move(value));
        result.nowhere = nowhere();
        return result;
    }

    Expression made_of(const Expression& from, const Expression& to, Expression value) const {
        if (!program_.process) return sent(from);
        const std::vector<Name>& names = program_.process->parameters;
        Meanings values = {{names[0].text, sent(from)}};
        if (names.size() > 1) values.emplace(names[1].text, std::move(value));
        Meanings vertices;
        if (names.size() > 2) vertices.emplace(names[2].text, to);
        return filled(program_.process->value, values, vertices);
    }

    /// What integers say that there is no way, by what `reduce` does with them. A formula of the
    /// program's own does not tell; sums and products have other things to say.
    syntax::Nowhere nowhere() const {
        const std::string word = monoid();
        if (word.empty()) return syntax::Nowhere::either;
        return word == "min"   ? syntax::Nowhere::largest
               : word == "max" ? syntax::Nowhere::least
                               : syntax::Nowhere::none;
    }

    /// Whether a vertex sends at all: it is active, and does not decline.
    std::optional<Expression> sends(const Expression& from) const {
        std::optional<Expression> result;
        if (!program_.all) result = at("active", from);
        if (!program_.send->condition) return result;
        Expression accepts =
            filled(*program_.send->condition, {}, {{program_.send->parameters[0].text, from}});
        if (!result) return accepts;
        return binary("&&", std::move(*result), std::move(accepts));
    }

    /// The built-in monoid that `reduce` is, if it is one.
    std::string monoid() const {
        const VertexProgram::Formula& reduce = *program_.reduce;
        const Expression& value = reduce.value;
        if (value.kind != Expression::Kind::binary && value.kind != Expression::Kind::call) {
            return {};
        }
        if (value.operands.size() != 2) return {};
        const auto is = [&](const Expression& e, const Name& parameter) {
            return e.kind == Expression::Kind::name && e.name == parameter.text;
        };
        const bool straight = is(value.operands[0], reduce.parameters[0]) &&
                              is(value.operands[1], reduce.parameters[1]);
        const bool crossed = is(value.operands[0], reduce.parameters[1]) &&
                             is(value.operands[1], reduce.parameters[0]);
        if (!straight && !crossed) return {};
        static const std::map<std::string, std::string, std::less<>> operators = {
            {"+", "sum"}, {"*", "product"}, {"|", "|"},     {"&", "&"},
            {"||", "or"}, {"&&", "and"},    {"min", "min"}, {"max", "max"}};
        const auto found = operators.find(value.name);
        return found == operators.end() ? std::string() : found->second;
    }

    // --- the parts of the function ---

    void declare_data(Function& result) const {
        for (const Statement& data : program_.data) {
            const std::string& text = data.names[0].text;
            Statement declare = data;
            declare.kind = Statement::Kind::declare;
            declare.type =
                syntax::TypeWords{.name = {"vector", data.place}, .elements = {*data.type}};
            declare.value.reset();
            for (const syntax::Parameter& parameter : function_.results) {
                declare.confirms = declare.confirms || parameter.name.text == text;
            }
            result.body.push_back(std::move(declare));
            if (data.value) result.body.push_back(assign(at(text, name("i.")), *data.value));
        }
    }

    /// What an assignment changes: x of x, x[i], x.key and x[k].key.
    static const std::string& base_of(const Expression& target) {
        const Expression* base = &target;
        while (base->kind == Expression::Kind::index || base->kind == Expression::Kind::field) {
            base = base->operands.data();
        }
        return base->name;
    }

    static bool assigns(const std::vector<Statement>& list, std::string_view wanted) {
        for (const Statement& s : list) {
            if (s.target && base_of(*s.target) == wanted) return true;
            if (s.changed && s.changed->text == wanted) return true;
            if (s.kind == Statement::Kind::assign) {
                for (const Name& one : s.names) {
                    if (one.text == wanted) return true;
                }
            }
            if (s.value && inserts_into(*s.value, wanted)) return true;
            if (assigns(s.body, wanted) || assigns(s.otherwise, wanted)) return true;
        }
        return false;
    }

    /// Whether something is inserted into what has the name.
    static bool inserts_into(const Expression& tree, std::string_view wanted) {
        if (tree.kind == Expression::Kind::call && tree.name == "insert" &&
            !tree.operands.empty() && tree.operands[0].name == wanted) {
            return true;
        }
        return std::ranges::any_of(tree.operands, [&](const Expression& operand) {
            return inserts_into(operand, wanted);
        });
    }

    void declare_active(std::vector<Statement>& body) const {
        Statement declare;
        declare.kind = Statement::Kind::declare;
        declare.place = place_;
        declare.names.push_back({"active", place_});
        declare.type = syntax::TypeWords{.name = {"set", place_}};
        body.push_back(std::move(declare));
        if (assigns(program_.start, "active")) return;
        Expression everybody = node(Expression::Kind::builder, {name("true")});
        everybody.labels.push_back({"i.", place_});
        body.push_back(assign(name("active"), std::move(everybody)));
    }

    Statement round_loop() const {
        Statement loop;
        loop.kind = Statement::Kind::repeat;
        loop.place = place_;
        Expression test = name("active");
        if (program_.rounds) {
            test = binary("&&", std::move(test), binary("<", name("round."), *program_.rounds));
        }
        if (program_.tolerance) {
            test =
                binary("&&", std::move(test), binary(">=", name("change."), *program_.tolerance));
        }
        loop.value = std::move(test);
        loop.body.push_back(assign(name("round."), number(1), "+"));
        const std::string word = monoid();
        if (word.empty()) {
            gather_by_hand(loop.body);
        } else {
            fold(word, loop.body);
        }
        return loop;
    }

    /// messages.[j] = word[i](message : sends && edge)
    Statement folded(const std::string& word, bool backwards, const std::string& accumulate) const {
        const Expression from = name("i.");
        const Expression to = name("j.");
        const Expression along = backwards ? edge(to, from) : edge(from, to);
        Expression test = along;
        if (auto sender = sends(from)) test = binary("&&", std::move(*sender), along);
        Expression fold =
            node(Expression::Kind::reduction, {message(from, to, along), std::move(test)});
        fold.name = word;
        fold.labels.push_back({"i.", place_});
        fold.place = program_.send->value.place;
        Statement result = assign(at("messages.", to), std::move(fold), accumulate);
        // Messages that are truths come where they are false as well.
        using enum Statement::Makes;
        result.makes = program_.all ? vector : sparse;
        return result;
    }

    void fold(const std::string& word, std::vector<Statement>& body) const {
        using enum VertexProgram::Direction;
        const std::string accumulate = word == "sum" ? "+" : word == "product" ? "*" : word;
        body.push_back(folded(word, program_.direction == in, ""));
        if (program_.direction == both) body.push_back(folded(word, true, accumulate));
        start_round(body);
        Statement loop;
        loop.kind = Statement::Kind::each;
        loop.place = place_;
        loop.names.push_back({"v.", place_});
        loop.value = program_.all ? call("vertices", {name(graph_)}) : name("messages.");
        apply(at("messages.", name("v.")), loop.body);
        body.push_back(std::move(loop));
    }

    void start_round(std::vector<Statement>& body) const {
        if (program_.tolerance) {
            Expression zero = number(0);
            zero.is_integer = false;
            body.push_back(assign(name("change."), std::move(zero)));
        }
        body.push_back(assign(name("active"), node(Expression::Kind::set)));
    }

    /// `reduce` is a formula of its own: each vertex asks its neighbours one after the other.
    void gather_by_hand(std::vector<Statement>& body) const {
        using enum VertexProgram::Direction;
        // What is sent now must not be seen by those who ask later in the same round.
        body.push_back(assign(name("senders."), name("active")));
        std::vector<Statement> copies;
        for (const Statement& data : program_.data) {
            const std::string old = fmt::format("sent_{}.", data.names[0].text);
            copies.push_back(assign(at(old, name("i.")), at(data.names[0].text, name("i."))));
        }
        for (Statement& copy : copies) body.push_back(std::move(copy));
        start_round(body);
        Statement loop;
        loop.kind = Statement::Kind::each;
        loop.place = place_;
        loop.names.push_back({"v.", place_});
        loop.value = call("vertices", {name(graph_)});
        loop.body.push_back(assign(name("any."), name("false")));
        for (const bool backwards : {false, true}) {
            const bool wanted =
                program_.direction == both || (program_.direction == in) == backwards;
            if (wanted) loop.body.push_back(asked(backwards));
        }
        std::vector<Statement> applied;
        apply(name("joined."), applied);
        loop.body.push_back(branch(name("any."), std::move(applied)));
        body.push_back(std::move(loop));
    }

    /// for u, w in the neighbours that send to v.
    Statement asked(bool backwards) const {
        Statement loop;
        loop.kind = Statement::Kind::loop;
        loop.place = place_;
        loop.names = {{"u.", place_}, {"w.", place_}};
        Expression graph = name(graph_);
        if (!backwards) graph = call("transpose", {std::move(graph)});
        loop.value = node(Expression::Kind::index, {std::move(graph), name("v.")});
        const Expression from = name("u.");
        Expression value = old_data(message(from, name("v."), name("w.")), "u.");
        Meanings pair = {{program_.reduce->parameters[0].text, name("joined.")},
                         {program_.reduce->parameters[1].text, value}};
        std::vector<Statement> first;
        first.push_back(assign(name("joined."), value));
        first.push_back(assign(name("any."), name("true")));
        std::vector<Statement> more;
        more.push_back(assign(name("joined."), filled(program_.reduce->value, pair, {})));
        Expression none = node(Expression::Kind::unary, {name("any.")});
        none.name = "!";
        Statement join = branch(std::move(none), std::move(first), std::move(more));
        std::optional<Expression> sender = sends(from);
        if (!sender) {
            loop.body.push_back(std::move(join));
        } else {
            std::vector<Statement> inner;
            inner.push_back(std::move(join));
            loop.body.push_back(branch(old_data(std::move(*sender), "u."), std::move(inner)));
        }
        return loop;
    }

    /// Data of the sender as it was when the round began.
    Expression old_data(Expression tree, std::string_view sender) const {
        if (tree.kind == Expression::Kind::index && tree.operands.size() == 2 &&
            tree.operands[0].kind == Expression::Kind::name &&
            tree.operands[1].kind == Expression::Kind::name && tree.operands[1].name == sender) {
            std::string& vector = tree.operands[0].name;
            if (vector == "active") vector = "senders.";
            else if (data_.contains(vector)) vector = fmt::format("sent_{}.", vector);
            return tree;
        }
        for (Expression& operand : tree.operands) operand = old_data(std::move(operand), sender);
        return tree;
    }

    /// The code of 'apply' for v., which becomes active if its data changed.
    void apply(const Expression& received, std::vector<Statement>& body) const {
        const Expression vertex = name("v.");
        for (const Statement& data : program_.data) {
            const std::string& text = data.names[0].text;
            // A place that no other name has: what is found out about names goes by them.
            Place behind = data.names[0].place;
            ++behind.column;
            body.push_back(
                assign(placed(name(fmt::format("old_{}.", text)), behind), at(text, vertex)));
        }
        const std::vector<Name>& names = program_.apply_parameters;
        Expression given = received;
        if (assigns(*program_.apply, names[1].text)) {
            given = name("received.");
            body.push_back(assign(placed(given, names[1].place), received));
        }
        for (Statement statement : *program_.apply) {
            fill(statement, {{names[1].text, given}}, {{names[0].text, vertex}});
            body.push_back(std::move(statement));
        }
        std::optional<Expression> changed;
        for (const Statement& data : program_.data) {
            const std::string& text = data.names[0].text;
            Expression differs = binary(std::string(syntax::differs), at(text, vertex),
                                        name(fmt::format("old_{}.", text)));
            changed = changed ? binary("||", std::move(*changed), std::move(differs))
                              : std::move(differs);
        }
        if (!changed) return;
        Statement wake;
        wake.kind = Statement::Kind::evaluate;
        wake.place = place_;
        wake.value = call("insert", {name("active"), vertex});
        std::vector<Statement> waking;
        waking.push_back(std::move(wake));
        if (program_.tolerance) waking.push_back(more_change());
        body.push_back(branch(std::move(*changed), std::move(waking)));
    }

    /// change. += abs(new - old) of the first data. As reals: unsigned integers have no difference
    /// below 0, and nothing is as far from infinity as what is far below 0.
    Statement more_change() const {
        const std::string& text = program_.data.front().names[0].text;
        const Expression now = call("double", {at(text, name("v."))});
        const Expression before = call("double", {name(fmt::format("old_{}.", text))});
        Statement result =
            assign(name("change."),
                   placed(call("abs", {binary("-", now, before)}), program_.tolerance->place), "+");
        result.place = program_.tolerance->place;
        return result;
    }

    const Function& function_;
    const VertexProgram& program_;
    Diagnostics& diagnostics_;
    Place place_;
    std::string graph_;
    std::set<std::string, std::less<>> data_;
};

} // namespace

syntax::Function rewritten(const syntax::Function& program, Diagnostics& diagnostics) {
    return Rewriter(program, diagnostics).run();
}

} // namespace tropic::language::algorithm
