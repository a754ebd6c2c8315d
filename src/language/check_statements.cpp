// Statements: assignments, reads, masks, printing, loops.
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

/// A tensor that a loop makes anew has lost what it had in the round before.
void Checker::emit_reset(const Symbol& tensor, const Statement& assignment) {
    if (!tensor.repeats || (!assignment.mask && !assignment.accumulate)) return;
    Statement reset;
    reset.place = assignment.place;
    reset.variable = tensor.id;
    reset.labels = assignment.labels;
    const Variable& variable = program_.variables[static_cast<std::size_t>(tensor.id)];
    reset.operands.push_back(converted(integer_constant(0, assignment.place), variable.element));
    emit(std::move(reset));
}

void Checker::emit_assign(VariableId variable, Expression value, Place place) {
    Statement statement;
    statement.place = place;
    statement.variable = variable;
    const Variable& target = program_.variables[static_cast<std::size_t>(variable)];
    statement.operands.push_back(converted(std::move(value), target.element));
    emit(std::move(statement));
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

void Checker::check_assign(const syntax::Statement& statement) {
    Symbol* symbol = frame_->find(statement.name.text);
    const bool scalar = symbol != nullptr && symbol->kind == Symbol::Kind::scalar;
    if (scalar) return assign_scalar(statement, *symbol);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::label) {
        report(ErrorCode::inconsistent, statement.name.place,
               fmt::format("label '{}' cannot be assigned to", statement.name.text));
        return;
    }
    if (!statement.labelled) {
        if (symbol == nullptr) {
            report(ErrorCode::not_found, statement.name.place,
                   fmt::format("unknown variable '{}'", statement.name.text),
                   {.hint = fmt::format("var {} = ...; for a scalar, {}[i, j] = ...; for a tensor",
                                        statement.name.text, statement.name.text)});
            poison(statement.name);
        } else if (symbol->kind == Symbol::Kind::tensor) {
            report(
                ErrorCode::inconsistent, statement.name.place,
                fmt::format("tensor '{}' needs its labels here", statement.name.text),
                {.hint = fmt::format("{}{} = ...;", statement.name.text, text_of(symbol->labels))});
        }
        return;
    }
    assign_tensor(statement);
}

void Checker::assign_scalar(const syntax::Statement& statement, Symbol& symbol) {
    const syntax::Name& name = statement.name;
    if (symbol.loop_variable) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("loop variable '{}' cannot be assigned to", name.text));
        return;
    }
    if (statement.labelled || statement.mask) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("'{}' is a scalar: it has no labels and no mask", name.text));
        return;
    }
    const VariableId id = symbol.id;
    const Place declared = symbol.place;
    Maybe value = check_scalar_value(statement.values[0], "the value of a scalar");
    if (!value) return;
    if (statement.accumulate) {
        value = elementwise(*statement.accumulate, statement.place, scalar(id, name.place),
                            std::move(*value));
    }
    if (is_float(value->element) &&
        !is_float(program_.variables[static_cast<std::size_t>(id)].element)) {
        widened_.emplace(declared.line, declared.column);
    }
    emit_assign(id, std::move(*value), statement.place);
}

