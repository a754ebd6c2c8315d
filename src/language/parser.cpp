#include "language/parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "language/lexer.h"
#include "language/operators.h"

namespace tropic::language {

namespace {

using syntax::Expression;
using syntax::Name;
using syntax::Statement;

constexpr std::array<std::string_view, 12> statement_words = {
    "IndexLabel", "Tensor",           "var",   "for", "return", "print", "end", "def",
    "getTime",    "printElapsedTime", "range", "in"};

/// Words that start a statement wherever they stand, so that parsing can go on at them.
bool starts_statement(const Token& token) {
    return token.is_word("IndexLabel") || token.is_word("Tensor") || token.is_word("var") ||
           token.is_word("for") || token.is_word("return") || token.is_word("def");
}

bool is_keyword(const Token& token) {
    return starts_statement(token) || token.is_word("end") || token.is_word("in");
}

std::string described(const Token& token) {
    if (token.kind == TokenKind::end) return "the end of the program";
    constexpr std::size_t most = 40;
    return fmt::format("'{}{}'", token.text.substr(0, most), token.text.size() > most ? "..." : "");
}

/// Leaves a statement that makes no sense; it has been reported.
struct Abandoned {};

/// Leaves the whole program: behind what is nested too deep nothing can be matched.
struct Hopeless {};

class Parser {
  public:
    Parser(std::vector<Token> tokens, Diagnostics& diagnostics)
        : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

    syntax::Tree run() {
        syntax::Tree tree;
        while (peek().kind != TokenKind::end) {
            try {
                tree.functions.push_back(function());
            } catch (const Hopeless&) {
                return tree;
            } catch (const Abandoned&) {
                while (peek().kind != TokenKind::end && !peek().is_word("def")) ++at_;
            }
        }
        return tree;
    }

  private:
    // --- tokens ---

    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    const Token& take() {
        const Token& token = peek();
        if (token.kind != TokenKind::end) ++at_;
        return token;
    }
    bool accept(std::string_view symbol) {
        if (!peek().is(symbol)) return false;
        ++at_;
        return true;
    }
    bool accept_word(std::string_view word) {
        if (!peek().is_word(word)) return false;
        ++at_;
        return true;
    }

    [[noreturn]] void fail(const Token& token, std::string message, Advice advice = {}) {
        diagnostics_.add(ErrorCode::syntax, token.place, std::move(message), std::move(advice));
        throw Abandoned{};
    }

    /// `where` reads like "after the labels".
    void expect(std::string_view symbol, std::string_view where, Advice advice = {}) {
        if (accept(symbol)) return;
        fail(peek(), fmt::format("expected '{}' {}, found {}", symbol, where, described(peek())),
             std::move(advice));
    }

    Name name(std::string_view what) {
        if (peek().kind != TokenKind::name) {
            fail(peek(), fmt::format("expected {}, found {}", what, described(peek())));
        }
        if (is_keyword(peek())) {
            fail(peek(), fmt::format("expected {}, found the word {} of the language", what,
                                     described(peek())));
        }
        const Token& token = take();
        return {std::string(token.text), token.place};
    }

    /// Names between brackets, the opening one taken already.
    std::vector<Name> names(std::string_view what, std::string_view closing) {
        std::vector<Name> list;
        do list.push_back(name(what));
        while (accept(","));
        expect(closing, "at the end of the list");
        return list;
    }

    /// A missing ';' is reported behind the statement it belongs to.
    void end_of_statement() {
        if (accept(";")) return;
        const Token& before = tokens_[at_ > 0 ? at_ - 1 : 0];
        Place place = before.place;
        place.column += place.length;
        place.length = 1;
        const bool new_line = peek().place.line > before.place.line;
        if (new_line || peek().is("}") || starts_statement(peek()) || peek().is_word("end") ||
            peek().kind == TokenKind::end) {
            diagnostics_.add(ErrorCode::syntax, place, "expected ';' at the end of the statement");
            return;
        }
        fail(peek(),
             fmt::format("expected ';' at the end of the statement, found {}", described(peek())));
    }

    // --- functions ---

