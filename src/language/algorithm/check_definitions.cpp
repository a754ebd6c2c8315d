// What can be said of definitions without a look at who uses them.
#include <algorithm>

#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

/// Words that are defined twice, or that belong to the language.
void Checker::check_definitions() {
    std::map<std::string_view, const syntax::Function*> seen;
    for (const syntax::Function& function : tree_.functions) {
        const syntax::Name& name = function.name;
        const bool entry = algorithm_.name == name.text;
        if (is_built_in(name.text) && !entry) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is a word of the language and cannot be defined", name.text));
        }
        const auto [known, added] = seen.emplace(name.text, &function);
        if (!added) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is defined twice; first in line {}", name.text,
                               known->second->name.place.line));
        }
        if (function.kind == syntax::Function::Kind::semiring) check_semiring(function);
        if (function.kind == syntax::Function::Kind::alias) alias_of(name.text);
    }
}

namespace {

using Words = std::vector<std::string_view>;

bool contains(const Words& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

} // namespace

/// Operators and monoids are checked where they are used; that the names in those that nobody uses
/// mean something can be said all the same.
void Checker::check_formulas(const syntax::Tree& tree,
                             const std::set<std::pair<int, int>>& reported,
                             Diagnostics& diagnostics) {
    using Kind = Tree::Kind;
    Words everywhere = {"true", "false", "infinity", "none"};
    Words functions;
    for (const syntax::Function& function : tree.functions) {
        const bool named = function.kind == syntax::Function::Kind::constant ||
                           function.kind == syntax::Function::Kind::alias;
        (named ? everywhere : functions).push_back(function.name.text);
    }
    const auto complain = [&](const Tree& at, std::string_view what, const Words& known) {
        if (reported.contains({at.place.line, at.place.column})) return;
        diagnostics.add(ErrorCode::not_found, at.place,
                        fmt::format("unknown {} '{}'", what, at.name),
                        {.hint = did_you_mean(at.name, known)});
    };
    const std::function<void(const Tree&, Words)> look = [&](const Tree& at, Words known) {
        for (const syntax::Name& label : at.labels) known.push_back(label.text);
        if (at.kind == Kind::name && !contains(known, at.name)) complain(at, "name", known);
        if (at.kind == Kind::call && !is_built_in(at.name) && !parse_type_word(at.name) &&
            !contains(functions, at.name) && !contains(known, at.name)) {
            complain(at, "function", functions);
        }
        for (const Tree& operand : at.operands) look(operand, known);
    };
    for (const syntax::Function& function : tree.functions) {
        if (function.kind != syntax::Function::Kind::operation &&
            function.kind != syntax::Function::Kind::monoid) {
            continue;
        }
        Words known = everywhere;
        for (const syntax::Parameter& parameter : function.parameters) {
            known.push_back(parameter.name.text);
        }
        if (function.value) look(*function.value, known);
        for (const auto* part : {&function.identity, &function.terminal}) {
            if (*part) look(**part, everywhere);
        }
    }
}

} // namespace tropic::language::algorithm
