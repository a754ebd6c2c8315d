#include "language/expression_parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "language/operators.h"
#include "language/parser.h"

namespace tropic::language {

using Tree = syntax::Expression;

Tree ExpressionParser::node(Tree::Kind kind, const Token& token, std::vector<Tree> operands) {
    Tree result;
    result.kind = kind;
    result.place = token.place;
    for (const Tree& operand : operands) {
        result.depth = std::max(result.depth, operand.depth + 1);
    }
    if (result.depth > deepest_expression) {
        fail(token,
             fmt::format("an expression of more than {} operators in a row", deepest_expression),
             {.hint = "split it: assign a part to a variable first"});
    }
    result.operands = std::move(operands);
    return result;
}

Tree ExpressionParser::binary(Tree::Kind kind, const Token& token, Tree left, Tree right) {
    std::vector<Tree> operands;
    operands.reserve(2);
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    return node(kind, token, std::move(operands));
}

Tree ExpressionParser::expression() {
    Tree left = term();
    while (peek().is("+") || peek().is("-")) {
        const Token& token = take();
        const auto kind = token.is("+") ? Tree::Kind::add : Tree::Kind::subtract;
        left = binary(kind, token, std::move(left), term());
    }
    return left;
}

Tree ExpressionParser::term() {
    Tree left = factor();
    while (true) {
        const Token& token = peek();
        if (token.is("*") || token.is("/") || token.is(".*")) {
            take();
            const auto kind = token.is("*")   ? Tree::Kind::multiply
                              : token.is("/") ? Tree::Kind::divide
                                              : Tree::Kind::dot;
            left = binary(kind, token, std::move(left), factor());
        } else if (accept("@")) {
            const std::vector<Operator> ops = operators();
            const bool semiring = ops.size() == 2;
            const auto kind = semiring ? Tree::Kind::semiring : Tree::Kind::monoid;
            left = binary(kind, token, std::move(left), factor());
            left.fold = ops.front();
            left.op = ops.back();
        } else {
            return left;
        }
    }
}

/// `(op)` or `(add, op)`.
std::vector<Operator> ExpressionParser::operators() {
    const Advice advice{.accepted = "@(+,*), @(min,+), @(any,pair)...; @(min), @(+)..."};
    expect("(", "after '@'", advice);
    std::vector<Operator> ops;
    std::vector<const Token*> words;
    do {
        const Token& word = take();
        const auto op = parse_operator(word.text);
        if (!op) {
            constexpr std::array<std::string_view, 10> known = {
                "min", "max", "first", "second", "any", "pair", "plus", "times", "lor", "land"};
            std::string message = fmt::format("{} is no operator of a semiring", described(word));
            Advice names{.accepted = std::string(operator_names),
                         .hint = did_you_mean(word.text, known)};
            const bool misspelt =
                word.kind == TokenKind::name && (peek().is(",") || peek().is(")"));
            if (!misspelt) fail(word, std::move(message), std::move(names));
            report(word.place, std::move(message), std::move(names));
        }
        ops.push_back(op.value_or(Operator::add));
        words.push_back(&word);
    } while (accept(","));
    expect(")", "after the operators", advice);
    if (ops.size() > 2) {
        fail(*words[2], fmt::format("{} operators; a semiring has two", ops.size()), advice);
    }
    return ops;
}

Tree ExpressionParser::factor() {
    const Token& token = peek();
    if (accept("-")) {
        const Nesting nesting(*this, token);
        std::vector<Tree> operands;
        operands.push_back(factor());
        return node(Tree::Kind::negate, token, std::move(operands));
    }
    if (accept("+")) {
        const Nesting nesting(*this, token);
        return factor();
    }
    return primary();
}

Tree ExpressionParser::primary() {
    const Token& token = peek();
    const Nesting nesting(*this, token);
    if (token.kind == TokenKind::integer || token.kind == TokenKind::real) {
        take();
        Tree number = node(Tree::Kind::number, token, {});
        number.is_integer = token.kind == TokenKind::integer;
        number.integer = token.integer;
        number.number = token.number;
        return number;
    }
    if (accept("(")) {
        Tree inner = expression();
        expect(")", fmt::format("to match the '(' in column {}", token.place.column));
        return inner;
    }
    if (accept("{")) {
        Tree list = node(Tree::Kind::label_list, token, {});
        list.labels = names("a label", "}");
        return list;
    }
    if (token.kind != TokenKind::name || is_keyword(token)) {
        fail(token, fmt::format("expected an expression, found {}", described(token)));
    }
    take();
    const bool call = accept("(");
    Tree result =
        call ? node(Tree::Kind::call, token, arguments()) : node(Tree::Kind::name, token, {});
    result.name = token.text;
    if (accept("[")) {
        result.labels = names("a label", "]");
        result.labelled = true;
        if (!call) result.kind = Tree::Kind::access;
    }
    return result;
}

std::vector<Tree> ExpressionParser::arguments() {
    std::vector<Tree> list;
    if (accept(")")) return list;
    do list.push_back(expression());
    while (accept(","));
    expect(")", "after the arguments");
    return list;
}

} // namespace tropic::language
