#include "language/algorithm/parser.h"

#include "language/algorithm/definition_parser.h"
#include "language/algorithm/words.h"

namespace tropic::language::algorithm {

bool is_algorithm(const Source& source) {
    Diagnostics unheard(source);
    const std::vector<Token> tokens = tokenize(source, unheard, Dialect::algorithm);
    const auto at = [&](std::size_t i) { return tokens[std::min(i, tokens.size() - 1)]; };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool outside = i == 0 || tokens[i - 1].is("}") || tokens[i - 1].is(";");
        if (!outside || !opens_definition(tokens[i]) || at(i + 1).kind != TokenKind::name) continue;
        if (!tokens[i].is_word("def")) return true;
        if (!at(i + 2).is("(")) continue;
        // A first parameter that says its type, or results behind the parameters.
        if (at(i + 3).kind == TokenKind::name && at(i + 4).is(":")) return true;
        std::size_t end = i + 3;
        while (end < tokens.size() && !tokens[end].is(")") && !tokens[end].is("{")) ++end;
        if (at(end).is(")") && at(end + 1).is("->")) return true;
    }
    return false;
}

syntax::Tree parse(const Source& source, Diagnostics& diagnostics) {
    std::vector<Token> tokens = tokenize(source, diagnostics, Dialect::algorithm);
    if (diagnostics.any()) return {}; // with tokens missing, mistakes in what is left mean little
    return DefinitionParser(std::move(tokens), source, diagnostics).run();
}

} // namespace tropic::language::algorithm
