#include "language/algorithm/statement_parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "language/algorithm/words.h"

namespace tropic::language::algorithm {

void StatementParser::end_of_statement() {
    if (accept(";")) return;
    Place place = previous().place;
    place.column += place.length;
    place.length = 1;
    if (starts_line() || peek().is("}") || at_end()) {
        complain(place, "expected ';' at the end of the statement");
        return;
    }
    fail(peek(),
         fmt::format("expected ';' at the end of the statement, found {}", described(peek())));
}

std::vector<syntax::Statement> StatementParser::block(std::string_view owner) {
    const Token opening = peek();
    const Nesting nesting(*this, opening);
    expect("{", fmt::format("before the statements of {}", owner));
    std::vector<Statement> list;
    while (true) {
        const Token& token = peek();
        if (token.kind == TokenKind::end || (token.is_word("def") && starts_line())) {
            complain(token.place,
                     fmt::format("the '{{' of line {} has no '}}'", opening.place.line));
            return list;
        }
        if (accept("}")) return list;
        if (accept(";")) continue;
        try {
            list.push_back(statement());
        } catch (const Abandoned&) {
            skip_statement();
        }
    }
}

/// A block, or one statement.
std::vector<syntax::Statement> StatementParser::body(std::string_view owner) {
    if (peek().is("{")) return block(owner);
    const Nesting nesting(*this, peek());
    std::vector<Statement> list;
    list.push_back(statement());
    return list;
}

void StatementParser::skip_statement() {
    int depth = 0;
    while (!at_end()) {
        const Token& token = peek();
        if (token.is(";") && depth == 0) {
            take();
            return;
        }
        if ((opens_statement(token) || token.is_word("def")) && starts_line() && depth == 0) return;
        if (token.is("{")) ++depth;
        if (token.is("}") && --depth < 0) return;
        take();
    }
}

syntax::Statement StatementParser::statement() {
    const Token first = peek();
    Statement result;
    result.place = first.place;
    if (accept_word("if")) {
        result.kind = Statement::Kind::branch;
        result.value = condition("if");
        result.body = body("'if'");
        if (accept_word("else")) result.otherwise = body("'else'");
    } else if (accept_word("while")) {
        result.kind = Statement::Kind::repeat;
        result.value = condition("while");
        result.body = body("the loop");
    } else if (accept_word("do")) {
        until(result);
    } else if (accept_word("for")) {
        loop(result, Statement::Kind::loop);
    } else if (accept_word("each")) {
        loop(result, Statement::Kind::each);
    } else if (accept_word("with")) {
        with(result);
    } else if (first.is_word("break") || first.is_word("continue") || first.is_word("return")) {
        take();
        result.kind = first.is_word("break")      ? Statement::Kind::leave
                      : first.is_word("continue") ? Statement::Kind::next
                                                  : Statement::Kind::finish;
        if (first.is_word("return") && !peek().is(";") && !peek().is("}") && !starts_line()) {
            fail(peek(), "'return' takes no value",
                 {.hint = "assign the results by their names, then return"});
        }
        end_of_statement();
    } else if (first.kind == TokenKind::name && !is_reserved(first)) {
        assignment(result);
    } else if (first.is_word("else")) {
        fail(first, "'else' without an 'if' before it");
    } else {
        fail(first, fmt::format("expected a statement, found {}", described(first)));
    }
    return result;
}

syntax::Expression StatementParser::condition(std::string_view word) {
    expect("(", fmt::format("after '{}'", word));
    Expression value = expression();
    expect(")", "after the condition");
    return value;
}

void StatementParser::until(Statement& result) {
    result.kind = Statement::Kind::until;
    result.body = block("the loop");
    if (!accept_word("until")) {
        fail(peek(), fmt::format("expected 'until', found {}", described(peek())),
             {.accepted = "do { ... } until (condition);"});
    }
    result.value = condition("until");
    end_of_statement();
}

void StatementParser::with(Statement& result) {
    result.kind = Statement::Kind::with;
    result.names.push_back(word("a name"));
    if (accept(":")) {
        result.type = type();
    } else {
        expect("=", "after the name",
               {.accepted = "with near = A[i] { ... }, with votes: sparse<int> { ... }"});
        result.value = expression();
    }
    result.body = block("'with'");
}

void StatementParser::loop(Statement& result, Statement::Kind kind) {
    const bool each = kind == Statement::Kind::each;
    result.kind = kind;
    do result.names.push_back(word("the name of the loop variable"));
    while (accept(","));
    if (!accept_word("in")) {
        fail(peek(), fmt::format("expected 'in', found {}", described(peek())),
             {.accepted = each ? "each i in set { ... }, each i in vertices(A) { ... }"
                               : "for k in range(n) { ... }, for j in A[i] { ... }"});
    }
    result.value = expression();
    result.body = body("the loop");
}

/// `a, b = f(x);`
bool StatementParser::several_targets() const {
    std::size_t ahead = 0;
    while (peek(ahead).kind == TokenKind::name && peek(ahead + 1).is(",")) ahead += 2;
    return ahead > 0 && peek(ahead).kind == TokenKind::name && peek(ahead + 1).is("=");
}

/// Whether what stands here was meant to be a target: it is not read on.
bool StatementParser::assigns() const {
    constexpr std::array<std::string_view, 10> signs = {
        "=", "+=", "-=", "*=", "/=", "|=", "&=", "<", ":", ","};
    if (std::ranges::any_of(signs, [&](std::string_view sign) { return peek().is(sign); })) {
        return true;
    }
    // A word of the language; any other begins a statement of its own.
    const bool word = peek().is_word("min") || peek().is_word("max") || peek().is_word("any");
    return word && peek(1).is("=");
}

void StatementParser::assignment(Statement& result) {
    const Token first = peek();
    result.kind = Statement::Kind::assign;
    if (several_targets()) {
        do result.names.push_back(word("a name"));
        while (accept(","));
        expect("=", "after the names");
        result.value = expression();
        end_of_statement();
        return;
    }
    Expression target = postfix();
    if (target.kind == Expression::Kind::call && (starts_line() || !assigns())) {
        result.kind = Statement::Kind::evaluate;
        result.value = std::move(target);
        end_of_statement();
        return;
    }
    if (target.kind != Expression::Kind::name && target.kind != Expression::Kind::index &&
        target.kind != Expression::Kind::field) {
        fail(first, "this cannot be assigned to", {.accepted = "x = ...; x[i] = ...;"});
    }
    if (target.kind == Expression::Kind::name && accept(":")) {
        result.names.push_back({target.name, target.place});
        result.type = type();
        if (peek().is(";")) {
            result.kind = Statement::Kind::declare;
            end_of_statement();
            return;
        }
    }
    result.target = std::move(target);
    if (accept("<")) result.mask = mask();
    result.accumulate_place = peek().place;
    std::optional<std::string> accumulate = assignment_operator();
    if (!accumulate) {
        fail(peek(), fmt::format("expected '=', found {}", described(peek())),
             {.accepted = "=, +=, -=, *=, /=, |=, &=, min=, max=, any="});
    }
    result.accumulate = std::move(*accumulate);
    result.value = expression();
    if (accept("->")) result.changed = word("the set of what changed");
    end_of_statement();
}

syntax::Mask StatementParser::mask() {
    syntax::Mask mask{.condition = expression_before_greater(Greater::ends_before_assignment),
                      .ways = {}};
    while (accept(",")) mask.ways.push_back(word("keep, replace, push or pull"));
    for (const auto& [one, other] : {std::pair{"keep", "replace"}, std::pair{"push", "pull"}}) {
        const auto first = std::ranges::find(mask.ways, one, &syntax::Name::text);
        const auto second = std::ranges::find(mask.ways, other, &syntax::Name::text);
        if (first == mask.ways.end() || second == mask.ways.end()) continue;
        complain(std::max(first, second)->place,
                 fmt::format("a mask says '{}' or '{}', not both", one, other));
    }
    if (peek().is(">=")) split_greater_equal();
    expect(">", "after the mask", {.accepted = "x[i]<condition> = ...;"});
    return mask;
}

syntax::TypeWords StatementParser::type() {
    syntax::TypeWords words;
    words.name = word("a type");
    if (accept("[")) {
        if (peek().kind != TokenKind::integer || peek().integer < 2 ||
            peek().integer > syntax::most_lanes) {
            fail(peek(), fmt::format("expected a number of lanes, found {}", described(peek())),
                 {.accepted = fmt::format("2 to {}", syntax::most_lanes)});
        }
        words.lanes = static_cast<int>(take().integer);
        expect("]", "after the number of lanes");
    }
    const Token opening = peek();
    if (!accept("<")) return words;
    const Nesting nesting(*this, opening);
    // A pair names types only, a set a space only; the others a type and then sizes or spaces.
    const std::size_t types = words.name.text == "pair" ? 2 : words.name.text == "set" ? 0 : 1;
    do {
        if (words.elements.size() < types) words.elements.push_back(type());
        else words.dimensions.push_back(expression_before_greater(Greater::ends));
    } while (accept(","));
    if (peek().is(">=")) split_greater_equal();
    expect(">", "after the type");
    return words;
}

} // namespace tropic::language::algorithm
