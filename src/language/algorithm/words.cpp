#include "language/algorithm/words.h"

#include <algorithm>
#include <array>
#include <span>

namespace tropic::language::algorithm {

namespace {

constexpr std::array<std::string_view, 17> reserved = {
    "def",      "if",       "else", "while",  "do",    "until", "for",   "each",    "in",
    "identity", "terminal", "true", "return", "false", "with",  "break", "continue"};

constexpr std::array<std::string_view, 9> statements = {
    "if", "while", "do", "for", "each", "break", "continue", "return", "with"};

constexpr std::array<std::string_view, 8> definitions = {
    "def", "program", "operator", "monoid", "semiring", "record", "type", "const"};

bool is_one_of(const Token& token, std::span<const std::string_view> words) noexcept {
    return token.kind == TokenKind::name && std::ranges::find(words, token.text) != words.end();
}

} // namespace

bool is_reserved(const Token& token) noexcept {
    return is_one_of(token, reserved);
}
bool opens_statement(const Token& token) noexcept {
    return is_one_of(token, statements);
}
bool opens_definition(const Token& token) noexcept {
    return is_one_of(token, definitions);
}

} // namespace tropic::language::algorithm
