// Assignments to names and to single elements.
#include <fmt/format.h>

#include "language/algorithm/checker.h"
#include "language/element_types.h"

namespace tropic::language::algorithm {

void Checker::assign(const syntax::Statement& words) {
    if (!words.target) return assign_several(words);
    const bool known_way = words.accumulate.empty() || words.accumulate == "-" ||
                           words.accumulate == "/" || is_monoid(words.accumulate);
    if (!known_way) {
        report(ErrorCode::not_found, words.accumulate_place,
               fmt::format("'{}=' does not accumulate: '{}' is no monoid", words.accumulate,
                           words.accumulate),
               {.accepted = "+= -= *= /= |= &= min= max= any=, and the program's own monoids"});
        return;
    }
    const Tree& target = *words.target;
    if (target.kind == Tree::Kind::name) return assign_name(words);
    if (target.kind == Tree::Kind::field) return assign_field(words);
    const Tree& base = target.operands[0];
    if (is_graph(base) && base.kind != Tree::Kind::name) {
        report(ErrorCode::unsupported, target.place, "a graph without a name cannot be assigned to",
               {.hint = "give it a name first: B = transpose(A);"});
        return;
    }
    if (base.kind == Tree::Kind::index) {
        report(ErrorCode::unsupported, target.place, "a lane cannot be assigned to by itself",
               {.hint = "make the whole small vector: x = lanes(a, b, c, d);"});
        return;
    }
    if (base.kind != Tree::Kind::name) {
        report(ErrorCode::syntax, target.place, "this cannot be assigned to");
        return;
    }
    if (constant_reported({base.name, base.place})) return;
    const VariableId known = find_variable(base.name);
    if (known >= 0 && !variable(known).type.is_known()) return;
    if (known >= 0 && variable(known).type.is_scalar()) {
        report(ErrorCode::inconsistent, target.place,
               fmt::format("'{}' is {} and has no elements", base.name,
                           described(variable(known).type)));
        return;
    }
    if (known >= 0 && !is_assignable(known, base.place)) return;
    if (known >= 0 && variable(known).type.shape == Type::Shape::graph && in_member()) {
        report(ErrorCode::unsupported, target.place, "a graph is assigned inside 'each'");
        return;
    }
    if (known >= 0 && variable(known).type.shape == Type::Shape::graph) {
        return matrix_algebra(words, known);
    }
    std::vector<syntax::Name> labels;
    free_labels(target, labels);
    if (labels.empty()) {
        if (known < 0) {
            report(ErrorCode::not_found, base.place, fmt::format("unknown vector '{}'", base.name),
                   {.hint =
                        fmt::format("give all its elements a value first: {}[i] = 0;", base.name)});
            return poison({base.name, base.place});
        }
        return assign_element(words, known);
    }
    if (in_member()) {
        report(ErrorCode::unsupported, labels.front().place,
               fmt::format("a statement over all '{}' inside 'each'", labels.front().text),
               {.hint = "inside, loop: for j in A[i] { ... }"});
        return;
    }
    algebra(words, known);
}

void Checker::assign_several(const syntax::Statement& words) {
    const Tree& value = *words.value;
    const syntax::Function* own =
        value.kind == Tree::Kind::call ? find_function(value.name) : nullptr;
    if (own == nullptr || !own->can_run()) {
        report(ErrorCode::inconsistent, value.place,
               "several names are assigned the results of a function",
               {.accepted = "a, b = f(x);"});
        return;
    }
    const std::vector<VariableId> results = expand(value, *own);
    if (results.size() != words.names.size()) {
        if (!results.empty()) {
            report(ErrorCode::inconsistent, value.place,
                   fmt::format("'{}' gives {} results, {} are wanted", value.name, results.size(),
                               words.names.size()));
        }
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        assign_from(words.names[i], find_variable(words.names[i].text), results[i], words.place);
    }
}

void Checker::assign_name(const syntax::Statement& words) {
    const Tree& target = *words.target;
    const syntax::Name name{target.name, target.place};
    VariableId known = find_variable(name.text);
    if (words.mask) {
        report(ErrorCode::syntax, words.mask->condition.place,
               "a mask needs a label to stand for the elements",
               {.accepted = fmt::format("{}[i]<condition> = ...;", name.text)});
        return;
    }
    if (words.changed) {
        report(ErrorCode::syntax, words.changed->place,
               "'->' needs a label to stand for the elements",
               {.accepted = fmt::format("{}[i] = ... -> {};", name.text, words.changed->text)});
        return;
    }
    if (!words.type && constant_reported(name)) return;
    if (const Symbol* symbol = find(name.text);
        symbol != nullptr && symbol->value && !is_constant_name(*symbol)) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is a parameter and cannot be assigned to", name.text));
        return;
    }
    if (words.type) {
        if (known >= 0) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is there already, from line {}", name.text,
                               variable(known).place.line));
            return;
        }
        const Type type = type_of(*words.type);
        if (!type.is_known()) return poison(name);
        known = introduce(name, type);
    }
    if (known >= 0 && !variable(known).type.is_known()) {
        expression(*words.value);
        return;
    }
    if (known >= 0 && !is_assignable(known, name.place)) return;
    if (assign_whole(words, known)) return;
    assign_scalar(words, known);
}

