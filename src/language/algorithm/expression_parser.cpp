#include "language/algorithm/expression_parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/words.h"
#include "language/parser.h"

namespace tropic::language::algorithm {

namespace {

constexpr int strongest = 8;

/// How tightly binary operators bind; 0: it is none.
int strength(const Token& token) {
    if (token.kind != TokenKind::symbol) return 0;
    const std::string_view text = token.text;
    if (text == "||") return 1;
    if (text == "&&") return 2;
    if (text == "|") return 3;
    if (text == "^") return 4;
    if (text == "&") return 5;
    if (text == "==" || text == "!=" || text == "<" || text == "<=" || text == ">" ||
        text == ">=") {
        return 6;
    }
    if (text == "+" || text == "-") return 7;
    if (text == "*" || text == "/" || text == "%" || text == "@") return strongest;
    return 0;
}

} // namespace

syntax::Name ExpressionParser::word(std::string_view what) {
    if (peek().kind != TokenKind::name) {
        fail(peek(), fmt::format("expected {}, found {}", what, described(peek())));
    }
    if (is_reserved(peek())) {
        fail(peek(), fmt::format("expected {}, found the word {} of the language", what,
                                 described(peek())));
    }
    const Token& token = take();
    return {std::string(token.text), token.place};
}

syntax::Expression ExpressionParser::node(Expression::Kind kind, const Token& token,
                                          std::vector<Expression> operands) {
    Expression result;
    result.kind = kind;
    result.place = token.place;
    result.operands = std::move(operands);
    for (const Expression& operand : result.operands) {
        result.depth = std::max(result.depth, operand.depth + 1);
    }
    if (result.depth > deepest_expression) {
        complain(token.place,
                 fmt::format("an expression of more than {} levels", deepest_expression),
                 {.hint = "split it over several statements"});
        throw Hopeless{};
    }
    return result;
}

syntax::Expression ExpressionParser::expression() {
    Expression first = binary(1);
    const Token token = peek();
    if (!accept("?")) return first;
    const Nesting nesting(*this, token);
    Expression yes = expression();
    expect(":", "between the two values of a choice", {.accepted = "condition ? value : other"});
    Expression no = expression();
    std::vector<Expression> operands;
    operands.push_back(std::move(first));
    operands.push_back(std::move(yes));
    operands.push_back(std::move(no));
    return node(Expression::Kind::conditional, token, std::move(operands));
}

syntax::Expression ExpressionParser::expression_before_greater(Greater meaning) {
    const Meaning inside(*this, meaning);
    return expression();
}

bool ExpressionParser::at_assignment(std::size_t ahead) const {
    const Token& token = peek(ahead);
    for (const std::string_view symbol : {"=", "+=", "-=", "*=", "/=", "|=", "&="}) {
        if (token.is(symbol)) return true;
    }
    return token.kind == TokenKind::name && peek(ahead + 1).is("=") && !is_reserved(token);
}

/// Whether the '>' or '>=' that comes next is no comparison.
bool ExpressionParser::greater_ends() const {
    if (greater_ == Greater::compares || !(peek().is(">") || peek().is(">="))) return false;
    if (greater_ == Greater::ends) return true;
    if (peek().is(">")) return at_assignment(1);
    // x[i]<m>= 1; ends with it, x[i]<x[i] >= 0> = 1; with one that comes later.
    for (std::size_t ahead = 1;; ++ahead) {
        const Token& token = peek(ahead);
        if (token.kind == TokenKind::end || token.is(";") || token.is("{") || token.is("}")) {
            return true;
        }
        if (token.is(">") && at_assignment(ahead + 1)) return false;
    }
}

syntax::Expression ExpressionParser::binary(int least) {
    Expression left = unary();
    while (true) {
        const Token token = peek();
        if (greater_ends()) return left;
        const int bound = strength(token);
        if (bound == 0 || bound < least) return left;
        take();
        if (token.is("@")) {
            left = product(token, std::move(left));
            continue;
        }
        std::vector<Expression> operands;
        operands.push_back(std::move(left));
        operands.push_back(binary(bound + 1));
        left = node(Expression::Kind::binary, token, std::move(operands));
        left.name = token.text;
    }
}

syntax::Expression ExpressionParser::product(const Token& token, Expression left) {
    std::string add;
    std::string multiply;
    if (accept("(")) {
        add = operator_name();
        if (accept(",")) multiply = operator_name();
        expect(")", "after the operators", {.accepted = "@(min,+), @(+,*), @(any,pair)"});
    } else {
        add = word("the name of a semiring").text;
    }
    std::vector<Expression> operands;
    operands.push_back(std::move(left));
    operands.push_back(binary(strongest + 1));
    Expression result = node(Expression::Kind::product, token, std::move(operands));
    result.name = std::move(add);
    result.second = std::move(multiply);
    return result;
}

std::string ExpressionParser::operator_name() {
    for (const std::string_view symbol : {"+", "-", "*", "/", "|", "&", "^", "<", ">"}) {
        if (accept(symbol)) return std::string(symbol);
    }
    return word("an operator").text;
}

std::optional<std::string> ExpressionParser::assignment_operator() {
    if (accept("=")) return std::string();
    for (const std::string_view symbol : {"+=", "-=", "*=", "/=", "|=", "&="}) {
        if (accept(symbol)) return std::string(symbol.substr(0, 1));
    }
    if (peek().kind == TokenKind::name && peek(1).is("=") && !is_reserved(peek())) {
        std::string name(take().text);
        take();
        return name;
    }
    return std::nullopt;
}

syntax::Expression ExpressionParser::unary() {
    const Token token = peek();
    if (!token.is("-") && !token.is("!")) return postfix();
    take();
    const Nesting nesting(*this, token);
    std::vector<Expression> operands;
    operands.push_back(unary());
    Expression result = node(Expression::Kind::unary, token, std::move(operands));
    result.name = token.text;
    return result;
}

syntax::Expression ExpressionParser::postfix() {
    Expression result = primary();
    while (true) {
        const Token token = peek();
        if (accept("[")) {
            const Place place = result.place;
            std::vector<Expression> parts;
            parts.push_back(std::move(result));
            const Brackets inside(*this, token);
            do parts.push_back(expression());
            while (accept(","));
            expect("]", "after the index");
            result = node(Expression::Kind::index, token, std::move(parts));
            result.place = place;
        } else if (accept(".")) {
            Name field = word("a field");
            std::vector<Expression> parts;
            parts.push_back(std::move(result));
            result = node(Expression::Kind::field, token, std::move(parts));
            result.place = field.place;
            result.name = std::move(field.text);
        } else {
            return result;
        }
    }
}

/// `sum[i](x[i])`: a name, brackets with names only, and a parenthesis.
bool ExpressionParser::is_reduction() const {
    if (!peek(1).is("[")) return false;
    std::size_t ahead = 2;
    while (peek(ahead).kind == TokenKind::name && peek(ahead + 1).is(",")) ahead += 2;
    return peek(ahead).kind == TokenKind::name && peek(ahead + 1).is("]") &&
           peek(ahead + 2).is("(");
}

syntax::Expression ExpressionParser::primary() {
    const Token token = peek();
    if (token.kind == TokenKind::integer || token.kind == TokenKind::real) {
        take();
        Expression number = node(Expression::Kind::number, token);
        number.is_integer = token.kind == TokenKind::integer;
        number.integer = token.integer;
        number.number = token.number;
        return number;
    }
    if (token.kind == TokenKind::text) {
        take();
        Expression text = node(Expression::Kind::text, token);
        text.name = token.text.substr(1, token.text.size() - 2);
        return text;
    }
    if (token.is("(") || token.is("{")) {
        take();
        const Brackets inside(*this, token);
        Expression inner = token.is("(") ? expression() : set(token);
        expect(token.is("(") ? ")" : "}",
               fmt::format("to match the '{}' in line {}, column {}", token.text, token.place.line,
                           token.place.column));
        return inner;
    }
    const bool operation = token.is("+") || token.is("*") || token.is("|") || token.is("&");
    if (operation && is_reduction()) return reduction(token);
    const bool truth = token.is_word("true") || token.is_word("false");
    if (token.kind != TokenKind::name || (is_reserved(token) && !truth)) {
        fail(token, fmt::format("expected an expression, found {}", described(token)));
    }
    if (is_reduction()) return reduction(token);
    take();
    if (peek().is("(") && !truth) return call(token);
    Expression name = node(Expression::Kind::name, token);
    name.name = token.text;
    return name;
}

syntax::Expression ExpressionParser::call(const Token& token) {
    take();
    const Brackets inside(*this, token);
    std::vector<Expression> arguments;
    if (!peek().is(")")) {
        do arguments.push_back(argument());
        while (accept(","));
    }
    expect(")", "after the arguments");
    Expression call = node(Expression::Kind::call, token, std::move(arguments));
    call.name = token.text;
    return call;
}

/// An expression, or the `x[k] min= v` of improve.
syntax::Expression ExpressionParser::argument() {
    Expression first = expression();
    const Token token = peek();
    std::optional<std::string> accumulate = assignment_operator();
    if (!accumulate) return first;
    std::vector<Expression> operands;
    operands.push_back(std::move(first));
    operands.push_back(expression());
    Expression result = node(Expression::Kind::accumulate, token, std::move(operands));
    result.name = std::move(*accumulate);
    return result;
}

syntax::Expression ExpressionParser::reduction(const Token& token) {
    take();
    take();
    std::vector<Name> labels;
    do {
        const bool again = std::ranges::find(labels, peek().text, &Name::text) != labels.end();
        const Token& label = peek();
        if (again) complain(label.place, fmt::format("label '{}' is there twice", label.text));
        labels.push_back(word("a label"));
    } while (accept(","));
    expect("]", "after the labels");
    expect("(", "before what is reduced");
    const Brackets inside(*this, token);
    std::vector<Expression> operands;
    operands.push_back(expression());
    if (accept(":")) operands.push_back(expression());
    expect(")", "after what is reduced");
    Expression result = node(Expression::Kind::reduction, token, std::move(operands));
    result.name = token.text;
    result.labels = std::move(labels);
    return result;
}

/// What stands between braces.
syntax::Expression ExpressionParser::set(const Token& token) {
    if (peek().is("}")) return node(Expression::Kind::set, token);
    if (peek().kind == TokenKind::name && peek(1).is(":")) {
        Name label = word("a label");
        take();
        std::vector<Expression> operands;
        operands.push_back(expression());
        Expression builder = node(Expression::Kind::builder, token, std::move(operands));
        builder.labels.push_back(std::move(label));
        return builder;
    }
    std::vector<Expression> members;
    do members.push_back(expression());
    while (accept(","));
    return node(Expression::Kind::set, token, std::move(members));
}

} // namespace tropic::language::algorithm
