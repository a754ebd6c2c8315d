// Functions: expanded where they are called, with variables and labels of their own.
#include <algorithm>

#include <fmt/format.h>

#include "language/checker.h"
#include "language/conversions.h"
#include "language/element_types.h"

namespace tropic::language {

namespace {

/// Calls inside of calls.
constexpr int deepest_calls = 100;

/// Statements and operands that calls may produce altogether: functions that call each other twice
/// grow with every level.
constexpr std::int64_t most_expanded = 100'000;

} // namespace

/// The variable behind an expression that stands for a whole tensor: A, A[i, j], f(x). None if it
/// does not; `reported` tells whether a mistake has been reported.
std::optional<VariableId> Checker::whole_tensor(const syntax::Expression& expression,
                                                bool& reported) {
    using Kind = syntax::Expression::Kind;
    reported = false;
    const syntax::Name name{expression.name, expression.place};
    if (expression.kind == Kind::name || expression.kind == Kind::access) {
        Symbol* symbol = frame_->find(name.text);
        if (expression.kind == Kind::name &&
            (symbol == nullptr || symbol->kind != Symbol::Kind::tensor)) {
            return std::nullopt;
        }
        symbol = find_tensor(name);
        reported = true;
        if (symbol == nullptr) return std::nullopt;
        if (expression.kind == Kind::access) {
            const auto labels = resolve_labels(expression.labels);
            if (!labels || !all_distinct(expression.labels, "in a whole tensor") ||
                !bind_labels(*symbol, name, expression.labels, *labels)) {
                return std::nullopt;
            }
        }
        if (!require_value(name, *symbol)) return std::nullopt;
        return symbol->id;
    }
    return std::nullopt;
}

bool Checker::recursion_reported(const syntax::Function& function, const syntax::Expression& call) {
    std::string cycle = fmt::format("'{}'", function.name.text);
    for (const Frame* frame = frame_; frame != nullptr; frame = frame->caller()) {
        cycle = fmt::format("'{}' calls {}", frame->function().name.text, cycle);
        if (&frame->function() != &function) continue;
        report(ErrorCode::unsupported, call.place,
               fmt::format("functions cannot call themselves: {}", cycle),
               {.hint = "use a loop: for x in range(0, 10): ... end"});
        return true;
    }
    return false;
}

Checker::Returned Checker::expand(const syntax::Expression& call) {
    constexpr Returned unknown{.kind = Returned::Kind::unknown};
    const auto found = functions_.find(call.name);
    if (found == functions_.end()) {
        std::vector<std::string_view> known = {"print",     "printElapsedTime", "getTime",   "SUM",
                                               "transpose", "random",           "comet_read"};
        for (const auto& [name, function] : functions_) known.push_back(name);
        report(ErrorCode::not_found, call.place, fmt::format("unknown function '{}'", call.name),
               {.hint = did_you_mean(call.name, known)});
        return unknown;
    }
    const syntax::Function& function = *found->second;
    used_.insert(&function);
    if (recursion_reported(function, call)) return unknown;
    if (call.operands.size() != function.parameters.size()) {
        report(ErrorCode::inconsistent, call.place,
               fmt::format("'{}' takes {} argument{}, {} given", call.name,
                           function.parameters.size(), function.parameters.size() == 1 ? "" : "s",
                           call.operands.size()));
        return unknown;
    }
    if (calls_deep_ >= deepest_calls) {
        report(ErrorCode::range, call.place,
               fmt::format("calls nested more than {} levels deep", deepest_calls));
        return unknown;
    }
    if (expanded_ > most_expanded) {
        diagnostics_.add(ErrorCode::range, call.place,
                         fmt::format("the program becomes too large: its calls expand to more "
                                     "than {} operations",
                                     most_expanded),
                         {.hint = "call functions from a loop"});
        return unknown;
    }
    ++expanded_;
    Frame frame(function, frame_, call.place);
    collect_assigned(function.body, frame.assigned);
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
        bind_parameter(frame, function.parameters[p], call.operands[p]);
    }
    Frame* caller = frame_;
    frame_ = &frame;
    ++calls_deep_;
    const Returned returned = check_body(function);
    --calls_deep_;
    frame_ = caller;
    return returned;
}

