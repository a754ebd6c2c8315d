#include "language/token_cursor.h"

#include <algorithm>

#include <fmt/format.h>

#include "language/parser.h"

namespace tropic::language {

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

const Token& TokenCursor::take() {
    const Token& token = peek();
    if (token.kind != TokenKind::end) ++at_;
    return token;
}

bool TokenCursor::accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
}

bool TokenCursor::accept_word(std::string_view word) {
    if (!peek().is_word(word)) return false;
    ++at_;
    return true;
}

void TokenCursor::split_greater_equal() {
    Token second = tokens_[at_];
    tokens_[at_].text.remove_suffix(1);
    tokens_[at_].place.length = 1;
    second.text.remove_prefix(1);
    second.place.column += 1;
    second.place.length = 1;
    tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, second);
}

void TokenCursor::report(Place place, std::string message, Advice advice) {
    diagnostics_.add(ErrorCode::syntax, place, std::move(message), std::move(advice));
}

void TokenCursor::complain(Place place, std::string message, Advice advice) {
    whole_ = false;
    report(place, std::move(message), std::move(advice));
}

void TokenCursor::fail(const Token& token, std::string message, Advice advice) {
    complain(token.place, std::move(message), std::move(advice));
    throw Abandoned{};
}

void TokenCursor::expect(std::string_view symbol, std::string_view where, Advice advice) {
    if (accept(symbol)) return;
    fail(peek(), fmt::format("expected '{}' {}, found {}", symbol, where, described(peek())),
         std::move(advice));
}

syntax::Name TokenCursor::name(std::string_view what) {
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

std::vector<syntax::Name> TokenCursor::names(std::string_view what, std::string_view closing) {
    std::vector<syntax::Name> list;
    do list.push_back(name(what));
    while (accept(","));
    expect(closing, "at the end of the list");
    return list;
}

TokenCursor::Nesting::Nesting(TokenCursor& cursor, const Token& token) : cursor_(cursor) {
    if (cursor_.nesting_ >= deepest_nesting) {
        cursor_.whole_ = false;
        cursor_.diagnostics_.add(ErrorCode::range, token.place,
                                 fmt::format("nested more than {} levels deep", deepest_nesting),
                                 {.hint = "split the expression or the loops"});
        throw Hopeless{};
    }
    ++cursor_.nesting_;
}

} // namespace tropic::language
