#include <fmt/format.h>

#include "language/algorithm/definition_parser.h"

namespace tropic::language::algorithm {

syntax::VertexProgram DefinitionParser::vertex_program() {
    VertexProgram program;
    const Token opening = peek();
    expect("{", "before the clauses of the program");
    std::set<std::string> seen;
    while (!accept("}")) {
        if (at_end()) {
            fail(peek(), fmt::format("the '{{' of line {} has no '}}'", opening.place.line));
        }
        if (accept(";")) continue;
        vertex_clause(program, seen);
    }
    if (!program.send)
        complain(opening.place, "the program sends nothing: 'send' is missing",
                 {.accepted = "send(v) = v.dist;"});
    if (!program.reduce)
        complain(opening.place, "messages are not joined: 'reduce' is missing",
                 {.accepted = "reduce(a, b) = min(a, b);"});
    if (!program.apply)
        complain(opening.place, "nothing is done with messages: 'apply' is missing",
                 {.accepted = "apply(v, r) { ... }"});
    return program;
}

void DefinitionParser::vertex_clause(VertexProgram& program, std::set<std::string>& seen) {
    const Token first = peek();
    // There may be several `vertex`, and an `until` of either kind.
    const bool rounds = first.is_word("until") && !peek(1).is_word("change");
    const std::string clause = rounds ? "until rounds" : std::string(first.text);
    if (!first.is_word("vertex") && !seen.insert(clause).second) {
        complain(first.place, fmt::format("'{}' is there twice", first.text));
    }
    if (accept_word("vertex")) {
        program.data.push_back(vertex_data(program));
    } else if (accept_word("start")) {
        program.start = block("'start'");
    } else if (accept_word("edges")) {
        program.direction = direction();
    } else if (accept_word("send")) {
        program.send = formula("send", 1, 1);
    } else if (accept_word("process")) {
        program.process = formula("process", 1, 3);
    } else if (accept_word("reduce")) {
        program.reduce = formula("reduce", 2, 2);
    } else if (accept_word("apply")) {
        program.apply_parameters = formula_parameters("apply", 2, 2);
        program.apply = block("'apply'");
    } else if (accept_word("until")) {
        limit(program);
    } else if (accept_word("all")) {
        program.all = true;
        end_of_statement();
    } else {
        fail(first,
             fmt::format("expected a clause of a vertex program, found {}", described(first)),
             {.accepted = "vertex, start, edges, send, process, reduce, apply, until, all"});
    }
}

/// `dist: int = infinity;` behind the word `vertex`.
syntax::Statement DefinitionParser::vertex_data(const VertexProgram& program) {
    Statement data;
    data.kind = Statement::Kind::declare;
    data.place = peek().place;
    data.names.push_back(word("the name of the data"));
    const syntax::Name& name = data.names.front();
    for (const Statement& other : program.data) {
        if (other.names.front().text != name.text) continue;
        complain(name.place, fmt::format("vertices have '{}' twice; first in line {}", name.text,
                                         other.place.line));
    }
    expect(":", "after the name", {.accepted = "vertex dist: int = infinity;"});
    data.type = type();
    if (accept("=")) data.value = expression();
    end_of_statement();
    return data;
}

std::vector<syntax::Name>
DefinitionParser::formula_parameters(std::string_view name, std::size_t least, std::size_t most) {
    expect("(", fmt::format("after '{}'", name));
    std::vector<Name> parameters;
    const Token first = peek();
    do {
        const Name given = word("a parameter");
        for (const Name& other : parameters) {
            if (other.text != given.text) continue;
            complain(given.place, fmt::format("'{}' is there twice", given.text));
        }
        parameters.push_back(given);
    } while (accept(","));
    expect(")", "after the parameters");
    if (parameters.size() < least || parameters.size() > most) {
        const std::string wanted =
            least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
        fail(first, fmt::format("'{}' has {} parameter{}, not {}", name, wanted,
                                most == 1 ? "" : "s", parameters.size()));
    }
    return parameters;
}

syntax::VertexProgram::Formula DefinitionParser::formula(std::string_view name, std::size_t least,
                                                         std::size_t most) {
    VertexProgram::Formula formula;
    formula.parameters = formula_parameters(name, least, most);
    expect("=", "before the value");
    formula.value = expression();
    const Token condition = peek();
    if (accept_word("if")) {
        formula.condition = expression();
        if (name != "send") {
            complain(condition.place, fmt::format("'{}' cannot decline, only 'send' can", name),
                     {.accepted = "send(v) = value if condition;",
                      .hint = "choose between two values: condition ? value : other"});
        }
    }
    end_of_statement();
    return formula;
}

syntax::VertexProgram::Direction DefinitionParser::direction() {
    const Token token = peek();
    using enum VertexProgram::Direction;
    VertexProgram::Direction way = out;
    if (accept_word("out")) way = out;
    else if (accept_word("in")) way = in;
    else if (accept_word("both")) way = both;
    else
        fail(token, fmt::format("expected a direction, found {}", described(token)),
             {.accepted = "edges out; edges in; edges both;"});
    end_of_statement();
    return way;
}

/// `until 100 rounds;`, `until change < 0.001;`
void DefinitionParser::limit(VertexProgram& program) {
    if (accept_word("change")) {
        expect("<", "after 'change'", {.accepted = "until change < tolerance;"});
        program.tolerance = expression();
    } else {
        program.rounds = expression();
        const Expression& rounds = *program.rounds;
        if (rounds.kind == Expression::Kind::unary && rounds.name == "-" &&
            rounds.operands[0].kind == Expression::Kind::number) {
            complain(rounds.place, "the number of rounds is negative",
                     {.accepted = "until 100 rounds;"});
        }
        if (!accept_word("rounds")) {
            fail(peek(), fmt::format("expected 'rounds', found {}", described(peek())),
                 {.accepted = "until 100 rounds; until change < 0.001;"});
        }
    }
    end_of_statement();
}

} // namespace tropic::language::algorithm