/// Arguments are checked in the caller's frame; the parameter is declared in the callee's.
void Checker::bind_parameter(Frame& frame, const syntax::Parameter& parameter,
                             const syntax::Expression& argument) {
    using Kind = syntax::Parameter::Kind;
    const auto give_up = [&] {
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
    };
    if (is_built_in(parameter.name.text) || frame.find(parameter.name.text) != nullptr) {
        report(ErrorCode::inconsistent, parameter.name.place,
               fmt::format("parameter '{}' is declared twice, or is a function of the language",
                           parameter.name.text));
        return give_up();
    }
    bool reported = false;
    std::optional<VariableId> tensor = whole_tensor(argument, reported);
    if (!tensor && !reported && argument.kind == syntax::Expression::Kind::call &&
        !is_built_in(argument.name) && !argument.labelled) {
        const Returned returned = expand(argument);
        if (returned.kind == Returned::Kind::tensor) tensor = returned.variable;
        else if (returned.kind == Returned::Kind::unknown) return give_up();
    }
    if (reported && !tensor) return give_up();
    if (tensor && parameter.kind == Kind::scalar) {
        report(
            ErrorCode::inconsistent, argument.place,
            fmt::format("parameter '{}' is a scalar, and this is a tensor", parameter.name.text));
        return give_up();
    }
    if (!tensor && parameter.kind == Kind::tensor) {
        report(ErrorCode::inconsistent, argument.place,
               fmt::format("parameter '{}' is a tensor, and this is not one", parameter.name.text),
               {.accepted = "the name of a tensor, or a call that returns one",
                .hint = "assign an expression to a tensor first"});
        return give_up();
    }
    if (tensor) bind_tensor(frame, parameter, argument, *tensor);
    else bind_scalar(frame, parameter, argument);
}

/// The parameter is the argument itself, unless the function changes it or wants it otherwise.
void Checker::bind_tensor(Frame& frame, const syntax::Parameter& parameter,
                          const syntax::Expression& argument, VariableId variable) {
    Variable wanted = program_.variables[static_cast<std::size_t>(variable)];
    Symbol symbol{.kind = Symbol::Kind::tensor,
                  .id = variable,
                  .place = parameter.name.place,
                  .has_value = true};
    const auto give_up = [&] {
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
    };
    bool copy = frame.assigned.contains(parameter.name.text);
    if (parameter.kind == syntax::Parameter::Kind::tensor) {
        const auto type = element_type(parameter.type);
        if (!type) return give_up();
        copy = copy || wanted.element != *type;
        wanted.element = *type;
        if (parameter.labelled) {
            if (parameter.labels.size() != wanted.shape.size()) {
                report(ErrorCode::inconsistent, argument.place,
                       fmt::format("parameter '{}' has {} dimension{}, and this tensor has {}",
                                   parameter.name.text, parameter.labels.size(),
                                   parameter.labels.size() == 1 ? "" : "s", wanted.shape.size()));
                return give_up();
            }
            const auto format = wanted.format;
            const auto presentation = wanted.presentation;
            if (!set_storage(wanted, parameter.storage)) return give_up();
            copy = copy || format != wanted.format || presentation != wanted.presentation;
        }
    }
    for (std::size_t d = 0; d < wanted.shape.size(); ++d) {
        if (!parameter.labelled) {
            symbol.labels.push_back(new_label({fmt::format("d{}", d), {}}, wanted.shape[d]));
            continue;
        }
        const syntax::Name& name = parameter.labels[d];
        const Symbol* known = frame.find(name.text);
        if (known == nullptr) {
            known = &frame.add(name.text, {.kind = Symbol::Kind::label,
                                           .id = new_label(name, wanted.shape[d]),
                                           .place = name.place,
                                           .from_parameter = true});
        } else if (known->kind != Symbol::Kind::label) {
            report(ErrorCode::inconsistent, name.place,
                   fmt::format("'{}' is another parameter, not a label", name.text));
            return give_up();
        }
        symbol.labels.push_back(known->id);
    }
    if (copy) {
        Frame* caller = frame_;
        frame_ = &frame;
        const VariableId id = new_variable(parameter.name.text, parameter.name.place);
        frame_ = caller;
        wanted.name = program_.variables[static_cast<std::size_t>(id)].name;
        wanted.place = parameter.name.place;
        const ElementType type = wanted.element;
        program_.variables[static_cast<std::size_t>(id)] = std::move(wanted);
        std::vector<LabelId> labels;
        for (const Index size : program_.variables[static_cast<std::size_t>(id)].shape) {
            labels.push_back(new_label({fmt::format("d{}", labels.size()), {}}, size));
        }
        Statement statement;
        statement.place = argument.place;
        statement.variable = id;
        statement.labels = labels;
        statement.operands.push_back(converted(access(variable, labels, argument.place), type));
        emit(std::move(statement));
        symbol.id = id;
    }
    frame.add(parameter.name.text, std::move(symbol));
}