void Checker::assign_scalar(const syntax::Statement& words, VariableId known) {
    const Tree& target = *words.target;
    Expression value = known >= 0 ? value_for(*words.value, variable(known).type)
                                  : scalar(*words.value, "a value");
    if (!value.type.is_known()) {
        if (known < 0) poison({target.name, target.place});
        return;
    }
    if (known >= 0 && !variable(known).type.is_scalar()) {
        const Type type = variable(known).type;
        if (type.shape == Type::Shape::vector || type.shape == Type::Shape::table) {
            if (!words.accumulate.empty()) {
                report(ErrorCode::inconsistent, words.place,
                       fmt::format("'{}' is {}; say what happens to each element", target.name,
                                   described(type)),
                       {.accepted = fmt::format("{}[i] {}= ...;", target.name, words.accumulate)});
                return;
            }
            if (too_many_lanes(known, value, words.value->place)) return;
            widen(known, value);
            value = inferred_.contains(known)
                        ? converted_silently(std::move(value), element_of(type))
                        : converted(std::move(value), type, words.value->place);
            if (value.type.is_known()) fill(known, std::move(value), words.place);
            return;
        }
        report(ErrorCode::inconsistent, words.value->place,
               fmt::format("'{}' is {}, this is {}", target.name, described(type),
                           described(value.type)));
        return;
    }
    if (known < 0) {
        if (!words.accumulate.empty()) {
            report_unknown(target.name, target.place, "variable");
            return poison({target.name, target.place});
        }
        Type type = value.type;
        const bool plain = type.record < 0 && type.lanes == 1 && !type.vertex &&
                           type.element != ElementType::boolean;
        const bool weak = plain && !is_float(type.element) && is_weak(value);
        // What holds an element is as wide as the element, what counts as wide as can be.
        if (weak) type.element = scalar_type(type.element);
        type.space = type.vertex ? type.space : 0;
        const auto later = facts_.of_infinity.find({target.place.line, target.place.column});
        const bool endless = is_infinite(value) && later == facts_.of_infinity.end();
        if (is_infinite(value) && !endless) type.element = later->second;
        known = introduce({target.name, target.place}, type);
        if (endless) endless_.insert(known);
        if (type.record < 0 && type.lanes == 1) inferred_.insert(known);
        if (weak) weak_.insert(known);
    }
    const Variable& scalar_variable = variable(known);
    if (in_member() && !scalar_variable.is_local) {
        if (words.accumulate.empty()) {
            report(ErrorCode::inconsistent, words.place,
                   fmt::format("all members of the loop would assign to '{}' at once", target.name),
                   {.hint = "gather: +=, min=, max=, |=... or give it a name of its own inside"});
            return;
        }
        if (words.accumulate == "/" && !is_float(scalar_variable.type.element)) {
            report(ErrorCode::unsupported, words.place,
                   fmt::format("all members of the loop would divide '{}', an integer, at once",
                               target.name),
                   {.hint = "gather what divides it, d *= ..., and divide behind the loop"});
            return;
        }
    }
    Statement result;
    result.kind = Statement::Kind::scalar;
    result.place = words.place;
    result.variable = known;
    const Type type = scalar_variable.type;
    if (too_many_lanes(known, value, words.value->place)) return;
    widen(known, value);
    note_infinity(known, value);
    const bool silently = inferred_.contains(known) && is_number(value.type) && is_number(type);
    value = accumulated(std::move(value), type, words.accumulate, silently, words.value->place);
    if (!value.type.is_known() || !set_accumulate(result, words.accumulate, type, words.place)) {
        return;
    }
    result.value = std::move(value);
    emit(std::move(result));
}

/// Lanes do not go where one number is: a type that nobody said has one lane for good.
bool Checker::too_many_lanes(VariableId id, const Expression& value, Place place) {
    const Variable& target = variable(id);
    const Type type = element_of(target.type);
    if (!inferred_.contains(id) || value.type.lanes == 1 || value.type.lanes == type.lanes) {
        return false;
    }
    const std::string lanes = fmt::format("{}[{}]", name_of(value.type.element), value.type.lanes);
    report(ErrorCode::inconsistent, place,
           fmt::format("'{}' is {} since line {}, this is {}", target.name, described(target.type),
                       target.place.line, described(value.type)),
           {.hint = fmt::format("say there what it is: {}: {}", target.name,
                                target.type.is_scalar() ? lanes + " = ...;"
                                                        : "vector<" + lanes + ">;")});
    return true;
}

bool Checker::is_weak(const Expression& value) const {
    return is_number(value.type) && !is_float(value.type.element) &&
           needed(value) == ElementType::pattern;
}

/// Fills in what `+=`, `min=`, `own=` do.
bool Checker::set_accumulate(Statement& statement, std::string_view accumulate, const Type& type,
                             Place place) {
    if (accumulate.empty()) return true;
    if (accumulate == "-" || accumulate == "/") {
        statement.operation = accumulate == "-" ? Operation::subtract : Operation::divide;
        if (type.record >= 0) {
            report(ErrorCode::inconsistent, place,
                   fmt::format("'{}=' does not go with {}", accumulate, described(type)));
            return false;
        }
        if (accumulate == "-") { // gathered as a sum of what is taken away
            auto sum = monoid_of("+", element_of(type), place);
            if (sum) statement.monoid = std::make_shared<Monoid>(std::move(*sum));
        }
        return true;
    }
    auto monoid = monoid_of(accumulate, element_of(type), place);
    if (!monoid) return false;
    statement.operation = monoid->operation;
    statement.monoid = std::make_shared<Monoid>(std::move(*monoid));
    return true;
}

} // namespace tropic::language::algorithm
