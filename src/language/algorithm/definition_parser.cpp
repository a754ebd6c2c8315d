#include "language/algorithm/definition_parser.h"

#include <ranges>

#include <fmt/format.h>

#include "language/algorithm/words.h"

namespace tropic::language::algorithm {

namespace {

/// The lines of comment that end right above `line`, without their signs.
std::string comment_above(const Source& source, int line) {
    std::vector<std::string_view> lines;
    for (int number = line - 1; number >= 1; --number) {
        std::string_view content = source.line(number);
        if (!content.starts_with('#')) break;
        content.remove_prefix(content.starts_with("# ") ? 2 : 1);
        lines.push_back(content);
    }
    std::string text;
    for (const auto& content : std::views::reverse(lines)) text += fmt::format("{}\n", content);
    return text;
}

/// The comment the text opens with.
std::string opening_comment(const Source& source) {
    int line = 1;
    while (source.line(line).starts_with('#')) ++line;
    return comment_above(source, line);
}

} // namespace

syntax::Tree DefinitionParser::run() {
    syntax::Tree tree;
    tree.comment = opening_comment(source_);
    while (!at_end()) {
        try {
            tree.functions.push_back(definition());
        } catch (const Hopeless&) {
            return tree;
        } catch (const Abandoned&) {
            while (!at_end() && !(starts_line() && opens_definition(peek()))) take();
        }
    }
    return tree;
}

syntax::Function DefinitionParser::definition() {
    const Token first = peek();
    Function function;
    function.comment = comment_above(source_, first.place.line);
    if (accept_word("def")) {
        signature(function);
        function.body = block("the function");
    } else if (accept_word("program")) {
        function.kind = Function::Kind::program;
        signature(function);
        function.program = vertex_program();
    } else if (accept_word("operator")) {
        function.kind = Function::Kind::operation;
        operation(function);
        end_of_statement();
    } else if (accept_word("monoid")) {
        monoid(function);
    } else if (accept_word("semiring")) {
        semiring(function);
    } else if (accept_word("record")) {
        record(function);
    } else if (accept_word("type")) {
        function.kind = Function::Kind::alias;
        function.name = word("the name of the type");
        expect("=", "after the name of the type", {.accepted = "type weight = int;"});
        function.type = type();
        end_of_statement();
    } else if (accept_word("const")) {
        function.kind = Function::Kind::constant;
        function.name = word("the name of the constant");
        expect("=", "after the name of the constant", {.accepted = "const width = 16;"});
        function.value = expression();
        end_of_statement();
    } else {
        fail(first, fmt::format("expected a definition, found {}", described(first)),
             {.accepted = "def, program, operator, monoid, semiring, record, type, const"});
    }
    return function;
}

void DefinitionParser::operation(Function& function) {
    function.name = word("a name");
    expect("(", "after the name");
    do function.parameters.push_back({.name = word("a parameter")});
    while (accept(","));
    expect(")", "after the parameters");
    expect("=", "before the value", {.accepted = "operator name(a, b) = value;"});
    function.value = expression();
}

void DefinitionParser::monoid(Function& function) {
    function.kind = Function::Kind::monoid;
    operation(function);
    if (function.parameters.size() != 2) {
        complain(function.name.place,
                 fmt::format("a monoid joins two values, not {}", function.parameters.size()));
    }
    if (!accept_word("identity")) {
        fail(peek(), fmt::format("expected 'identity', found {}", described(peek())),
             {.accepted = "monoid name(a, b) = value identity e; or ... identity e terminal t;"});
    }
    function.identity = expression();
    if (accept_word("terminal")) function.terminal = expression();
    end_of_statement();
}

void DefinitionParser::semiring(Function& function) {
    const Advice usage = {.accepted = "semiring name = (min, +);"};
    function.kind = Function::Kind::semiring;
    function.name = word("the name of the semiring");
    expect("=", "after the name of the semiring", usage);
    expect("(", "before the operators", usage);
    function.add_place = peek().place;
    function.add = operator_name();
    expect(",", "between the operators", usage);
    function.multiply_place = peek().place;
    function.multiply = operator_name();
    expect(")", "after the operators", usage);
    end_of_statement();
}

void DefinitionParser::record(Function& function) {
    function.kind = Function::Kind::record;
    function.name = word("the name of the record");
    expect("{", "before the fields", {.accepted = "record Best { key: double; who: vertex; }"});
    while (!accept("}")) {
        function.parameters.push_back(parameter(false));
        end_of_statement();
        if (at_end()) fail(peek(), "expected '}' after the fields, found the end of the program");
    }
}

void DefinitionParser::signature(Function& function) {
    function.name = word("the name of the function");
    expect("(", "after the name of the function");
    if (!accept(")")) {
        do function.parameters.push_back(parameter(true));
        while (accept(","));
        expect(")", "after the parameters");
    }
    if (accept("->")) {
        do function.results.push_back(parameter(false));
        while (accept(","));
    }
}

syntax::Parameter DefinitionParser::parameter(bool initial_allowed) {
    syntax::Parameter parameter;
    parameter.name = word("a name");
    expect(":", fmt::format("after '{}'", parameter.name.text),
           {.accepted = fmt::format("{}: graph, vertex, int, double, vector<int>, set...",
                                    parameter.name.text)});
    parameter.type = type();
    if (initial_allowed && accept("=")) parameter.initial = expression();
    // A comment behind several parameters is nobody's.
    std::string_view behind = source_.line(previous().place.line);
    const auto end =
        static_cast<std::size_t>(previous().place.column + previous().place.length - 1);
    behind.remove_prefix(std::min(end, behind.size()));
    const std::size_t sign = behind.find('#');
    if (sign != std::string_view::npos &&
        behind.substr(0, sign).find_first_not_of(" \t,;(){}") == std::string_view::npos) {
        behind.remove_prefix(sign + 1);
        if (behind.starts_with(' ')) behind.remove_prefix(1);
        parameter.comment = behind;
    }
    return parameter;
}

} // namespace tropic::language::algorithm
