// Checked algorithms as text, for people and for tests.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/algorithm/types.h"

namespace tropic::language::algorithm {

namespace {

class Printer {
  public:
    explicit Printer(const Algorithm& algorithm) : algorithm_(algorithm) {}

    std::string run() {
        std::string parameters;
        for (const VariableId id : algorithm_.parameters) {
            const Variable& v = variable(id);
            if (!parameters.empty()) parameters += ", ";
            parameters += fmt::format("{}: {}", name(id), name_of(v.type, algorithm_));
            if (v.initial) parameters += " = " + value(*v.initial);
        }
        std::string results;
        for (const VariableId id : algorithm_.results) {
            results += results.empty() ? " -> " : ", ";
            results += fmt::format("{}: {}", name(id), name_of(variable(id).type, algorithm_));
        }
        text_ = fmt::format("algorithm {}({}){}\n", algorithm_.name, parameters, results);
        block(algorithm_.statements, 1);
        return std::move(text_);
    }

  private:
    const Variable& variable(VariableId id) const {
        return algorithm_.variables.at(static_cast<std::size_t>(id));
    }

    /// The second variable of a name is name.2, and so on.
    std::string name(VariableId id) const {
        if (id < 0) return "-";
        const Variable& v = variable(id);
        int number = 1;
        for (const Variable& other : algorithm_.variables) {
            if (&other == &v) break;
            if (other.name == v.name) ++number;
        }
        return number == 1 ? v.name : fmt::format("{}.{}", v.name, number);
    }

    void line(int depth, const std::string& text) {
        text_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
    }

    void block(const std::vector<Statement>& list, int depth) {
        for (const Statement& s : list) statement(s, depth);
    }

    static std::string assignment(const Statement& s) {
        return fmt::format("{}=", name_of(s.operation));
    }

    std::string names(const std::vector<VariableId>& ids) const {
        std::vector<std::string> list;
        list.reserve(ids.size());
        for (const VariableId id : ids) list.push_back(name(id));
        return fmt::format("{}", fmt::join(list, ", "));
    }

    std::string space(SpaceId id) const {
        const Space& s = algorithm_.spaces.at(static_cast<std::size_t>(id));
        switch (s.kind) {
        case Space::Kind::rows:
            return fmt::format("vertices({})", name(s.graph));
        case Space::Kind::columns:
            return fmt::format("columns({})", name(s.graph));
        case Space::Kind::edges:
            return fmt::format("edges({})", name(s.graph));
        case Space::Kind::counted:
            break;
        }
        return fmt::format("range({})", name(s.size));
    }

    static std::string_view way(bool inward) { return inward ? "in" : "out"; }

    std::string each_head(const Statement& s) const {
        const Each& each = *s.each;
        std::string text = fmt::format("each {} in {}", name(each.label),
                                       each.members >= 0 ? name(each.members) : space(each.space));
        if (each.condition) text += " if " + value(*each.condition);
        if (each.graph >= 0) {
            text += fmt::format(" along {} {}", way(each.inward), name(each.graph));
        }
        if (each.alone) text += " one by one";
        if (!each.gathered.empty()) text += " gathers " + names(each.gathered);
        if (!each.rebuilt.empty()) text += " rebuilds " + names(each.rebuilt);
        if (!each.grown.empty()) text += " grows " + names(each.grown);
        if (each.built >= 0) text += " builds " + name(each.built);
        return text;
    }

    std::string neighbours_head(const Statement& s) const {
        std::string labels = name(s.variable);
        if (s.weight >= 0) labels += fmt::format(", weight {}", name(s.weight));
        if (s.edge >= 0) labels += fmt::format(", edge {}", name(s.edge));
        return fmt::format("for {} in {} {}[{}]", labels, way(s.inward), name(s.graph),
                           value(*s.first));
    }

