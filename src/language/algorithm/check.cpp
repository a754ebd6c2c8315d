#include "language/algorithm/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/algorithm/annotate.h"
#include "language/algorithm/checker.h"
#include "language/algorithm/effects.h"
#include "language/algorithm/number_types.h"
#include "language/algorithm/optimise.h"
#include "language/algorithm/parser.h"
#include "language/algorithm/vertex_program.h"
#include "language/algorithm/visit.h"
#include "language/text_length.h"

namespace tropic::language::algorithm {

namespace {

/// Each round widens at least one variable; a few are usual.
constexpr int most_rounds = 16;

syntax::Tree parsed(const Source& source, Diagnostics& diagnostics) {
    require_short(source);
    syntax::Tree tree = parse(source, diagnostics);
    diagnostics.raise_if_any();
    return tree;
}

/// library/bfs.tropic: bfs
std::string stem_of(const std::string& file) {
    std::string name = file.substr(file.find_last_of('/') + 1);
    return name.substr(0, name.find('.'));
}

const syntax::Function* entry_of(const syntax::Tree& tree, const Source& source,
                                 const std::string& wanted, Diagnostics& diagnostics) {
    const syntax::Function* first = nullptr;
    const syntax::Function* by_file = nullptr;
    const syntax::Function* main = nullptr;
    const std::string stem = stem_of(source.file());
    std::vector<std::string_view> names;
    for (const syntax::Function& function : tree.functions) {
        if (!function.can_run()) continue;
        const std::string& name = function.name.text;
        names.emplace_back(name);
        if (!wanted.empty() && name == wanted) return &function;
        if (first == nullptr) first = &function;
        if (name == stem) by_file = &function;
        if (name == "main") main = &function;
    }
    if (!wanted.empty()) {
        diagnostics.add(ErrorCode::usage, {.line = 1, .column = 1, .length = 1},
                        fmt::format("the text has no function '{}'", wanted),
                        {.hint = did_you_mean(wanted, names)});
        return nullptr;
    }
    const syntax::Function* entry = by_file != nullptr ? by_file : main != nullptr ? main : first;
    if (entry == nullptr) {
        diagnostics.add(ErrorCode::not_found, {.line = 1, .column = 1, .length = 1},
                        "the text has no function that could be run",
                        {.accepted = "def name(A: graph) -> x: vector<int> { ... }"});
    }
    return entry;
}

} // namespace

Algorithm Checker::run(const syntax::Function& entry) {
    Frame frame{.function = &entry, .scopes = {{}}};
    frame_ = &frame;
    std::vector<Statement> body;
    out_ = &body;
    algorithm_.file = source_.file();
    algorithm_.text = source_.text();
    algorithm_.name = entry.name.text;
    algorithm_.comment = entry.comment.empty() ? tree_.comment : entry.comment;
    algorithm_.spaces.push_back(Space{});
    check_definitions();
    add_records();
    add_constants();
    count_assignments(entry.body, frame);
    for (const syntax::Parameter& words : entry.parameters) {
        algorithm_.parameters.push_back(parameter(words, false));
    }
    for (const syntax::Parameter& words : entry.results) {
        const VariableId id = parameter(words, true);
        algorithm_.results.push_back(id);
        const Type& type = variable(id).type;
        if (type.is_known() && !type.is_scalar()) {
            emit_create(id, words.name.place);
        }
    }
    statements(entry.body);
    algorithm_.statements = std::move(prologue_);
    for (Statement& s : body) algorithm_.statements.push_back(std::move(s));
    return std::move(algorithm_);
}

namespace {

/// With vertex programs as the functions that they stand for.
syntax::Tree runnable(const Source& source, Diagnostics& diagnostics) {
    syntax::Tree tree = parsed(source, diagnostics);
    for (syntax::Function& function : tree.functions) {
        if (function.kind == syntax::Function::Kind::program) {
            function = rewritten(function, diagnostics);
        }
    }
    diagnostics.raise_if_any();
    return tree;
}

/// That the caller speaks of types that the text has, and of types that they can stand for.
void require_types(const syntax::Tree& tree, const Source& source, const CheckOptions& options) {
    std::vector<std::string_view> names;
    for (const syntax::Function& function : tree.functions) {
        if (function.kind == syntax::Function::Kind::alias) names.push_back(function.name.text);
    }
    for (const auto& [name, type] : options.types) {
        if (std::ranges::find(names, name) == names.end()) {
            throw Error({.code = ErrorCode::usage,
                         .message = fmt::format("{} declares no type '{}'", source.file(), name),
                         .accepted = names.empty() ? "no types at all"
                                                   : fmt::format("{}", fmt::join(names, ", ")),
                         .hint = did_you_mean(name, names)});
        }
        if (!parse_type_of_numbers(type)) {
            throw Error({.code = ErrorCode::usage,
                         .message = no_type_of_numbers(name, type),
                         .accepted = accepted_types_of_numbers()});
        }
    }
}

/// Results that stay what they are at first: somebody may have misspelt their names.
void note_unassigned(Algorithm& algorithm) {
    std::set<VariableId> written;
    for (const Statement& statement : algorithm.statements) {
        if (statement.kind == Statement::Kind::create) continue;
        written.merge(effects_of(statement, algorithm).writes);
    }
    for (const VariableId id : algorithm.results) {
        if (written.contains(id)) continue;
        const Variable& result = algorithm.variables[static_cast<std::size_t>(id)];
        algorithm.remarks.push_back(
            fmt::format("nothing is assigned to the result {} of {}", result.name, algorithm.name));
    }
}

/// Checks until the types of all variables have settled.
Algorithm settled(const syntax::Tree& tree, const Source& source, const CheckOptions& options,
                  const syntax::Function& entry, std::set<const syntax::Function*>& expanded) {
    Facts facts;
    for (int round = 0; round < most_rounds; ++round) {
        Diagnostics found(source);
        facts.changed = false;
        Algorithm algorithm = Checker(tree, source, options, found, facts).run(entry);
        if (facts.changed && round + 1 < most_rounds) continue;
        expanded.insert(facts.expanded.begin(), facts.expanded.end());
        found.raise_if_any();
        note_unassigned(algorithm);
        return algorithm;
    }
    throw Error(ErrorCode::internal, "the types of the program never settle");
}

/// The functions that somebody calls.
void find_called(const syntax::Expression& tree, std::set<std::string>& names) {
    if (tree.kind == syntax::Expression::Kind::call) names.insert(tree.name);
    for (const syntax::Expression& operand : tree.operands) find_called(operand, names);
}

void find_called(const std::vector<syntax::Statement>& list, std::set<std::string>& names) {
    for (const syntax::Statement& statement : list) {
        for (const auto* part : {&statement.target, &statement.value}) {
            if (*part) find_called(**part, names);
        }
        if (statement.mask) find_called(statement.mask->condition, names);
        find_called(statement.body, names);
        find_called(statement.otherwise, names);
    }
}

/// Whatever is over the vertices needs a graph that has some.
void require_vertices(const Algorithm& algorithm, Diagnostics& diagnostics) {
    if (algorithm.spaces[0].graph >= 0) return;
    const auto complain = [&](Place place, const std::string& what) {
        diagnostics.add(
            ErrorCode::not_found, place,
            fmt::format("{} is over vertices, and no graph is given that has any", what),
            {.accepted = "a graph among the parameters, or a size: vector<int, n>"});
    };
    for (const Variable& variable : algorithm.variables) {
        const Type& type = variable.type;
        const bool over = !type.is_scalar() && type.is_known() && type.shape != Type::Shape::graph;
        if (over && type.space == 0) complain(variable.place, fmt::format("'{}'", variable.name));
    }
    const auto over_all = [](const Statement& s) {
        return s.each && s.each->members < 0 && s.each->space == 0;
    };
    for_each_statement(algorithm.statements, [&](const Statement& s) {
        if (over_all(s)) complain(s.place, "this statement");
        for_each_expression(s, [&](const Expression& e) {
            const bool folds = e.reduction && e.reduction->graph < 0 && e.reduction->members < 0;
            if (folds && e.reduction->space == 0) complain(e.place, "this fold");
        });
    });
    diagnostics.raise_if_any();
}

/// Rows of graphs that are made get the type of their values when all of these are known: elements
/// that were spoken of before are of that type, too, and converted where another was meant.
void settle_rows(Algorithm& algorithm) {
    const auto settled_type = [&](const Expression& e) -> std::optional<Type> {
        if (e.kind != Expression::Kind::element) return {};
        const Variable& row = algorithm.variables[static_cast<std::size_t>(e.variable)];
        if (!row.is_local || row.type.element == e.type.element) return {};
        Type type = e.type;
        type.element = row.type.element;
        type.vertex = row.type.vertex;
        return type;
    };
    const auto convert = [](Expression& e, const Type& type) {
        Expression made;
        made.kind = Expression::Kind::convert;
        made.place = e.place;
        made.type = type;
        made.operands.push_back(std::move(e));
        e = std::move(made);
    };
    for_each_statement(algorithm.statements, [&](Statement& s) {
        if (!s.target) return;
        if (const auto type = settled_type(*s.target)) s.target->type = *type;
    });
    for (Statement& statement : algorithm.statements) {
        for_each_expression(statement, [&](Expression& e) {
            if (const auto type = settled_type(e)) {
                const Type meant = std::exchange(e.type, *type);
                convert(e, meant);
            }
        });
    }
    for_each_statement(algorithm.statements, [&](Statement& s) {
        if (s.kind != Statement::Kind::element || !s.value) return;
        const Variable& row = algorithm.variables[static_cast<std::size_t>(s.target->variable)];
        const bool differs = s.value->type.element != s.target->type.element &&
                             s.operation != Operation::divide; // a divisor is as wide as it is
        if (row.is_local && differs) convert(*s.value, s.target->type);
    });
}

/// Sparse vectors that trade memory agree on what elements of no member hold, also where the first
/// statement that wants it known came later.
void share_resets(Algorithm& algorithm) {
    const auto reset_of = [&](VariableId id) -> auto& {
        return algorithm.variables[static_cast<std::size_t>(id)].reset;
    };
    bool changed = true;
    const auto share = [&](const Statement& s) {
        if (s.kind != Statement::Kind::swap) return;
        auto& first = reset_of(s.variable);
        auto& second = reset_of(s.other);
        if (static_cast<bool>(first) == static_cast<bool>(second)) return;
        (first ? second : first) = first ? first : second;
        changed = true;
    };
    while (std::exchange(changed, false)) for_each_statement(algorithm.statements, share);
}

} // namespace

Algorithm check_algorithm(std::string text, std::string file_name, const CheckOptions& options) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    const syntax::Tree tree = runnable(source, diagnostics);
    const syntax::Function* entry = entry_of(tree, source, options.function, diagnostics);
    diagnostics.raise_if_any();
    require_types(tree, source, options);
    std::set<const syntax::Function*> expanded;
    Algorithm algorithm = settled(tree, source, options, *entry, expanded);
    require_vertices(algorithm, diagnostics);
    settle_rows(algorithm);
    share_resets(algorithm);
    if (options.optimise) optimise(algorithm);
    annotate(algorithm);
    return algorithm;
}

