#include "language/algorithm/parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "language/parser.h"
#include "language/token_cursor.h"

namespace tropic::language::algorithm {

namespace {

using syntax::Expression;
using syntax::Function;
using syntax::Name;
using syntax::Statement;

constexpr std::array<std::string_view, 20> reserved = {
    "def",  "if",    "else",  "while",    "do",     "until",    "for",      "each",  "in",      "with",
    "break", "continue", "return", "operator", "monoid", "semiring", "identity", "true", "false", "terminal"};

bool is_reserved(const Token& token) {
    return token.kind == TokenKind::name && std::ranges::find(reserved, token.text) != reserved.end();
}

bool opens_statement(const Token& token) {
    constexpr std::array<std::string_view, 10> words = {"def",  "if",    "while",    "do",     "for",
                                                        "each", "break", "continue", "return", "with"};
    return token.kind == TokenKind::name && std::ranges::find(words, token.text) != words.end();
}

/// The lines of comment that end right above `line`, without their signs.
std::string comment_above(const Source& source, int line) {
    std::string text;
    for (int number = line - 1; number >= 1; --number) {
        std::string_view content = source.line(number);
        if (!content.starts_with('#')) break;
        content.remove_prefix(content.starts_with("# ") ? 2 : 1);
        text = std::string(content) + "\n" + text;
    }
    return text;
}

/// The comment the text opens with.
std::string opening_comment(const Source& source) {
    int line = 1;
    while (source.line(line).starts_with('#')) ++line;
    return comment_above(source, line);
}

/// How tightly binary operators bind.
int strength(const Token& token) {
    if (token.kind != TokenKind::symbol) return 0;
    const std::string_view text = token.text;
    if (text == "||") return 1;
    if (text == "&&") return 2;
    if (text == "==" || text == "!=" || text == "<" || text == "<=" || text == ">" || text == ">=") return 3;
    if (text == "|") return 4;
    if (text == "&") return 5;
    if (text == "+" || text == "-") return 6;
    if (text == "*" || text == "/" || text == "%" || text == "@") return 7;
    return 0;
}

class Parser : TokenCursor {
  public:
    Parser(std::vector<Token> tokens, const Source& source, Diagnostics& diagnostics)
        : TokenCursor(std::move(tokens), diagnostics), source_(source) {}

    syntax::Tree run() {
        syntax::Tree tree;
        tree.comment = opening_comment(source_);
        while (!at_end()) {
            try {
                tree.functions.push_back(definition());
            } catch (const Hopeless&) {
                return tree;
            } catch (const Abandoned&) {
                while (!at_end() && !(starts_line() && begins_definition(peek()))) take();
            }
        }
        return tree;
    }

  private:
    static bool begins_definition(const Token& token) {
        return token.is_word("def") || token.is_word("operator") || token.is_word("monoid") ||
               token.is_word("semiring");
    }

    Name word(std::string_view what) {
        if (peek().kind != TokenKind::name || is_reserved(peek())) {
            fail(peek(), fmt::format("expected {}, found {}", what, described(peek())));
        }
        const Token& token = take();
        return {std::string(token.text), token.place};
    }

    void end_of_statement() {
        if (accept(";")) return;
        const Token& before = previous();
        Place place = before.place;
        place.column += place.length;
        place.length = 1;
        if (starts_line() || peek().is("}") || at_end()) {
            complain(place, "expected ';' at the end of the statement");
            return;
        }
        fail(peek(), fmt::format("expected ';' at the end of the statement, found {}", described(peek())));
    }

    // --- definitions ---