void Checker::bind_scalar(Frame& frame, const syntax::Parameter& parameter,
                          const syntax::Expression& argument) {
    Maybe value = check_scalar_value(argument, "an argument that is not the name of a tensor");
    std::optional<ElementType> type;
    if (!parameter.type.text.empty()) type = element_type(parameter.type);
    if (!value || (!parameter.type.text.empty() && !type)) {
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
        return;
    }
    if (type && !is_float(*type) && is_float(value->element)) {
        report(ErrorCode::inconsistent, argument.place,
               fmt::format("parameter '{}' is an integer, and this is not", parameter.name.text));
        frame.add(parameter.name.text,
                  {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
        return;
    }
    const Place place = parameter.name.place;
    const bool real = is_float(type.value_or(value->element)) || widened_.contains({0, 0}) ||
                      widened_.contains({place.line, place.column});
    Frame* caller = frame_;
    frame_ = &frame;
    const VariableId id = new_variable(parameter.name.text, place);
    frame_ = caller;
    program_.variables[static_cast<std::size_t>(id)].element =
        real ? ElementType::float64 : ElementType::int64;
    frame.add(parameter.name.text, {.kind = Symbol::Kind::scalar, .id = id, .place = place});
    emit_assign(id, std::move(*value), argument.place);
}

/// A parameter of a function that nobody calls: what its uses tell of it.
void Checker::bind_unused(Frame& frame, const syntax::Parameter& parameter) {
    frame.add(parameter.name.text, {.kind = Symbol::Kind::unknown, .place = parameter.name.place});
    if (!parameter.type.text.empty()) element_type(parameter.type);
    for (const syntax::Name& label : parameter.labels) {
        if (frame.find(label.text) != nullptr) continue;
        frame.add(label.text, {.kind = Symbol::Kind::label,
                               .id = new_label(label, -1),
                               .place = label.place,
                               .from_parameter = true});
    }
}

Checker::Returned Checker::check_body(const syntax::Function& function) {
    for (const syntax::Statement& statement : function.body) {
        const bool last = &statement == &function.body.back();
        if (last && statement.kind == syntax::Statement::Kind::return_value && !frame_->is_main()) {
            frame_->labels.entries.clear();
            return check_return(statement);
        }
        check_statement(statement);
    }
    return {};
}

Checker::Returned Checker::check_return(const syntax::Statement& statement) {
    if (statement.values.empty()) return {};
    constexpr Returned unknown{.kind = Returned::Kind::unknown};
    const syntax::Expression& value = statement.values[0];
    bool reported = false;
    if (const auto tensor = whole_tensor(value, reported)) {
        return {.kind = Returned::Kind::tensor, .variable = *tensor};
    }
    if (reported) return unknown;
    if (value.kind == syntax::Expression::Kind::call && !is_built_in(value.name) &&
        !value.labelled) {
        return expand(value);
    }
    Maybe result = check(value, natural_labels(value));
    if (!result) return unknown;
    if (!result->is_scalar()) {
        report(ErrorCode::unsupported, value.place,
               "a function returns a scalar or a tensor with a name",
               {.hint = "assign the expression to a tensor and return that"});
        return unknown;
    }
    const VariableId id = new_variable("return", value.place);
    const ElementType type = scalar_type(result->element);
    program_.variables[static_cast<std::size_t>(id)].element = type;
    emit_assign(id, std::move(*result), statement.place);
    return {.kind = Returned::Kind::scalar, .variable = id};
}

} // namespace tropic::language