    void nested(const Statement& s, int depth) {
        switch (s.kind) {
        case Statement::Kind::branch:
            line(depth, "if " + value(*s.value));
            block(s.body, depth + 1);
            if (s.otherwise.empty()) return;
            line(depth, "else");
            return block(s.otherwise, depth + 1);
        case Statement::Kind::repeat:
            line(depth, "while " + value(*s.value));
            return block(s.body, depth + 1);
        case Statement::Kind::until:
            line(depth, "do");
            block(s.body, depth + 1);
            return line(depth, "until " + value(*s.value));
        case Statement::Kind::count:
            line(depth, fmt::format("for {} from {} to {} by {}", name(s.variable), value(*s.first),
                                    value(*s.value), value(*s.step)));
            return block(s.body, depth + 1);
        case Statement::Kind::neighbours:
            line(depth, neighbours_head(s));
            return block(s.body, depth + 1);
        case Statement::Kind::marks:
            line(depth, fmt::format("with {} = {} {}[{}]", name(s.variable), way(s.inward),
                                    name(s.graph), value(*s.first)));
            return block(s.body, depth + 1);
        case Statement::Kind::workspace:
            line(depth, fmt::format("with {}: {}", name(s.variable),
                                    name_of(variable(s.variable).type, algorithm_)));
            return block(s.body, depth + 1);
        case Statement::Kind::visit:
            line(depth, fmt::format("for {} in {}{}", name(s.variable), name(s.other),
                                    s.ascending ? " in order" : ""));
            return block(s.body, depth + 1);
        case Statement::Kind::each:
            line(depth, each_head(s));
            return block(s.body, depth + 1);
        case Statement::Kind::choose: {
            const Choose& c = *s.choose;
            const std::string_view forced = c.forced == Choose::Forced::push   ? " always push"
                                            : c.forced == Choose::Forced::pull ? " always pull"
                                                                               : "";
            line(depth, fmt::format("choose {} from {} along {} {}{}{}", c.number, name(c.front),
                                    way(c.inward), name(c.graph), c.early ? " early" : "", forced));
            line(depth + 1, "push");
            block(s.body, depth + 2);
            line(depth + 1, "pull");
            return block(s.otherwise, depth + 2);
        }
        default:
            break;
        }
        const Buckets& b = *s.buckets;
        line(depth,
             fmt::format("buckets {} in {} by {} width {} number {}{}", name(b.label),
                         name(b.start), name(b.key), value(*b.width), name(b.bucket),
                         b.graph >= 0 ? fmt::format(" along {} {}", way(b.inward), name(b.graph))
                                      : ""));
        block(s.body, depth + 1);
    }

    void statement(const Statement& s, int depth) {
        const std::string target = name(s.variable);
        switch (s.kind) {
        case Statement::Kind::scalar:
            return line(depth, fmt::format("{} {} {}", target, assignment(s), value(*s.value)));
        case Statement::Kind::element:
            return line(depth,
                        fmt::format("{} {} {}", value(*s.target), assignment(s), value(*s.value)));
        case Statement::Kind::evaluate:
            return line(depth, value(*s.value));
        case Statement::Kind::leave:
            return line(depth, "break");
        case Statement::Kind::next:
            return line(depth, "continue");
        case Statement::Kind::finish:
            return line(depth, "return");
        case Statement::Kind::fail:
            return line(depth, fmt::format("require {} \"{}\"", value(*s.value), s.name));
        case Statement::Kind::create:
            return line(depth, fmt::format("create {}: {}{}{}", target,
                                           name_of(variable(s.variable).type, algorithm_),
                                           s.early   ? " early"
                                           : s.unset ? " of anything"
                                                     : "",
                                           variable(s.variable).reset
                                               ? " of " + value(*variable(s.variable).reset)
                                               : ""));
        case Statement::Kind::members: {
            std::vector<std::string> list;
            list.reserve(s.members.size());
            for (const Expression& member : s.members) list.push_back(value(member));
            return line(depth, fmt::format("{} = {{{}}}", target, fmt::join(list, ", ")));
        }
        case Statement::Kind::clear:
            return line(depth, "clear " + target);
        case Statement::Kind::assign:
            return line(depth, fmt::format("copy {} = {}", target, name(s.other)));
        case Statement::Kind::swap:
            return line(depth, fmt::format("swap {}, {}", target, name(s.other)));
        case Statement::Kind::combine:
            return line(depth, fmt::format("{} {} {}", target, assignment(s), name(s.other)));
        case Statement::Kind::push:
            return line(depth, fmt::format("push {} on {}", name(s.other), target));
        case Statement::Kind::pop:
            return line(depth, fmt::format("pop {} from {}", name(s.other), target));
        case Statement::Kind::derive:
            return line(depth, fmt::format("derive {} = {}({}{})", target, s.name, name(s.other),
                                           s.argument >= 0 ? ", " + name(s.argument) : ""));
        case Statement::Kind::sort:
            return line(depth, fmt::format("{} = argsort({})", target, name(s.other)));
        case Statement::Kind::scan:
            return line(depth, fmt::format("{} = prefix_sum({})", target, name(s.other)));
        case Statement::Kind::append:
            return line(depth, fmt::format("append {} to {}{}", value(*s.first), target,
                                           s.value ? " of " + value(*s.value) : ""));
        case Statement::Kind::print:
            return line(depth, "print " + (s.value ? value(*s.value) : target));
        default:
            return nested(s, depth);
        }
    }