    Function definition() {
        const Token& first = peek();
        Function function;
        function.comment = comment_above(source_, first.place.line);
        if (accept_word("def")) return typed_function(std::move(function));
        if (accept_word("operator")) {
            function.kind = Function::Kind::operation;
            operation(function);
            end_of_statement();
            return function;
        }
        if (accept_word("monoid")) {
            function.kind = Function::Kind::monoid;
            operation(function);
            if (!accept_word("identity")) {
                fail(peek(), fmt::format("expected 'identity', found {}", described(peek())),
                     {.accepted = "monoid name(a, b) = value identity e; or ... identity e terminal t;"});
            }
            function.identity = expression();
            if (accept_word("terminal")) function.terminal = expression();
            end_of_statement();
            return function;
        }
        if (accept_word("semiring")) {
            function.kind = Function::Kind::semiring;
            function.name = word("the name of the semiring");
            expect("=", "after the name of the semiring", {.accepted = "semiring name = (min, +);"});
            expect("(", "before the operators", {.accepted = "semiring name = (min, +);"});
            function.add = operator_name();
            expect(",", "between the operators");
            function.multiply = operator_name();
            expect(")", "after the operators");
            end_of_statement();
            return function;
        }
        fail(first, fmt::format("expected a definition, found {}", described(first)),
             {.accepted = "def, operator, monoid, semiring"});
    }

    void operation(Function& function) {
        function.name = word("a name");
        expect("(", "after the name");
        do function.parameters.push_back({.name = word("a parameter"), .type = {}, .initial = {}});
        while (accept(","));
        expect(")", "after the parameters");
        expect("=", "before the value", {.accepted = "operator name(a, b) = value;"});
        function.value = expression();
    }

    Function typed_function(Function function) {
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
        function.body = block("the function");
        return function;
    }

    syntax::Parameter parameter(bool initial_allowed) {
        syntax::Parameter parameter;
        parameter.name = word("a name");
        expect(":", fmt::format("after '{}'", parameter.name.text),
               {.accepted = fmt::format("{}: graph, vertex, int, double, vector<int>, set...",
                                        parameter.name.text)});
        parameter.type = type();
        if (initial_allowed && accept("=")) parameter.initial = expression();
        return parameter;
    }

    syntax::TypeWords type() {
        syntax::TypeWords words;
        words.name = word("a type");
        if (!accept("<")) return words;
        do {
            Name argument = type_argument();
            words.arguments.push_back(std::move(argument));
        } while (accept(","));
        if (peek().is(">=")) split_greater_equal();
        expect(">", "after the type");
        return words;
    }

    /// int, A.edges, 4
    Name type_argument() {
        if (peek().kind == TokenKind::integer) {
            const Token& token = take();
            return {std::string(token.text), token.place};
        }
        Name argument = word("an element type");
        if (accept(".")) argument.text += "." + word("edges, rows or columns").text;
        return argument;
    }

    // --- statements ---

