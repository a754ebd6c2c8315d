#include "language/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace tropic::language {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/// Bytes of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    // Overlong forms, surrogates and what lies beyond Unicode.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
    return length;
}

/// Of one dialect, the long ones first.
struct Symbols {
    std::span<const std::string_view> longer;
    std::string_view single;
};

constexpr std::array<std::string_view, 3> tensor_symbols = {".*", "+=", "-="};
constexpr std::array<std::string_view, 13> algorithm_symbols = {
    "->", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "&="};

Symbols symbols_of(Dialect dialect) {
    if (dialect == Dialect::tensors) return {tensor_symbols, "{}[]()<>,;:=+-*/@|&?"};
    return {algorithm_symbols, "{}[]()<>,;:=+-*/%@|&^?!."};
}

class Lexer {
  public:
    Lexer(const Source& source, Diagnostics& diagnostics, Dialect dialect)
        : source_(source), diagnostics_(diagnostics), text_(source.text()),
          symbols_(symbols_of(dialect)), tensors_(dialect == Dialect::tensors) {}

    std::vector<Token> run() {
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3; // a byte order mark
        while (skip_space(), at_ < text_.size() && !binary_) {
            const char c = text_[at_];
            if (is_letter(c)) name();
            else if (is_digit(c) || (c == '.' && is_digit(next()))) number();
            else if (c == '"' || c == '\'') quoted(c);
            else if (const std::size_t length = symbol_length()) add(TokenKind::symbol, length);
            else stray();
        }
        add(TokenKind::end, 0);
        return std::move(tokens_);
    }

  private:
    char next(std::size_t ahead = 1) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void skip_space() {
        while (at_ < text_.size() && !binary_) {
            if (is_space(text_[at_])) {
                ++at_;
            } else if (text_[at_] == '#') {
                skip_line();
            } else if (text_[at_] == '/' && next() == '/') {
                diagnostics_.add(ErrorCode::syntax, source_.place(at_, 2),
                                 "'//' does not start a comment", {.accepted = "# a comment"});
                skip_line();
            } else {
                return;
            }
        }
    }