void Checker::assign_tensor(const syntax::Statement& statement) {
    const syntax::Name& name = statement.name;
    Symbol* symbol = frame_->find(name.text);
    const bool known = symbol != nullptr;
    if (!known && is_built_in(name.text)) {
        is_free(name);
        return;
    }
    if (!known && statement.accumulate) {
        report(
            ErrorCode::not_found, name.place,
            fmt::format("unknown tensor '{}'; it cannot be added to before it exists", name.text),
            {.hint = did_you_mean(name.text, frame_->names(Symbol::Kind::tensor))});
        poison(name);
        symbol = frame_->find(name.text);
    }
    Statement result;
    result.place = statement.place;
    result.accumulate = statement.accumulate;
    const auto labels = resolve_labels(statement.labels);
    bool good = labels && all_distinct(statement.labels, "on the left");
    if (good && symbol != nullptr) {
        good = symbol->kind == Symbol::Kind::tensor &&
               bind_labels(*symbol, name, statement.labels, *labels);
    }
    if (labels) result.labels = *labels;
    if (statement.mask && labels) {
        result.mask = check_mask(*statement.mask, *labels);
        good = good && result.mask;
    }

    const syntax::Expression& right = statement.values[0];
    const bool is_call = right.kind == syntax::Expression::Kind::call && !right.labelled;
    if (is_call &&
        (right.name == "comet_read" || right.name == "read_from_file" || right.name == "random")) {
        if (good) fill_from_call(statement, std::move(result));
        else if (!known) poison(name);
        return;
    }
    Maybe value;
    if (is_call && !is_built_in(right.name)) {
        const Returned returned = expand(right);
        if (returned.kind == Returned::Kind::nothing) {
            report_no_value(right);
        } else if (returned.kind == Returned::Kind::scalar) {
            value = scalar(returned.variable, right.place);
        } else if (returned.kind == Returned::Kind::tensor && labels) {
            const Symbol tensor{.kind = Symbol::Kind::tensor, .id = returned.variable};
            if (bind_labels(tensor, {right.name + "(...)", right.place}, statement.labels,
                            *labels)) {
                value = access(returned.variable, *labels, right.place);
            }
        }
    } else {
        value = check(right, labels ? set_of(*labels) : 0);
    }
    symbol = frame_->find(name.text); // calls may have moved it
    if (!good || !value) {
        if (symbol == nullptr) poison(name);
        else symbol->has_value = true;
        return;
    }

    const LabelSet target = set_of(*labels);
    const LabelSet given = set_of(value->labels);
    if (given != 0 && (target & ~given) != 0) {
        report(ErrorCode::inconsistent, name.place,
               fmt::format("{} on the left {} not occur on the right, which has {}",
                           text_of(target & ~given), "does", text_of(distinct_labels(*value))));
        good = false;
    } else if ((given & ~target) != 0) {
        report(ErrorCode::inconsistent, right.place,
               fmt::format("{} on the right does not occur on the left, and no product folds it "
                           "away",
                           text_of(given & ~target)),
               {.hint = "SUM(...) adds up all elements; a product with a tensor of ones adds up "
                        "along one label"});
        good = false;
    }
    if (!good) {
        if (symbol == nullptr) poison(name);
        else symbol->has_value = true;
        return;
    }

    if (symbol == nullptr) {
        const VariableId id = new_variable(name.text, name.place);
        Variable& variable = program_.variables[static_cast<std::size_t>(id)];
        variable.is_tensor = true;
        variable.element = value->element;
        for (const LabelId label : *labels) {
            bind_size(label, -1, name.text, name.place);
            const auto bit = static_cast<std::size_t>(frame_->labels.bit(label));
            variable.shape.push_back(frame_->labels.entries[bit].size);
        }
        symbol = &frame_->add(
            name.text,
            {.kind = Symbol::Kind::tensor, .id = id, .place = name.place, .labels = *labels}, true);
    }
    result.variable = symbol->id;
    if (!symbol->has_value) emit_reset(*symbol, result);
    symbol->has_value = true;
    const ElementType type = program_.variables[static_cast<std::size_t>(symbol->id)].element;
    if (value->kind == Expression::Kind::constant && !fits(*value, type)) {
        report(ErrorCode::range, value->place,
               is_float(value->element)
                   ? fmt::format("{} is no value of type {}", value->number, name_of(type))
                   : fmt::format("{} is no value of type {}", value->integer, name_of(type)));
        return;
    }
    result.operands.push_back(converted(std::move(*value), type));
    emit(std::move(result));
}

/// A[i, j] = comet_read(0); and A[i, j] = random();
void Checker::fill_from_call(const syntax::Statement& statement, Statement result) {
    const syntax::Expression& call = statement.values[0];
    const syntax::Name& name = statement.name;
    if (result.mask || result.accumulate) {
        report(ErrorCode::unsupported, call.place,
               fmt::format("'{}' can be assigned with '=' only, without a mask", call.name));
        return;
    }
    Symbol* symbol = frame_->find(name.text);
    const int rank = static_cast<int>(result.labels.size());
    bool good = true;
    if (call.name == "random") {
        result.kind = Statement::Kind::fill_random;
        good = argument_count(call, 0, 0, "random()");
    } else {
        result.kind = Statement::Kind::read;
        good = set_read(call, rank, result);
    }
    if (symbol == nullptr) {
        const VariableId id = new_variable(name.text, name.place);
        Variable& variable = program_.variables[static_cast<std::size_t>(id)];
        variable.is_tensor = true;
        for (const LabelId label : result.labels) {
            variable.shape.push_back(program_.labels[static_cast<std::size_t>(label)].size);
        }
        symbol = &frame_->add(
            name.text,
            {.kind = Symbol::Kind::tensor, .id = id, .place = name.place, .labels = result.labels},
            true);
    }
    symbol->has_value = true;
    if (!good) return;
    result.variable = symbol->id;
    emit(std::move(result));
}

