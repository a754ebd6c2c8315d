// Expressions of algorithms.
#pragma once

#include <utility>

#include "language/algorithm/syntax.h"
#include "language/token_cursor.h"

namespace tropic::language::algorithm {

class ExpressionParser : protected TokenCursor {
  protected:
    using Expression = syntax::Expression;
    using Name = syntax::Name;

    ExpressionParser(std::vector<Token> tokens, Diagnostics& diagnostics)
        : TokenCursor(std::move(tokens), diagnostics) {}

    /// `what` reads like "a label".
    Name word(std::string_view what);

    Expression expression();

    /// What an unparenthesised '>' means: a comparison, the end of a type's sizes, or, where an
    /// assignment follows, the end of a mask.
    enum class Greater : std::uint8_t { compares, ends, ends_before_assignment };
    Expression expression_before_greater(Greater meaning);
    Expression postfix();

    /// An operator in @(...) or of a semiring.
    std::string operator_name();

    /// `=` is "", `+=` is "+", `min=` is "min"; nothing is taken if there is none.
    std::optional<std::string> assignment_operator();

  private:
    /// What '>' means, for as long as it lives; also where a mistake ends the expression.
    class Meaning {
      public:
        Meaning(ExpressionParser& parser, Greater meaning)
            : parser_(parser), outer_(std::exchange(parser.greater_, meaning)) {}
        ~Meaning() { parser_.greater_ = outer_; }
        Meaning(const Meaning&) = delete;
        Meaning& operator=(const Meaning&) = delete;

      private:
        ExpressionParser& parser_;
        Greater outer_;
    };

    /// Between brackets: a level of nesting, where '>' compares. All ways from an expression into
    /// another count one: these, choices and operators with one operand.
    class Brackets {
      public:
        Brackets(ExpressionParser& parser, const Token& opening)
            : nesting_(parser, opening), meaning_(parser, Greater::compares) {}

      private:
        Nesting nesting_;
        Meaning meaning_;
    };

    Expression node(Expression::Kind kind, const Token& token,
                    std::vector<Expression> operands = {});
    Expression binary(int least);
    Expression product(const Token& token, Expression left);
    Expression unary();
    Expression primary();
    Expression call(const Token& token);
    Expression argument();
    Expression reduction(const Token& token);
    Expression set(const Token& token);
    bool is_reduction() const;

    bool at_assignment(std::size_t ahead) const;
    bool greater_ends() const;

    Greater greater_ = Greater::compares;
};

} // namespace tropic::language::algorithm