    /// To the end of the line; a comment may hold any UTF-8 text but no NUL.
    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n' && !binary_) {
            const std::size_t length = utf8_length(text_.substr(at_));
            if (length == 0 || text_[at_] == '\0') stray();
            else at_ += length;
        }
    }

    Token& add(TokenKind kind, std::size_t length) {
        tokens_.push_back(
            {.kind = kind, .text = text_.substr(at_, length), .place = source_.place(at_, length)});
        at_ += length;
        return tokens_.back();
    }

    void name() {
        std::size_t length = 1;
        while (is_letter(next(length)) || is_digit(next(length))) ++length;
        if (length > longest_name) {
            diagnostics_.add(
                ErrorCode::range, source_.place(at_, length),
                fmt::format("a name of {} characters; {} are allowed", length, longest_name));
        }
        add(TokenKind::name, length);
    }

    void number() {
        std::size_t length = 0;
        bool real = false;
        const auto digits = [&] {
            while (is_digit(next(length))) ++length;
        };
        digits();
        if (next(length) == '.' && next(length + 1) != '*') { // 2.*A is 2 .* A
            real = true;
            ++length;
            digits();
        }
        const char e = next(length);
        const char sign = next(length + 1);
        if ((e == 'e' || e == 'E') &&
            (is_digit(sign) || ((sign == '+' || sign == '-') && is_digit(next(length + 2))))) {
            real = true;
            length += 2;
            digits();
        }
        if (is_letter(next(length))) return malformed_number(length);
        const Place place = source_.place(at_, length);
        const std::string_view digits_text = text_.substr(at_, length);
        Token& token = add(real ? TokenKind::real : TokenKind::integer, length);
        const char* begin = &digits_text.front();
        const char* end = begin + length;
        std::from_chars_result result{};
        if (real) {
            result = std::from_chars(begin, end, token.number);
            // Too close to zero is zero; only too large is a mistake.
            if (result.ec == std::errc::result_out_of_range && token.number == 0 &&
                !is_large(digits_text)) {
                result.ec = {};
            }
        } else {
            result = std::from_chars(begin, end, token.integer);
            token.number = static_cast<double>(token.integer);
        }
        if (result.ec != std::errc{}) {
            token.integer = 1;
            token.number = 1;
            diagnostics_.add(
                ErrorCode::range, place,
                fmt::format("the number {} is too large", shortened(digits_text)),
                {.accepted = real ? "up to about 1.797e308" : "integers up to 9223372036854775807",
                 .hint = real || tensors_ ? "" : hint_for_large(digits_text)});
        }
    }

    /// How to come by an integer that is a uint64 and no int64; empty for what is larger still.
    static std::string hint_for_large(std::string_view digits) {
        constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
        std::uint64_t number = 0;
        const char* begin = &digits.front();
        if (std::from_chars(begin, begin + digits.size(), number).ec != std::errc{}) return {};
        const std::string sum = number == std::numeric_limits<std::uint64_t>::max()
                                    ? "infinity"
                                    : fmt::format("{} + {}", most, number - most);
        return fmt::format("a variable can hold it: large: uint64 = {};", sum);
    }

    /// Whether a number out of the range of float64 is so by its size, not by being tiny.
    static bool is_large(std::string_view number) {
        const std::size_t e = number.find_first_of("eE");
        if (e != std::string_view::npos) return number[e + 1] != '-';
        return number.front() != '0' && number.front() != '.';
    }

    void malformed_number(std::size_t length) {
        while (is_letter(next(length)) || is_digit(next(length))) ++length;
        const Place place = source_.place(at_, length);
        diagnostics_.add(ErrorCode::syntax, place,
                         fmt::format("'{}' is neither a number nor a name",
                                     shortened(text_.substr(at_, length))),
                         {.accepted = "numbers such as 2, 0.5, 1e-6; names start with a letter"});
        Token& token = add(TokenKind::integer, length);
        token.integer = 1;
        token.number = 1;
    }

    void quoted(char quote) {
        std::size_t length = 1;
        while (at_ + length < text_.size() && next(length) != quote && next(length) != '\n') {
            ++length;
        }
        const bool closed = at_ + length < text_.size() && next(length) == quote;
        if (!tensors_ && closed) {
            add(TokenKind::text, length + 1);
            return;
        }
        std::string hint = tensors_ ? "files are named outside of the program: comet_read(0) reads "
                                      "the first input"
                                    : "";
        diagnostics_.add(ErrorCode::syntax, source_.place(at_, 1),
                         closed ? "quoted text has no place in a program"
                                : "quoted text that does not end on its line",
                         {.hint = std::move(hint)});
        add(TokenKind::integer, closed ? length + 1 : length);
    }

    std::size_t symbol_length() const {
        for (const std::string_view symbol : symbols_.longer) {
            if (text_.substr(at_).starts_with(symbol)) return symbol.size();
        }
        return symbols_.single.find(text_[at_]) != std::string_view::npos ? 1 : 0;
    }

    /// One complaint for a run of characters that are no part of any token.
    void stray() {
        const std::size_t length = utf8_length(text_.substr(at_));
        const Place place = source_.place(at_, length);
        const std::string_view character = text_.substr(at_, std::max<std::size_t>(length, 1));
        const auto byte = static_cast<unsigned char>(character[0]);
        binary_ = binary_ || byte == 0;
        std::string hint;
        std::string message;
        if (length == 0) {
            message = fmt::format("the byte 0x{:02x} is not UTF-8 text", byte);
            hint = "save the program as UTF-8";
        } else if (byte < 0x20 || byte == 0x7f) {
            message = byte == 0 ? std::string("a NUL byte in the program")
                                : fmt::format("a control character (0x{:02x})", byte);
            hint = "is this a text file?";
        } else {
            message = fmt::format("unexpected character '{}'", character);
            hint = hint_for(character);
        }
        diagnostics_.add(ErrorCode::syntax, place, std::move(message), {.hint = std::move(hint)});
        at_ += character.size();
        while (at_ < text_.size() && !is_space(text_[at_]) &&
               (static_cast<unsigned char>(text_[at_]) >= 0x80 ||
                static_cast<unsigned char>(text_[at_]) < 0x20)) {
            ++at_;
        }
    }

    static std::string hint_for(std::string_view character) {
        if (character == "×" || character == "·") return "write *";
        if (character == "−" || character == "–") return "write - (minus)";
        if (character == "!") return "there is no negation of masks and conditions here";
        if (character == "%") return "comments start with #";
        if (character == "^") return "write the product out: A[i, j] * A[j, k]";
        return {};
    }

    static std::string shortened(std::string_view text) {
        constexpr std::size_t most = 40;
        return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
    }

    static constexpr std::size_t longest_name = 200;

    const Source& source_;
    Diagnostics& diagnostics_;
    std::string_view text_;
    Symbols symbols_;
    bool tensors_ = false; ///< else an algorithm, where quoted text is a token
    std::size_t at_ = 0;
    bool binary_ = false; ///< a NUL was met: what follows says nothing
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(const Source& source, Diagnostics& diagnostics, Dialect dialect) {
    return Lexer(source, diagnostics, dialect).run();
}

} // namespace tropic::language
