#include <algorithm>
#include <array>
#include <ranges>

#include <fmt/format.h>

#include "language/algorithm/checker.h"

namespace tropic::language::algorithm {

namespace {

constexpr std::array<std::string_view, 65> built_in_words = {
    "abs",          "sqrt",         "log",          "exp",         "floor",     "ceil",
    "pow",          "min",          "max",          "sum",         "any",       "all",
    "random",       "random_int",   "infinity",     "none",        "degree",    "in_degree",
    "vertices",     "size",         "count",        "columns",     "edges",     "range",
    "insert",       "improve",      "swap",         "print",       "require",   "push",
    "pop",          "transpose",    "symmetrised",  "simple",      "lower",     "upper",
    "strict_lower", "strict_upper", "by_degree",    "permutation", "oriented",  "subgraph",
    "filter",       "pattern",      "argsort",      "prefix_sum",  "structure", "pair",
    "buckets",      "neighbour",    "in_neighbour", "product",     "or",        "and",
    "argmin",       "argmax",       "first",        "second",      "int",       "float",
    "double",       "vertex",       "bool",         "edge",        "lanes"};

} // namespace

bool Checker::is_built_in(std::string_view name) {
    return std::ranges::find(built_in_words, name) != built_in_words.end();
}

void Checker::report(ErrorCode code, Place place, std::string message, Advice advice) {
    if (frame_ != nullptr && frame_->caller != nullptr) {
        // A function is checked at each call; the first complaint about a place is enough.
        if (!reported_in_calls_.emplace(place.line, place.column).second) return;
        message += fmt::format(" (in '{}', called in line {})", frame_->function->name.text,
                               frame_->called.line);
    }
    diagnostics_.add(code, place, std::move(message), std::move(advice));
}

void Checker::report_unknown(std::string_view name, Place place, std::string_view what) {
    std::vector<std::string_view> words(built_in_words.begin(), built_in_words.end());
    for (const Scope& scope : frame_->scopes) {
        for (const auto& [known, symbol] : scope) words.emplace_back(known);
    }
    for (const syntax::Function& function : tree_.functions) {
        words.emplace_back(function.name.text);
    }
    // What is known and does not fit here was not misspelt.
    std::erase(words, name);
    std::string hint;
    if (!diagnostics_.full()) hint = did_you_mean(name, words);
    report(ErrorCode::not_found, place, fmt::format("unknown {} '{}'", what, name),
           {.hint = std::move(hint)});
}

const Checker::Symbol* Checker::find(std::string_view name) const {
    for (const auto& scope : std::views::reverse(frame_->scopes)) {
        if (const auto found = scope.find(name); found != scope.end()) return &found->second;
    }
    const auto constant = constants_.find(name);
    return constant != constants_.end() ? &constant->second : nullptr;
}

/// Whether the name is one of the text's constants, and says that it does not change.
bool Checker::constant_reported(const syntax::Name& name) {
    const Symbol* const symbol = find(name.text);
    if (symbol == nullptr || !is_constant_name(*symbol)) return false;
    report(
        ErrorCode::inconsistent, name.place,
        fmt::format("'{}' is a constant and cannot be assigned to", name.text),
        {.hint = fmt::format("a variable of the same name hides it: {}: int64 = ...;", name.text)});
    return true;
}

bool Checker::is_constant_name(const Symbol& symbol) const {
    return std::ranges::any_of(constants_, [&](const auto& one) { return &one.second == &symbol; });
}

VariableId Checker::find_variable(std::string_view name) const {
    const Symbol* symbol = find(name);
    return symbol == nullptr ? -1 : symbol->variable;
}

VariableId Checker::new_variable(std::string name, Type type, Place place) {
    Variable variable;
    variable.name = std::move(name);
    variable.type = type;
    variable.place = place;
    algorithm_.variables.push_back(std::move(variable));
    return static_cast<VariableId>(algorithm_.variables.size()) - 1;
}

VariableId Checker::new_local(std::string name, Type type, Place place) {
    const VariableId id = new_variable(std::move(name), type, place);
    variable(id).is_local = true;
    return id;
}

VariableId Checker::new_buffer(std::string name, Type type, Place place) {
    const VariableId id = new_variable(std::move(name), type, place);
    // Copies are called what they are copies of: old_x, next_x.
    Variable& made = variable(id);
    made.shown = made.name.substr(made.name.find('_') + 1);
    emit_create(id, place);
    return id;
}

/// A variable of the program belongs to its function, a local to the code of its member.
VariableId Checker::new_scalar(std::string name, Type type, Place place) {
    return in_member() ? new_local(std::move(name), type, place)
                       : new_variable(std::move(name), type, place);
}

VariableId Checker::introduce(const syntax::Name& name, Type type, bool declared) {
    const auto known = facts_.widened.find({name.place.line, name.place.column});
    if (known != facts_.widened.end() && type.record < 0) {
        type.element = known->second;
        type.vertex = false;
        type.pattern = false;
    }
    const bool scalar = type.is_scalar() || type.shape == Type::Shape::unknown;
    if (in_member() && !scalar) {
        report(ErrorCode::unsupported, name.place,
               fmt::format("'{}' would be made once for every member of the loop", name.text),
               {.hint = "declare it before the loop"});
    }
    const VariableId id = new_scalar(name.text, type, name.place);
    Scope& scope = frame_->scopes[in_member() ? member_scope_ : 0];
    scope.insert_or_assign(name.text, Symbol{.variable = id});
    if (in_member() && blocks_ > 0) late_locals_.push_back(id);
    const bool shared = type.shape == Type::Shape::graph && type.columns < 0;
    if (scalar || shared) return id;
    const bool asked = declared && is_sized_by_parameter(type);
    // In a block it may be used from somewhere else.
    if (!asked || blocks_ > 0) emit_create(id, name.place);
    if (asked) emit(create(id, name.place));
    return id;
}

/// Whether an argument says how many elements there are, which may be less than 0: that is asked
/// where the declaration stands, for nobody might come there.
bool Checker::is_sized_by_parameter(const Type& type) const {
    const auto by_parameter = [&](SpaceId id) {
        if (id < 0) return false;
        const Space& space = algorithm_.spaces[static_cast<std::size_t>(id)];
        return space.kind == Space::Kind::counted && variable(space.size).is_parameter;
    };
    return type.is_known() && (by_parameter(type.space) || by_parameter(type.columns));
}

VariableId Checker::bind_label(const syntax::Name& name, SpaceId space) {
    const VariableId id = new_local(name.text, vertex_type(space), name.place);
    in_range_.insert(id);
    frame_->scopes.back().insert_or_assign(name.text, Symbol{.variable = id});
    return id;
}

/// Once is enough: from here on the name is known, and wrong.
void Checker::poison(const syntax::Name& name) {
    const VariableId id = new_variable(name.text, Type{}, name.place);
    frame_->scopes[in_member() ? member_scope_ : 0].insert_or_assign(name.text,
                                                                     Symbol{.variable = id});
}

bool Checker::is_assignable(VariableId id, Place place) {
    const Variable& target = variable(id);
    if (target.is_parameter) {
        report(ErrorCode::inconsistent, place,
               fmt::format("'{}' is a parameter and cannot be assigned to", target.name),
               {.hint = target.type.is_scalar() ? "copy it to a variable first"
                        : target.type.shape == Type::Shape::graph
                            ? "make a graph of another name: B[i, j] = ...;"
                            : "results are assigned to, or variables"});
        return false;
    }
    if (in_range_.contains(id) || counters_.contains(id)) {
        report(
            ErrorCode::inconsistent, place,
            fmt::format("'{}' is the variable of a loop and cannot be assigned to", target.name));
        return false;
    }
    return true;
}

SpaceId Checker::space_of(Space space) {
    for (std::size_t i = 0; i < algorithm_.spaces.size(); ++i) {
        if (algorithm_.spaces[i] == space) return static_cast<SpaceId>(i);
    }
    algorithm_.spaces.push_back(space);
    return static_cast<SpaceId>(algorithm_.spaces.size()) - 1;
}

/// "the vertices", "the edges of A"...
std::string Checker::described(SpaceId id) const {
    const Space& space = algorithm_.spaces[static_cast<std::size_t>(id)];
    const auto name = [&](VariableId v) { return v < 0 ? std::string("?") : variable(v).called(); };
    switch (space.kind) {
    case Space::Kind::rows:
        return id == 0 ? "the vertices" : fmt::format("the rows of {}", name(space.graph));
    case Space::Kind::columns:
        return fmt::format("the columns of {}", name(space.graph));
    case Space::Kind::edges:
        return fmt::format("the edges of {}", name(space.graph));
    case Space::Kind::counted:
        break;
    }
    return fmt::format("0 up to {}", name(space.size));
}

void Checker::emit_scalar(VariableId id, Expression value, Place place, Operation operation) {
    Statement statement;
    statement.kind = Statement::Kind::scalar;
    statement.place = place;
    statement.variable = id;
    statement.operation = operation;
    statement.value = std::move(value);
    emit(std::move(statement));
}

Statement Checker::create(VariableId id, Place place) {
    Statement statement;
    statement.kind = Statement::Kind::create;
    statement.place = place;
    statement.variable = id;
    return statement;
}

/// What depends on nothing but the graphs and arguments is made once, before everything else.
void Checker::emit_create(VariableId id, Place place) {
    Statement statement = create(id, place);
    const Type& type = variable(id).type;
    const auto early = [&](SpaceId id_of_space) {
        if (id_of_space < 0) return true;
        const Space& space = algorithm_.spaces[static_cast<std::size_t>(id_of_space)];
        const VariableId owner = space.kind == Space::Kind::counted ? space.size : space.graph;
        return owner < 0 || early_.contains(owner) || variable(owner).is_parameter;
    };
    frame_->introduced.push_back(id);
    if (!early(type.space) || !early(type.columns)) return emit(std::move(statement));
    // Results are there however the run ends.
    statement.early = is_sized_by_parameter(type) && !variable(id).is_result;
    prologue_.push_back(std::move(statement));
}

} // namespace tropic::language::algorithm
