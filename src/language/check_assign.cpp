// Assignments: to scalars, to tensors, with masks, from files.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"
#include "language/conversions.h"
#include "language/element_types.h"

namespace tropic::language {

namespace {

bool is_filling_call(const syntax::Expression& expression) {
    return expression.kind == syntax::Expression::Kind::call && !expression.labelled &&
           (expression.name == "comet_read" || expression.name == "read_from_file" ||
            expression.name == "random");
}

} // namespace

void Checker::check_assign(const syntax::Statement& statement) {
    Symbol* symbol = frame_->find(statement.name.text);
    const bool scalar = symbol != nullptr && symbol->kind == Symbol::Kind::scalar;
    if (scalar) return assign_scalar(statement, *symbol);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::label) {
        report(ErrorCode::inconsistent, statement.name.place,
               fmt::format("label '{}' cannot be assigned to", statement.name.text));
        return;
    }
    if (statement.labelled) assign_tensor(statement);
    else if (symbol == nullptr || symbol->kind == Symbol::Kind::tensor) assign_whole(statement);
}

void Checker::assign_scalar(const syntax::Statement& statement, const Symbol& symbol) {
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

/// Labels and mask of an assignment to a tensor, which `symbol` is if it exists already.
bool Checker::check_target(const syntax::Statement& statement, const Symbol* symbol,
                           Statement& result) {
    const auto labels = resolve_labels(statement.labels);
    if (!labels) return false;
    result.labels = *labels;
    bool good = all_distinct(statement.labels, "on the left");
    if (good && symbol != nullptr) {
        good = symbol->kind == Symbol::Kind::tensor &&
               bind_labels(*symbol, statement.name, statement.labels, *labels);
    }
    if (statement.mask) {
        result.mask = check_mask(*statement.mask, *labels);
        good = good && result.mask;
    }
    return good;
}

/// What is assigned. A call that returns a tensor takes the labels of the target.
Checker::Maybe Checker::check_right_side(const syntax::Statement& statement,
                                         const std::vector<LabelId>& labels) {
    const syntax::Expression& right = statement.values[0];
    if (right.kind != syntax::Expression::Kind::call || right.labelled || is_built_in(right.name)) {
        return check(right, set_of(labels));
    }
    const Returned returned = expand(right);
    switch (returned.kind) {
    case Returned::Kind::unknown:
        return std::nullopt;
    case Returned::Kind::nothing:
        report_no_value(right);
        return std::nullopt;
    case Returned::Kind::scalar:
        return scalar(returned.variable, right.place);
    case Returned::Kind::tensor:
        break;
    }
    const Symbol tensor{.kind = Symbol::Kind::tensor, .id = returned.variable};
    if (labels.empty() ||
        !bind_labels(tensor, {right.name + "(...)", right.place}, statement.labels, labels)) {
        return std::nullopt;
    }
    return access(returned.variable, labels, right.place);
}

/// Whether the right side has the labels of the left one, or none.
bool Checker::sides_agree(const syntax::Statement& statement, const std::vector<LabelId>& labels,
                          const Expression& value) {
    const LabelSet target = set_of(labels);
    const LabelSet given = set_of(value.labels);
    if (given != 0 && (target & ~given) != 0) {
        report(ErrorCode::inconsistent, statement.name.place,
               fmt::format("{} on the left does not occur on the right, which has {}",
                           text_of(target & ~given), text_of(distinct_labels(value))));
        return false;
    }
    if ((given & ~target) != 0) {
        report(ErrorCode::inconsistent, statement.values[0].place,
               fmt::format("{} on the right does not occur on the left, and no product folds it "
                           "away",
                           text_of(given & ~target)),
               {.hint = "SUM(...) adds up all elements; a product with a tensor of ones adds up "
                        "along one label"});
        return false;
    }
    return true;
}

/// A tensor that is declared by its first assignment, for the whole function.
Symbol& Checker::declare_by_assignment(const syntax::Name& name, const std::vector<LabelId>& labels,
                                       ElementType type) {
    const VariableId id = new_variable(name.text, name.place);
    Variable& variable = program_.variables[static_cast<std::size_t>(id)];
    variable.is_tensor = true;
    variable.element = type;
    for (const LabelId label : labels) {
        Index size = program_.labels[static_cast<std::size_t>(label)].size;
        for (const LabelTable::Entry& entry : frame_->labels.entries) {
            if (entry.id == label && size < 0) size = entry.size;
        }
        variable.shape.push_back(size);
    }
    if (frame_->round != nullptr) {
        frame_->round->insert(frame_->round->begin() +
                                  static_cast<std::ptrdiff_t>(frame_->round_begin),
                              forgetting(id, name.place));
    }
    return frame_->add(
        name.text, {.kind = Symbol::Kind::tensor, .id = id, .place = name.place, .labels = labels},
        true);
}

void Checker::assign_tensor(const syntax::Statement& statement) {
    const syntax::Name& name = statement.name;
    Symbol* symbol = frame_->find(name.text);
    if (symbol == nullptr && !is_free(name)) return;
    if (symbol == nullptr && statement.accumulate) {
        report_nothing_to_add_to(name);
        symbol = frame_->find(name.text);
    }
    Statement result;
    result.place = statement.place;
    result.accumulate = statement.accumulate;
    bool good = check_target(statement, symbol, result);
    Maybe value;
    if (is_filling_call(statement.values[0])) {
        good = check_filling_call(statement.values[0], result) && good;
    } else {
        value = check_right_side(statement, result.labels);
        good = good && value && sides_agree(statement, result.labels, *value);
    }
    if (!good) return give_up(name);
    finish_assignment(name, std::move(result), std::move(value));
}

void Checker::report_nothing_to_add_to(const syntax::Name& name) {
    report(ErrorCode::not_found, name.place,
           fmt::format("unknown tensor '{}'; it cannot be added to before it exists", name.text),
           {.hint = did_you_mean(name.text, frame_->names(Symbol::Kind::tensor))});
    poison(name);
}

/// After a mistake in an assignment: uses of the name say nothing more.
void Checker::give_up(const syntax::Name& name) {
    Symbol* symbol = frame_->find(name.text);
    if (symbol == nullptr) poison(name);
    else symbol->has_value = true;
}

/// `value` is none where the statement says what is assigned.
void Checker::finish_assignment(const syntax::Name& name, Statement result, Maybe value) {
    Symbol* symbol = frame_->find(name.text); // what was unknown on the right is known by now
    if (symbol == nullptr) {
        symbol = &declare_by_assignment(name, result.labels,
                                        value ? value->element : ElementType::float64);
    }
    result.variable = symbol->id;
    symbol->has_value = true;
    if (value) {
        const ElementType type = program_.variables[static_cast<std::size_t>(symbol->id)].element;
        if (value->kind == Expression::Kind::constant && !fits(*value, type)) {
            report(ErrorCode::range, value->place,
                   is_float(value->element)
                       ? fmt::format("{} is no value of type {}", value->number, name_of(type))
                       : fmt::format("{} is no value of type {}", value->integer, name_of(type)));
            return;
        }
        result.operands.push_back(converted(std::move(*value), type));
    }
    emit(std::move(result));
}

/// A[i, j] = comet_read(0); and A[i, j] = random();
bool Checker::check_filling_call(const syntax::Expression& call, Statement& result) {
    if (result.mask || result.accumulate) {
        report(ErrorCode::unsupported, call.place,
               fmt::format("'{}' can be assigned with '=' only, without a mask", call.name));
        return false;
    }
    if (call.name == "random") {
        result.kind = Statement::Kind::fill_random;
        return argument_count(call, 0, 0, "random()");
    }
    result.kind = Statement::Kind::read;
    return set_read(call, static_cast<int>(result.labels.size()), result);
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

} // namespace tropic::language