    syntax::Function function() {
        if (!peek().is_word("def")) {
            Advice advice{.accepted = "def main() { ... }"};
            if (peek().kind == TokenKind::name) {
                constexpr std::array<std::string_view, 1> words = {"def"};
                advice.hint = did_you_mean(peek().text, words);
                if (starts_statement(peek())) {
                    advice.hint = "statements belong into a function: def main() { ... }";
                }
            }
            fail(peek(), fmt::format("expected 'def', found {}", described(peek())),
                 std::move(advice));
        }
        ++at_;
        syntax::Function function;
        function.name = name("the name of the function");
        expect("(", "after the name of the function");
        if (!accept(")")) {
            do function.parameters.push_back(parameter());
            while (accept(","));
            expect(")", "after the parameters");
        }
        const Token& opening = peek();
        expect("{", "before the statements of the function");
        function.body = statements(opening, false);
        return function;
    }

    syntax::Parameter parameter() {
        using Kind = syntax::Parameter::Kind;
        syntax::Parameter parameter;
        if (accept_word("Tensor")) {
            parameter.kind = Kind::tensor;
            parameter.type = element_type();
            parameter.name = name("the name of the parameter");
            if (accept("(")) {
                parameter.labelled = true;
                tensor_layout(parameter.labels, parameter.storage);
            }
        } else if (accept_word("var")) {
            parameter.kind = Kind::scalar;
            parameter.name = name("the name of the parameter");
        } else {
            parameter.name = name("a parameter");
            if (peek().kind == TokenKind::name) {
                parameter.kind = Kind::scalar;
                parameter.type = parameter.name;
                parameter.name = name("the name of the parameter");
            }
        }
        return parameter;
    }

    Name element_type() {
        expect("<", "after 'Tensor'", {.accepted = "Tensor<double> A([i, j], {CSR});"});
        Name type = name("an element type");
        expect(">", "after the element type");
        return type;
    }

    /// `[i, j], {CSR})`, the opening parenthesis taken already.
    void tensor_layout(std::vector<Name>& labels, std::optional<syntax::StorageWords>& storage) {
        const Advice advice{.accepted = "Tensor<double> A([i, j], {CSR});"};
        expect("[", "before the labels", advice);
        labels = names("a label", "]");
        if (accept(",")) {
            storage.emplace();
            storage->place = peek().place;
            if (accept("{")) storage->words = names("a format", "}");
            else storage->words = {name("a format")};
        }
        expect(")", "after the format", advice);
    }

    // --- statements ---

    /// Up to and including the '}' (or, in a loop, the 'end') that belongs to `opening`.
    std::vector<Statement> statements(const Token& opening, bool in_loop) {
        std::vector<Statement> list;
        while (true) {
            const Token& token = peek();
            if (token.kind == TokenKind::end || token.is_word("def")) {
                diagnostics_.add(
                    ErrorCode::syntax, token.place,
                    in_loop ? fmt::format("the loop of line {} has no 'end'", opening.place.line)
                            : fmt::format("the '{{' of line {} has no '}}'", opening.place.line));
                return list;
            }
            if (token.is("}")) {
                if (in_loop) {
                    diagnostics_.add(
                        ErrorCode::syntax, token.place,
                        fmt::format("the loop of line {} has no 'end'", opening.place.line));
                    return list;
                }
                ++at_;
                return list;
            }
            if (token.is_word("end")) {
                ++at_;
                if (in_loop) {
                    accept(";");
                    return list;
                }
                diagnostics_.add(ErrorCode::syntax, token.place, "'end' without a 'for'");
                accept(";");
                continue;
            }
            if (accept(";")) continue;
            try {
                list.push_back(statement());
            } catch (const Abandoned&) {
                skip_statement();
            }
        }
    }

    /// To behind the next ';', or to what closes or starts something.
    void skip_statement() {
        int depth = 0;
        while (peek().kind != TokenKind::end) {
            const Token& token = peek();
            if (token.is(";")) {
                ++at_;
                return;
            }
            if (starts_statement(token) || token.is_word("end")) {
                if (starts_line()) return;
            }
            if (token.is("{")) ++depth;
            if (token.is("}") && --depth < 0) return;
            ++at_;
        }
    }

    bool starts_line() const {
        return at_ == 0 || tokens_[at_ - 1].place.line < tokens_[at_].place.line;
    }

