#include <fmt/format.h>

#include "language/algorithm/syntax.h"

namespace tropic::language::algorithm::syntax {

namespace {

class Printer {
  public:
    std::string run(const Tree& tree) {
        for (const Function& f : tree.functions) function(f);
        return std::move(text_);
    }

  private:
    void line(int depth, const std::string& text) {
        text_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
    }

    static std::string names(const std::vector<Name>& list) {
        std::string text;
        for (const Name& name : list) text += (text.empty() ? "" : ", ") + name.text;
        return text;
    }

    static std::string type(const TypeWords& words) {
        std::string text = words.name.text;
        if (words.lanes > 1) text += fmt::format("[{}]", words.lanes);
        std::string inside;
        for (const TypeWords& element : words.elements) {
            inside += (inside.empty() ? "" : ", ") + type(element);
        }
        for (const Expression& dimension : words.dimensions) {
            inside += (inside.empty() ? "" : ", ") + value(dimension);
        }
        return inside.empty() ? text : fmt::format("{}<{}>", text, inside);
    }

    static std::string parameters(const std::vector<Parameter>& list) {
        std::string text;
        for (const Parameter& p : list) {
            text += (text.empty() ? "" : ", ") + p.name.text;
            if (!p.type.name.text.empty()) text += ": " + type(p.type);
            if (p.initial) text += " = " + value(*p.initial);
        }
        return text;
    }

    static std::string list(const std::vector<Expression>& operands, std::size_t from = 0) {
        std::string text;
        for (std::size_t i = from; i < operands.size(); ++i) {
            text += (text.empty() ? "" : ", ") + value(operands[i]);
        }
        return text;
    }

    static std::string value(const Expression& e) {
        const auto& o = e.operands;
        switch (e.kind) {
        case Expression::Kind::number:
            return e.is_integer ? fmt::format("{}", e.integer) : fmt::format("{}", e.number);
        case Expression::Kind::text:
            return fmt::format("\"{}\"", e.name);
        case Expression::Kind::name:
            return e.name;
        case Expression::Kind::index:
            return fmt::format("{}[{}]", value(o[0]), list(o, 1));
        case Expression::Kind::field:
            return fmt::format("{}.{}", value(o[0]), e.name);
        case Expression::Kind::call:
            return fmt::format("{}({})", e.name, list(o));
        case Expression::Kind::unary:
            return e.name + value(o[0]);
        case Expression::Kind::binary:
            return fmt::format("({} {} {})", value(o[0]), e.name, value(o[1]));
        case Expression::Kind::conditional:
            return fmt::format("({} ? {} : {})", value(o[0]), value(o[1]), value(o[2]));
        case Expression::Kind::reduction:
            return fmt::format("{}[{}]({}{})", e.name, names(e.labels), value(o[0]),
                               o.size() > 1 ? " : " + value(o[1]) : "");
        case Expression::Kind::product:
            return fmt::format("({} @({}{}) {})", value(o[0]), e.name,
                               e.second.empty() ? "" : "," + e.second, value(o[1]));
        case Expression::Kind::set:
            return fmt::format("{{{}}}", list(o));
        case Expression::Kind::builder:
            return fmt::format("{{{} : {}}}", names(e.labels), value(o[0]));
        case Expression::Kind::accumulate:
            break;
        }
        return fmt::format("{} {}= {}", value(o[0]), e.name, value(o[1]));
    }

    void block(const std::vector<Statement>& list, int depth) {
        for (const Statement& s : list) statement(s, depth);
    }

    static std::string assignment(const Statement& s) {
        std::string text = s.target ? value(*s.target) : names(s.names);
        if (s.type) text += ": " + type(*s.type);
        if (s.mask) {
            std::string ways;
            for (const Name& way : s.mask->ways) ways += ", " + way.text;
            text += fmt::format("<{}{}>", value(s.mask->condition), ways);
        }
        text += fmt::format(" {}= {}", s.accumulate, value(*s.value));
        if (s.changed) text += " -> " + s.changed->text;
        return text;
    }