std::optional<std::int64_t> Checker::constant_integer(const syntax::Expression& expression) {
    const Maybe value = check(expression, 0);
    if (!value) return std::nullopt;
    if (value->kind == Expression::Kind::constant && !is_float(value->element)) {
        return value->integer;
    }
    report(ErrorCode::inconsistent, expression.place, "this must be a constant integer");
    return std::nullopt;
}

bool Checker::set_read(const syntax::Expression& call, int rank, Statement& result) {
    const std::string usage = call.name + "(0), or " + call.name + "(0, 2) for a triangle";
    if (!argument_count(call, 1, 2, usage)) return false;
    const auto number = constant_integer(call.operands[0]);
    if (!number) return false;
    if (*number < 0) {
        report(ErrorCode::range, call.operands[0].place, "inputs are counted from 0",
               {.accepted = usage});
        return false;
    }
    result.input = std::to_string(*number);
    if (call.operands.size() == 1) return true;
    const auto mode = constant_integer(call.operands[1]);
    if (!mode) return false;
    if (*mode < 1 || *mode > 5) {
        report(
            ErrorCode::range, call.operands[1].place,
            fmt::format("there is no read mode {}", *mode),
            {.accepted = "1 all, 2 strictly lower triangle, 3 lower, 4 strictly upper, 5 upper"});
        return false;
    }
    if (*mode != 1 && rank != 2) {
        report(ErrorCode::inconsistent, call.operands[1].place,
               fmt::format("only a matrix has triangles, and this tensor has {} dimension{}", rank,
                           rank == 1 ? "" : "s"));
        return false;
    }
    result.read_mode = static_cast<int>(*mode);
    return true;
}

std::optional<Mask> Checker::check_mask(const syntax::MaskWords& words,
                                        const std::vector<LabelId>& target) {
    Mask mask;
    mask.place = words.tensor.place;
    bool good = true;
    if (words.way) {
        const std::string& way = words.way->text;
        if (way == "push") mask.way = MaskWay::push;
        else if (way == "pull") mask.way = MaskWay::pull;
        else if (way != "auto") {
            constexpr std::array<std::string_view, 3> ways = {"push", "pull", "auto"};
            report(ErrorCode::not_found, words.way->place,
                   fmt::format("unknown way '{}' to use a mask", way),
                   {.accepted = "push, pull, auto", .hint = did_you_mean(way, ways)});
            good = false;
        }
    }
    Symbol* symbol = find_tensor(words.tensor);
    if (symbol == nullptr) return std::nullopt;
    std::optional<std::vector<LabelId>> labels = target;
    std::vector<syntax::Name> names(target.size(), words.tensor);
    if (words.labelled) {
        labels = resolve_labels(words.labels);
        names = words.labels;
        if (!labels || !all_distinct(words.labels, "in the mask")) return std::nullopt;
    }
    const std::size_t rank = program_.variables[static_cast<std::size_t>(symbol->id)].shape.size();
    if (!words.labelled && rank != target.size()) {
        report(ErrorCode::inconsistent, words.tensor.place,
               fmt::format("mask '{}' has {} dimension{}, and what it masks has {}",
                           words.tensor.text, rank, rank == 1 ? "" : "s", target.size()));
        return std::nullopt;
    }
    if (!bind_labels(*symbol, words.tensor, names, *labels)) return std::nullopt;
    if (set_of(*labels) != set_of(target)) {
        report(ErrorCode::inconsistent, words.tensor.place,
               fmt::format("the mask has labels {}, and what it masks has {}", text_of(*labels),
                           text_of(target)));
        return std::nullopt;
    }
    if (!require_value(words.tensor, *symbol) || !good) return std::nullopt;
    mask.variable = symbol->id;
    mask.labels = *labels;
    return mask;
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