    Statement statement() {
        const Token& first = peek();
        Statement result;
        result.place = first.place;
        if (accept_word("IndexLabel")) label_declaration(result);
        else if (accept_word("Tensor")) tensor_declaration(result);
        else if (accept_word("var")) scalar_declaration(result);
        else if (accept_word("for")) loop(first, result);
        else if (accept_word("return")) return_statement(result);
        else if (first.kind == TokenKind::name && peek(1).is("(")) call_statement(result);
        else if (first.kind == TokenKind::name) assignment(result);
        else fail(first, fmt::format("expected a statement, found {}", described(first)));
        return result;
    }

    void label_declaration(Statement& result) {
        const Advice advice{.accepted = "IndexLabel [i, j] = [4]; or [?], [0:8], [0:8:2], [0:?]"};
        result.kind = Statement::Kind::labels;
        expect("[", "after 'IndexLabel'", advice);
        result.labels = names("a label", "]");
        expect("=", "after the labels", advice);
        expect("[", "before the sizes", advice);
        do result.sizes.push_back(label_size(advice));
        while (accept(","));
        expect("]", "after the sizes", advice);
        end_of_statement();
    }

    syntax::LabelSize label_size(const Advice& advice) {
        syntax::LabelSize size;
        size.place = peek().place;
        size.high = bound(advice);
        if (!accept(":")) return size;
        if (!size.high) {
            diagnostics_.add(ErrorCode::syntax, size.place, "a range cannot start with '?'",
                             advice);
        }
        size.low = size.high.value_or(0);
        size.high = bound(advice);
        if (accept(":")) {
            const Token& token = peek();
            const auto step = bound(advice);
            if (!step) fail(token, "the step of a range must be a number", advice);
            size.step = *step;
        }
        return size;
    }

    /// A non-negative integer, or none for '?'.
    std::optional<std::int64_t> bound(const Advice& advice) {
        if (accept("?")) return std::nullopt;
        if (peek().kind != TokenKind::integer) {
            fail(peek(), fmt::format("expected a size, found {}", described(peek())), advice);
        }
        return take().integer;
    }

    void tensor_declaration(Statement& result) {
        result.kind = Statement::Kind::tensors;
        const Name type = element_type();
        do {
            syntax::TensorDeclaration tensor;
            tensor.type = type;
            tensor.name = name("the name of the tensor");
            expect("(", "after the name of the tensor",
                   {.accepted = "Tensor<double> A([i, j], {CSR});"});
            tensor_layout(tensor.labels, tensor.storage);
            result.tensors.push_back(std::move(tensor));
        } while (accept(","));
        end_of_statement();
    }

    void scalar_declaration(Statement& result) {
        result.kind = Statement::Kind::scalar;
        result.name = name("the name of the variable");
        if (peek().is("[")) {
            fail(peek(), "'var' declares scalars, which have no labels",
                 {.hint = fmt::format("without 'var': {}[...] = ...;", result.name.text)});
        }
        expect("=", "after the name of the variable",
               {.accepted = fmt::format("var {} = value;", result.name.text)});
        result.values.push_back(expression());
        end_of_statement();
    }

    void loop(const Token& first, Statement& result) {
        result.kind = Statement::Kind::loop;
        bool braces = false;
        try {
            loop_head(result);
        } catch (const Abandoned&) { // the body is a body all the same
            while (peek().place.line == first.place.line && !peek().is(":") && !peek().is("{") &&
                   peek().kind != TokenKind::end) {
                ++at_;
            }
            braces = peek().is("{");
            if (braces || peek().is(":")) ++at_;
        }
        const Nesting nesting(*this, first);
        result.body = statements(first, !braces);
    }

    void loop_head(Statement& result) {
        const Advice advice{.accepted = "for x in range(0, 10): ... end"};
        result.name = name("the name of the loop variable");
        if (!accept_word("in")) {
            fail(peek(), fmt::format("expected 'in', found {}", described(peek())), advice);
        }
        if (!accept_word("range")) {
            fail(peek(), fmt::format("expected 'range', found {}", described(peek())), advice);
        }
        expect("(", "after 'range'", advice);
        result.values = arguments();
        if (peek().is("{")) fail(peek(), "a loop starts with ':' and ends with 'end'", advice);
        expect(":", "after the range", advice);
    }

