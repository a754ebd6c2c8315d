// A place in the tokens of a program, and what parsing rules do with it: look ahead, accept,
// insist.
#pragma once

#include <string>
#include <vector>

#include "language/lexer.h"
#include "language/syntax_tree.h"

namespace tropic::language {

/// Leaves a statement that makes no sense; it has been reported.
struct Abandoned {};

/// Leaves the whole program: behind what is nested too deep nothing can be matched.
struct Hopeless {};

/// Words that start a statement wherever they stand, so that parsing can go on at them.
bool starts_statement(const Token& token);

bool is_keyword(const Token& token);

/// For messages: the token in quotes, or "the end of the program".
std::string described(const Token& token);

class TokenCursor {
  public:
    /// The last token is the end.
    TokenCursor(std::vector<Token> tokens, Diagnostics& diagnostics)
        : tokens_(std::move(tokens)), diagnostics_(diagnostics) {}

    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    bool at_end() const { return peek().kind == TokenKind::end; }

    /// The one before the current one.
    const Token& previous() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
    bool starts_line() const { return at_ == 0 || previous().place.line < peek().place.line; }

    const Token& take();
    bool accept(std::string_view symbol);
    bool accept_word(std::string_view word);

    /// A `>=` that was meant as `>` and `=` becomes those.
    void split_greater_equal();

    [[noreturn]] void fail(const Token& token, std::string message, Advice advice = {});

    /// Reports what does not touch the syntax: the rest can be parsed, and checked.
    void report(Place place, std::string message, Advice advice = {});

    /// Whether nothing but such things was reported.
    bool whole() const { return whole_; }

    /// Reports and goes on.
    void complain(Place place, std::string message, Advice advice = {});

    /// `where` reads like "after the labels".
    void expect(std::string_view symbol, std::string_view where, Advice advice = {});

    /// `what` reads like "a label".
    syntax::Name name(std::string_view what);

    /// Names between brackets, the opening one taken already.
    std::vector<syntax::Name> names(std::string_view what, std::string_view closing);

    /// Counts levels of nesting for as long as it lives.
    class Nesting {
      public:
        Nesting(TokenCursor& cursor, const Token& token);
        ~Nesting() { --cursor_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        TokenCursor& cursor_;
    };

  private:
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int nesting_ = 0;
    bool whole_ = true;
    Diagnostics& diagnostics_;
};

} // namespace tropic::language
