// Statements of algorithms, and the types they name.
#pragma once

#include "language/algorithm/expression_parser.h"

namespace tropic::language::algorithm {

class StatementParser : protected ExpressionParser {
  protected:
    using Statement = syntax::Statement;

    StatementParser(std::vector<Token> tokens, Diagnostics& diagnostics)
        : ExpressionParser(std::move(tokens), diagnostics) {}

    /// Braces and what stands between them; `owner` reads like "the function".
    std::vector<Statement> block(std::string_view owner);
    syntax::TypeWords type();
    void end_of_statement();

  private:
    std::vector<Statement> body(std::string_view owner);
    void skip_statement();
    Statement statement();
    Expression condition(std::string_view word);
    void loop(Statement& result, Statement::Kind kind);
    void until(Statement& result);
    void with(Statement& result);
    void assignment(Statement& result);
    bool several_targets() const;
    bool assigns() const;
    syntax::Mask mask();
};

} // namespace tropic::language::algorithm