    void return_statement(Statement& result) {
        result.kind = Statement::Kind::return_value;
        if (!peek().is(";") && !peek().is("}")) result.values.push_back(expression());
        end_of_statement();
    }

    void call_statement(Statement& result) {
        result.kind = Statement::Kind::call;
        result.values.push_back(primary());
        if (peek().is("=")) fail(peek(), "a call cannot be assigned to");
        end_of_statement();
    }

    void assignment(Statement& result) {
        result.kind = Statement::Kind::assign;
        check_first_word();
        result.name = name("a statement");
        if (accept("[")) {
            result.labelled = true;
            result.labels = names("a label", "]");
        }
        if (accept("<")) result.mask = mask();
        if (accept("+=")) result.accumulate = Operator::add;
        else if (accept("-=")) result.accumulate = Operator::subtract;
        else if (!accept("=")) {
            fail(peek(),
                 fmt::format("expected '=' after '{}', found {}", result.name.text,
                             described(peek())),
                 {.accepted = "=, +=, -="});
        }
        result.values.push_back(expression());
        end_of_statement();
    }

    /// A misspelt first word is told by what follows it, which no assignment could have there.
    void check_first_word() {
        const Token& word = peek();
        if (is_keyword(word)) {
            fail(word, fmt::format("{} cannot start a statement", described(word)));
        }
        std::string meant = did_you_mean(word.text, statement_words);
        if (peek(1).kind == TokenKind::name || (peek(1).is("<") && !meant.empty())) {
            fail(word, fmt::format("{} does not start a statement", described(word)),
                 {.hint = std::move(meant)});
        }
        if (peek(1).is("<")) {
            fail(peek(1), "a mask stands behind the labels of a tensor",
                 {.accepted = "C[i, j]<M> = ...;"});
        }
        if (!peek(1).is("[")) return;
        std::size_t ahead = 2;
        while (peek(ahead).kind == TokenKind::name || peek(ahead).is(",")) ++ahead;
        if (peek(ahead).is("]") && peek(ahead + 1).is("=") && peek(ahead + 2).is("[")) {
            constexpr std::array<std::string_view, 1> words = {"IndexLabel"};
            fail(word, fmt::format("{} does not declare labels", described(word)),
                 {.accepted = "IndexLabel [i, j] = [4];", .hint = did_you_mean(word.text, words)});
        }
    }

    syntax::MaskWords mask() {
        const Advice advice{.accepted = "C[i, j]<M> or C[i, j]<M, push>; push, pull or auto"};
        syntax::MaskWords mask;
        mask.tensor = name("the name of the mask");
        if (accept("[")) {
            mask.labelled = true;
            mask.labels = names("a label", "]");
        }
        if (accept(",")) mask.way = name("push, pull or auto");
        expect(">", "after the mask", advice);
        return mask;
    }

    // --- expressions ---

    /// Counts levels of nesting for as long as it lives.
    class Nesting {
      public:
        Nesting(Parser& parser, const Token& token) : parser_(parser) {
            if (parser_.nesting_ >= deepest_nesting) {
                parser_.diagnostics_.add(
                    ErrorCode::range, token.place,
                    fmt::format("nested more than {} levels deep", deepest_nesting),
                    {.hint = "split the expression or the loops"});
                throw Hopeless{};
            }
            ++parser_.nesting_;
        }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };

    Expression node(Expression::Kind kind, const Token& token, std::vector<Expression> operands) {
        Expression result;
        result.kind = kind;
        result.place = token.place;
        for (const Expression& operand : operands) {
            result.depth = std::max(result.depth, operand.depth + 1);
        }
        if (result.depth > deepest_expression) {
            fail(
                token,
                fmt::format("an expression of more than {} operators in a row", deepest_expression),
                {.hint = "split it: assign a part to a variable first"});
        }
        result.operands = std::move(operands);
        return result;
    }

    Expression binary(Expression::Kind kind, const Token& token, Expression left,
                      Expression right) {
        std::vector<Expression> operands;
        operands.reserve(2);
        operands.push_back(std::move(left));
        operands.push_back(std::move(right));
        return node(kind, token, std::move(operands));
    }