    void statement(const Statement& s, int depth) {
        using Kind = Statement::Kind;
        switch (s.kind) {
        case Kind::assign:
            return line(depth, assignment(s));
        case Kind::declare:
            return line(depth, fmt::format("{}: {}{}", names(s.names), type(*s.type),
                                           s.value ? " = " + value(*s.value) : ""));
        case Kind::evaluate:
            return line(depth, value(*s.value));
        case Kind::branch:
            line(depth, "if " + value(*s.value));
            block(s.body, depth + 1);
            if (s.otherwise.empty()) return;
            line(depth, "else");
            return block(s.otherwise, depth + 1);
        case Kind::repeat:
            line(depth, "while " + value(*s.value));
            return block(s.body, depth + 1);
        case Kind::until:
            line(depth, "do");
            block(s.body, depth + 1);
            return line(depth, "until " + value(*s.value));
        case Kind::loop:
        case Kind::each:
            line(depth, fmt::format("{} {} in {}", s.kind == Kind::loop ? "for" : "each",
                                    names(s.names), value(*s.value)));
            return block(s.body, depth + 1);
        case Kind::with:
            line(depth, fmt::format("with {}{}", names(s.names),
                                    s.type ? ": " + type(*s.type) : " = " + value(*s.value)));
            return block(s.body, depth + 1);
        case Kind::leave:
            return line(depth, "break");
        case Kind::next:
            return line(depth, "continue");
        case Kind::finish:
            return line(depth, "return");
        }
    }

    void formula(std::string_view word, const std::optional<VertexProgram::Formula>& f) {
        if (!f) return;
        line(1, fmt::format("{}({}) = {}{}", word, names(f->parameters), value(f->value),
                            f->condition ? " if " + value(*f->condition) : ""));
    }

    void vertex_program(const VertexProgram& p) {
        for (const Statement& data : p.data) {
            line(1, "vertex");
            statement(data, 2);
        }
        if (!p.start.empty()) line(1, "start");
        block(p.start, 2);
        line(1, fmt::format("edges {}", p.direction == VertexProgram::Direction::out  ? "out"
                                        : p.direction == VertexProgram::Direction::in ? "in"
                                                                                      : "both"));
        formula("send", p.send);
        formula("process", p.process);
        formula("reduce", p.reduce);
        if (p.apply) {
            line(1, fmt::format("apply({})", names(p.apply_parameters)));
            block(*p.apply, 2);
        }
        if (p.rounds) line(1, fmt::format("until {} rounds", value(*p.rounds)));
        if (p.tolerance) line(1, fmt::format("until change < {}", value(*p.tolerance)));
        if (p.all) line(1, "all");
    }

    void function(const Function& f) {
        const std::string& name = f.name.text;
        switch (f.kind) {
        case Function::Kind::function:
        case Function::Kind::program:
            line(0, fmt::format("{} {}({}){}", f.program ? "program" : "def", name,
                                parameters(f.parameters),
                                f.results.empty() ? "" : " -> " + parameters(f.results)));
            if (f.program) return vertex_program(*f.program);
            return block(f.body, 1);
        case Function::Kind::operation:
            return line(0, fmt::format("operator {}({}) = {}", name, parameters(f.parameters),
                                       value(*f.value)));
        case Function::Kind::monoid:
            return line(0,
                        fmt::format("monoid {}({}) = {} identity {}{}", name,
                                    parameters(f.parameters), value(*f.value), value(*f.identity),
                                    f.terminal ? " terminal " + value(*f.terminal) : ""));
        case Function::Kind::semiring:
            return line(0, fmt::format("semiring {} = ({}, {})", name, f.add, f.multiply));
        case Function::Kind::record:
            return line(0, fmt::format("record {} {{ {} }}", name, parameters(f.parameters)));
        case Function::Kind::constant:
            return line(0, fmt::format("const {} = {}", name, value(*f.value)));
        case Function::Kind::alias:
            break;
        }
        line(0, fmt::format("type {} = {}", name, type(*f.type)));
    }

    std::string text_;
};

} // namespace

std::string to_text(const Tree& tree) {
    return Printer().run(tree);
}

} // namespace tropic::language::algorithm::syntax