    std::string list(const std::vector<Expression>& operands) const {
        std::vector<std::string> parts;
        parts.reserve(operands.size());
        for (const Expression& operand : operands) parts.push_back(value(operand));
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    std::string constant(const Expression& e) const {
        if (e.type.record >= 0) return "zero";
        if (is_truth(e.type)) return e.integer != 0 ? "true" : "false";
        if (is_float(e.type.element))
            return fmt::format("{}:{}", e.number, name_of(e.type, algorithm_));
        return fmt::format("{}:{}", e.integer, name_of(e.type, algorithm_));
    }

    std::string monoid(const Monoid& m) const {
        if (m.operation != Operation::user) return std::string(name_of(m.operation));
        return fmt::format("({}, {} -> {})", name(m.left), name(m.right), value(*m.combine));
    }

    std::string reduction(const Reduction& r) const {
        std::string range;
        if (r.graph >= 0) {
            std::string labels = name(r.label);
            if (r.weight >= 0) labels += fmt::format(", weight {}", name(r.weight));
            if (r.edge >= 0) labels += fmt::format(", edge {}", name(r.edge));
            range = fmt::format("{} in {} {}[{}]", labels, way(r.inward), name(r.graph),
                                value(*r.center));
        } else {
            range = fmt::format("{} in {}", name(r.label),
                                r.members >= 0 ? name(r.members) : space(r.space));
        }
        if (r.condition) range += " if " + value(*r.condition);
        if (r.found >= 0) range += " found " + name(r.found);
        return fmt::format("{}{}[{}]({})", r.argument ? "arg" : "", monoid(r.monoid), range,
                           value(r.value));
    }

    std::string value(const Expression& e) const {
        using Kind = Expression::Kind;
        const auto& o = e.operands;
        switch (e.kind) {
        case Kind::constant:
            return constant(e);
        case Kind::infinity:
            return fmt::format("infinity:{}", name_of(e.type, algorithm_));
        case Kind::variable:
            return name(e.variable);
        case Kind::element:
            return fmt::format("{}{}[{}]{}", e.own ? "own " : "", name(e.variable), list(o),
                               e.checked ? "?" : "");
        case Kind::member:
            return fmt::format("({} in {}){}", list(o), name(e.variable), e.checked ? "?" : "");
        case Kind::negate:
            return "-" + value(o[0]);
        case Kind::complement:
            return "!" + value(o[0]);
        case Kind::binary:
            return fmt::format("({} {} {})", value(o[0]), name_of(e.operation), value(o[1]));
        case Kind::conditional:
            return fmt::format("({} ? {} : {})", value(o[0]), value(o[1]), value(o[2]));
        case Kind::convert:
            return fmt::format("{}({})", name_of(e.type, algorithm_), value(o[0]));
        case Kind::function:
            return fmt::format("{}({})", name_of(e.function), list(o));
        case Kind::lane:
            return fmt::format("{}[{}]", value(o[0]), e.integer);
        case Kind::lanes:
            return fmt::format("lanes({})", list(o));
        case Kind::across:
            return fmt::format("across {}({})", name_of(e.operation), value(o[0]));
        case Kind::make:
            return fmt::format("{}({})", name_of(e.type, algorithm_), list(o));
        case Kind::field: {
            const Record& record =
                algorithm_.records.at(static_cast<std::size_t>(o[0].type.record));
            return fmt::format("{}.{}", value(o[0]),
                               record.fields.at(static_cast<std::size_t>(e.integer)).name);
        }
        case Kind::degree:
            return fmt::format("degree({} {}, {})", way(e.inward), name(e.variable), value(o[0]));
        case Kind::neighbour:
            return fmt::format("neighbour({} {}, {}){}", way(e.inward), name(e.variable), list(o),
                               e.checked ? "?" : "");
        case Kind::size:
            return fmt::format("size({})", space(e.space));
        case Kind::count:
            return fmt::format("count({})", name(e.variable));
        case Kind::reduction:
            return reduction(*e.reduction);
        case Kind::swap:
            return fmt::format("exchange({}[{}], {}, {})", name(e.variable), value(o[0]),
                               value(o[1]), value(o[2]));
        case Kind::improve:
            return fmt::format("improve({}[{}] {}= {})", name(e.variable), value(o[0]),
                               monoid(*e.monoid), value(o[1]));
        case Kind::edge:
            return fmt::format("edge({}, {})", name(e.variable), list(o));
        case Kind::insert:
            break;
        }
        return fmt::format("{}insert({}, {})", e.own ? "own " : "", name(e.variable), value(o[0]));
    }

    const Algorithm& algorithm_;
    std::string text_;
};

} // namespace

std::string to_text(const Algorithm& algorithm) {
    return Printer(algorithm).run();
}

} // namespace tropic::language::algorithm
