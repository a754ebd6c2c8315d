// Statements other than assignments to what is declared: scalars, printing, loops.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"
#include "language/conversions.h"
#include "language/element_types.h"
#include "language/parser.h"

namespace tropic::language {

using Kind = syntax::Statement::Kind;

void collect_assigned(const std::vector<syntax::Statement>& statements,
                      std::set<std::string>& names) {
    for (const syntax::Statement& statement : statements) {
        if (statement.kind == Kind::assign) names.insert(statement.name.text);
        collect_assigned(statement.body, names);
    }
}

void Checker::emit(Statement statement) {
    out_->push_back(std::move(statement));
}

void Checker::emit_assign(VariableId variable, Expression value, Place place) {
    Statement statement;
    statement.place = place;
    statement.variable = variable;
    const Variable& target = program_.variables[static_cast<std::size_t>(variable)];
    statement.operands.push_back(converted(std::move(value), target.element));
    emit(std::move(statement));
}

Statement Checker::forgetting(VariableId tensor, Place place) {
    Statement statement;
    statement.kind = Statement::Kind::forget;
    statement.place = place;
    statement.variable = tensor;
    return statement;
}

void Checker::check_statement(const syntax::Statement& statement) {
    frame_->labels.entries.clear();
    if (calls_deep_ > 0) {
        expanded_ +=
            static_cast<std::int64_t>(1 + statement.labels.size() + statement.tensors.size());
    }
    switch (statement.kind) {
    case Kind::labels:
        return check_labels(statement);
    case Kind::tensors:
        return check_tensors(statement);
    case Kind::scalar:
        return check_scalar(statement);
    case Kind::assign:
        return check_assign(statement);
    case Kind::call:
        return check_call_statement(statement);
    case Kind::loop:
        return check_loop(statement);
    case Kind::return_value:
        report(ErrorCode::syntax, statement.place,
               frame_->is_main() ? "'main' returns nothing"
                                 : "'return' must be the last statement of its function",
               {.hint = frame_->is_main() ? "print(x); shows a value" : ""});
    }
}

/// The tensor of that name; null after reporting that there is none.
Symbol* Checker::find_tensor(const syntax::Name& name) {
    Symbol* symbol = frame_->find(name.text);
    if (symbol == nullptr) {
        report_unknown(name, Symbol::Kind::tensor);
        return nullptr;
    }
    if (symbol->kind == Symbol::Kind::tensor) return symbol;
    if (symbol->kind != Symbol::Kind::unknown) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is a {}, not a tensor", name.text,
                           symbol->kind == Symbol::Kind::label ? "label" : "scalar"));
    }
    return nullptr;
}

/// A tensor that is used has a value: one assigned before, or that of an input.
bool Checker::require_value(const syntax::Name& name, Symbol& symbol) {
    if (symbol.has_value) return true;
    if (frame_->assigned.contains(name.text)) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is used before anything is assigned to it", name.text));
        return false;
    }
    symbol.has_value = true;
    if (!frame_->is_main()) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is used, but nothing is assigned to it", name.text),
               {.hint = "make it a parameter of the function"});
        return false;
    }
    Statement read;
    read.kind = Statement::Kind::read;
    read.place = symbol.place;
    read.variable = symbol.id;
    read.labels = symbol.labels;
    read.input = name.text;
    inputs_.push_back(std::move(read));
    return true;
}

void Checker::check_scalar(const syntax::Statement& statement) {
    const syntax::Name& name = statement.name;
    Maybe value = check_scalar_value(statement.values[0], "the value of a 'var'");
    if (!is_free(name)) return;
    if (!value) return poison(name);
    const VariableId id = new_scalar(name, value->element);
    emit_assign(id, std::move(*value), statement.place);
}