    std::vector<Statement> block(std::string_view owner) {
        const Token opening = peek();
        const Nesting nesting(*this, opening);
        expect("{", fmt::format("before the statements of {}", owner));
        std::vector<Statement> list;
        while (true) {
            const Token& token = peek();
            if (token.kind == TokenKind::end || (token.is_word("def") && starts_line())) {
                complain(token.place, fmt::format("the '{{' of line {} has no '}}'", opening.place.line));
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
    std::vector<Statement> body(std::string_view owner) {
        if (peek().is("{")) return block(owner);
        const Nesting nesting(*this, peek());
        std::vector<Statement> list;
        list.push_back(statement());
        return list;
    }

    void skip_statement() {
        int depth = 0;
        while (!at_end()) {
            const Token& token = peek();
            if (token.is(";") && depth == 0) {
                take();
                return;
            }
            if (opens_statement(token) && starts_line() && depth == 0) return;
            if (token.is("{")) ++depth;
            if (token.is("}") && --depth < 0) return;
            take();
        }
    }

    Statement statement() {
        const Token first = peek();
        Statement result;
        result.place = first.place;
        if (accept_word("if")) branch(result);
        else if (accept_word("while")) {
            result.kind = Statement::Kind::repeat;
            result.value = condition("while");
            result.body = body("the loop");
        } else if (accept_word("do")) {
            result.kind = Statement::Kind::until;
            result.body = block("the loop");
            if (!accept_word("until")) {
                fail(peek(), fmt::format("expected 'until', found {}", described(peek())),
                     {.accepted = "do { ... } until (condition);"});
            }
            result.value = condition("until");
            end_of_statement();
        } else if (accept_word("for")) {
            loop(result, Statement::Kind::loop);
        } else if (accept_word("each")) {
            loop(result, Statement::Kind::each);
        } else if (accept_word("with")) {
            result.kind = Statement::Kind::with;
            result.names.push_back(word("a name"));
            expect("=", "after the name", {.accepted = "with near = A[i] { ... }"});
            result.value = expression();
            result.body = block("'with'");
        } else if (accept_word("break")) {
            result.kind = Statement::Kind::leave;
            end_of_statement();
        } else if (accept_word("continue")) {
            result.kind = Statement::Kind::next;
            end_of_statement();
        } else if (accept_word("return")) {
            result.kind = Statement::Kind::finish;
            end_of_statement();
        } else if (first.kind == TokenKind::name && !is_reserved(first)) {
            assignment(result);
        } else {
            fail(first, fmt::format("expected a statement, found {}", described(first)));
        }
        return result;
    }

    Expression condition(std::string_view word) {
        expect("(", fmt::format("after '{}'", word));
        Expression value = expression();
        expect(")", "after the condition");
        return value;
    }

    void branch(Statement& result) {
        result.kind = Statement::Kind::branch;
        result.value = condition("if");
        result.body = body("'if'");
        if (accept_word("else")) result.otherwise = body("'else'");
    }

    void loop(Statement& result, Statement::Kind kind) {
        const bool each = kind == Statement::Kind::each;
        result.kind = kind;
        do result.names.push_back(word("the name of the loop variable"));
        while (accept(","));
        if (!accept_word("in")) {
            fail(peek(), fmt::format("expected 'in', found {}", described(peek())),
                 {.accepted = each ? "each i in set { ... }, each i in vertices(A) { ... }, each i, j in A { ... }"
                                   : "for k in range(n) { ... }, for j in A[i] { ... }"});
        }
        result.value = expression();
        result.body = body("the loop");
    }

    void assignment(Statement& result) {
        const Token first = peek();
        Expression target = postfix();
        if (target.kind == Expression::Kind::call && peek().is(";")) {
            result.kind = Statement::Kind::evaluate;
            result.value = std::move(target);
            end_of_statement();
            return;
        }
        if (target.kind != Expression::Kind::name && target.kind != Expression::Kind::index &&
            target.kind != Expression::Kind::field) {
            fail(first, "this cannot be assigned to", {.accepted = "x = ...; x[i] = ...;"});
        }
        result.kind = Statement::Kind::assign;
        if (target.kind == Expression::Kind::name && accept(":")) result.type = type();
        result.target = std::move(target);
        if (accept("<")) result.mask = mask();
        result.accumulate = assignment_operator();
        result.value = expression();
        end_of_statement();
    }

    std::string assignment_operator() {
        if (accept("=")) return {};
        for (const std::string_view symbol : {"+=", "-=", "*=", "/=", "|=", "&="}) {
            if (accept(symbol)) return std::string(symbol.substr(0, 1));
        }
        if (peek().kind == TokenKind::name && peek(1).is("=") && !is_reserved(peek())) {
            std::string name(take().text);
            take();
            return name;
        }
        fail(peek(), fmt::format("expected '=', found {}", described(peek())),
             {.accepted = "=, +=, -=, *=, /=, |=, &=, min=, max=, any="});
    }

    syntax::Mask mask() {
        const bool outer = in_mask_;
        in_mask_ = true;
        syntax::Mask mask{.condition = expression(), .way = {}};
        if (accept(",")) mask.way = word("keep, replace, push or pull");
        in_mask_ = outer;
        if (peek().is(">=")) split_greater_equal();
        expect(">", "after the mask",
               {.accepted = "x[i]<condition> = ...;",
                .hint = "a comparison with '>' in a mask needs parentheses"});
        return mask;
    }

    // --- expressions ---

    Expression node(Expression::Kind kind, const Token& token, std::vector<Expression> operands = {}) {
        Expression result;
        result.kind = kind;
        result.place = token.place;
        result.operands = std::move(operands);
        for (const Expression& operand : result.operands) {
            result.depth = std::max(result.depth, operand.depth + 1);
        }
        if (result.depth > deepest_nesting * 3) {
            complain(token.place, "an expression with too many operators in a row");
            throw Hopeless{};
        }
        return result;
    }

    Expression expression() {
        const Nesting nesting(*this, peek());
        Expression first = binary(1);
        const Token& token = peek();
        if (!accept("?")) return first;
        Expression yes = expression();
        expect(":", "between the two values of a choice", {.accepted = "condition ? value : other"});
        Expression no = expression();
        return node(Expression::Kind::conditional, token,
                    {std::move(first), std::move(yes), std::move(no)});
    }

    Expression binary(int least) {
        Expression left = unary();
        while (true) {
            const Token& token = peek();
            if (in_mask_ && (token.is(">") || token.is(">="))) return left;
            const int bound = strength(token);
            if (bound == 0 || bound < least) return left;
            take();
            if (token.is("@")) {
                left = product(token, std::move(left));
                continue;
            }
            Expression right = binary(bound + 1);
            left = node(Expression::Kind::binary, token, {std::move(left), std::move(right)});
            left.name = token.text;
        }
    }

    Expression product(const Token& token, Expression left) {
        std::string add;
        std::string multiply;
        if (accept("(")) {
            add = operator_name();
            if (accept(",")) multiply = operator_name();
            expect(")", "after the operators", {.accepted = "@(min,+), @(+,*), @(any,pair)"});
        } else {
            add = word("the name of a semiring").text; // resolved by the checker
            multiply = "semiring";
        }
        Expression right = binary(8);
        Expression result =
            node(Expression::Kind::product, token, {std::move(left), std::move(right)});
        result.name = std::move(add);
        result.second = std::move(multiply);
        return result;
    }

    std::string operator_name() {
        for (const std::string_view symbol : {"+", "-", "*", "/", "|", "&", "<", ">"}) {
            if (accept(symbol)) return std::string(symbol);
        }
        return word("an operator").text;
    }

    Expression unary() {
        const Token& token = peek();
        if (token.is("-") || token.is("!")) {
            take();
            const Nesting nesting(*this, token);
            Expression result = node(Expression::Kind::unary, token, {unary()});
            result.name = token.text;
            return result;
        }
        return postfix();
    }

    Expression postfix() {
        Expression result = primary();
        while (true) {
            const Token& token = peek();
            if (accept("[")) {
                std::vector<Expression> parts;
                parts.push_back(std::move(result));
                const bool outer = std::exchange(in_mask_, false);
                do parts.push_back(expression());
                while (accept(","));
                in_mask_ = outer;
                expect("]", "after the index");
                Place place = parts[0].place;
                result = node(Expression::Kind::index, token, std::move(parts));
                result.place = place;
            } else if (accept(".")) {
                std::string field = word("a field").text;
                result = node(Expression::Kind::field, token, {std::move(result)});
                result.name = std::move(field);
            } else {
                return result;
            }
        }
    }

    /// `sum[i](x[i])`: a name, brackets with names only, and a parenthesis.
    bool is_reduction() const {
        if (!peek(1).is("[")) return false;
        std::size_t ahead = 2;
        while (peek(ahead).kind == TokenKind::name && peek(ahead + 1).is(",")) ahead += 2;
        return peek(ahead).kind == TokenKind::name && peek(ahead + 1).is("]") &&
               peek(ahead + 2).is("(");
    }

    Expression primary() {
        const Token& token = peek();
        const Nesting nesting(*this, token);
        if (token.kind == TokenKind::integer || token.kind == TokenKind::real) {
            take();
            Expression number = node(Expression::Kind::number, token);
            number.is_integer = token.kind == TokenKind::integer;
            number.integer = token.integer;
            number.number = token.number;
            return number;
        }
        const bool outer = in_mask_;
        if (token.is("(") || token.is("{")) {
            take();
            in_mask_ = false;
            Expression inner = token.is("(") ? expression() : set(token);
            in_mask_ = outer;
            expect(token.is("(") ? ")" : "}",
                   fmt::format("to match the '{}' in column {}", token.text, token.place.column));
            return inner;
        }
        if (token.is_word("true") || token.is_word("false")) {
            take();
            Expression truth = node(Expression::Kind::name, token);
            truth.name = token.text;
            return truth;
        }
        if (token.kind != TokenKind::name || is_reserved(token)) {
            fail(token, fmt::format("expected an expression, found {}", described(token)));
        }
        if (is_reduction()) return reduction(token);
        take();
        if (!accept("(")) {
            Expression name = node(Expression::Kind::name, token);
            name.name = token.text;
            return name;
        }
        in_mask_ = false;
        Expression call = node(Expression::Kind::call, token, arguments());
        in_mask_ = outer;
        call.name = token.text;
        return call;
    }

    std::vector<Expression> arguments() {
        std::vector<Expression> list;
        if (accept(")")) return list;
        do list.push_back(expression());
        while (accept(","));
        expect(")", "after the arguments");
        return list;
    }

    Expression reduction(const Token& token) {
        take();
        take();
        std::vector<Name> labels;
        do labels.push_back(word("a label"));
        while (accept(","));
        expect("]", "after the labels");
        expect("(", "before what is reduced");
        const bool outer = std::exchange(in_mask_, false);
        std::vector<Expression> operands;
        operands.push_back(expression());
        if (accept(":")) operands.push_back(expression());
        in_mask_ = outer;
        expect(")", "after what is reduced");
        Expression result = node(Expression::Kind::reduction, token, std::move(operands));
        result.name = token.text;
        result.labels = std::move(labels);
        return result;
    }

    /// What stands between braces.
    Expression set(const Token& token) {
        if (peek().is("}")) return node(Expression::Kind::set, token);
        if (peek().kind == TokenKind::name && peek(1).is(":")) {
            Name label = word("a label");
            take();
            Expression builder = node(Expression::Kind::builder, token, {expression()});
            builder.labels.push_back(std::move(label));
            return builder;
        }
        std::vector<Expression> members;
        do members.push_back(expression());
        while (accept(","));
        return node(Expression::Kind::set, token, std::move(members));
    }

    const Source& source_;
    bool in_mask_ = false; ///< an unparenthesised '>' closes the mask
};

} // namespace

bool is_algorithm(const Source& source) {
    Diagnostics unheard(source);
    const std::vector<Token> tokens = tokenize(source, unheard, Dialect::algorithm);
    for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
        if (tokens[at].is_word("monoid") || tokens[at].is_word("semiring") ||
            tokens[at].is_word("operator")) {
            if (at == 0 || tokens[at - 1].is("}") || tokens[at - 1].is(";")) return true;
        }
        if (!tokens[at].is_word("def") || !tokens[at + 2].is("(")) continue;
        std::size_t close = at + 3;
        if (close + 1 < tokens.size() && tokens[close].kind == TokenKind::name &&
            tokens[close + 1].is(":")) {
            return true;
        }
        if (tokens[close].is(")") && close + 1 < tokens.size() && tokens[close + 1].is("->")) return true;
    }
    return false;
}

syntax::Tree parse(const Source& source, Diagnostics& diagnostics) {
    std::vector<Token> tokens = tokenize(source, diagnostics, Dialect::algorithm);
    if (diagnostics.any()) return {}; // with tokens missing, mistakes in what is left mean little
    return Parser(std::move(tokens), source, diagnostics).run();
}

} // namespace tropic::language::algorithm
