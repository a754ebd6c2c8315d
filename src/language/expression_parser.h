// Expressions of the language, by recursive descent.
#pragma once

#include "language/token_cursor.h"

namespace tropic::language {

class ExpressionParser : public TokenCursor {
  public:
    using TokenCursor::TokenCursor;

    syntax::Expression expression();

    /// A number, a name, an access, a call, or an expression in parentheses.
    syntax::Expression primary();

    /// Of a call, up to its closing parenthesis; the opening one is taken already.
    std::vector<syntax::Expression> arguments();

  private:
    syntax::Expression node(syntax::Expression::Kind kind, const Token& token,
                            std::vector<syntax::Expression> operands);
    syntax::Expression binary(syntax::Expression::Kind kind, const Token& token,
                              syntax::Expression left, syntax::Expression right);
    syntax::Expression term();
    std::vector<Operator> operators();
    syntax::Expression factor();
};

} // namespace tropic::language