    Expression expression() {
        Expression left = term();
        while (peek().is("+") || peek().is("-")) {
            const Token& token = take();
            const auto kind = token.is("+") ? Expression::Kind::add : Expression::Kind::subtract;
            left = binary(kind, token, std::move(left), term());
        }
        return left;
    }

    Expression term() {
        Expression left = factor();
        while (true) {
            const Token& token = peek();
            if (token.is("*") || token.is("/") || token.is(".*")) {
                ++at_;
                const auto kind = token.is("*")   ? Expression::Kind::multiply
                                  : token.is("/") ? Expression::Kind::divide
                                                  : Expression::Kind::dot;
                left = binary(kind, token, std::move(left), factor());
            } else if (accept("@")) {
                const std::vector<Operator> ops = operators();
                const bool semiring = ops.size() == 2;
                const auto kind = semiring ? Expression::Kind::semiring : Expression::Kind::monoid;
                left = binary(kind, token, std::move(left), factor());
                left.fold = ops.front();
                left.op = ops.back();
            } else {
                return left;
            }
        }
    }

    /// `(op)` or `(add, op)`.
    std::vector<Operator> operators() {
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
                fail(word, fmt::format("{} is no operator of a semiring", described(word)),
                     {.accepted = std::string(operator_names),
                      .hint = did_you_mean(word.text, known)});
            }
            ops.push_back(*op);
            words.push_back(&word);
        } while (accept(","));
        expect(")", "after the operators", advice);
        if (ops.size() > 2) {
            fail(*words[2], fmt::format("{} operators; a semiring has two", ops.size()), advice);
        }
        if (ops.size() == 2 && !is_monoid(ops[0])) {
            fail(*words[0],
                 fmt::format("terms cannot be added up by {}: the result would depend on their "
                             "order",
                             described(*words[0])),
                 {.accepted = std::string(monoid_names)});
        }
        return ops;
    }

    Expression factor() {
        const Token& token = peek();
        if (accept("-")) {
            const Nesting nesting(*this, token);
            std::vector<Expression> operands;
            operands.push_back(factor());
            return node(Expression::Kind::negate, token, std::move(operands));
        }
        if (accept("+")) {
            const Nesting nesting(*this, token);
            return factor();
        }
        return primary();
    }

    Expression primary() {
        const Token& token = peek();
        const Nesting nesting(*this, token);
        if (token.kind == TokenKind::integer || token.kind == TokenKind::real) {
            ++at_;
            Expression number = node(Expression::Kind::number, token, {});
            number.is_integer = token.kind == TokenKind::integer;
            number.integer = token.integer;
            number.number = token.number;
            return number;
        }
        if (accept("(")) {
            Expression inner = expression();
            expect(")", fmt::format("to match the '(' in column {}", token.place.column));
            return inner;
        }
        if (accept("{")) {
            Expression list = node(Expression::Kind::label_list, token, {});
            list.labels = names("a label", "}");
            return list;
        }
        if (token.kind != TokenKind::name || is_keyword(token)) {
            fail(token, fmt::format("expected an expression, found {}", described(token)));
        }
        ++at_;
        const bool call = accept("(");
        Expression result = call ? node(Expression::Kind::call, token, arguments())
                                 : node(Expression::Kind::name, token, {});
        result.name = token.text;
        if (accept("[")) {
            result.labels = names("a label", "]");
            result.labelled = true;
            if (!call) result.kind = Expression::Kind::access;
        }
        return result;
    }

    /// The opening parenthesis is taken already.
    std::vector<Expression> arguments() {
        std::vector<Expression> list;
        if (accept(")")) return list;
        do list.push_back(expression());
        while (accept(","));
        expect(")", "after the arguments");
        return list;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int nesting_ = 0;
    Diagnostics& diagnostics_;
};

} // namespace

syntax::Tree parse(const Source& source, Diagnostics& diagnostics) {
    std::vector<Token> tokens = tokenize(source, diagnostics);
    if (diagnostics.any()) return {}; // with tokens missing, mistakes in what is left mean little
    return Parser(std::move(tokens), diagnostics).run();
}

} // namespace tropic::language