std::vector<std::string> check_text(std::string text, std::string file_name) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    const syntax::Tree tree = runnable(source, diagnostics);
    entry_of(tree, source, {}, diagnostics);
    diagnostics.raise_if_any();
    std::set<std::string> called;
    for (const syntax::Function& function : tree.functions) find_called(function.body, called);
    std::set<const syntax::Function*> seen;
    std::set<std::pair<int, int>> reported;
    const CheckOptions options;
    std::vector<std::string> remarks;
    // Those that nobody calls, then what they have not led to: functions that call each other.
    for (const bool first : {true, false}) {
        for (const syntax::Function& function : tree.functions) {
            const bool root = !called.contains(function.name.text);
            if (!function.can_run() || seen.contains(&function) || (first && !root)) continue;
            seen.insert(&function);
            try {
                const Algorithm checked = settled(tree, source, options, function, seen);
                remarks.insert(remarks.end(), checked.remarks.begin(), checked.remarks.end());
            } catch (const Error& error) {
                for (const Diagnostic& found : error.diagnostics()) {
                    reported.emplace(static_cast<int>(found.line), static_cast<int>(found.column));
                    diagnostics.add(found.code,
                                    {.line = static_cast<int>(found.line),
                                     .column = static_cast<int>(found.column),
                                     .length = 1},
                                    found.message,
                                    {.accepted = found.accepted, .hint = found.hint});
                }
            }
        }
    }
    Checker::check_formulas(tree, reported, diagnostics);
    diagnostics.raise_if_any();
    return remarks;
}

std::vector<std::string> functions_of(std::string text, std::string file_name) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    const syntax::Tree tree = parsed(source, diagnostics);
    std::vector<std::string> names;
    for (const syntax::Function& function : tree.functions) {
        if (function.can_run()) names.push_back(function.name.text);
    }
    return names;
}

std::string print_algorithm_tree(std::string text, std::string file_name) {
    const Source source(std::move(text), std::move(file_name));
    Diagnostics diagnostics(source);
    return syntax::to_text(parsed(source, diagnostics));
}

} // namespace tropic::language::algorithm
