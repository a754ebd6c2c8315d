#include "language/parser.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "language/expression_parser.h"

namespace tropic::language {

namespace {

using syntax::Name;
using syntax::Statement;

constexpr std::array<std::string_view, 12> statement_words = {
    "IndexLabel", "Tensor",           "var",   "for", "return", "print", "end", "def",
    "getTime",    "printElapsedTime", "range", "in"};

class Parser : ExpressionParser {
  public:
    using ExpressionParser::ExpressionParser;

    syntax::Tree run() {
        syntax::Tree tree;
        while (!at_end()) {
            try {
                tree.functions.push_back(function());
            } catch (const Hopeless&) {
                break;
            } catch (const Abandoned&) {
                while (!at_end() && !peek().is_word("def")) take();
            }
        }
        tree.whole = whole();
        return tree;
    }

  private:
    /// A missing ';' is reported behind the statement it belongs to.
    void end_of_statement() {
        if (accept(";")) return;
        const Token& before = previous();
        Place place = before.place;
        place.column += place.length;
        place.length = 1;
        const bool new_line = peek().place.line > before.place.line;
        if (new_line || peek().is("}") || starts_statement(peek()) || peek().is_word("end") ||
            at_end()) {
            complain(place, "expected ';' at the end of the statement");
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
        take();
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
                complain(token.place,
                         in_loop
                             ? fmt::format("the loop of line {} has no 'end'", opening.place.line)
                             : fmt::format("the '{{' of line {} has no '}}'", opening.place.line));
                return list;
            }
            if (token.is("}")) {
                if (in_loop) {
                    complain(token.place,
                             fmt::format("the loop of line {} has no 'end'", opening.place.line));
                    return list;
                }
                take();
                return list;
            }
            if (token.is_word("end")) {
                take();
                if (in_loop) {
                    accept(";");
                    return list;
                }
                complain(token.place, "'end' without a 'for'");
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
        while (!at_end()) {
            const Token& token = peek();
            if (token.is(";")) {
                take();
                return;
            }
            if (starts_statement(token) || token.is_word("end")) {
                if (starts_line()) return;
            }
            if (token.is("{")) ++depth;
            if (token.is("}") && --depth < 0) return;
            take();
        }
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
        else if (starts_condition()) condition(result);
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
            complain(size.place, "a range cannot start with '?'", advice);
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
                   !at_end()) {
                take();
            }
            braces = peek().is("{");
            if (braces || peek().is(":")) take();
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

    /// `if (x) {`, `while x:` or `else {`, which other languages have.
    bool starts_condition() const {
        const Token& word = peek();
        if (!word.is_word("if") && !word.is_word("while") && !word.is_word("else")) return false;
        for (const std::string_view symbol : {"=", "+=", "-=", "[", "<"}) {
            if (peek(1).is(symbol)) return false; // a variable of that name
        }
        int depth = 0;
        for (std::size_t ahead = 1; peek(ahead).place.line == word.place.line; ++ahead) {
            const Token& token = peek(ahead);
            if (depth == 0 && (token.is("{") || token.is(":"))) return true;
            if (token.kind == TokenKind::end || token.is(";")) return false;
            if (token.is("(")) ++depth;
            if (token.is(")")) --depth;
        }
        return false;
    }

    /// What it holds is parsed all the same, for the mistakes in it.
    void condition(Statement& result) {
        const Token& word = take();
        complain(word.place, fmt::format("a program has no {}", described(word)),
                 {.accepted = "for x in range(0, 10): ... end",
                  .hint = "algorithms, functions over graphs, have 'if' and 'while'"});
        while (!peek().is("{") && !peek().is(":")) take();
        const bool braces = take().is("{");
        const Nesting nesting(*this, word);
        result.kind = Statement::Kind::loop;
        result.body = statements(word, !braces);
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
};

} // namespace

syntax::Tree parse(const Source& source, Diagnostics& diagnostics) {
    std::vector<Token> tokens = tokenize(source, diagnostics);
    // With tokens missing, mistakes in what is left mean little.
    if (diagnostics.any()) return {.functions = {}, .whole = false};
    return Parser(std::move(tokens), diagnostics).run();
}

} // namespace tropic::language