bool Checker::argument_count(const syntax::Expression& call, std::size_t least, std::size_t most,
                             std::string_view usage) {
    const std::size_t given = call.operands.size();
    if (given >= least && given <= most) return true;
    report(ErrorCode::inconsistent, call.place,
           fmt::format("'{}' takes {}{} argument{}, {} given", call.name,
                       most == 0 ? "no" : std::to_string(least),
                       most > least ? fmt::format(" or {}", most) : "", most == 1 ? "" : "s",
                       given),
           {.accepted = std::string(usage)});
    return false;
}

void Checker::check_call_statement(const syntax::Statement& statement) {
    const syntax::Expression& call = statement.values[0];
    if (call.name == "print") return check_print(call);
    if (call.name == "printElapsedTime") {
        if (!argument_count(call, 2, 2, "printElapsedTime(start, end);")) return;
        Statement result;
        result.kind = Statement::Kind::print_elapsed;
        result.place = statement.place;
        for (const syntax::Expression& argument : call.operands) {
            Maybe value = check_scalar_value(argument, "a time");
            if (!value) return;
            result.operands.push_back(converted(std::move(*value), ElementType::float64));
        }
        return emit(std::move(result));
    }
    if (is_built_in(call.name)) {
        report(ErrorCode::inconsistent, call.place,
               fmt::format("the value of '{}' is not used", call.name),
               {.hint = "assign it or print it"});
        return;
    }
    expand(call);
}

void Checker::check_print(const syntax::Expression& call) {
    if (!argument_count(call, 1, 1, "print(A); print(n);")) return;
    const syntax::Expression& argument = call.operands[0];
    Statement result;
    result.kind = Statement::Kind::print;
    result.place = call.place;
    Whole value = whole_value(argument, "what is printed, if it is not the name of a tensor,",
                              "assign the expression to a tensor and print that");
    if (value.tensor) {
        result.variable = *value.tensor;
    } else if (value.scalar) {
        const ElementType type = scalar_type(value.scalar->element);
        result.operands.push_back(converted(std::move(*value.scalar), type));
    } else {
        return;
    }
    emit(std::move(result));
}

void Checker::check_loop(const syntax::Statement& statement) {
    const std::size_t given = statement.values.size();
    const Advice advice{.accepted = "range(end), range(start, end), range(start, end, step)"};
    Statement result;
    result.kind = Statement::Kind::loop;
    result.place = statement.place;
    bool good = given >= 1 && given <= 3;
    if (!good) {
        report(ErrorCode::inconsistent, statement.place,
               fmt::format("'range' takes 1 to 3 arguments, {} given", given), advice);
    }
    ElementType type = ElementType::int64;
    for (const syntax::Expression& argument : statement.values) {
        Maybe value = check_scalar_value(argument, "a bound of a loop");
        if (!value) {
            good = false;
            continue;
        }
        if (is_float(value->element)) type = ElementType::float64;
        result.operands.push_back(std::move(*value));
    }
    if (good && given == 1) {
        result.operands.insert(result.operands.begin(), integer_constant(0, statement.place));
    }
    if (good && given < 3) result.operands.push_back(integer_constant(1, statement.place));
    if (good && result.operands[2].kind == Expression::Kind::constant &&
        result.operands[2].number == 0) {
        report(ErrorCode::range, result.operands[2].place, "the step of a loop cannot be 0");
        good = false;
    }
    for (Expression& bound : result.operands) bound = converted(std::move(bound), type);

    const bool free = is_free(statement.name);
    frame_->open_block();
    if (free) {
        result.variable = new_variable(statement.name.text, statement.name.place);
        program_.variables[static_cast<std::size_t>(result.variable)].element = type;
        frame_->add(statement.name.text, {.kind = Symbol::Kind::scalar,
                                          .id = result.variable,
                                          .place = statement.name.place,
                                          .loop_variable = true});
    }
    std::vector<Statement>* outside = out_;
    out_ = &result.body;
    ++loops_deep_;
    for (const syntax::Statement& inner : statement.body) check_statement(inner);
    --loops_deep_;
    out_ = outside;
    frame_->close_block();
    if (good && free) emit(std::move(result));
}

} // namespace tropic::language
